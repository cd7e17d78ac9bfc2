#if defined(__x86_64__) && !defined(NIBBLE_SIMT_UCONTEXT)
#include <algorithm>
#include <cstdint>

#include "switch.hpp"

// It ends in `pop; jmp`, not in `ret`: a `ret` to another stack defeats the return predictor and
// costs twice as much.
asm(R"(
.text
.globl nibble_simt_switch
.hidden nibble_simt_switch
.type nibble_simt_switch, @function
nibble_simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %r8
  jmpq *%r8
.size nibble_simt_switch, .-nibble_simt_switch
)");

namespace nibble::simt {

void* fresh_stack(void* bottom, std::size_t bytes, void (*entry)()) {
  auto* sp = reinterpret_cast<std::uint64_t*>(static_cast<char*>(bottom) + bytes);
  *--sp = 0;  // where a caller would be: keeps the stack 16-byte aligned at entry
  *--sp = reinterpret_cast<std::uint64_t>(entry);
  sp -= 6;
  std::fill(sp, sp + 6, 0);
  return sp;
}

}  // namespace nibble::simt
#endif
