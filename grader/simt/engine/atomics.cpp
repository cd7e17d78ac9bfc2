// Atomics: looked at as writes that do not race with one another, then done plainly; threads take
// turns, so nothing comes between.
#include "nibble/simt/atomics.hpp"

#include <algorithm>
#include <type_traits>

#include "access.hpp"
#include "launch_state.hpp"
#include "nibble/simt/types.hpp"
#include "race.hpp"

namespace {

using nibble::simt::access;
using nibble::simt::Act;

template <class T, class New>
[[gnu::always_inline]] inline T update(T* p, const void* pc, New make_new) {
  ++nibble::simt::totals.atomics;
  if (nibble::simt::instrumented) access<sizeof(T), Act::kAtomic>(p, pc);
  const T old = *p;
  *p = make_new(old);
  return old;
}

/// What was there is told, and nobody has to have written it.
template <class T>
[[gnu::always_inline]] inline T exchange(T* p, T v, const void* pc) {
  nibble::simt::exchanging = true;
  const T old = update(p, pc, [v](T /*old*/) { return v; });
  nibble::simt::exchanging = false;
  return old;
}

/// Puts `v` where `expected` stands.
template <class T>
[[gnu::always_inline]] inline T swap(T* p, T expected, T v, const void* pc) {
  nibble::simt::swapping = true;
  const T found = update(p, pc, [=](T old) { return old == expected ? v : old; });
  nibble::simt::swapping = false;
  return found;
}

/// While one lives, other blocks' operations are no partners.
struct WithinBlock {
  WithinBlock() { nibble::simt::keep_blocks_apart(true); }
  ~WithinBlock() { nibble::simt::keep_blocks_apart(false); }
  WithinBlock(const WithinBlock&) = delete;
  WithinBlock& operator=(const WithinBlock&) = delete;
};

/// Sums wrap around, as the GPU's do.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  } else {
    return a + b;
  }
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define NIBBLE_SIMT_ATOMIC(T, NAME, NEW)                               \
  T NAME(T* p, T v) {                                                  \
    return update(p, NIBBLE_SIMT_PC, [v](T old) -> T { return NEW; }); \
  }                                                                    \
  T NAME##_block(T* p, T v) {                                          \
    const WithinBlock within;                                          \
    return update(p, NIBBLE_SIMT_PC, [v](T old) -> T { return NEW; }); \
  }
#define NIBBLE_SIMT_ATOMICS(T)                                       \
  NIBBLE_SIMT_ATOMIC(T, atomicAdd, sum(old, v))                      \
  T atomicExch(T* p, T v) { return exchange(p, v, NIBBLE_SIMT_PC); } \
  T atomicExch_block(T* p, T v) {                                    \
    const WithinBlock within;                                        \
    return exchange(p, v, NIBBLE_SIMT_PC);                           \
  }
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
NIBBLE_SIMT_ATOMICS(float)
NIBBLE_SIMT_ATOMICS(double)
#undef NIBBLE_SIMT_ATOMICS

#define NIBBLE_SIMT_ATOMICS(T)                                                        \
  NIBBLE_SIMT_ATOMIC(T, atomicMin, std::min(old, v))                                  \
  NIBBLE_SIMT_ATOMIC(T, atomicMax, std::max(old, v))                                  \
  NIBBLE_SIMT_ATOMIC(T, atomicAnd, old& v)                                            \
  NIBBLE_SIMT_ATOMIC(T, atomicOr, old | v)                                            \
  NIBBLE_SIMT_ATOMIC(T, atomicXor, old ^ v)                                           \
  T atomicCAS(T* p, T expected, T v) { return swap(p, expected, v, NIBBLE_SIMT_PC); } \
  T atomicCAS_block(T* p, T expected, T v) {                                          \
    const WithinBlock within;                                                         \
    return swap(p, expected, v, NIBBLE_SIMT_PC);                                      \
  }
NIBBLE_SIMT_ATOMICS(int)
NIBBLE_SIMT_ATOMICS(unsigned)
NIBBLE_SIMT_ATOMICS(unsigned long long)
// NOLINTEND(bugprone-macro-parentheses)

NIBBLE_SIMT_ATOMIC(long long, atomicMin, std::min(old, v))
NIBBLE_SIMT_ATOMIC(long long, atomicMax, std::max(old, v))
NIBBLE_SIMT_ATOMIC(int, atomicSub, sum(old, sum(~v, 1)))
NIBBLE_SIMT_ATOMIC(unsigned, atomicSub, old - v)
NIBBLE_SIMT_ATOMIC(unsigned, atomicInc, old >= v ? 0 : old + 1)
NIBBLE_SIMT_ATOMIC(unsigned, atomicDec, old == 0 || old > v ? v : old - 1)

unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  return swap(p, expected, v, NIBBLE_SIMT_PC);
}

void nibble::simt::begin_atomic(void* p, unsigned size, const void* pc) {
  ++totals.atomics;
  if (!instrumented) return;
  if (size == 2) {
    access<2, Act::kAtomic>(p, pc);
  } else {
    access<4, Act::kAtomic>(p, pc);
  }
}
