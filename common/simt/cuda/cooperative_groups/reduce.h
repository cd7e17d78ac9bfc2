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

template <class T, class Operation>
constexpr nibble::simt::Reduction reduction_of() {
  using nibble::simt::Reduction;
  constexpr bool is_signed = std::is_signed_v<T>;
  if (std::is_same_v<Operation, plus<T>>) return Reduction::kAdd;
  if (std::is_same_v<Operation, less<T>>)
    return is_signed ? Reduction::kMin : Reduction::kMinUnsigned;
  if (std::is_same_v<Operation, greater<T>>)
    return is_signed ? Reduction::kMax : Reduction::kMaxUnsigned;
  if (std::is_same_v<Operation, bit_and<T>>) return Reduction::kAnd;
  if (std::is_same_v<Operation, bit_or<T>>) return Reduction::kOr;
  return Reduction::kXor;
}

template <class Operation, class... Known>
constexpr bool kIsAnyOf = (std::is_same_v<Operation, Known> || ...);
template <class T, class Operation>
constexpr bool kIsInstruction =
    kIsAnyOf<T, int, unsigned> &&
    kIsAnyOf<Operation, plus<T>, less<T>, greater<T>, bit_and<T>, bit_or<T>, bit_xor<T>>;

template <class Operation, class Group, class T>
NIBBLE_SIMT_UNSEEN T reduce_at_once(const Group& group, T value) {
  const void* const pc = NIBBLE_SIMT_PC;
  return T(nibble::simt::reduce_sync(reduction_of<T, Operation>(), group.simt_mask(pc),
                                     unsigned(value), pc));
}

}  // namespace simt_detail

/// int and unsigned take one instruction for the operations above. Other types and a learner's own
/// operations take a tree of shuffles, those far apart first.
template <class Group, nibble::simt::ByValue T, class Operation>
__attribute__((always_inline)) inline T reduce(const Group& group, T value, Operation operation) {
  if constexpr (simt_detail::kIsInstruction<T, Operation>) {
    return simt_detail::reduce_at_once<Operation>(group, value);
  } else {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned apart = 16; apart > 0; apart /= 2) {
      if (apart >= size) continue;
      const bool is_there = rank + apart < size;
      const T other = group.shfl(value, is_there ? rank + apart : rank);
      if (is_there) value = operation(value, other);
    }
    return group.shfl(value, 0);
  }
}

}  // namespace cooperative_groups
