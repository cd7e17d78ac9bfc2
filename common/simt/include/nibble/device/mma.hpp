// The tensor cores' own instruction: d = a * b + c for 16 x 8 outputs of one warp. All 32 lanes
// call it together; each brings its registers of a, b and c and gets its part of d.
//
// Lane 4 g + t (g = 0 … 7, t = 0 … 3) holds
//
//   a [16, k], rows along k            b [k, 8], columns along k          c, d [16, 8]
//
//   bytes     0…15         16…31        column    0   1  …  7             column   0 1   2 3   …
//   row 0   t: a[0]       t: a[2]       bytes                             row 0    t: d[0] d[1]
//    …      4t … 4t+3     16+4t …        0…15     t: b[0], 4t … 4t+3       …
//   row 8   t: a[1]       t: a[3]       16…31     t: b[1], 16+4t …        row 8    t: d[2] d[3]
//    …                                                                     …
//   (row g and row g + 8)               (column g)                        (columns 2t and 2t + 1)
//
// k is counted in bytes: 32 of them are 32 codes of 8 bits or 16 numbers of 16 bits; with 16 bytes
// a[2], a[3] and b[1] do not exist. The lowest k lies in the lowest bits of a register.
//
// Needs sm_80. PTX promises float sums of at least single precision, in an order and with a
// rounding that it leaves open. The SIMT engine cuts bits off as an H100 does; other GPUs may do
// it elsewhere. Compare float sums with a tolerance. Products of e4m3 are in mma_fp8.hpp.
#pragma once

#ifdef NIBBLE_SIMT
#include "nibble/simt/mma_sync.hpp"
#endif

namespace nibble {

#ifdef NIBBLE_SIMT

#define NIBBLE_DEVICE_MMA(NAME, NUMBER, A, B, OPERAND, SUM, K_BYTES, INSTRUCTION)                  \
  NIBBLE_SIMT_UNSEEN inline void NAME(NUMBER(&d)[4], const unsigned(&a)[A], const unsigned(&b)[B], \
                                      const NUMBER(&c)[4]) {                                       \
    simt::mma_sync({simt::Element::OPERAND, simt::Element::SUM, K_BYTES, INSTRUCTION}, d, a, b, c, \
                   NIBBLE_SIMT_PC);                                                                \
  }
NIBBLE_DEVICE_MMA(mma_m16n8k16, int, 2, 1, kS8, kInt, 16, "mma_m16n8k16")
NIBBLE_DEVICE_MMA(mma_m16n8k32, int, 4, 2, kS8, kInt, 32, "mma_m16n8k32")
NIBBLE_DEVICE_MMA(mma_m16n8k16_f16, float, 4, 2, kHalf, kFloat, 32, "mma_m16n8k16_f16")
NIBBLE_DEVICE_MMA(mma_m16n8k16_bf16, float, 4, 2, kBfloat16, kFloat, 32, "mma_m16n8k16_bf16")
#undef NIBBLE_DEVICE_MMA

/// 256 products of single bits: d = popcount(a & b) + c.
NIBBLE_SIMT_UNSEEN inline void mma_m16n8k256_and_popc(int (&d)[4], const unsigned (&a)[4],
                                                      const unsigned (&b)[2], const int (&c)[4]) {
  simt::mma_b1_and_popc(d, a, b, c, NIBBLE_SIMT_PC);
}

#else

/// 8-bit codes, signed; int32 sums wrap.
__device__ __forceinline__ void mma_m16n8k16(int (&d)[4], const unsigned (&a)[2],
                                             const unsigned (&b)[1], const int (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}

#define NIBBLE_DEVICE_MMA(NAME, NUMBER, REGISTER, INSTRUCTION)                                    \
  __device__ __forceinline__ void NAME(NUMBER(&d)[4], const unsigned(&a)[4],                      \
                                       const unsigned(&b)[2], const NUMBER(&c)[4]) {              \
    asm volatile(INSTRUCTION                                                                      \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"           \
                 : "=" REGISTER(d[0]), "=" REGISTER(d[1]), "=" REGISTER(d[2]), "=" REGISTER(d[3]) \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),              \
                   REGISTER(c[0]), REGISTER(c[1]), REGISTER(c[2]), REGISTER(c[3]));               \
  }
NIBBLE_DEVICE_MMA(mma_m16n8k32, int, "r", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
NIBBLE_DEVICE_MMA(mma_m16n8k16_f16, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
NIBBLE_DEVICE_MMA(mma_m16n8k16_bf16, float, "f",
                  "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
NIBBLE_DEVICE_MMA(mma_m16n8k256_and_popc, int, "r",
                  "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
#undef NIBBLE_DEVICE_MMA

#endif

}  // namespace nibble
