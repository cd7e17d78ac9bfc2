// Atomic operations. They are checked as writes that do not race with one another; those within
// a block (_block) race with those of other blocks.
#pragma once

#include "nibble/simt/types.hpp"

// clang-format off
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define NIBBLE_SIMT_ATOMIC(T, NAME) \
  T NAME(T* address, T value);      \
  T NAME##_block(T* address, T value);

#define NIBBLE_SIMT_ATOMICS(T)     \
  NIBBLE_SIMT_ATOMIC(T, atomicExch) \
  NIBBLE_SIMT_ATOMIC(T, atomicAdd)
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
NIBBLE_SIMT_ATOMICS(float)
NIBBLE_SIMT_ATOMICS(double)
#undef NIBBLE_SIMT_ATOMICS

#define NIBBLE_SIMT_ATOMICS(T)                         \
  NIBBLE_SIMT_ATOMIC(T, atomicMin)                     \
  NIBBLE_SIMT_ATOMIC(T, atomicMax)                     \
  NIBBLE_SIMT_ATOMIC(T, atomicAnd)                     \
  NIBBLE_SIMT_ATOMIC(T, atomicOr)                      \
  NIBBLE_SIMT_ATOMIC(T, atomicXor)                     \
  T atomicCAS(T* address, T expected, T desired);      \
  T atomicCAS_block(T* address, T expected, T desired);
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
#undef NIBBLE_SIMT_ATOMICS

NIBBLE_SIMT_ATOMIC(long long, atomicMin)
NIBBLE_SIMT_ATOMIC(long long, atomicMax)
NIBBLE_SIMT_ATOMIC(int, atomicSub)
NIBBLE_SIMT_ATOMIC(unsigned, atomicSub)
NIBBLE_SIMT_ATOMIC(unsigned, atomicInc)
NIBBLE_SIMT_ATOMIC(unsigned, atomicDec)
#undef NIBBLE_SIMT_ATOMIC
// NOLINTEND(bugprone-macro-parentheses)
// clang-format on
unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short desired);

// Across the system: the engine has one memory.
// clang-format off
#define NIBBLE_SIMT_SYSTEM(NAME)                                               \
  template <class T, class V>                                                  \
  __attribute__((always_inline)) inline T NAME##_system(T* address, V value) { \
    return NAME(address, T(value));                                            \
  }
NIBBLE_SIMT_SYSTEM(atomicAdd)
NIBBLE_SIMT_SYSTEM(atomicSub)
NIBBLE_SIMT_SYSTEM(atomicExch)
NIBBLE_SIMT_SYSTEM(atomicMin)
NIBBLE_SIMT_SYSTEM(atomicMax)
NIBBLE_SIMT_SYSTEM(atomicInc)
NIBBLE_SIMT_SYSTEM(atomicDec)
NIBBLE_SIMT_SYSTEM(atomicAnd)
NIBBLE_SIMT_SYSTEM(atomicOr)
NIBBLE_SIMT_SYSTEM(atomicXor)
#undef NIBBLE_SIMT_SYSTEM
// clang-format on
template <class T, class V>
__attribute__((always_inline)) inline T atomicCAS_system(T* address, V expected, V desired) {
  return atomicCAS(address, T(expected), T(desired));
}

namespace nibble::simt {

/// Looks at 2 or 4 bytes as an atomic operation does. Threads take turns, so nothing comes between
/// this and what is then done to them.
void begin_atomic(void* address, unsigned size, const void* pc);

template <class T>
NIBBLE_SIMT_QUIET T atomic_sum(T* address, T value, const void* pc) {
  begin_atomic(address, sizeof(T), pc);
  const T old = *address;
  *address = old + value;
  return old;
}

}  // namespace nibble::simt
