// CUDA's <cooperative_groups/memcpy_async.h> for the SIMT engine: a group copies to shared memory
// together, and waits together. What a thread copies lands at its wait and not before.
#pragma once

#include "cooperative_groups.h"
#include "nibble/simt/cp_async.hpp"

namespace cooperative_groups {

namespace simt_detail {

/// 16, 8 or 4 bytes at a time, as the addresses and the size allow; 1 where they allow none of these.
NIBBLE_SIMT_QUIET inline std::size_t copied_at_once(const void* to, const void* from,
                                                    std::size_t bytes) {
  const std::size_t all = reinterpret_cast<std::uintptr_t>(to) |
                          reinterpret_cast<std::uintptr_t>(from) | bytes;
  for (const std::size_t piece : {16, 8, 4}) {
    if (all % piece == 0) return piece;
  }
  return 1;
}

/// The share of one of `threads`, piece by piece in turn.
NIBBLE_SIMT_QUIET inline void copy_at(void* to, const void* from, std::size_t bytes,
                                      unsigned rank, unsigned threads, const void* pc) {
  auto* const target = static_cast<unsigned char*>(to);
  const auto* const source = static_cast<const unsigned char*>(from);
  const std::size_t piece = copied_at_once(to, from, bytes);
  const std::size_t step = piece * threads;
  for (std::size_t at = piece * rank; at < bytes; at += step) {
    if (piece > 1) {
      nibble::simt::copy_async(target + at, source + at, unsigned(piece), unsigned(piece), pc);
    } else {  // no instruction copies a byte by itself: the threads do
      nibble::simt::touch(source + at, 1, false, pc);
      nibble::simt::touch(target + at, 1, true, pc);
      target[at] = source[at];
    }
  }
}

}  // namespace simt_detail

template <class Group>
NIBBLE_SIMT_UNSEEN void memcpy_async(const Group& group, void* to, const void* from,
                                     std::size_t bytes) {
  simt_detail::copy_at(to, from, bytes, group.thread_rank(), group.num_threads(), NIBBLE_SIMT_PC);
  nibble::simt::commit_copies();
}

/// Elements, as many as both have.
template <class Group, class T>
__attribute__((always_inline)) inline void memcpy_async(const Group& group, T* to,
                                                        std::size_t to_count, const T* from,
                                                        std::size_t from_count) {
  memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from),
               (to_count < from_count ? to_count : from_count) * sizeof(T));
}

template <class Group>
__attribute__((always_inline)) inline void wait(const Group& group) {
  nibble::simt::wait_for_copies(0, NIBBLE_SIMT_PC);
  group.sync();
}

/// All but the latest kStages.
template <unsigned kStages, class Group>
__attribute__((always_inline)) inline void wait_prior(const Group& group) {
  nibble::simt::wait_for_copies(kStages, NIBBLE_SIMT_PC);
  group.sync();
}

}  // namespace cooperative_groups
