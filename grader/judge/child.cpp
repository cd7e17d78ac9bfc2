#include "judge/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
#include <random>
#include <utility>

#include "judge/kit_error.hpp"
#include "protocol/arena.hpp"

namespace nibble::judge {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Kind = Ending::Kind;

constexpr std::size_t kKeptOutput = std::size_t{64} << 10;

// --- In the child, between fork and exec: only async-signal-safe calls ---------------------------

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

void set_limits(const Child::Setup& setup) {
  if (!setup.sanitized) limit(RLIMIT_AS, 2 * protocol::kArenaBytes + setup.limits.memory_bytes);
  limit(RLIMIT_CPU, 300);  // a backstop: the judge watches every single call
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 32);
#ifdef __linux__
  limit(RLIMIT_NPROC, 0);  // no further process or thread; the kernel exempts root
#endif
}

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

/// Becomes the runner, or writes errno to `error_fd` (close-on-exec, hence silent on success).
[[noreturn]] void become(const Child::Setup& setup, int null, int output, int socket, int error_fd,
                         pid_t judge) {
  setsid();
  give_up_privileges(judge);
  place_descriptors<7>({null, output, output, setup.inputs_fd, setup.outputs_fd, socket, error_fd});
  constexpr int kError = protocol::kSocketFd + 1;
  fcntl(kError, F_SETFD, FD_CLOEXEC);
  close_from(kError + 1);
  set_limits(setup);
  std::array<char*, 2> arguments{const_cast<char*>("runner"), nullptr};
  std::array<char*, 1> no_environment{nullptr};
  if (chdir("/") == 0) execve(setup.path.c_str(), arguments.data(), no_environment.data());
  const int reason = errno;
  [[maybe_unused]] const auto written = write(kError, &reason, sizeof reason);
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
  static std::mt19937_64 bits{std::random_device{}()};
  return bits();
}

/// Whatever the child started and left is re-parented to the judge (a subreaper): end it as well.
void end_orphans() {
#ifdef __linux__
  const std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  for (int round = 0; round < 100; ++round) {  // killing one may re-parent its own children
    std::ifstream children(path);
    bool any = false;
    for (pid_t pid = 0; children >> pid;) {
      any = true;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    if (!any) return;
  }
#endif
}

void become_subreaper() {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

}  // namespace

Child::Child(const Setup& setup) : limits_(setup.limits) {
  signal(SIGPIPE, SIG_IGN);
  become_subreaper();
  start(setup);
}

Child::~Child() {
  if (alive()) end();
  if (socket_ >= 0) close(socket_);
  if (output_ >= 0) close(output_);
}

void Child::start(const Setup& setup) {
  const auto [socket_ours, socket_theirs] = make_socket();
  const auto [output_ours, output_theirs] = make_pipe();
  const auto [error_ours, error_theirs] = make_pipe();
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t judge = getpid();
  pid_ = fork();
  if (pid_ == 0) become(setup, null, output_theirs, socket_theirs, error_theirs, judge);
  for (const int fd : {socket_theirs, output_theirs, error_theirs, null}) close(fd);
  socket_ = socket_ours;
  output_ = output_ours;
  if (pid_ < 0) throw system_error("fork");

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

nanoseconds Child::cpu_time() const {
#ifdef __linux__
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid_, &clock) == 0 && clock_gettime(clock, &time) == 0) {
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
  }
#endif
  return nanoseconds{0};  // elsewhere the wall clock alone limits a call
}

void Child::drain_output() {
  std::array<char, 4096> chunk{};
  while (output_ >= 0) {
    const ssize_t got = read(output_, chunk.data(), chunk.size());
    if (got == 0) close(std::exchange(output_, -1));  // it closed both: nothing more to watch
    if (got <= 0) return;
    const std::size_t room = kKeptOutput - std::min(kKeptOutput, printed_.size());
    printed_.append(chunk.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

std::string Child::take_output() {
  drain_output();
  return std::exchange(printed_, {});
}

Child::Reply Child::ask(std::uint32_t function) {
  const protocol::Request request{draw_nonce(), function};
  std::byte stale{};
  if (recv(socket_, &stale, sizeof stale, MSG_DONTWAIT) > 0) {
    return {std::nullopt, finish(Kind::kProtocol)};  // it spoke without being asked
  }
  if (send(socket_, &request, sizeof request, 0) != sizeof request) {
    return {std::nullopt, finish(std::nullopt)};
  }
  return wait_for_answer(request.nonce);
}

Child::Reply Child::wait_for_answer(std::uint64_t nonce) {
  // The end of the child closes its socket, unless a process it started keeps it open: then the
  // zombie is seen by waitid. Nothing waits for the end of a pipe.
  const auto has_ended = [this] {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  };
  const auto wall_end = steady_clock::now() + limits_.wall;
  const nanoseconds cpu_end = cpu_time() + limits_.cpu;
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
    if (cpu_time() >= cpu_end) return {std::nullopt, finish(Kind::kCpuTime)};
    if (steady_clock::now() >= wall_end) return {std::nullopt, finish(Kind::kWallTime)};
  }
}

int Child::end() {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  end_orphans();
  drain_output();
  return status;
}

Ending Child::finish(std::optional<Kind> because) {
  if (!because) {
    // It hung up. A dying process closes its socket a moment before it can be waited for; one that
    // closed the socket and lives on gets no more than that moment.
    for (int waited = 0; waited < 100; ++waited) {
      siginfo_t info{};
      waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid == pid_) break;
      usleep(1000);
      if (waited == 99) because = Kind::kProtocol;
    }
  }
  const int status = end();
  if (because) return {*because};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return {Kind::kCpuTime};
  if (WIFSIGNALED(status)) return {Kind::kSignal, WTERMSIG(status)};
  return {Kind::kExit, WEXITSTATUS(status)};
}

}  // namespace nibble::judge
