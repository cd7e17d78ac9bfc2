// The tensor cores' product of e4m3 codes, d = a * b + c for 16 x 8 outputs of one warp. Who holds
// what is drawn in mma.hpp: a row of a, and a column of b, are 32 bytes, and here as many codes.
//
// Products are exact. PTX promises sums of "at least single precision"; 13 bits behind the
// leading one are what was measured (SageAttention2, arXiv 2411.10958), and what the SIMT engine
// keeps of every addend, counted from the largest. Compare with a tolerance, and keep the sums
// short.
//
// An instruction of sm_89 and later. Before, the wrapper makes two products of halves: every e4m3
// number is a half, and a sum does not mind in which order its products come.
#pragma once

#include "nibble/device/mma.hpp"
#ifndef NIBBLE_SIMT
#include <cuda_fp8.h>
#endif

namespace nibble {

#ifdef NIBBLE_SIMT

NIBBLE_SIMT_UNSEEN inline void mma_m16n8k32_e4m3(float (&d)[4], const unsigned (&a)[4],
                                                 const unsigned (&b)[2], const float (&c)[4]) {
  simt::mma_sync({simt::Element::kE4m3, simt::Element::kFloat, 32, "mma_m16n8k32_e4m3"}, d, a, b, c,
                 NIBBLE_SIMT_PC);
}

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890

/// Two of a word's four codes, as two halves.
__device__ __forceinline__ unsigned halves_of_e4m3(unsigned codes) {
  const __half2_raw pair =
      __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(codes), __NV_E4M3);
  return pair.x | static_cast<unsigned>(pair.y) << 16;
}

__device__ __forceinline__ void mma_m16n8k32_e4m3(float (&d)[4], const unsigned (&a)[4],
                                                  const unsigned (&b)[2], const float (&c)[4]) {
  float sums[4] = {c[0], c[1], c[2], c[3]};
#pragma unroll
  for (int shift = 0; shift < 32; shift += 16) {
    const unsigned a_pairs[4] = {halves_of_e4m3(a[0] >> shift), halves_of_e4m3(a[1] >> shift),
                                 halves_of_e4m3(a[2] >> shift), halves_of_e4m3(a[3] >> shift)};
    const unsigned b_pairs[2] = {halves_of_e4m3(b[0] >> shift), halves_of_e4m3(b[1] >> shift)};
    mma_m16n8k16_f16(sums, a_pairs, b_pairs, sums);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) d[i] = sums[i];
}

#else

__device__ __forceinline__ void mma_m16n8k32_e4m3(float (&d)[4], const unsigned (&a)[4],
                                                  const unsigned (&b)[2], const float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
}

#endif

}  // namespace nibble
