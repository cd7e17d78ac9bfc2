#include "sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace nibble::sandbox {
namespace {

// What the headers of older distributions do not know; the running kernel may.
constexpr std::uint64_t kRefer = 1 << 13, kTruncate = 1 << 14, kIoctlDevice = 1 << 15;
constexpr std::uint64_t kTcpBindAndConnect = 3, kAbstractSocketsAndSignals = 3;

struct Attributes {
  std::uint64_t files, network, scopes;
};

/// All there is to refuse about files, in that version of Landlock.
std::uint64_t all_of_files(int version) {
  std::uint64_t all = (1 << 13) - 1;
  if (version >= 2) all |= kRefer;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kIoctlDevice;
  return all;
}

constexpr std::uint64_t kOfPlainFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                        LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kIoctlDevice;
constexpr std::uint64_t kReading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

}  // namespace

int Landlock::create() {
  version_ = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version_ < 1) return errno;
  const Attributes all{all_of_files(version_), version_ >= 4 ? kTcpBindAndConnect : 0,
                       version_ >= 6 ? kAbstractSocketsAndSignals : 0};
  const std::size_t size = version_ >= 6 ? 24 : version_ >= 4 ? 16 : 8;
  rules_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, size, 0));
  return rules_ < 0 ? errno : 0;
}

int Landlock::allow(int fd, unsigned long long rights) const {
  struct stat file {};
  if (fstat(fd, &file) != 0) return errno;
  if (!S_ISDIR(file.st_mode)) rights &= kOfPlainFiles;
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = rights & all_of_files(version_);
  beneath.parent_fd = fd;
  const long failed =
      syscall(SYS_landlock_add_rule, rules_, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
  return failed != 0 ? errno : 0;
}

int Landlock::allow(const char* path, unsigned long long rights) const {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? 0 : errno;
  const int error = allow(fd, rights);
  close(fd);
  return error;
}

int Landlock::allow_reading(const char* path) const { return allow(path, kReading); }

int Landlock::allow_writing(const char* path) const {
  // Even there: no device, socket or fifo, and no ioctl on a device.
  return allow(path,
               all_of_files(version_) &
                   ~(LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | kIoctlDevice));
}

int Landlock::allow_device(const char* path) const {
  return allow(path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                         LANDLOCK_ACCESS_FS_READ_DIR | kIoctlDevice);
}

int Landlock::allow_executing(int fd) const {
  return allow(fd, LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE);
}

int Landlock::enforce() const {
  const long failed = syscall(SYS_landlock_restrict_self, rules_, 0);
  close(rules_);
  return failed != 0 ? errno : 0;
}

}  // namespace nibble::sandbox
