// A product of e4m3 codes as two products of halves, for GPUs before sm_89: every e4m3 number is a
// half, and a sum does not mind in which order its products come.
//
//     a word of four codes      | 3 | 2 | 1 | 0 |       places 4t … 4t+3 along k
//     first product                     | 1 | 0 |       called 2t, 2t+1, in a and b alike
//     second product            | 3 | 2 |               the same
#pragma once

#include <cuda_fp8.h>

#include "nibble/device/mma.hpp"

#ifdef NIBBLE_SIMT
#define NIBBLE_DEVICE_INLINE NIBBLE_SIMT_UNSEEN inline
#else
#define NIBBLE_DEVICE_INLINE __device__ __forceinline__
#endif

namespace nibble {

/// The lower two of a word's four codes.
NIBBLE_DEVICE_INLINE unsigned halves_of_e4m3(unsigned codes) {
  const __half2_raw pair =
      __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(codes), __NV_E4M3);
  return pair.x | static_cast<unsigned>(pair.y) << 16;
}

NIBBLE_DEVICE_INLINE void mma_m16n8k32_e4m3_by_halves(float (&d)[4], const unsigned (&a)[4],
                                                      const unsigned (&b)[2], const float (&c)[4]) {
  float sums[4] = {c[0], c[1], c[2], c[3]};
  for (int shift = 0; shift < 32; shift += 16) {
    const unsigned a_pairs[4] = {halves_of_e4m3(a[0] >> shift), halves_of_e4m3(a[1] >> shift),
                                 halves_of_e4m3(a[2] >> shift), halves_of_e4m3(a[3] >> shift)};
    const unsigned b_pairs[2] = {halves_of_e4m3(b[0] >> shift), halves_of_e4m3(b[1] >> shift)};
    mma_m16n8k16_f16(sums, a_pairs, b_pairs, sums);
  }
  for (int i = 0; i < 4; ++i) d[i] = sums[i];
}

}  // namespace nibble

#undef NIBBLE_DEVICE_INLINE
