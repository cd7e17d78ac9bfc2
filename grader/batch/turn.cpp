#include "batch/turn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>

#include "files/files.hpp"
#include "text/harmless.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;

std::string who_am_i() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("process {} on {}", getpid(), host.data());
}

}  // namespace

Turn::Turn(const fs::path& grades) {
  const fs::path file = grades / ".batch" / "turn";
  fs::create_directories(file.parent_path());
  fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) return;  // what cannot be written is said when a result is
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(fd_);
    throw std::invalid_argument(
        fmt::format("another batch grades into {} ({}): wait until it ends, or name another folder "
                    "with -o",
                    text::harmless(grades.string()), text::harmless(files::read_file(file))));
  }
  // A file system without locks has no turns; whoever begins two batches there is on his own.
  const std::string me = who_am_i();
  const bool said = ftruncate(fd_, 0) == 0 && pwrite(fd_, me.data(), me.size(), 0) > 0;
  static_cast<void>(said);  // a name for people, and nothing more
}

Turn::~Turn() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace nibble::batch
