// The process that holds one implementation of a contract: a submission, the reference, a mistake
// or an attack. It knows no test, no expected value, no points.
#include <sys/mman.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

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

// A runner has no environment, so what the sanitizers should do is said here.
const char* __asan_default_options() {
  return "abort_on_error=1:handle_abort=1:detect_leaks=0:allocator_may_return_null=0:"
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

/// Nobody of the same user may look into this process or change it: a submission has a neighbour, the
/// published solution, that would be easier to slow down than to beat.
void close_to_others() {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

}  // namespace

int main() {
  close_to_others();
  std::byte* const inputs = map_arena(protocol::kInputsFd, PROT_READ);
  std::byte* const outputs = map_arena(protocol::kOutputsFd, PROT_READ | PROT_WRITE);
  if (inputs == nullptr || outputs == nullptr) return EXIT_FAILURE;
  if (__asan_init == nullptr) nibble::runner::note_crashes(inputs, outputs);
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a crash must not swallow what was printed before it
  nibble::runner::serve_requests(protocol::kSocketFd, inputs, outputs);
}
