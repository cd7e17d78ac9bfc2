// Forks and becomes the runner, in its limits or its box; asks, waits
// with two clocks, and ends what is left behind.
#include "judge/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/kit_error.hpp"
#include "protocol/arena.hpp"
#include "sandbox/box.hpp"
#include "sandbox/control_group.hpp"
#include "sandbox/opening.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Kind = Ending::Kind;

// --- In the child, between fork and exec: only async-signal-safe calls ---------------------------

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

/// 0: none, for sanitizers map terabytes of shadow, and a GPU's driver nearly as much.
std::size_t address_space(const Child::Setup& setup) {
  if (setup.sanitized || setup.on_gpu) return 0;
  return 2 * protocol::kArenaBytes + setup.limits.memory_bytes;
}

/// compute-sanitizer stands before it, started by a script:
/// sanitizers of a GPU are no part of the child.
bool is_wrapped(const Child::Setup& setup) { return setup.on_gpu && setup.sanitized; }

/// What its memory may hold besides the arenas. Sanitizers keep a byte of shadow for eight, and
/// what was freed for a while: as much again.
std::size_t memory_of(const Child::Setup& setup) {
  if (setup.on_gpu) return sandbox::kGpuHostBytes;
  return (setup.sanitized ? 2 : 1) * setup.limits.memory_bytes;
}

void set_limits(const Child::Setup& setup) {
  if (address_space(setup) != 0) limit(RLIMIT_AS, address_space(setup));
  const rlimit backstop{300, 301};  // the judge watches every single call
  setrlimit(RLIMIT_CPU, &backstop);
  limit(RLIMIT_CORE, 0);
  // compute-sanitizer and the process that it looks into share files.
  limit(RLIMIT_FSIZE, is_wrapped(setup) ? rlim_t{256} << 20
                      : setup.on_gpu    ? sandbox::kGpuFileBytes
                                        : 0);
  limit(RLIMIT_NOFILE, setup.on_gpu ? 256 : 32);
#ifdef __linux__
  if (!setup.on_gpu)
    limit(RLIMIT_NPROC, 0);  // no further process or thread; become_nobody() makes it bind root too
#endif
}

/// A judge that runs as root gives its child a user of its own: one who owns no file, may signal
/// and trace nobody, and is bound by the limit on processes, from which the kernel exempts root.
void become_nobody(pid_t judge, int executable) {
#ifdef __linux__
  struct stat file {};
  constexpr mode_t kForAll = S_IROTH | S_IXOTH;
  if (geteuid() != 0 || fstat(executable, &file) != 0 || (file.st_mode & kForAll) != kForAll) {
    return;
  }
  setgroups(0, nullptr);
  const uid_t own = 0x4E42'0000 + (static_cast<uid_t>(judge) & 0xFFFF);
  for (const uid_t id : {own, uid_t{65534}}) {  // a container may know few users
    if (setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0) return;
  }
#else
  (void)judge, (void)executable;
#endif
}

/// Called last: a change of user would clear the death signal.
void give_up_privileges(pid_t judge) {
#ifdef __linux__
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != judge) _exit(127);  // the judge died before the line above
#else
  (void)judge;
#endif
}

/// Closes every descriptor from `first` on.
void close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  for (int fd = first; fd < 1024; ++fd) close(fd);
}

/// Puts `from[i]` at descriptor i. All are moved out of the way first: they may overlap.
template <std::size_t Count>
void place_descriptors(std::array<int, Count> from) {
  for (int& fd : from) fd = fcntl(fd, F_DUPFD, 64);
  for (std::size_t i = 0; i < Count; ++i) dup2(from[i], static_cast<int>(i));
}

/// By descriptor, because the new user may not walk the folders above the file.
void execute(int executable, const char* path) {
  std::array<char*, 2> arguments{const_cast<char*>("runner"), nullptr};
  std::array<char*, 1> no_environment{nullptr};
#ifdef SYS_execveat
  syscall(SYS_execveat, executable, "", arguments.data(), no_environment.data(), AT_EMPTY_PATH);
  if (errno != ENOSYS) return;
#endif
  (void)executable;
  execve(path, arguments.data(), no_environment.data());
}

/// What stands between fork and a runner in its box. Made before the fork.
struct Box {
  std::vector<std::string> words;
  std::vector<char*> arguments;
  std::string launcher;
  bool by_name;  ///< bubblewrap is called by its name, the launcher alone by its descriptor

  Box(const Child::Setup& setup, const sandbox::Tools& tools)
      : words(sandbox::words_for_runner(
            {setup.level, tools, address_space(setup), setup.sanitized, setup.on_gpu})),
        launcher(tools.launcher.string()),
        by_name(setup.level == sandbox::Level::kNamespaces) {
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
  }
};

/// Root in a box is still root where the box has a hole.
[[noreturn]] void refuse_root() {
  constexpr std::string_view kWhy =
      "the judge is root and cannot give the submission a user of its own: either others may not "
      "read the executable, or this container knows no other user";
  [[maybe_unused]] const auto written = write(sandbox::kOpeningFd, kWhy.data(), kWhy.size());
  _exit(127);
}

/// Becomes the launcher, which sets the limits and becomes the runner.
[[noreturn]] void become_boxed(const Child::Setup& setup, Box& box, int null, int output,
                               int socket, int opening, int door, pid_t judge) {
#ifdef __linux__
  setsid();
  const bool is_limited = door < 0 || sandbox::enter(door);
  const int executable = open(setup.path.c_str(), O_RDONLY | O_NOFOLLOW);
  const int launcher = open(box.launcher.c_str(), O_RDONLY);
  if (is_limited && executable >= 0 && launcher >= 0 && chdir("/") == 0) {
    const int copy = open(setup.path.c_str(), O_RDONLY | O_NOFOLLOW);
    place_descriptors<10>({null, output, output, setup.inputs_fd, setup.outputs_fd, socket, opening,
                           executable, launcher, copy});
    close_from(sandbox::kProgramCopyFd + 1);
    become_nobody(judge, sandbox::kProgramFd);
    give_up_privileges(judge);
    std::array<char*, 1> no_environment{nullptr};
    if (geteuid() == 0) refuse_root();
    if (box.by_name) {
      execve(box.arguments[0], box.arguments.data(), no_environment.data());
    } else {
      fcntl(sandbox::kLauncherFd, F_SETFD, FD_CLOEXEC);
      syscall(SYS_execveat, sandbox::kLauncherFd, "", box.arguments.data(), no_environment.data(),
              AT_EMPTY_PATH);
    }
  }
  const char* const why = strerror(errno);
  [[maybe_unused]] const auto written = write(sandbox::kOpeningFd, why, strlen(why));
#endif
  _exit(127);
}

/// Becomes the runner, or writes errno to `error_fd` (close-on-exec, hence silent on success).
[[noreturn]] void become(const Child::Setup& setup, int null, int output, int socket, int error_fd,
                         int door, pid_t judge) {
  setsid();
  const bool is_limited = door < 0 || sandbox::enter(door);
  constexpr int kError = protocol::kSocketFd + 1, kExecutable = kError + 1;
  const int executable = open(setup.path.c_str(), O_RDONLY);
  if (is_limited && executable >= 0 && chdir("/") == 0) {
    place_descriptors<8>(
        {null, output, output, setup.inputs_fd, setup.outputs_fd, socket, error_fd, executable});
    fcntl(kError, F_SETFD, FD_CLOEXEC);
    if (!is_wrapped(setup)) fcntl(kExecutable, F_SETFD, FD_CLOEXEC);  // a script is read once more
    error_fd = kError;
    close_from(kExecutable + 1);
    become_nobody(judge, kExecutable);
    give_up_privileges(judge);
    set_limits(setup);
    execute(kExecutable, setup.path.c_str());
  }
  const int reason = errno;
  [[maybe_unused]] const auto written = write(error_fd, &reason, sizeof reason);
  _exit(127);
}

// --- In the judge
// ----------------------------------------------------------------------------------

struct TwoEnds {
  int ours, theirs;
};

TwoEnds make_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw system_error("pipe");
  for (const int fd : ends) fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {ends[0], ends[1]};
}

/// A socket that keeps records apart: half an answer is not an answer.
TwoEnds make_socket() {
#ifdef __linux__
  constexpr int kType = SOCK_SEQPACKET;
#else
  constexpr int kType = SOCK_DGRAM;
#endif
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, kType, 0, ends.data()) != 0) throw system_error("socketpair");
  for (const int fd : ends) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return {ends[0], ends[1]};
}

std::uint64_t draw_nonce() {
  static std::random_device entropy;  // a generator's next number could be told from its last ones
  return static_cast<std::uint64_t>(entropy()) << 32 | entropy();
}

/// The children that this judge started and has not ended.
std::set<pid_t>& living() {
  static auto& pids = *new std::set<pid_t>;  // outlives the last Child, which ends with the judge
  return pids;
}

/// True when `pid` is no more but for its wait status.
bool is_zombie(pid_t pid) {
  siginfo_t info{};
  const int found = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  const bool over = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
                    info.si_code == CLD_DUMPED;  // and not a stop: a child may ask us to trace it
  return found == 0 && info.si_pid == pid && over;
}

/// Every child the judge has now. What a child left behind is re-parented to it (a subreaper).
std::vector<pid_t> children_now() {
  std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

/// Kills everything that became a child of the judge unasked; true when there was nothing.
bool end_orphans() {
  bool none = true;
  for (const pid_t pid : children_now()) {
    if (living().contains(pid)) continue;
    none = false;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, WNOHANG);
  }
  return none;
}

/// Ends `pid` and all it left, and returns its wait status.
int end_with_offspring(pid_t pid) {
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
    if (reaped) living().erase(pid);
    if (end_orphans() && reaped) break;
    usleep(100);
  }
  living().erase(pid);
  return status;
}

/// A wish: a system that cannot, or will not, is no fault of anybody's.
void stay_on(pid_t pid, int core) {
#ifdef __linux__
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(core), &one);
  sched_setaffinity(pid, sizeof one, &one);
#else
  (void)pid, (void)core;
#endif
}

/// Bytes of memory that are the process's own, by /proc: resident or swapped out, and of what is
/// shared the part that cannot be the arenas.
std::size_t memory_held(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::size_t own = 0, shared = 0;  // KiB
  for (std::string line; std::getline(status, line);) {
    const std::string_view name = std::string_view(line).substr(0, line.find(':') + 1);
    if (name == "RssAnon:" || name == "VmSwap:") own += std::stoul(line.substr(name.size()));
    if (name == "RssShmem:") shared = std::stoul(line.substr(name.size()));
  }
  const std::size_t arenas = 2 * protocol::kArenaBytes >> 10;
  return (own + shared - std::min(shared, arenas)) << 10;
}

void become_subreaper() {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

}  // namespace

Child::Child(const Setup& setup) {
  signal(SIGPIPE, SIG_IGN);
  become_subreaper();
  if (setup.sanitized && !setup.on_gpu) watched_bytes_ = memory_of(setup);
  if (!setup.groups.empty() && !is_wrapped(setup)) {
    const int more = setup.on_gpu ? sandbox::kGpuThreads : 0;
    group_ = std::make_unique<sandbox::ControlGroup>(setup.groups,
                                                     2 * protocol::kArenaBytes + memory_of(setup),
                                                     sandbox::kRunnerProcesses + more);
  }
  if (setup.level == sandbox::Level::kLimits || is_wrapped(setup)) {
    start(setup);
  } else {
    start_boxed(setup);
  }
}

Child::~Child() {
  if (alive()) end();
  if (socket_ >= 0) close(socket_);
  if (output_ >= 0) close(output_);
  if (runner_fd_ >= 0) close(runner_fd_);
}

void Child::start(const Setup& setup) {
  const auto [socket_ours, socket_theirs] = make_socket();
  const auto [output_ours, output_theirs] = make_pipe();
  const auto [error_ours, error_theirs] = make_pipe();
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t judge = getpid();
  pid_ = fork();
  if (pid_ == 0) become(setup, null, output_theirs, socket_theirs, error_theirs, door(), judge);
  for (const int fd : {socket_theirs, output_theirs, error_theirs, null}) close(fd);
  socket_ = socket_ours;
  output_ = output_ours;
  if (pid_ < 0) throw system_error("fork");
  living().insert(pid_);
  runner_ = pid_;
  if (setup.core >= 0) stay_on(pid_, setup.core);

  // End of file here means that exec happened: from now on the submission answers for itself.
  int reason = 0;
  pollfd wait{error_ours, POLLIN, 0};
  poll(&wait, 1, -1);
  const bool failed = read(error_ours, &reason, sizeof reason) == sizeof reason;
  close(error_ours);
  if (failed) {
    end();
    errno = reason;
    throw system_error("starting " + setup.path);
  }
}

void Child::start_boxed(const Setup& setup) {
  static const sandbox::Tools tools = sandbox::tools_beside_this_program();
  if (tools.launcher.empty()) throw KitError("the kit was built without a sandbox: no box-init");
  Box box(setup, tools);
  sandbox::Opening opening;
  const auto [socket_ours, socket_theirs] = make_socket();
  const auto [output_ours, output_theirs] = make_pipe();
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t judge = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_boxed(setup, box, null, output_theirs, socket_theirs, opening.theirs(), door(), judge);
  }
  for (const int fd : {socket_theirs, output_theirs, null}) close(fd);
  socket_ = socket_ours;
  output_ = output_ours;
  if (pid_ < 0) throw system_error("fork");
  living().insert(pid_);
  if (setup.core >= 0) stay_on(pid_, setup.core);
  try {
    runner_ = opening.wait();
  } catch (const sandbox::BoxBroke& broke) {
    end();
    throw KitError(std::string(broke.what()) + " (level " +
                   std::string(sandbox::name_of(setup.level)) + ") " + take_output());
  }
  has_box_around_ = runner_ != pid_;
#ifdef SYS_pidfd_open
  if (has_box_around_) runner_fd_ = static_cast<int>(syscall(SYS_pidfd_open, runner_, 0));
#endif
}

int Child::door() const { return group_ ? group_->door() : -1; }

bool Child::has_ended() const {
  if (!has_box_around_) return is_zombie(pid_);
  if (runner_fd_ < 0) return true;  // it was gone before one could look
  pollfd ended{runner_fd_, POLLIN, 0};
  return poll(&ended, 1, 0) == 1;
}

nanoseconds Child::cpu_time() const {
#ifdef __linux__
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(runner_, &clock) == 0 && clock_gettime(clock, &time) == 0) {
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
  }
#endif
  return nanoseconds{0};  // elsewhere the wall clock alone limits a call
}

void Child::drain_output() {
  std::array<char, 16384> chunk{};
  // A pipe that is filled as fast as it is read has no end: the clocks must be looked at meanwhile.
  for (int reads = 0; reads < 16 && output_ >= 0; ++reads) {
    const ssize_t got = read(output_, chunk.data(), chunk.size());
    if (got == 0) close(std::exchange(output_, -1));  // it closed both: nothing more to watch
    if (got <= 0) return;
    const std::size_t room = kKeptOutput - std::min(kKeptOutput, printed_.size());
    printed_.append(chunk.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

std::string Child::take_output() {
  drain_output();
  return text::harmless(std::exchange(printed_, {}));
}

Child::Reply Child::ask(std::uint32_t function, const Patience& patience, std::uint32_t mode) {
  const protocol::Request request{draw_nonce(), function, mode};
  std::byte stale{};
  if (recv(socket_, &stale, sizeof stale, MSG_DONTWAIT) > 0) {
    return {std::nullopt, finish(Kind::kProtocol)};  // it spoke without being asked
  }
  if (send(socket_, &request, sizeof request, MSG_DONTWAIT) != sizeof request) {
    return {std::nullopt, finish(std::nullopt)};
  }
  return wait_for_answer(request.nonce, patience);
}

Child::Reply Child::wait_for_answer(std::uint64_t nonce, const Patience& patience) {
  // The end of the child closes its socket, unless a process it started keeps it open: then the
  // zombie is seen by has_ended. Nothing waits for the end of a pipe.
  const auto start = steady_clock::now();
  const nanoseconds cpu_before = cpu_time();
  for (;;) {
    std::array<pollfd, 2> ready{{{socket_, POLLIN, 0}, {output_, POLLIN, 0}}};
    poll(ready.data(), ready.size(), 20);
    drain_output();
    // One byte more than an answer, so that a longer message is seen to be longer.
    std::array<std::byte, sizeof(protocol::Answer) + 1> buffer{};
    const ssize_t got = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      protocol::Answer answer{};
      std::memcpy(&answer, buffer.data(), sizeof answer);
      if (got == sizeof answer && answer.nonce == nonce) return {answer, {}};
      return {std::nullopt, finish(Kind::kProtocol)};
    }
    if (got == 0 || has_ended()) return {std::nullopt, finish(std::nullopt)};
    if (holds_too_much()) return {std::nullopt, finish(Kind::kMemory)};
    const nanoseconds used = cpu_time() - cpu_before;
    if (used >= patience.cpu) return {std::nullopt, finish(Kind::kCpuTime)};
    const auto now = steady_clock::now();
    if (now >= patience.until) return {std::nullopt, finish(Kind::kPatience)};
    const auto limit = wall_limit(patience, used);
    if (now - start < limit) continue;
    Ending ending = finish(Kind::kWallTime);
    ending.detail =
        static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(limit).count());
    return {std::nullopt, ending};
  }
}

/// Where address space is open, what it holds is looked at from outside, as often as the clocks.
bool Child::holds_too_much() const {
  return watched_bytes_ != 0 && memory_held(runner_) > watched_bytes_;
}

/// A box ends a moment after what was in it, and hands its status on.
void Child::wait_for_box() const {
  if (!has_box_around_) return;
  for (int waited = 0; waited < 10'000 && !is_zombie(pid_); ++waited) usleep(1000);
}

/// bubblewrap says 128 + the signal.
int Child::status_of_runner(int status) const {
  const bool by_signal = has_box_around_ && WIFEXITED(status) && WEXITSTATUS(status) > 128;
  return by_signal ? WEXITSTATUS(status) - 128 : status;
}

int Child::end() {
  const int status = end_with_offspring(std::exchange(pid_, -1));
  runner_ = -1;
  drain_output();
  return status;
}

Ending Child::finish(std::optional<Kind> because) {
  if (!because) {
    // It hung up. A dying process closes its socket a moment before it can be waited for; one that
    // closed the socket and lives on gets no more than that moment.
    for (int waited = 0; waited < 100; ++waited) {
      if (has_ended()) break;
      usleep(1000);
      if (waited == 99) because = Kind::kProtocol;
    }
  }
  if (!because) wait_for_box();
  const int status = status_of_runner(end());
  if (because) return {*because};
  if (group_ && group_->ran_out_of_memory()) return {Kind::kMemory};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return {Kind::kCpuTime};
  if (WIFSIGNALED(status)) return {Kind::kSignal, WTERMSIG(status)};
  return {Kind::kExit, WEXITSTATUS(status)};
}

}  // namespace nibble::judge
