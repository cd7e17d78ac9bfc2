// How far a long piece of work is, how fast it goes, and when it will be done.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace nibble::batch {

/// "[#########-----------]  231/500  3.1/s  1 min 27 s left"; `seconds` since the first began.
std::string progress_text(std::size_t done, std::size_t all, double seconds);

/// Keeps that line at the bottom of a terminal; elsewhere it shows nothing. From any thread.
class ProgressBar {
 public:
  ProgressBar(std::string what, std::size_t all);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// One more is done; `line`, when there is one, goes to standard output above the bar.
  void step(const std::string& line);

 private:
  void draw() const;
  std::string what_;
  std::size_t all_, done_ = 0;
  bool on_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
};

}  // namespace nibble::batch
