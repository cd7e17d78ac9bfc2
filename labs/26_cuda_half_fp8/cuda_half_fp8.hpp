// Lab 26: half precision, bfloat16 and fp8 on a GPU. This header is the contract: read it,
// implement its kernels in cuda_half_fp8.cu, leave it be (the grader compiles your file against
// its own copy).
//
//              sign  exponent  fraction     largest     steps from 1 to 2     a product has
//     half       1       5        10         65504             1024              22 bits
//     bfloat16   1       8         7         3.4e38             128              16 bits
//     e4m3       1       4         3           448                8               8 bits
//
// Three kernels make such numbers and nibbles of what is there, three multiply them on tensor
// cores. Matrices are row-major, without padding: x[i,p] = x[i * k + p]. Every pointer starts at
// a multiple of 256 bytes, and k is a multiple of what an exercise says, so that every row begins
// where a wide access may. Any number of rows. Nothing is launched where there is nothing to
// write; otherwise all of each output is written, what it held before means nothing, and nothing
// else is touched. Sizes are 64 bits wide: i * k passes 2^31. The published solution is the
// measure of what is moved and asked for, on the same matrices, and a tenth more earns all points.
// Needs sm_80; products of e4m3 are one instruction from sm_89 on.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- From one format to another ------------------------------------------------------------------

/// int8 codes with a scale a row, as halves: what a product in half precision reads.
///
///     h[i,p] = half(scales[i] * q[i,p])      one float32 product, rounded once to the nearest half
///
///     lane      0            1          ...        8 codes in, 8 halves out: four __half2 are
///     q      [8 bytes]    [8 bytes]                16 bytes, the widest store there is
///     h      [16 bytes    ][16 bytes    ]
///
/// Ties go to the even half, and from 65520 on it is infinite. A scale is no half in general: it
/// stays a float. Launched over Work{.m = rows, .n = k}.
///
/// Requires: k a multiple of 8; rows <= 65535 * tile_m; scales normal and > 0.
NIBBLE_KERNEL void dequantize_to_half_kernel(const std::int8_t* q, const float* scales, __half* h,
                                             std::int64_t rows, std::int64_t k);

/// `scales`: one for each row. `h`: the bits of halves.
inline void dequantize_to_half(std::span<const std::int8_t> q, std::span<const float> scales,
                               std::span<std::uint16_t> h, std::int64_t k) {
  NIBBLE_RUN(dequantize_to_half_kernel, (Work{.m = std::ssize(scales), .n = k}), q, scales, h,
             std::ssize(scales), k);
}

/// Floats as packed nibbles, a scale for each group of a row: lab 23's weights, made where they
/// lie.
///
///     amax        = max |x[i,p]| over the group_size neighbours of group g
///     scales[i,g] = amax == 0 ? 1 : amax / 7
///     code[i,p]   = round(x[i,p] / scales[i,g])                                always in [-7, 7]
///
///     lane      0       1       2     ...   7     group_size = 32: 8 lanes are a group, and
///     x      [float4][float4][float4]    [float4]     their largest magnitudes meet by shuffles
///     w4       [2 B]   [2 B]   [2 B]      [2 B]   the even code of a byte in its low nibble,
///                                                 both in two's complement
///
/// Arithmetic is float32, correctly rounded divisions; ties go to the even code.
/// scales [rows, k / group_size], w4 [rows, k / 2]. Launched over Work{.m = rows, .n = k}.
///
/// Requires: group_size 32, 64 or 128; k a multiple of group_size; rows <= 65535 * tile_m; every
/// |x| is 0 or from 2^-100 to 2^100.
NIBBLE_KERNEL void quantize_int4_kernel(const float* x, std::uint8_t* w4, float* scales,
                                        std::int64_t rows, std::int64_t k, int group_size);

inline void quantize_int4(std::span<const float> x, std::span<std::uint8_t> w4,
                          std::span<float> scales, std::int64_t rows, std::int64_t k,
                          int group_size) {
  NIBBLE_RUN(quantize_int4_kernel, (Work{.m = rows, .n = k}), x, w4, scales, rows, k, group_size);
}

/// Floats as e4m3 codes, a scale for each row, as the activations of an fp8 product are made. A row
/// with an outlier need not pay for it with all its small numbers: `limit` is the largest magnitude
/// that a scale allows for, and what is larger saturates.
///
///     amax      = max |x[i,p]| over p
///     scales[i] = amax == 0 ? 1 : min(amax, limit) / 448
///     q[i,p]    = e4m3(x[i,p] / scales[i])         to the nearest code, ties to the even one;
///                                                  beyond 448: 448; with the sign of x, a 0 too
///
///     lane      0       1       2     ...
///     x      [float4][float4][float4]            16 bytes in, 4 out: __nv_fp8x4_e4m3
///     q       [4 B]   [4 B]   [4 B]
///
/// The code behind that of 448 is NaN: a conversion that does not saturate goes there. Arithmetic
/// is float32, correctly rounded divisions. Launched over Work{.n = rows}; x is read twice at
/// most.
///
/// Requires: k a multiple of 4, at least 4; limit > 0, infinity for none; every |x| and limit is
/// 0, infinity (the limit alone) or from 2^-100 to 2^100.
NIBBLE_KERNEL void quantize_fp8_kernel(const float* x, std::uint8_t* q, float* scales, float limit,
                                       std::int64_t rows, std::int64_t k);

/// `q`: the codes of e4m3 numbers. There are as many rows as scales.
inline void quantize_fp8(std::span<const float> x, std::span<std::uint8_t> q,
                         std::span<float> scales, float limit, std::int64_t k) {
  NIBBLE_RUN(quantize_fp8_kernel, (Work{.n = std::ssize(scales)}), x, q, scales, limit,
             std::ssize(scales), k);
}

// --- Products ------------------------------------------------------------------------------------

/// A product of halves, added up in float32, and what a layer does with it:
///
///     sum[i,j] = sum over p < k of a[i,p] * b_t[j,p]               a [m,k], b_t [n,k] half
///     d[i,j]   = alpha * sum[i,j] + beta * c[i,j]                  c, d [m,n] float32
///
/// With nvcuda::wmma: tiles of 16 x 16 x 16, fragments of __half for a and b_t, of float for
/// sums. A warp makes a tile; a warp whose tile lies outside of d multiplies nothing. WMMA knows
/// of no edges: operands go through tiles in shared memory that are zero beyond their matrix,
/// sums through another.
///
///     sums kept in     2048 + 1     the largest
///     half               2048          65504
///     float32            2049         3.4e38
///
/// With beta = 0 c is not read: it may hold anything, NaN too, or be no memory at all. With k = 0
/// every sum is 0. Products are exact. In which order tensor cores add, and how they round,
/// nobody promises; PTX does promise at least single precision: d is right within (k + 4) * 2^-23
/// of |alpha| * the sum of |a[i,p] * b_t[j,p]| + |beta * c[i,j]|. Where all sums on the way are
/// floats, it is exact. ceil(m / 16) * ceil(n / 16) * (k / 16) products of tiles, and no other.
///
/// Launched over Work{.m = m, .n = n}.
///
/// Requires: k a multiple of 32; m <= 65535 * tile_m; all numbers are 0 or normal (what tensor
/// cores make of subnormal ones is open, too), no sum of magnitudes passes 2^120, with
/// alpha and beta or without.
NIBBLE_KERNEL void gemm_half_kernel(const __half* a, const __half* b_t, const float* c, float* d,
                                    float alpha, float beta, std::int64_t m, std::int64_t n,
                                    std::int64_t k);

/// `a`, `b_t`: the bits of halves. `c`: m * n floats, or with beta = 0 none.
inline void gemm_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b_t,
                      std::span<const float> c, std::span<float> d, float alpha, float beta,
                      MatmulShape shape) {
  NIBBLE_RUN(gemm_half_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, d, alpha, beta,
             shape.m, shape.n, shape.k);
}

/// The same of bfloat16, with the instruction itself: nibble::mma_m16n8k16_bf16
/// (nibble/device/mma.hpp). Lane 4 g + t, g = 0 … 7, t = 0 … 3, brings words of two numbers from
/// memory:
///
///         a [16, 16]                             b [16, 8], which is 8 rows of b_t
///
///      p   0 1   2 3   4 5   6 7     8 ... 15           p   0 1   2 3   4 5   6 7     8 ... 15
///    row +-----+-----+-----+-----+-------------+     row  +-----+-----+-----+-----+-------------+
///     g  |     a[0]  at 2t       | a[2] at 8+2t|      g   |     b[0]  at 2t       | b[1] at 8+2t|
///   g+8  |     a[1]  at 2t       | a[3] at 8+2t|          +-----------------------+-------------+
///        +-----------------------+-------------+
///                                                    c, d [16, 8]    row g      d[0] d[1]  at 2t
///   The first number of a word is its lower half.                    row g + 8  d[2] d[3]  at 2t
///
/// One tile of 16 x 8 outputs a warp, six words a lane for each product, straight from global
/// memory. ceil(m / 16) * ceil(n / 8) * (k / 16) products, and no other; all else as above.
NIBBLE_KERNEL void gemm_bfloat16_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b_t,
                                        const float* c, float* d, float alpha, float beta,
                                        std::int64_t m, std::int64_t n, std::int64_t k);

/// `a`, `b_t`: the bits of bfloat16 numbers.
inline void gemm_bfloat16(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b_t,
                          std::span<const float> c, std::span<float> d, float alpha, float beta,
                          MatmulShape shape) {
  NIBBLE_RUN(gemm_bfloat16_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, d, alpha, beta,
             shape.m, shape.n, shape.k);
}

/// The product of two matrices of e4m3 codes, each with a scale a row, as quantize_fp8 makes them.
///
///     d[i,j] = (a_scales[i] * b_scales[j]) * sum over p < k of a[i,p] * b_t[j,p]
///
/// With nibble::mma_m16n8k32_e4m3 (nibble/device/mma_fp8.hpp): lanes hold what they hold of
/// bfloat16, four codes in a word instead of two numbers: 4t where the drawing says 2t, 16 + 4t
/// for 8 + 2t.
///
/// Sums of e4m3 products are shorter than floats on the GPUs where people looked: 13 bits behind
/// the leading one, and what lies below is cut off. So add in two levels:
///
///     part[i,j] = the sum of 128 products, from 0 on              tensor cores, 4 instructions
///     sum[i,j]  = sum[i,j] + part[i,j]                            float32, by the thread itself
///
/// The kit's tensor cores keep just 13 bits. d is right within 4 * 35 * 2^-13 of the scales by
/// the sum of |a[i,p] * b_t[j,p]|, and exact where those bits hold all sums on the way. With k =
/// 0 it is 0. ceil(m / 16) * ceil(n / 8) * (k / 32) products, and no other. Launched over Work{.m
/// = m, .n = n}.
///
/// Requires: k a multiple of 32; m <= 65535 * tile_m; no code is NaN or subnormal; scales normal
/// and > 0, and so are their products.
NIBBLE_KERNEL void gemm_fp8_kernel(const std::uint8_t* a, const std::uint8_t* b_t,
                                   const float* a_scales, const float* b_scales, float* d,
                                   std::int64_t m, std::int64_t n, std::int64_t k);

/// m is the size of a_scales, n that of b_scales.
inline void gemm_fp8(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b_t,
                     std::span<const float> a_scales, std::span<const float> b_scales,
                     std::span<float> d, std::int64_t k) {
  NIBBLE_RUN(gemm_fp8_kernel, (Work{.m = std::ssize(a_scales), .n = std::ssize(b_scales)}), a, b_t,
             a_scales, b_scales, d, std::ssize(a_scales), std::ssize(b_scales), k);
}

NIBBLE_EXERCISES(dequantize_to_half, quantize_int4, quantize_fp8, gemm_half, gemm_bfloat16,
                 gemm_fp8);

}  // namespace nibble
