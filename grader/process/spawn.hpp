// Starts a program: all that stands between fork and exec, in one order, for whoever starts one.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace nibble::process {

struct Limit {
  int resource;
  rlim_t soft, hard;
};

struct Program {
  std::vector<std::string> words;          ///< the first is looked up in PATH
  std::vector<std::string> environment{};  ///< NAME=value, all of it
  std::string directory{};                 ///< where it runs; empty: here
  std::vector<int> descriptors{};          ///< become 0, 1, 2 …, and it has no others
  std::vector<Limit> limits{};
  int door = -1;  ///< of its control group
  int core = -1;  ///< where it starts to run; -1: wherever the system likes

  int executable = -1;     ///< which of its descriptors it is, when not looked up by name
  std::string path{};      ///< of that one, where a system knows files by name alone
  bool is_script = false;  ///< that one is read once more, by who interprets it

  bool is_stranger = false;  ///< somebody else's code: without privileges
  bool own_user = false;     ///< a stranger of root: becomes somebody who owns nothing …
  bool never_root = false;   ///< … or is not started
};

/// NAME=value, as we have them.
std::vector<std::string> our_variables();

/// The process, which is the leader of a session and a group of its own, when exec has happened. It
/// dies with the thread that started it.
/// Throws std::system_error that says why it has not.
pid_t spawn(const Program& program);

/// Runs it here, as if it were typed: on this terminal, in this group, with our descriptors and
/// variables. True when it ended well.
bool run_here(const std::vector<std::string>& words);

/// A copy of this process, which has one thread, that does `what` and ends. Throws
/// std::system_error.
pid_t fork_to(const std::function<void()>& what);

}  // namespace nibble::process
