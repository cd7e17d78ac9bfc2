// Two nibbles in one project take turns: watch in one window, run in another.
#pragma once

#include <filesystem>

namespace nibble::files {

/// Holds `file` (made when missing) until it is destroyed; waits for whoever holds it.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

}  // namespace nibble::files
