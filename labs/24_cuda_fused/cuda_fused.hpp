// Lab 24: what follows a product of codes, and how to do it where the sums are. This header is the
// contract: read it, implement its kernels in cuda_fused.cu, leave it be (the grader compiles your
// file against its own copy).
//
// A product of int8 codes is a matrix of int32 sums, and nobody wants those. The next layer wants
// real numbers, or codes again. What is between the two is called the epilogue:
//
//     in two kernels   a, b_t --> product --> acc [m,n] int32 --> epilogue --> c
//                                             4 bytes written,
//                                             4 bytes read again
//     in one           a, b_t --> product  -  epilogue -----------------------> c
//                                 a sum never leaves its register
//
// Matrices are row-major; a row of c belongs to one input, a column j to one output channel. What
// is known of a channel, its scale and its bias, is one number for all rows:
//
//                    j ->
//     b_scales     [ . . . . . ]   n numbers                acc[i,j] = acc[i * n + j]
//     bias         [ . . . . . ]   n numbers                a[i,p]   = a[i * k + p]
//          i     +-------------+                            b_t[j,p] = b_t[j * k + p]
//          |     |  acc, c     |   m rows of n              c[i,j]   = c[i * n + j]
//          v     +-------------+
//
// Launched over Work{.m = m, .n = n}: your descriptor says how many rows (tile_m) and columns
// (tile_n) of c a block makes. Any m and n, also those that nothing divides; nothing is launched
// when either is 0. Every array starts at a multiple of 256 bytes, a row of it anywhere its length
// puts it. What c holds before means nothing. Every element of c is written, and no other memory: a
// result is not to be parked in c, or anywhere else, on its way.
//
// Requires: m <= 65535 * tile_m. Sizes are 64 bits wide, for so is the index of a large matrix.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- From sums to numbers, and to codes ----------------------------------------------------------

/// Real numbers: one scale a channel, a bias, and ReLU.
///
///     v      = float(acc[i,j]) * (a_scale * b_scales[j]) + bias[j]          float32, in this order
///     c[i,j] = v < 0 ? 0 : v
///
/// The bias is a real number: it is added after the scale. A NaN is not less than 0, and stays
/// a NaN; infinity stays, -infinity becomes 0. Of 0 and -0 either will do. Compilers for GPUs make
/// one rounding of a product and a sum, where the line above has two: c is accepted within 2 ulp of
/// the larger of |product| and |bias|, and infinite or not where the product is beyond all floats.
///
/// A scale and a bias serve a whole column. A thread that has fetched them can keep them for many
/// rows: then 8 bytes are moved for an output, and hardly more.
///
/// Requires: a_scale, every b_scales[j] and their product normal and > 0. bias may be anything.
NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n);

/// `acc` and `c`: m * n elements; `b_scales` and `bias`: n.
inline void scale_bias_relu(std::span<const std::int32_t> acc, float a_scale,
                            std::span<const float> b_scales, std::span<const float> bias,
                            std::span<float> c, std::int64_t m) {
  NIBBLE_RUN(scale_bias_relu_kernel, (Work{.m = m, .n = std::ssize(bias)}), acc, a_scale, b_scales,
             bias, c, m, std::ssize(bias));
}

/// Codes for the next layer. ratios[j] = a_scale * b_scales[j] / c_scale says how many steps of c
/// one step of acc is. The bias is an integer here, counted in steps of acc, and added before.
///
///     sum    = clamp(acc[i,j] + bias[j])                to int32: a sum that does not fit saturates
///     v      = float(sum) * ratios[j]                   float32: one product
///     c[i,j] = clamp(round(v) + zero_point)             to [zero_point, 127]
///
///     code      -128 ...... zero_point ........ 127     real 0 has the code zero_point: ReLU is the
///     ReLU           no codes    [ . . . . . . ]        lower end of the clamp
///
/// round() sends ties to the even neighbour (2.5 -> 2), and comes before the zero point. A v that
/// is too large, infinity included, becomes 127; there is no NaN. No product meets a sum of floats,
/// so that every compiler gives the same codes.
///
/// Where n is a multiple of 4, four neighbours of a row are one 32-bit word of c, and it is written
/// as one. Other n: neighbours of memory by neighbours of a warp.
///
/// Requires: every ratios[j] normal and > 0; zero_point in [-128, 127].
NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n);

/// `acc` and `c`: m * n elements; `ratios` and `bias`: n.
inline void requantize(std::span<const std::int32_t> acc, std::span<const float> ratios,
                       std::span<const std::int32_t> bias, std::span<std::int8_t> c,
                       std::int32_t zero_point, std::int64_t m) {
  NIBBLE_RUN(requantize_kernel, (Work{.m = m, .n = std::ssize(bias)}), acc, ratios, bias, c,
             zero_point, m, std::ssize(bias));
}

// --- The product and its epilogue in one kernel --------------------------------------------------

/// A whole layer: multiplies, and ends as scale_bias_relu does.
///
///     acc    = sum over p of a[i,p] * b_t[j,p]                                     exact in int32
///     v      = float(acc) * (a_scale * b_scales[j]) + bias[j]
///     c[i,j] = v < 0 ? 0 : v
///
/// k is a multiple of 16, so that every row begins where 16 codes can be loaded at once, and four
/// of them multiplied by __dp4a if you like. With k = 0 the sum is 0. The product is lab 22's:
/// a block makes 64 x 64 outputs or more, of tiles in shared memory, a thread 16 or more.
///
/// Requires: k % 16 == 0, 0 <= k <= 131056; a_scale,
/// every b_scales[j] and their product normal and > 0.
NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k);

/// `a` [m,k], `b_t` [n,k], `b_scales` and `bias` [n], `c` [m,n].
inline void matmul_fused(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                         float a_scale, std::span<const float> b_scales,
                         std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_fused_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, a_scale, b_scales,
             bias, c, shape.m, shape.n, shape.k);
}

/// The same product, ending as requantize does: codes in, codes out.
///
///     acc    = sum over p of a[i,p] * b_t[j,p]                                     exact in int32
///     v      = float(clamp(acc + bias[j])) * ratios[j]
///     c[i,j] = clamp(round(v) + zero_point)             to [zero_point, 127]
///
/// Where n is a multiple of 4, c is written word by word: let the four columns of a thread be
/// neighbours. Which rows of b_t lie where in a tile is yours to choose, too.
///
/// Requires: k % 16 == 0, 0 <= k <= 131056; every ratios[j] normal and > 0;
/// zero_point in [-128, 127].
NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k);

/// `a` [m,k], `b_t` [n,k], `ratios` and `bias` [n], `c` [m,n].
inline void matmul_requantized(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                               std::span<const float> ratios, std::span<const std::int32_t> bias,
                               std::span<std::int8_t> c, std::int32_t zero_point,
                               MatmulShape shape) {
  NIBBLE_RUN(matmul_requantized_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, ratios, bias, c,
             zero_point, shape.m, shape.n, shape.k);
}

// --- Codes that have zero points -----------------------------------------------------------------

/// The product of what two asymmetric tensors stand for: a has one zero point, b_t one for each of
/// its rows. No bias, and no ReLU.
///
///     acc    = sum over p of (a[i,p] - a_zero_point) * (b_t[j,p] - b_zero_points[j])   exact in int32
///     c[i,j] = float(acc) * (a_scale * b_scales[j])
///
/// Multiplied out, it is the product of the codes, and three numbers that depend on less:
///
///     acc =   dot(i,j)  -  a_zero_point * column(j)  -  b_zero_points[j] * row(i)
///           + k * a_zero_point * b_zero_points[j]
///
///     dot(i,j) = sum of a[i,p] * b_t[j,p]     row(i) = sum of a[i,p]     column(j) = sum of b_t[j,p]
///
/// The codes that row and column add lie in the tiles already. A 0 beyond an edge, or behind k,
/// adds nothing to any of the three; the last term takes k as it is. With k = 0 the sum is 0.
///
/// Requires: k % 16 == 0, 0 <= k <= 33024, since 255 * 255 * k has to fit; zero points in
/// [-128, 127]; a_scale, every b_scales[j] and their product normal and > 0.
NIBBLE_KERNEL void matmul_asymmetric_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            float a_scale, std::int32_t a_zero_point,
                                            const float* b_scales,
                                            const std::int32_t* b_zero_points, float* c,
                                            std::int64_t m, std::int64_t n, std::int64_t k);

/// `a` [m,k], `b_t` [n,k], `b_scales` and `b_zero_points` [n], `c` [m,n].
inline void matmul_asymmetric(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                              float a_scale, std::int32_t a_zero_point,
                              std::span<const float> b_scales,
                              std::span<const std::int32_t> b_zero_points, std::span<float> c,
                              MatmulShape shape) {
  NIBBLE_RUN(matmul_asymmetric_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, a_scale,
             a_zero_point, b_scales, b_zero_points, c, shape.m, shape.n, shape.k);
}

NIBBLE_EXERCISES(scale_bias_relu, requantize, matmul_fused, matmul_requantized, matmul_asymmetric);

}  // namespace nibble
