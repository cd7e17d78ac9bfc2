// A line that says what is being measured, for as long as it is: it takes seconds.
#pragma once

#include <unistd.h>

#include <ostream>
#include <string>

namespace nibble::cli {

/// On one line where somebody looks on, and gone afterwards; a line each in a log.
class Announcer {
 public:
  explicit Announcer(std::ostream& err) : err_(err), alive_(isatty(STDERR_FILENO) == 1) {}
  ~Announcer() {
    if (alive_ && said_) err_ << "\r\033[K" << std::flush;
  }
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  void say(const std::string& what) {
    err_ << (alive_ ? "\r\033[K" : "") << "measuring  " << what << (alive_ ? "" : "\n")
         << std::flush;
    said_ = true;
  }

 private:
  std::ostream& err_;
  bool alive_, said_ = false;
};

}  // namespace nibble::cli
