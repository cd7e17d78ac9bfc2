// Starts a program. Between fork and exec nothing is called that another thread may hold half done.
#include "process/spawn.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "process/pipes.hpp"
#include "sandbox/control_group.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace nibble::process {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

/// Why there was no exec.
struct Reason {
  int error = 0;
  bool is_root = false;  ///< and must not be
};

/// A program with all that needs memory, which is had before the fork.
struct Ready {
  const Program& program;
  std::vector<char*> arguments, variables;
  std::vector<int> descriptors;  ///< the last is where the reason is said
  pid_t parent = getpid();

  Ready(const Program& the_program, int reason)
      : program(the_program),
        arguments(pointers(program.words)),
        variables(pointers(program.environment)),
        descriptors(program.descriptors) {
    descriptors.push_back(reason);
  }
};

// --- In the child, between fork and exec: only async-signal-safe calls ---------------------------

/// A wish: a system that cannot, or will not, is no fault of anybody's.
void stay_on(int core) {
#ifdef __linux__
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(core), &one);
  sched_setaffinity(0, sizeof one, &one);
#else
  (void)core;
#endif
}

/// Closes every descriptor from `first` on.
void close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  for (int fd = first; fd < 1024; ++fd) close(fd);
}

/// Puts each descriptor at its place. All are moved out of the way first: they may overlap.
void place_descriptors(std::vector<int>& from) {
  const int count = static_cast<int>(from.size());
  for (int& fd : from) fd = fcntl(fd, F_DUPFD, 64);
  for (int i = 0; i < count; ++i) dup2(from[static_cast<std::size_t>(i)], i);
  close_from(count);
  fcntl(count - 1, F_SETFD, FD_CLOEXEC);
}

/// One who owns no file, may signal and trace nobody, and is bound by the limit on processes, from
/// which the kernel exempts root.
void become_nobody(pid_t parent) {
#ifdef __linux__
  setgroups(0, nullptr);
  const uid_t own = 0x4E42'0000 + (static_cast<uid_t>(parent) & 0xFFFF);
  for (const uid_t id : {own, uid_t{65534}}) {  // a container may know few users
    if (setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0) return;
  }
#else
  (void)parent;
#endif
}

/// After become_nobody(): a change of user would clear the death signal. What we start has a
/// session of its own, so whoever ends ours does not reach it: a box would wait for its program,
/// and be left behind when a cluster's job is cancelled.
void die_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
#else
  (void)parent;
#endif
}

void give_up_privileges() {
#ifdef __linux__
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
}

/// By descriptor, because a new user may not walk the folders above the file.
void execute(const Ready& ready) {
  const Program& program = ready.program;
  if (program.executable < 0) {
    environ = const_cast<char**>(ready.variables.data());
    execvp(ready.arguments[0], ready.arguments.data());
    return;
  }
  if (!program.is_script) fcntl(program.executable, F_SETFD, FD_CLOEXEC);
#ifdef SYS_execveat
  syscall(SYS_execveat, program.executable, "", ready.arguments.data(), ready.variables.data(),
          AT_EMPTY_PATH);
  if (errno != ENOSYS) return;
#endif
  execve(program.path.c_str(), ready.arguments.data(), ready.variables.data());
}

/// Becomes the program, or writes the reason why not where exec closes: silence is success.
[[noreturn]] void become(Ready& ready) {
  const Program& program = ready.program;
  Reason reason;
  int reason_fd = ready.descriptors.back();
  setsid();
  if (program.core >= 0) stay_on(program.core);
  const bool entered = program.door < 0 || sandbox::enter(program.door);
  if (entered && (program.directory.empty() || chdir(program.directory.c_str()) == 0)) {
    place_descriptors(ready.descriptors);
    reason_fd = static_cast<int>(program.descriptors.size());
    if (program.own_user) become_nobody(ready.parent);
    if (program.is_stranger) give_up_privileges();
    die_with(ready.parent);
    for (const Limit& limit : program.limits) {
      const rlimit both{limit.soft, limit.hard};
      setrlimit(limit.resource, &both);
    }
    reason.is_root = program.never_root && geteuid() == 0;
    if (!reason.is_root) execute(ready);
  }
  reason.error = errno;
  [[maybe_unused]] const auto written = write(reason_fd, &reason, sizeof reason);
  _exit(127);
}

// --- In the parent -------------------------------------------------------------------------------

constexpr const char* kIsRoot =
    "we are root and cannot give the submission a user of its own: either others may not read the "
    "executable, or this container knows no other user";

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

std::vector<std::string> our_variables() {
  std::vector<std::string> list;
  for (char** one = environ; *one != nullptr; ++one) list.emplace_back(*one);
  return list;
}

pid_t spawn(const Program& program) {
  Pipe said = make_pipe();
  Ready ready(program, said.write_end.get());
  const pid_t pid = fork();
  if (pid == 0) become(ready);
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  said.write_end = {};
  Reason reason;
  ssize_t got = -1;
  do got = read(said.read_end.get(), &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  if (got != sizeof reason) return pid;
  wait_for(pid);
  const std::string name = program.path.empty() ? program.words.front() : program.path;
  if (reason.is_root) throw std::runtime_error(kIsRoot);
  throw std::system_error(reason.error, std::generic_category(), "starting " + name);
}

bool run_here(const std::vector<std::string>& words) {
  const std::vector<char*> arguments = pointers(words);
  const pid_t pid = fork();
  if (pid == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  return pid > 0 && wait_for(pid) == 0;
}

pid_t fork_to(const std::function<void()>& what) {
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid > 0) return pid;
  what();
  _exit(0);
}

}  // namespace nibble::process
