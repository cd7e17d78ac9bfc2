// A program that runs beside this one, watched for its memory until it ends.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::bench {

class Started {
 public:
  /// What it says goes to the end of `log`.
  Started(const std::vector<std::string>& words, const std::filesystem::path& log);
  ~Started();  ///< ends it, when it has not
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  bool has_ended();
  pid_t pid() const { return pid_; }
  int exit_status() const { return exit_status_; }  ///< -1: it was ended by a signal
  long peak_kib() const { return peak_kib_; }       ///< of its resident memory

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int exit_status_ = -1;
  long peak_kib_ = 0;
};

}  // namespace nibble::bench
