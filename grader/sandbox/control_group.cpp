// Finds a group that we may divide, proves that its limits hold,
// and makes, enters and ends one below it.
#include "sandbox/control_group.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "sandbox/opening.hpp"

namespace nibble::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "start it in a group of its own: systemd-run --user --scope -p Delegate=yes ./nibble …";

/// The kernel reads one write as one value, and answers in errno.
bool put(const fs::path& file, std::string_view value) {
  const int fd = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool written = write(fd, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  const int reason = errno;
  close(fd);
  errno = reason;
  return written;
}

void must_put(const fs::path& file, std::string_view value) {
  if (put(file, value)) return;
  throw BoxBroke(file.string() + ": " + strerror(errno));
}

/// The words of a file, such as the names of controllers or the numbers of processes.
std::vector<std::string> words_in(const fs::path& file) {
  std::ifstream in(file);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string text_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The number that follows `name` in lines of "name number"; 0: there is no such line.
long number_after(const fs::path& file, std::string_view name) {
  const std::vector<std::string> words = words_in(file);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == name) return std::stol(words[i + 1]);
  }
  return 0;
}

bool has_both(const fs::path& file) {
  bool memory = false, pids = false;
  for (const std::string& word : words_in(file)) {
    memory = memory || word == "memory";
    pids = pids || word == "pids";
  }
  return memory && pids;
}

/// Has the group `ours` hand memory and pids on to groups below it.
void divide(const fs::path& ours) {
  if (has_both(ours / "cgroup.subtree_control")) return;
  if (!has_both(ours / "cgroup.controllers")) {
    throw std::runtime_error("our group may not limit memory and processes (" + ours.string() +
                             "): " + kRemedy);
  }
  const fs::path switches = ours / "cgroup.subtree_control";
  if (put(switches, "+memory +pids")) return;
  if (errno != EBUSY) {
    throw std::runtime_error("our group is not ours to divide (" + ours.string() + "): " + kRemedy);
  }
  // A group with processes cannot. We can leave it; who else is in it is not ours to move.
  if (words_in(ours / "cgroup.procs") != std::vector<std::string>{std::to_string(getpid())}) {
    throw std::runtime_error("other programs are in our group (" + ours.string() + "): " + kRemedy);
  }
  const fs::path place = ours / ("kit-" + std::to_string(getpid()));
  if (mkdir(place.c_str(), 0755) != 0) {
    throw std::runtime_error(place.string() + ": " + strerror(errno));
  }
  must_put(place / "cgroup.procs", "0");
  must_put(switches, "+memory +pids");
}

/// A process that wants four times what its group has must be ended for it: what is only written
/// into files proves nothing.
void prove(const fs::path& folder) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  ControlGroup group(folder, kMost, 1);
  const pid_t pid = fork();
  if (pid == 0) {
    if (!enter(group.door())) _exit(1);
    void* const much =
        mmap(nullptr, 4 * kMost, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (much != MAP_FAILED) memset(much, 1, 4 * kMost);
    _exit(fork() < 0 ? 2 : 3);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid) throw std::runtime_error("no process to try it");
  if (!WIFSIGNALED(status) || !group.ran_out_of_memory()) {
    throw std::runtime_error("a group was made, and a control took more memory than it has");
  }
}

Groups find_groups() {
  try {
    const fs::path ours = own_group(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup"));
    divide(ours);
    prove(ours);
    return {ours, ""};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

}  // namespace

std::string_view limited_by(const fs::path& groups) {
  return groups.empty() ? "processes" : "groups";
}

const Groups& groups_here() {
  static const Groups groups = find_groups();
  return groups;
}

fs::path own_group(const std::string& mounts, const std::string& groups) {
  // "0::/user.slice/…": the group in the one hierarchy of version 2; other numbers are version 1.
  std::istringstream lists(groups);
  std::string own;
  for (std::string line; std::getline(lists, line);) {
    if (line.starts_with("0::/")) own = line.substr(3);
  }
  // "36 25 0:31 /root-of-it /where rw,… - cgroup2 …"
  std::istringstream lines(mounts);
  for (std::string line; !own.empty() && std::getline(lines, line);) {
    if (line.find(" - cgroup2 ") == line.npos) continue;
    std::istringstream words(line);
    std::string number, parent, device, root, where;
    words >> number >> parent >> device >> root >> where;
    if (root == "/") root.clear();
    if (!own.starts_with(root) || own.starts_with("/..")) break;
    return (fs::path(where) / fs::path(own.substr(root.size())).relative_path()).lexically_normal();
  }
  throw std::runtime_error("control groups of version 2 are not mounted here");
}

ControlGroup::ControlGroup(const fs::path& folder, std::size_t memory_bytes, int processes) {
  static std::atomic<unsigned> count = 0;
  folder_ = folder / ("run-" + std::to_string(getpid()) + "-" + std::to_string(++count));
  if (mkdir(folder_.c_str(), 0755) != 0) {
    throw BoxBroke(folder_.string() + ": " + strerror(errno));
  }
  try {
    must_put(folder_ / "memory.max", std::to_string(memory_bytes));
    must_put(folder_ / "memory.oom.group", "1");
    must_put(folder_ / "pids.max", std::to_string(processes));
    // Not there where the kernel has no swap.
    if (fs::exists(folder_ / "memory.swap.max")) must_put(folder_ / "memory.swap.max", "0");
    must_put(folder_ / "cgroup.kill", "1");  // it is there from Linux 5.14 on; now nobody is
    door_ = open((folder_ / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
    if (door_ < 0) throw BoxBroke(folder_.string() + ": " + strerror(errno));
  } catch (const BoxBroke&) {
    rmdir(folder_.c_str());
    throw;
  }
}

ControlGroup::~ControlGroup() {
  close(door_);
  end();
  // It can be removed when the last process in it is reaped, or has become another's to reap.
  for (int waited = 0; waited < 2000 && rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++waited) {
    usleep(1000);
  }
}

bool ControlGroup::ran_out_of_memory() const {
  return number_after(folder_ / "memory.events", "oom_kill") > 0;
}

void ControlGroup::end() { put(folder_ / "cgroup.kill", "1"); }

bool enter(int door) { return write(door, "0", 1) == 1; }

}  // namespace nibble::sandbox
