// Lab 23: weights of four bits on a GPU: half the bytes of int8, if what unpacks them keeps up.
// This header is the contract: read it, implement its kernels in cuda_int4.cu, leave it be (the
// grader compiles your file against its own copy).
//
// Weights are codes [n,k] from -8 to 7, two in a byte: the even one in the low nibble, both in
// two's complement. Seen as a 32-bit word, eight codes lie in order, the first of them lowest:
//
//     bits of a word   31   28 27   24 23   20 19   16 15   12 11    8 7     4 3     0
//                     +-------+-------+-------+-------+-------+-------+-------+-------+
//     codes           |   7   |   6   |   5   |   4   |   3   |   2   |   1   |   0   |
//                     +-------+-------+-------+-------+-------+-------+-------+-------+
//     nibble   0 ... 7   8  9 ... 15
//     code     0 ... 7  -8 -7 ... -1
//
// pitch bytes lie from row to row, a multiple of 16, so that every row begins where 16 bytes may be
// loaded. And group_size neighbours along k share a scale; the last group of a row may be shorter.
//
//              p = 0           8           16    k               2 * pitch
//     w4  row  | . . . . . . . . | . . . . . . . . | . . . # # # # # |      # is padding: you may load it. It
//              +---------- scale 0 ----------+-- scale 1 --+                holds anything, and means nothing,
//                                                                           the last high nibble of odd k too
//
// Any n, k and pitch; nothing is launched where there is nothing to write. Pointers start at a
// multiple of 256 bytes. What an output holds before means nothing. All of it is written, and
// nothing else is touched. Sizes are 64 bits wide, and so are indices. The published solution is
// the measure of what is moved and asked for, on the same matrices, and a tenth more earns all
// points.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

/// A matrix of packed weights.
struct Int4Shape {
  int n;           ///< rows
  int k;           ///< codes of a row
  int pitch;       ///< bytes from row to row: a multiple of 16, ceil(k / 2) or more
  int group_size;  ///< codes that share a scale: a multiple of 64 in [64, 65536]
};

/// Unpacks to one byte a code; what lies behind a row becomes 0, so that whoever reads whole words
/// of the result adds nothing.
///
///     q[i,p] = code p of row i of w4      for p < k             q [n, 2 * pitch] int8
///              0                          for k <= p < 2 * pitch
///
///     lane        0           1          ...     8 bytes in, 16 bytes out:
///     w4       [ 8 bytes ] [ 8 bytes ]           as many as the widest store there is
///     q        [   16 bytes   ] [   16 bytes   ]
///
/// Launched over Work{.m = n, .n = 2 * pitch}.
///
/// Requires: n <= 65535 * tile_m.
NIBBLE_KERNEL void unpack_int4_kernel(const std::uint8_t* w4, std::int8_t* q, std::int64_t n,
                                      std::int64_t k, std::int64_t pitch);

inline void unpack_int4(std::span<const std::uint8_t> w4, std::span<std::int8_t> q,
                        Int4Shape shape) {
  NIBBLE_RUN(unpack_int4_kernel, (Work{.m = shape.n, .n = 2 * std::int64_t{shape.pitch}}), w4, q,
             shape.n, shape.k, shape.pitch);
}

/// Unpacks to floats, a scale for each group.
///
///     w_hat[i,p] = scales[i, p / group_size] * code[i,p]        one float32 product, for p < k
///                  0                                            for k <= p < 2 * pitch
///
///     scales [n,groups], groups = ceil(k / group_size)          w_hat [n, 2 * pitch] float32
///
/// A code is half a byte and a float four: it is the store that has to be as wide as there is.
///
/// Launched over Work{.m = n, .n = 2 * pitch}.
///
/// Requires: n <= 65535 * tile_m; scales normal and > 0.
NIBBLE_KERNEL void dequantize_int4_kernel(const std::uint8_t* w4, const float* scales, float* w_hat,
                                          std::int64_t n, std::int64_t k, std::int64_t pitch,
                                          std::int64_t group_size);

inline void dequantize_int4(std::span<const std::uint8_t> w4, std::span<const float> scales,
                            std::span<float> w_hat, Int4Shape shape) {
  NIBBLE_RUN(dequantize_int4_kernel, (Work{.m = shape.n, .n = 2 * std::int64_t{shape.pitch}}), w4,
             scales, w_hat, shape.n, shape.k, shape.pitch, shape.group_size);
}

/// One row of activations, in binary16, by all the weights: W4A16, as a network does for every word
/// that it writes. One warp a row, eight codes a lane at a time;
/// the 32 sums of the lanes meet by shuffles.
///
///     y[i] = sum over p < k of  scales[i, p / group_size] * code[i,p] * x[p]       scales [n,groups]
///
///     lane     0         1         2              31         0
///     w4    [ word ] [ word ]  [ word ]   ...  [ word ]   [ word ]  ...     128 bytes a request
///     x     [8 halves][8 halves]          ...                               512 bytes
///
/// Products and sums are float32, in any order; an empty sum is 0. x [2 * pitch] begins where 16
/// bytes may be loaded. From k on it holds anything: NaN, too, which 0 does not take away. Before k
/// it is finite, and so is every sum, in any order.
///
/// Launched over Work{.n = n}.
///
/// Requires: scales normal and > 0.
NIBBLE_KERNEL void gemv_int4_kernel(const std::uint8_t* w4, const float* scales, const __half* x,
                                    float* y, std::int64_t n, std::int64_t k, std::int64_t pitch,
                                    std::int64_t group_size);

/// `x`: the bits of binary16 numbers.
inline void gemv_int4(std::span<const std::uint8_t> w4, std::span<const float> scales,
                      std::span<const std::uint16_t> x, std::span<float> y, Int4Shape shape) {
  NIBBLE_RUN(gemv_int4_kernel, (Work{.n = shape.n}), w4, scales, x, y, shape.n, shape.k,
             shape.pitch, shape.group_size);
}

/// Many rows of activations, as int8 codes: W4A8. The weights travel as nibbles and are multiplied
/// as bytes, four at a time by __dp4a, from tiles in shared memory. A block fetches the scales of
/// its columns once for all of its warps, too, and not each warp for itself.
///
///     acc[i,j,g] = sum over p in group g of a[i,p] * code[j,p]                     int32, exact
///     sum[i,j]   = 0, then for g = 0, 1, 2, ...:  sum + float(acc[i,j,g]) * scales_t[g,j]
///     c[i,j]     = a_scales[i] * sum[i,j]                                          float32
///
///     a [m, 2 * pitch] int8, every code legal, from k on anything                  c [m,n] row-major
///     scales_t [groups,n]: neighbours along j are neighbours in memory             a_scales [m]
///
/// A product and the sum it goes into may be rounded together (fused), or apart. An empty sum is 0.
/// No bank conflict; where your tiles divide m, n and k it takes m * n * k / 4 times __dp4a. The
/// lanes of a warp work together: on average, at least a quarter as many as in the published
/// solution.
///
/// Launched over Work{.m = m, .n = n}.
///
/// Requires: m <= 65535 * tile_m; all scales normal and > 0.
NIBBLE_KERNEL void matmul_int4_kernel(const std::int8_t* a, const float* a_scales,
                                      const std::uint8_t* w4, const float* scales_t, float* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k,
                                      std::int64_t pitch, std::int64_t group_size);

/// m is the size of a_scales.
inline void matmul_int4(std::span<const std::int8_t> a, std::span<const float> a_scales,
                        std::span<const std::uint8_t> w4, std::span<const float> scales_t,
                        std::span<float> c, Int4Shape shape) {
  NIBBLE_RUN(matmul_int4_kernel, (Work{.m = std::ssize(a_scales), .n = shape.n}), a, a_scales, w4,
             scales_t, c, std::ssize(a_scales), shape.n, shape.k, shape.pitch, shape.group_size);
}

NIBBLE_EXERCISES(unpack_int4, dequantize_int4, gemv_int4, matmul_int4);

}  // namespace nibble
