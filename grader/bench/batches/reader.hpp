// Somebody who reads the results all the time, whatever happens to those who write them.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <thread>

namespace nibble::bench {

class BusyReader {
 public:
  explicit BusyReader(std::filesystem::path grades);

  std::size_t reads() const { return reads_; }
  /// Files that were there and held no whole JSON, and results that were there and are gone.
  std::size_t unreadable() const { return unreadable_; }

 private:
  void read_all(const std::stop_token& stop);
  void read_folder(const std::filesystem::path& folder, const std::stop_token& stop);
  void read(const std::filesystem::path& file);

  std::filesystem::path grades_;
  std::atomic<std::size_t> reads_ = 0, unreadable_ = 0;
  std::jthread thread_;  // the last: it uses the others
};

}  // namespace nibble::bench
