// cp.async: a thread orders a copy from global to shared memory and goes on; the data pass no
// register. In the order of use:
//
//   cp_async<16>(&tile[i], &x[j]);     as often as wanted: 4, 8 or 16 bytes, both addresses aligned so
//   cp_async_commit();                 what was ordered since the last commit becomes one group
//   …                                  work on other data
//   cp_async_wait<1>();                until all groups but the youngest one have landed
//   __syncthreads();                   a wait is for the thread's own copies only: the others' are
//                                      there after a barrier
//
// Needs sm_80. In the SIMT engine a copy lands at its wait and not before.
#pragma once

#ifdef NIBBLE_SIMT
#include "nibble/simt/cp_async.hpp"
#include "nibble/simt/types.hpp"
#endif

namespace nibble {

#ifdef NIBBLE_SIMT

template <int kBytes>
NIBBLE_SIMT_UNSEEN void cp_async(void* shared, const void* global, int source_bytes = kBytes) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16, "cp.async copies 4, 8 or 16 bytes");
  simt::copy_async(shared, global, kBytes, static_cast<unsigned>(source_bytes), NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void cp_async_commit() { simt::commit_copies(); }
template <int kUnfinished>
NIBBLE_SIMT_UNSEEN void cp_async_wait() {
  simt::wait_for_copies(kUnfinished, NIBBLE_SIMT_PC);
}

#else

/// kBytes at `shared` become the first source_bytes at `global`, then zeros; with 0 of them
/// `global` is not looked at, so that a tile's edge needs no branch.
template <int kBytes>
__device__ __forceinline__ void cp_async(void* shared, const void* global,
                                         int source_bytes = kBytes) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16, "cp.async copies 4, 8 or 16 bytes");
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global),
                 "n"(kBytes), "r"(source_bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global),
                 "n"(kBytes), "r"(source_bytes)
                 : "memory");
  }
}
__device__ __forceinline__ void cp_async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kUnfinished>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kUnfinished) : "memory");
}

#endif

}  // namespace nibble
