// CUDA's <cooperative_groups/scan.h> for the SIMT engine: what the threads of a tile up to one, or
// before it, bring together. A tree of shuffles.
#pragma once

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class Group, nibble::simt::ByValue T, class Operation>
__attribute__((always_inline)) inline T inclusive_scan(const Group& group, T value,
                                                       Operation operation) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned apart = 1; apart < size; apart *= 2) {
    const T before = group.shfl(value, rank >= apart ? rank - apart : rank);
    if (rank >= apart) value = operation(before, value);
  }
  return value;
}
template <class Group, nibble::simt::ByValue T>
__attribute__((always_inline)) inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Nothing stands before the first thread: a T{}.
template <class Group, nibble::simt::ByValue T, class Operation>
__attribute__((always_inline)) inline T exclusive_scan(const Group& group, T value,
                                                       Operation operation) {
  const unsigned rank = group.thread_rank();
  const T up_to_me = inclusive_scan(group, value, operation);
  const T before = group.shfl(up_to_me, rank > 0 ? rank - 1 : 0);
  return rank > 0 ? before : T{};
}
template <class Group, nibble::simt::ByValue T>
__attribute__((always_inline)) inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
