#if defined(__x86_64__) && !defined(NIBBLE_SIMT_UCONTEXT)
#include <algorithm>
#include <cstdint>

#include "switch.hpp"

// It ends in `pop; jmp`, not in `ret`: a `ret` to another stack defeats the return predictor and
// costs twice as much. What a thread leaves in registers that no call keeps would be memory that
// nobody counts: the next thread finds none of it.
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
  emms
  pxor %xmm0, %xmm0
  pxor %xmm1, %xmm1
  pxor %xmm2, %xmm2
  pxor %xmm3, %xmm3
  pxor %xmm4, %xmm4
  pxor %xmm5, %xmm5
  pxor %xmm6, %xmm6
  pxor %xmm7, %xmm7
  pxor %xmm8, %xmm8
  pxor %xmm9, %xmm9
  pxor %xmm10, %xmm10
  pxor %xmm11, %xmm11
  pxor %xmm12, %xmm12
  pxor %xmm13, %xmm13
  pxor %xmm14, %xmm14
  pxor %xmm15, %xmm15
  xorl %r9d, %r9d
  xorl %r10d, %r10d
  xorl %r11d, %r11d
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
