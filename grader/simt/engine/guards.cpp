// The guards that rewriter/guards.hpp puts before instructions no hook has spoken for: an access
// that the compiler did not tell of is looked at, and counted, as if it had.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "access.hpp"
#include "fiber.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "nibble/simt/types.hpp"

namespace nibble::simt {
namespace {

/// The running lane's last entries hold these bytes already: a hook told of them in this basic
/// block, in a way that could not be seen in the text.
bool is_in_log(Act act, uptr address, std::size_t size) {
  if (hot.log_end == nullptr || address - hot.arena >= hot.reach) return false;
  const std::uint64_t offset = address - hot.arena;
  constexpr int kLook = 16;
  const LogEntry* entry = hot.log;
  for (int i = 0; i < kLook && entry != log_begin(current->linear); ++i) {
    --entry;
    const auto event = static_cast<LogEvent>(entry->site >> 3 & 3);
    if (event == LogEvent::kStep) return false;
    const std::uint64_t bytes = std::uint64_t{1} << (entry->site & 7);
    const bool holds = offset >= entry->offset && offset + size <= entry->offset + bytes;
    if (holds && (act == Act::kRead || event != LogEvent::kLoad)) return true;
  }
  return false;
}

bool is_past_caches(Act act, uptr address, std::size_t size) {
  PastCaches& load = loaded_past_caches;
  const uptr end = load.address + load.size;
  if (act != Act::kRead || address < load.address || end < address + size) return false;
  if (address + size == end) load = {};  // it is over
  return true;
}

/// g++ moves a float4 that a call takes by value in two halves. They are one access,
/// as its copy is.
void join_halves() {
  const LogEntry* const begin = log_begin(current->linear);
  if (hot.log - begin < 2) return;
  LogEntry &first = hot.log[-2], &second = hot.log[-1];
  constexpr std::uint32_t kHalfLog2 = 3, kWhat = 31;
  const auto event = static_cast<LogEvent>(second.site >> 3 & 3);
  const bool are_alike = (first.site & kWhat) == (second.site & kWhat) &&
                         (second.site & 7) == kHalfLog2 && event != LogEvent::kStep;
  const std::uint32_t offset = std::min(first.offset, second.offset);
  if (!are_alike || (first.offset ^ second.offset) != 8 || offset % 16 != 0) return;
  first = {first.site + 1, offset};
  --hot.log;
}

}  // namespace

/// `code`: the size, and 256 more for a store. `count` of them, one behind the other.
extern "C" [[gnu::visibility("hidden")]] void nibble_simt_look_at_guarded(uptr address,
                                                                          std::uint32_t code,
                                                                          std::uint64_t count,
                                                                          const void* pc) {
  if (current == nullptr) return;
  const std::size_t size = code & 0xff;
  const Act act = (code & 0x100) != 0 ? Act::kWrite : Act::kRead;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // beyond all memory there is
  if (count > kMost / size) count = kMost / size;
  if (is_past_caches(act, address, size * count) || is_in_log(act, address, size * count)) return;
  look_at_range(act, address, size * count, pc);
  if (hot.log_end != nullptr && size == 8) join_halves();
}

}  // namespace nibble::simt

#if defined(__x86_64__)
static_assert(offsetof(nibble::simt::Hot, stack) == 40);
static_assert(nibble::simt::kStackBytes == 65536);

// rax: the address. All registers and flags stay as they are: the compiler knows nothing of this
// call. What lies on the thread's own stack, at its stack pointer or above, is its own; below is
// what others have left there.
asm(R"(
.text
.macro NIBBLE_SIMT_GUARD name, code
.globl nibble_simt_guard_\name
.hidden nibble_simt_guard_\name
.type nibble_simt_guard_\name, @function
nibble_simt_guard_\name:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rcx
  movl $\code, %ecx
  jmp nibble_simt_guard_once
.size nibble_simt_guard_\name, .-nibble_simt_guard_\name
.globl nibble_simt_guard_repeated_\name
.hidden nibble_simt_guard_repeated_\name
.type nibble_simt_guard_repeated_\name, @function
nibble_simt_guard_repeated_\name:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rcx
  pushfq
  pushq %rdx
  movq %rcx, %rdx
  movl $\code, %ecx
  jmp nibble_simt_guard_closely
.size nibble_simt_guard_repeated_\name, .-nibble_simt_guard_repeated_\name
.endm
NIBBLE_SIMT_GUARD read1, 1
NIBBLE_SIMT_GUARD read2, 2
NIBBLE_SIMT_GUARD read4, 4
NIBBLE_SIMT_GUARD read8, 8
NIBBLE_SIMT_GUARD read16, 16
NIBBLE_SIMT_GUARD write1, 257
NIBBLE_SIMT_GUARD write2, 258
NIBBLE_SIMT_GUARD write4, 260
NIBBLE_SIMT_GUARD write8, 264
NIBBLE_SIMT_GUARD write16, 272

.type nibble_simt_guard_once, @function
nibble_simt_guard_once:
  pushfq
  pushq %rdx
  leaq 24(%rbp), %rdx
  cmpq %rdx, %rax
  jb 1f
  movq 40+_ZN6nibble4simt3hotE(%rip), %rdx
  addq $65536-16, %rdx
  cmpq %rdx, %rax
  jbe 2f
1:
  movl $1, %edx
nibble_simt_guard_closely:
  pushq %rbx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  movq %rsp, %rbx
  subq $512, %rsp
  andq $-16, %rsp
  fxsaveq (%rsp)
  movq %rax, %rdi
  movl %ecx, %esi
  movq 8(%rbp), %rcx
  call nibble_simt_look_at_guarded
  fxrstorq (%rsp)
  movq %rbx, %rsp
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rbx
2:
  popq %rdx
  popfq
  popq %rcx
  popq %rbp
  ret
.size nibble_simt_guard_once, .-nibble_simt_guard_once
)");
#endif
