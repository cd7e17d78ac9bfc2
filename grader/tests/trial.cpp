// The bodies of the trial contract's functions: what each does right,
// and what it does to a judge that believes it.
#include "trial.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "protocol/arena.hpp"
#include "protocol/message.hpp"

namespace nibble {
namespace {

// Told from outside, so that the compiler cannot know that these are mistakes.
volatile int zero = 0;

void loop() {
  for (;;) zero = 0;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char room[8192];
  room[depth % 8192] = 1;
  return (zero == 0 ? recurse(depth + 1) : 0) + room[0];
}

std::byte* outputs() {
  void* const at = mmap(nullptr, protocol::kGuardBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        protocol::kOutputsFd, 0);
  return static_cast<std::byte*>(at);
}

/// Eight bytes of the last slot, which no function of a few arguments comes to.
std::uint64_t& far_word() {
  void* const at = mmap(nullptr, protocol::kGuardBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        protocol::kOutputsFd, protocol::slot_begin(protocol::kSlots - 1));
  return *static_cast<std::uint64_t*>(at);
}

/// As the system does it to a process when memory runs short, and not to the next one.
void be_killed_once() {
  const std::string mark = "/tmp/nibble-killed-once-" + std::to_string(getppid());
  if (mkdir(mark.c_str(), 0700) == 0) raise(SIGKILL);
  rmdir(mark.c_str());
}

void lie_about_crash() {
  const protocol::CrashNote note{protocol::CrashNote::kMagic, 1000, protocol::CrashNote::kInput, 9,
                                 ~std::uint64_t{0}};
  std::memcpy(outputs() + protocol::kNoteOffset, &note, sizeof note);
  signal(SIGSEGV, SIG_DFL);
  kill(getpid(), SIGSEGV);
}

/// Forks where it may; the new process holds every descriptor and never ends.
void leave_a_process() {
  if (fork() != 0) return;
  setsid();
  for (;;) pause();
}

/// Every byte but 0, and the beginnings of characters that do not go on.
std::string every_byte() {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  for (const char* const bad : {"\xC3(", "\xE2\x82", "\xED\xA0\x80", "\xF0\x28\x8C", "\xC0\xAF"}) {
    bytes.insert(0, bad);
  }
  return bytes;
}

void flood() {
  const std::string text(1 << 16, '#');
  for (;;) {
    if (write(1, text.data(), text.size()) < 0) pause();
  }
}

}  // namespace

float half(float x) { return x / 2; }

std::vector<float> twice(std::span<const float> x) {
  std::vector<float> all(x.begin(), x.end());
  for (float& value : all) value *= 2;
  return all;
}

Tensor describe(const Tensor& tensor, std::int64_t step) {
  Tensor other = tensor;
  for (std::int8_t& q : other.q) q = static_cast<std::int8_t>(q + step);
  other.scale *= 2;
  other.name += "!";
  std::reverse(other.shape.begin(), other.shape.end());
  other.exact = !other.exact;
  return other;
}

std::string greet(const std::string& name) { return "hello " + name; }

void fill(std::span<const float> x, std::span<float> out, Filling how) {
  if (how == Filling::kKilledOnce) be_killed_once();
  const std::size_t count = how == Filling::kNothing ? 0
                            : how == Filling::kHalf  ? x.size() / 2
                                                     : x.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (how != Filling::kWithAHole || i / 4 != 2) out[i] = x[i] + 1;
  }
  float* const start = out.data() + zero;
  if (how == Filling::kPastTheEnd) start[out.size()] = 1;
  if (how == Filling::kBeforeTheStart) start[-1] = 1;
  if (how == Filling::kIntoInput) const_cast<float*>(x.data())[zero] = 1;
  if (how == Filling::kFromPastInput) out[0] = x.data()[x.size() + zero];
}

int act(Deed deed) {
  static int calls = 0;
  ++calls;
  switch (deed) {
    case Deed::kReturn:
      break;
    case Deed::kTodo:
      NIBBLE_TODO("act");
    case Deed::kRefuse:
      throw std::invalid_argument("expected a deed");
    case Deed::kBadAlloc:
      throw std::bad_alloc();
    case Deed::kLengthError:
      throw std::length_error("too long \x1b[2J");
    case Deed::kThrowInt:
      throw 7;
    case Deed::kLoop:
      loop();
      break;
    case Deed::kSleep:
      for (;;) pause();
    case Deed::kStop:
      raise(SIGSTOP);
      break;
    case Deed::kAllocate:
      return static_cast<int>(std::vector<char>(std::size_t{8} << 30).size());
    case Deed::kRecurse:
      return recurse(1);
    case Deed::kExit:
      _exit(zero);
    case Deed::kAbort:
      abort();
    case Deed::kKill:
      raise(SIGKILL);
      break;
    case Deed::kNullPointer:
      return *reinterpret_cast<volatile int*>(zero);
    case Deed::kDivideByZero:
      return 100 / zero;
    case Deed::kIllegal:
      raise(SIGILL);
      break;
    case Deed::kCloseAll:
      for (int fd = 0; fd < 32; ++fd) close(fd);
      break;
    case Deed::kSendJunk:
      send(protocol::kSocketFd, "junk", 4, 0);
      break;
    case Deed::kSendNothing:
      send(protocol::kSocketFd, "", 0, 0);
      break;
    case Deed::kHangUp:
      shutdown(protocol::kSocketFd, SHUT_RDWR);
      for (;;) pause();
    case Deed::kFork:
      leave_a_process();
      break;
    case Deed::kPrint:
      std::printf("\x1b[31mred\n");
      std::fflush(stdout);
      break;
    case Deed::kFlood:
      flood();
      break;
    case Deed::kPrintBytes:
      std::printf("%s\n", every_byte().c_str());
      std::fflush(stdout);
      break;
    case Deed::kThrowBytes:
      throw std::runtime_error(every_byte());
    case Deed::kLeaveAWord:
      far_word() = 1;
      _exit(zero);
    case Deed::kFindAWord:
      return far_word() == 1 ? -1 : calls;
    case Deed::kLieAboutCrash:
      lie_about_crash();
      break;
  }
  return calls;
}

}  // namespace nibble
