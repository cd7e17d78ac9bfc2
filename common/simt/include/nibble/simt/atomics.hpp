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
template <class T, class V>
__attribute__((always_inline)) inline T atomicAdd_block(T* address, V value) {
  return atomicAdd(address, T(value));
}
template <class T, class V>
__attribute__((always_inline)) inline T atomicAdd_system(T* address, V value) {
  return atomicAdd(address, T(value));
}
