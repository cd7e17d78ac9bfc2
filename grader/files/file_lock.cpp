#include "files/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace nibble::files {

FileLock::FileLock(const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd_ < 0) {
    throw std::filesystem::filesystem_error("locking", file,
                                            std::error_code(errno, std::generic_category()));
  }
  // Interrupted or unsupported (some network folders): go on without, as a lone nibble would.
  [[maybe_unused]] const int held = flock(fd_, LOCK_EX);
}

FileLock::~FileLock() { close(fd_); }

}  // namespace nibble::files
