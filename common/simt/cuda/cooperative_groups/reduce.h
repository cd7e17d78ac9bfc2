// CUDA's <cooperative_groups/reduce.h> for the SIMT engine: the sum, the least or the greatest of what
// the threads of a group bring, for all of them.
#pragma once

#include <type_traits>

#include "cooperative_groups.h"

namespace cooperative_groups {

// clang-format off
#define NIBBLE_SIMT_OPERATION(NAME, EXPRESSION)                             \
  template <class T>                                                        \
  struct NAME {                                                             \
    static_assert(nibble::simt::ByValue<T>, "an operation is on values");     \
    NIBBLE_SIMT_QUIET T operator()(T a, T b) const { return EXPRESSION; }   \
  };
NIBBLE_SIMT_OPERATION(plus, a + b)
NIBBLE_SIMT_OPERATION(less, b < a ? b : a)
NIBBLE_SIMT_OPERATION(greater, a < b ? b : a)
NIBBLE_SIMT_OPERATION(bit_and, a & b)
NIBBLE_SIMT_OPERATION(bit_or, a | b)
NIBBLE_SIMT_OPERATION(bit_xor, a ^ b)
#undef NIBBLE_SIMT_OPERATION
// clang-format on

namespace simt_detail {

template <class T, template <class> class Operation>
constexpr nibble::simt::Reduction reduction_of() {
  using nibble::simt::Reduction;
  constexpr bool is_signed = std::is_signed_v<T>;
  if (std::is_same_v<Operation<T>, plus<T>>) return Reduction::kAdd;
  if (std::is_same_v<Operation<T>, less<T>>)
    return is_signed ? Reduction::kMin : Reduction::kMinUnsigned;
  if (std::is_same_v<Operation<T>, greater<T>>)
    return is_signed ? Reduction::kMax : Reduction::kMaxUnsigned;
  if (std::is_same_v<Operation<T>, bit_and<T>>) return Reduction::kAnd;
  if (std::is_same_v<Operation<T>, bit_or<T>>) return Reduction::kOr;
  return Reduction::kXor;
}

}  // namespace simt_detail

/// int and unsigned take one instruction. Other types take a tree of shuffles, those far
/// apart first.
template <class Group, nibble::simt::ByValue T, template <class> class Operation>
NIBBLE_SIMT_UNSEEN T reduce(const Group& group, T value, const Operation<T>& operation) {
  const void* const pc = NIBBLE_SIMT_PC;
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned>) {
    return T(nibble::simt::reduce_sync(simt_detail::reduction_of<T, Operation>(),
                                       group.simt_mask(pc), unsigned(value), pc));
  } else {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned apart = 16; apart > 0; apart /= 2) {
      if (apart >= size) continue;
      const bool there = rank + apart < size;
      const T other = group.simt_shuffle(value, there ? rank + apart : rank, pc);
      if (there) value = operation(value, other);
    }
    return group.simt_shuffle(value, 0, pc);
  }
}

}  // namespace cooperative_groups
