// A control group (cgroup v2) for one run: it bounds the memory and the processes of all that
// the run starts, together, which no limit of a single process can see;
// and ends all of it in one step.
//
//     /sys/fs/cgroup/…/ours     delegated to us: the controllers memory and pids, and ours to write
//         ├── kit-4711          where we have moved: a group that holds processes cannot divide itself
//         └── run-4712-1        memory.max, memory.swap.max = 0, memory.oom.group, pids.max
//
// It needs no root. Where there is none the limits of a process stay, and results say which it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace nibble::sandbox {

/// Where groups can be made.
struct Groups {
  std::filesystem::path folder{};  ///< empty: nowhere
  std::string why_not{};           ///< then
};

/// What results and `nibble doctor` call it: "groups", or "processes" where each process has limits
/// of its own.
std::string_view limited_by(const std::filesystem::path& groups);

/// Finds the group that this process is in, moves into one below it where that must be, and lets a
/// control run out of memory in another. Once for each process: later calls give the same answer.
const Groups& groups_here();

/// The same for a control group file system, and the list of groups of a process
/// (/proc/self/cgroup): the folder of its group. Throws std::runtime_error that says why there is
/// none.
std::filesystem::path own_group(const std::string& mounts, const std::string& groups);

class ControlGroup {
 public:
  /// Makes it below `folder`. Throws BoxBroke.
  ControlGroup(const std::filesystem::path& folder, std::size_t memory_bytes, int processes);
  ~ControlGroup();  ///< ends what is in it
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// Who calls enter() on it is in; close-on-exec.
  int door() const { return door_; }

  /// True when something in it was ended because all of it together wanted more.
  bool ran_out_of_memory() const;

  /// Ends everything in it.
  void end();

 private:
  std::filesystem::path folder_;
  int door_ = -1;
};

/// Puts this process into the group, with all it will start. Async-signal-safe; false:
/// errno says why.
bool enter(int door);

}  // namespace nibble::sandbox
