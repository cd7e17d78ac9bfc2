// Two ways to hear of a save: inotify on the folders, or a look at the
// files every half second where nothing tells.
#include "cli/file_events.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

/// Looks at size, time and number of every file: on mounts that tell nothing.
class Polling : public FileEvents {
 public:
  explicit Polling(std::vector<fs::path> files) : files_(std::move(files)) {
    for (const fs::path& file : files_) states_[file] = state_of(file);
  }

  std::vector<fs::path> saved() override {
    std::vector<fs::path> changed;
    for (const fs::path& file : files_) {
      const State now = state_of(file);
      if (now == states_[file]) continue;
      states_[file] = now;
      if (std::get<0>(now) != 0) changed.push_back(file);  // not while an editor has it removed
    }
    return changed;
  }

  int descriptor() const override { return -1; }

 private:
  using State = std::tuple<ino_t, off_t, long long>;

  static State state_of(const fs::path& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return {0, 0, 0};
#ifdef __APPLE__
    const timespec when = status.st_mtimespec;
#else
    const timespec when = status.st_mtim;
#endif
    return {status.st_ino, status.st_size, when.tv_sec * 1'000'000'000LL + when.tv_nsec};
  }

  std::vector<fs::path> files_;
  std::map<fs::path, State> states_;
};

#ifdef __linux__

/// Watches the folders, because many editors write a new file and rename it.
class Inotify : public FileEvents {
 public:
  explicit Inotify(std::vector<fs::path> files)
      : files_(std::move(files)), fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    for (const fs::path& file : files_) {
      const fs::path folder = file.parent_path();
      const int watch = inotify_add_watch(fd_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO);
      if (watch >= 0) folders_[watch] = folder;
    }
  }
  ~Inotify() override { close(fd_); }
  Inotify(const Inotify&) = delete;
  Inotify& operator=(const Inotify&) = delete;

  bool works() const { return fd_ >= 0 && !folders_.empty(); }

  std::vector<fs::path> saved() override {
    std::vector<fs::path> changed;
    alignas(inotify_event) std::array<char, 16384> buffer{};
    for (;;) {
      const ssize_t got = read(fd_, buffer.data(), buffer.size());
      if (got <= 0) return changed;
      for (ssize_t at = 0; at < got;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        if (event->len == 0 || !folders_.contains(event->wd)) continue;
        const fs::path file = folders_.at(event->wd) / event->name;
        if (std::ranges::count(files_, file) > 0) changed.push_back(file);
      }
    }
  }

  int descriptor() const override { return fd_; }

 private:
  std::vector<fs::path> files_;
  int fd_;
  std::map<int, fs::path> folders_;
};

/// Mounts whose other side does not tell of changes.
std::string silent_mount(const fs::path& folder) {
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0) return "";
  switch (static_cast<unsigned long>(status.f_type)) {
    case 0x01021997:
      return "this is a shared folder (9p)";
    case 0x6969:
      return "this is a network folder (NFS)";
    case 0xFF534D42:
      return "this is a network folder (CIFS)";
    case 0x65735546:
      return "this is a shared folder (FUSE)";
    default:
      return "";
  }
}

#endif

}  // namespace

std::string why_polling(const fs::path& folder) {
  const char* const wish = std::getenv("NIBBLE_POLL");
  if (wish != nullptr && std::strcmp(wish, "1") == 0) return "NIBBLE_POLL=1 asks for it";
#ifdef __linux__
  return silent_mount(folder);
#else
  (void)folder;
  return "this system has no inotify";
#endif
}

std::unique_ptr<FileEvents> watch_files(const std::vector<fs::path>& files, bool poll) {
#ifdef __linux__
  if (!poll) {
    auto events = std::make_unique<Inotify>(files);
    if (events->works()) return events;
  }
#endif
  (void)poll;
  return std::make_unique<Polling>(files);
}

}  // namespace nibble::cli
