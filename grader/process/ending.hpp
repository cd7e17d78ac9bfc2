// Ends processes, and tells how one has ended.
#pragma once

#include <sys/types.h>

#include <vector>

namespace nibble::process {

struct Ended {
  int exit_status = -1;  ///< -1: it did not exit by itself
  int signal = 0;        ///< that ended it
};

/// By its wait status. bubblewrap, around it, says 128 + the signal.
Ended how_it_ended(int status, bool in_bubblewrap = false);

/// True of a signal that comes from outside: the system was out of memory, a cluster took its job
/// back, or a person was at work. Who ends so is tried once more; one that does it to itself does
/// it again.
bool is_from_outside(int signal);

/// True when `pid` is no more but for its wait status.
bool has_ended(pid_t pid);

/// Asks `pid` to end with its group, so that a compiler takes its temporary files with it; a moment
/// later it is not asked. What it forked and did not move to another group goes with it. Its wait
/// status.
int end_group(pid_t pid);

// --- What a process leaves behind ----------------------------------------------------------------
// For a process of one thread whose children are strangers.

/// What any of our children leaves behind becomes our child, too.
void adopt_orphans();

/// Every child this process has now.
std::vector<pid_t> children_now();

/// `pid` was started on purpose: whatever else becomes a child of ours is an orphan.
void claim(pid_t pid);

/// Ends `pid`, which was claimed, and all that it or one before it left. Its wait status.
int end_with_orphans(pid_t pid);

}  // namespace nibble::process
