// The tensor cores' product of e4m3 codes, d = a * b + c for 16 x 8 outputs of one warp. Who holds
// what is drawn in mma.hpp: a row of a, and a column of b, are 32 bytes, and here as many codes.
//
// Products are exact. PTX promises sums of "at least single precision"; 13 bits behind the
// leading one are what was measured (SageAttention2, arXiv 2411.10958), and what the SIMT engine
// keeps of every addend, counted from the largest. Compare with a tolerance, and keep the sums
// short.
//
// An instruction of sm_89 and later; before, mma_fp8_by_halves.hpp takes its place. On sm_90 nvcc
// makes two products of halves of it: an H100 adds them up from 0, and c to that.
#pragma once

#include "nibble/device/mma.hpp"
#if !defined(NIBBLE_SIMT) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890
#include "nibble/device/mma_fp8_by_halves.hpp"
#endif

namespace nibble {

#ifdef NIBBLE_SIMT

NIBBLE_SIMT_UNSEEN inline void mma_m16n8k32_e4m3(float (&d)[4], const unsigned (&a)[4],
                                                 const unsigned (&b)[2], const float (&c)[4]) {
  simt::mma_sync({simt::Element::kE4m3, simt::Element::kFloat, 32, "mma_m16n8k32_e4m3"}, d, a, b, c,
                 NIBBLE_SIMT_PC);
}

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890

__device__ __forceinline__ void mma_m16n8k32_e4m3(float (&d)[4], const unsigned (&a)[4],
                                                  const unsigned (&b)[2], const float (&c)[4]) {
  mma_m16n8k32_e4m3_by_halves(d, a, b, c);
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
