// Atomic operations. They are checked as writes that do not race with one another.
#pragma once

#include "nibble/simt/types.hpp"

// clang-format off
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define NIBBLE_SIMT_ATOMICS(T)             \
  T atomicExch(T* address, T value);       \
  T atomicAdd(T* address, T value);
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
NIBBLE_SIMT_ATOMICS(float)
NIBBLE_SIMT_ATOMICS(double)
#undef NIBBLE_SIMT_ATOMICS

#define NIBBLE_SIMT_ATOMICS(T)                       \
  T atomicMin(T* address, T value);                  \
  T atomicMax(T* address, T value);                  \
  T atomicAnd(T* address, T value);                  \
  T atomicOr(T* address, T value);                   \
  T atomicXor(T* address, T value);                  \
  T atomicCAS(T* address, T expected, T desired);
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
#undef NIBBLE_SIMT_ATOMICS
// NOLINTEND(bugprone-macro-parentheses)
// clang-format on

long long atomicMin(long long* address, long long value);
long long atomicMax(long long* address, long long value);
unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short desired);
int atomicSub(int* address, int value);
unsigned atomicSub(unsigned* address, unsigned value);
unsigned atomicInc(unsigned* address, unsigned limit);
unsigned atomicDec(unsigned* address, unsigned limit);

// Within a block or across the system: the engine has one memory.
// clang-format off
#define NIBBLE_SIMT_SCOPED(NAME, SCOPE)                                      \
  template <class T, class V>                                               \
  __attribute__((always_inline)) inline T NAME##_##SCOPE(T* address, V value) { \
    return NAME(address, T(value));                                         \
  }
#define NIBBLE_SIMT_SCOPES(NAME) NIBBLE_SIMT_SCOPED(NAME, block) NIBBLE_SIMT_SCOPED(NAME, system)
NIBBLE_SIMT_SCOPES(atomicAdd)
NIBBLE_SIMT_SCOPES(atomicSub)
NIBBLE_SIMT_SCOPES(atomicExch)
NIBBLE_SIMT_SCOPES(atomicMin)
NIBBLE_SIMT_SCOPES(atomicMax)
NIBBLE_SIMT_SCOPES(atomicInc)
NIBBLE_SIMT_SCOPES(atomicDec)
NIBBLE_SIMT_SCOPES(atomicAnd)
NIBBLE_SIMT_SCOPES(atomicOr)
NIBBLE_SIMT_SCOPES(atomicXor)
#undef NIBBLE_SIMT_SCOPES
#undef NIBBLE_SIMT_SCOPED
// clang-format on
template <class T, class V>
__attribute__((always_inline)) inline T atomicCAS_block(T* address, V expected, V desired) {
  return atomicCAS(address, T(expected), T(desired));
}
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
