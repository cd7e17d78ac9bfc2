// The process that holds one implementation of a contract: a submission, the reference, a mistake
// or an attack. It knows no test, no expected value, no points.
#include <sys/mman.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "protocol/arena.hpp"
#include "protocol/message.hpp"
#include "runner/crash_note.hpp"
#include "runner/loop.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the sanitizers'.
extern "C" {
// Present when the learner's file is built with the address sanitizer, which reports crashes
// itself.
void __asan_init() __attribute__((weak));
void __sanitizer_start_switch_fiber(void** save, const void* bottom, std::size_t size)
    __attribute__((weak));
void __sanitizer_finish_switch_fiber(void* saved, const void** bottom, std::size_t* size)
    __attribute__((weak));

// A runner has no environment, so what the sanitizers should do is said here.
const char* __asan_default_options() {
  return "abort_on_error=1:handle_abort=1:detect_leaks=0:disable_coredump=0:allocator_may_return_"
         "null=0:"
         "max_allocation_size_mb=512:symbolize=1:color=never";
}
const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1:color=never"; }
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

namespace protocol = nibble::protocol;

/// Maps an arena and takes away its guards: touching one ends the process.
std::byte* map_arena(int fd, int access) {
  void* const at = mmap(nullptr, protocol::kArenaBytes, access, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return nullptr;
  auto* const arena = static_cast<std::byte*>(at);
  mprotect(arena + protocol::kGuardBytes, protocol::kGuardBytes, PROT_NONE);
  for (int slot = 0; slot < protocol::kSlots; ++slot) {
    mprotect(arena + protocol::slot_end(slot), protocol::kGuardBytes, PROT_NONE);
  }
  return arena;
}

/// Nobody of the same user may look into this process or change it: a submission has a neighbour,
/// the published solution, that would be easier to slow down than to beat.
void close_to_others() {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

/// The sanitizer learns from /proc where the stack ends, and a box has no /proc. When it does not
/// know, it does not clean up behind an exception, and reports what is none of the learner's. So it
/// is told that a switch of stacks has led to the one it is on.
void tell_sanitizer_its_stack(const void* above_all_frames) {
  if (__sanitizer_start_switch_fiber == nullptr) return;
  constexpr std::size_t kPage = 4096, kStack = std::size_t{8} << 20;
  const auto* const above = static_cast<const std::byte*>(above_all_frames);
  const auto* const top = above + (kPage - reinterpret_cast<std::uintptr_t>(above) % kPage);
  void* saved = nullptr;
  __sanitizer_start_switch_fiber(&saved, top - kStack, kStack);
  __sanitizer_finish_switch_fiber(saved, nullptr, nullptr);
}

}  // namespace

int main(int, char** words) {
  close_to_others();
  tell_sanitizer_its_stack(words);
  std::byte* const inputs = map_arena(protocol::kInputsFd, PROT_READ);
  std::byte* const outputs = map_arena(protocol::kOutputsFd, PROT_READ | PROT_WRITE);
  if (inputs == nullptr || outputs == nullptr) return EXIT_FAILURE;
  if (__asan_init == nullptr) nibble::runner::note_crashes(inputs, outputs);
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a crash must not swallow what was printed before it
  nibble::runner::serve_requests(protocol::kSocketFd, inputs, outputs);
}
