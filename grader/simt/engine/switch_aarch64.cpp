#if defined(__aarch64__) && !defined(NIBBLE_SIMT_UCONTEXT)
#include <algorithm>
#include <cstdint>

#include "switch.hpp"

asm(R"(
.text
.globl nibble_simt_switch
.hidden nibble_simt_switch
.type nibble_simt_switch, %function
nibble_simt_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8,  d9,  [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8,  d9,  [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  br x30
.size nibble_simt_switch, .-nibble_simt_switch
)");

namespace nibble::simt {

void* fresh_stack(void* bottom, std::size_t bytes, void (*entry)()) {
  auto* sp = reinterpret_cast<std::uint64_t*>(static_cast<char*>(bottom) + bytes) - 20;
  std::fill(sp, sp + 20, 0);
  sp[11] = reinterpret_cast<std::uint64_t>(entry);  // x30
  return sp;
}

}  // namespace nibble::simt
#endif
