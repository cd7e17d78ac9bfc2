#include "intake/open_beneath.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#if defined(__linux__) && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

namespace nibble::intake {
namespace {

// A fifo must not block, a terminal must not become ours.
constexpr int kCareful = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;

int open_in_one_step(int folder, const char* path, int more) {
#ifdef RESOLVE_BENEATH
  open_how how{};
  how.flags = static_cast<unsigned>(kCareful | more);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  return static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof how));
#else
  (void)folder, (void)path, (void)more;
  errno = ENOSYS;
  return -1;
#endif
}

/// One name, no slash. "Not a folder" is also what the kernel says of a link where a folder has to
/// be; people should be told that it is a link.
int open_name(int folder, const std::string& name, int more) {
  const int fd = openat(folder, name.c_str(), kCareful | more);
  if (fd >= 0 || errno != ENOTDIR) return fd;
  struct stat status {};
  const bool link =
      fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
  errno = link ? ELOOP : ENOTDIR;
  return -1;
}

bool same_file_system(int a, int b) {
  struct stat one {
  }, other{};
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev;
}

int open_folder_by_folder(int folder, std::string path, int more) {
  Descriptor way;  // the folder reached so far, when it is not `folder` itself
  int at = folder;
  for (std::size_t slash; (slash = path.find('/')) != path.npos; path.erase(0, slash + 1)) {
    Descriptor next(open_name(at, path.substr(0, slash), O_DIRECTORY));
    if (!next) return -1;
    way = std::move(next);
    at = way.get();
  }
  Descriptor end(open_name(at, path, more));
  if (!end) return -1;
  if (!same_file_system(folder, end.get())) {
    errno = EXDEV;
    return -1;
  }
  return fcntl(end.get(), F_DUPFD_CLOEXEC, 3);
}

Descriptor open_with(int folder, const std::string& path, Way way, int more) {
  return Descriptor(way == Way::kOneStep ? open_in_one_step(folder, path.c_str(), more)
                                         : open_folder_by_folder(folder, path, more));
}

}  // namespace

bool one_step_works() {
  static const bool works = [] {
    const Descriptor root(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return static_cast<bool>(Descriptor(open_in_one_step(root.get(), ".", O_DIRECTORY)));
  }();
  return works;
}

Descriptor open_beneath(int folder, const std::string& path, Way way) {
  return open_with(folder, path, way, 0);
}

Descriptor open_folder_beneath(int folder, const std::string& path, Way way) {
  return open_with(folder, path, way, O_DIRECTORY);
}

std::string words_for(int error) {
  if (error == ELOOP) return "is a link, or lies behind one: hand in the file itself";
  if (error == EXDEV) return "lies on another file system";
  if (error == ENXIO || error == ENODEV) return "is a socket or a device, not a file";
  if (error == EACCES || error == EPERM) return "may not be read: its permissions forbid it";
  return "cannot be opened: " + std::generic_category().message(error);
}

}  // namespace nibble::intake
