// What a runner gets of its surroundings; then asks it, waits with two clocks, and ends it.
#include "judge/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/kit_error.hpp"
#include "process/ending.hpp"
#include "process/pipes.hpp"
#include "process/spawn.hpp"
#include "process/usage.hpp"
#include "protocol/arena.hpp"
#include "sandbox/box.hpp"
#include "sandbox/control_group.hpp"
#include "sandbox/opening.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using process::Descriptor;
using process::Limit;
using process::Program;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using Kind = Ending::Kind;

constexpr std::size_t kArenas = 2 * protocol::kArenaBytes;

/// Between the end of its socket and its own: a slow machine was seen to take 0.1 s.
constexpr std::chrono::seconds kDying{2};

/// 0: none, for sanitizers map terabytes of shadow, and a GPU's driver nearly as much.
std::size_t address_space(const Child::Setup& setup) {
  if (setup.sanitized || setup.on_gpu) return 0;
  return kArenas + setup.limits.memory_bytes;
}

/// compute-sanitizer stands before it, started by a script:
/// sanitizers of a GPU are no part of the child.
bool is_wrapped(const Child::Setup& setup) { return setup.on_gpu && setup.sanitized; }

bool is_boxed(const Child::Setup& setup) {
  return setup.level != sandbox::Level::kLimits && !is_wrapped(setup);
}

/// What its memory may hold besides the arenas. Sanitizers keep a byte of shadow for eight, and
/// what was freed for a while: as much again.
std::size_t memory_of(const Child::Setup& setup) {
  if (setup.on_gpu) return sandbox::kGpuHostBytes;
  return (setup.sanitized ? 2 : 1) * setup.limits.memory_bytes;
}

/// Without a box, whose launcher sets its own.
std::vector<Limit> limits_of(const Child::Setup& setup) {
  const auto both = [](int resource, rlim_t value) { return Limit{resource, value, value}; };
  std::vector<Limit> limits = {
      {RLIMIT_CPU, 300, 301},  // a backstop: the judge watches every single call
      both(RLIMIT_CORE, 0),
      // compute-sanitizer and the process that it looks into share files.
      both(RLIMIT_FSIZE, is_wrapped(setup) ? rlim_t{256} << 20
                         : setup.on_gpu    ? sandbox::kGpuFileBytes
                                           : 0),
      both(RLIMIT_NOFILE, setup.on_gpu ? 256 : 32)};
  if (address_space(setup) != 0) limits.push_back(both(RLIMIT_AS, address_space(setup)));
#ifdef __linux__
  // No further process or thread; a user of its own makes it bind root too.
  if (!setup.on_gpu) limits.push_back(both(RLIMIT_NPROC, 0));
#endif
  return limits;
}

/// A judge that runs as root gives its child a user of its own, who must be able to run it.
bool needs_own_user(const Descriptor& executable) {
#ifdef __linux__
  struct stat file {};
  constexpr mode_t kForAll = S_IROTH | S_IXOTH;
  return geteuid() == 0 && fstat(executable.get(), &file) == 0 &&
         (file.st_mode & kForAll) == kForAll;
#else
  return executable.get() < 0;
#endif
}

std::uint64_t draw_nonce() {
  static std::random_device entropy;  // a generator's next number could be told from its last ones
  return static_cast<std::uint64_t>(entropy()) << 32 | entropy();
}

/// What a box around the runner adds to the program: words, descriptors, and who executes it.
class Box {
 public:
  Box(const Child::Setup& setup, Program& program) {
    static const sandbox::Tools tools = sandbox::tools_beside_this_program();
    if (tools.launcher.empty()) throw KitError("the kit was built without a sandbox: no box-init");
    launcher_ = process::open_file(tools.launcher.c_str(), O_RDONLY);
    copy_ = process::open_file(setup.path.c_str(), O_RDONLY | O_NOFOLLOW);
    program.words = sandbox::words_for_runner(
        {setup.level, tools, address_space(setup), setup.sanitized, setup.on_gpu});
    if (setup.level != sandbox::Level::kNamespaces) {  // bubblewrap is called by its name
      program.executable = sandbox::kLauncherFd;
      program.path = tools.launcher;
    }
    program.never_root = true;  // root in a box is still root where the box has a hole
  }

  sandbox::Opening& opening() { return opening_; }

  /// From kOpeningFd on.
  std::array<int, 4> descriptors(const Descriptor& executable) const {
    return {opening_.theirs(), executable.get(), launcher_.get(), copy_.get()};
  }

 private:
  sandbox::Opening opening_;
  Descriptor launcher_, copy_;
};

}  // namespace

Child::Child(const Setup& setup) {
  signal(SIGPIPE, SIG_IGN);
  process::adopt_orphans();
  if (setup.sanitized && !setup.on_gpu) watched_bytes_ = memory_of(setup);
  if (!setup.groups.empty() && !is_wrapped(setup)) {
    const int more = setup.on_gpu ? sandbox::kGpuThreads : 0;
    group_ = std::make_unique<sandbox::ControlGroup>(setup.groups, kArenas + memory_of(setup),
                                                     sandbox::kRunnerProcesses + more);
  }
  try {
    start(setup);
  } catch (const std::runtime_error& error) {
    throw KitError(error.what());
  }
}

Child::~Child() {
  if (alive()) end();
}

void Child::start(const Setup& setup) {
  process::Socket socket = process::make_socket();
  process::Pipe output = process::make_pipe();
  const Descriptor null = process::open_file("/dev/null", O_RDONLY);
  const bool boxed = is_boxed(setup);
  const Descriptor executable =
      process::open_file(setup.path.c_str(), O_RDONLY | (boxed ? O_NOFOLLOW : 0));
  Program program{.words = {"runner"},
                  .directory = "/",
                  .descriptors = {null.get(), output.write_end.get(), output.write_end.get(),
                                  setup.inputs_fd, setup.outputs_fd, socket.theirs.get()},
                  .door = group_ ? group_->door() : -1,
                  .core = setup.core,
                  .is_stranger = true,
                  .own_user = needs_own_user(executable)};
  std::optional<Box> box;
  if (boxed) {
    const auto more = box.emplace(setup, program).descriptors(executable);
    program.descriptors.insert(program.descriptors.end(), more.begin(), more.end());
  } else {
    program.limits = limits_of(setup);
    program.executable = static_cast<int>(program.descriptors.size());
    program.descriptors.push_back(executable.get());
    program.path = setup.path;
    program.is_script = is_wrapped(setup);
  }
  pid_ = runner_ = process::spawn(program);
  process::claim(pid_);
  socket_ = std::move(socket.ours);
  output.write_end = {};
  printed_ = process::Printed(std::move(output.read_end), kKeptOutput);
  socket.theirs = {};
  if (boxed) wait_for_opening(box->opening(), setup.level);
}

void Child::wait_for_opening(sandbox::Opening& opening, sandbox::Level level) {
  try {
    runner_ = opening.wait();
  } catch (const sandbox::BoxBroke& broke) {
    end();
    throw KitError(std::string(broke.what()) + " (level " + std::string(sandbox::name_of(level)) +
                   ") " + take_output());
  }
  has_box_around_ = runner_ != pid_;
#ifdef SYS_pidfd_open
  if (has_box_around_) {
    runner_fd_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, runner_, 0)));
  }
#endif
}

bool Child::has_ended() const {
  if (!has_box_around_) return process::has_ended(pid_);
  if (!runner_fd_) return true;  // it was gone before one could look
  pollfd ended{runner_fd_.get(), POLLIN, 0};
  return poll(&ended, 1, 0) == 1;
}

nanoseconds Child::cpu_time() const { return process::cpu_time(runner_); }

std::string Child::take_output() { return text::harmless(printed_.take()); }

Child::Reply Child::ask(std::uint32_t function, const Patience& patience, std::uint32_t mode,
                        const protocol::Far& far) {
  const protocol::Request request{draw_nonce(), function, mode, far};
  std::byte stale{};
  if (recv(socket_.get(), &stale, sizeof stale, MSG_DONTWAIT) > 0) {
    return {std::nullopt, finish(Kind::kProtocol)};  // it spoke without being asked
  }
  if (send(socket_.get(), &request, sizeof request, MSG_DONTWAIT) != sizeof request) {
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
    std::array<pollfd, 2> ready{{{socket_.get(), POLLIN, 0}, {printed_.fd(), POLLIN, 0}}};
    poll(ready.data(), ready.size(), 20);
    printed_.drain();
    // One byte more than an answer, so that a longer message is seen to be longer.
    std::array<std::byte, sizeof(protocol::Answer) + 1> buffer{};
    const ssize_t got = recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
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

/// Where address space is open, what it holds is looked at from outside, as often as the clocks:
/// its own memory, resident or swapped out, and of what is shared the part that cannot be arenas.
bool Child::holds_too_much() const {
  if (watched_bytes_ == 0) return false;
  const std::size_t own = process::memory_of(runner_, {"RssAnon:", "VmSwap:"});
  const std::size_t shared = process::memory_of(runner_, {"RssShmem:"});
  return own + shared - std::min(shared, kArenas) > watched_bytes_;
}

/// A box ends a moment after what was in it, and hands its status on.
void Child::wait_for_box() const {
  if (!has_box_around_) return;
  for (int waited = 0; waited < 10'000 && !process::has_ended(pid_); ++waited) usleep(1000);
}

int Child::end() {
  const int status = process::end_with_orphans(std::exchange(pid_, -1));
  runner_ = -1;
  printed_.drain();
  return status;
}

Ending Child::finish(std::optional<Kind> because) {
  if (!because) {
    // It hung up. A dying process closes its socket a moment before it can be waited for; one that
    // closed the socket and lives on gets no more than that moment.
    const auto give_up = steady_clock::now() + kDying;
    while (!because && !has_ended()) {
      usleep(1000);
      if (steady_clock::now() >= give_up) because = Kind::kProtocol;
    }
  }
  if (!because) wait_for_box();
  const process::Ended how = process::how_it_ended(end(), has_box_around_);
  if (because) return {*because};
  if (group_ && group_->ran_out_of_memory()) return {Kind::kMemory};
  if (how.signal == SIGXCPU) return {Kind::kCpuTime};
  if (how.signal != 0) return {Kind::kSignal, how.signal};
  return {Kind::kExit, how.exit_status};
}

}  // namespace nibble::judge
