// Ends processes: asks what became of one, kills a group, and takes in what it left behind.
#include "process/ending.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <chrono>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace nibble::process {
namespace {

using std::chrono::steady_clock;

std::set<pid_t>& claimed() {
  static auto& pids = *new std::set<pid_t>;  // outlives whoever ends with this process
  return pids;
}

/// Kills everything that became our child unasked; true when there was nothing.
bool end_orphans() {
  bool none = true;
  for (const pid_t pid : children_now()) {
    if (claimed().contains(pid)) continue;
    none = false;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, WNOHANG);
  }
  return none;
}

}  // namespace

Ended how_it_ended(int status, bool in_bubblewrap) {
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  if (in_bubblewrap && WEXITSTATUS(status) > 128) return {-1, WEXITSTATUS(status) - 128};
  return {WEXITSTATUS(status), 0};
}

bool is_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP || signal == SIGINT;
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  const int found = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  const bool over = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
                    info.si_code == CLD_DUMPED;  // and not a stop: a child may ask us to trace it
  return found == 0 && info.si_pid == pid && over;
}

int end_group(pid_t pid) {
  int status = 0;
  kill(-pid, SIGTERM);
  for (int waited = 0; waited < 50; ++waited) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    usleep(10'000);
  }
  kill(-pid, SIGKILL);
  waitpid(pid, &status, 0);
  return status;
}

void adopt_orphans() {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

std::vector<pid_t> children_now() {
  std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

void claim(pid_t pid) { claimed().insert(pid); }

int end_with_orphans(pid_t pid) {
  // No wait blocks: a process that is being traced cannot be reaped before its tracer has ended,
  // and the tracer may be one of its own children. Rounds, because killing one process re-parents
  // those it started; a time, because a chain of them may be long.
  int status = 0;
  bool reaped = false;
  const auto give_up = steady_clock::now() + std::chrono::seconds(10);
  while (steady_clock::now() < give_up) {
    if (!reaped) {
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);
      const pid_t found = waitpid(pid, &status, WNOHANG);
      reaped = found < 0 || (found == pid && !WIFSTOPPED(status));
    }
    if (reaped) claimed().erase(pid);
    if (end_orphans() && reaped) break;
    usleep(100);
  }
  claimed().erase(pid);
  return status;
}

}  // namespace nibble::process
