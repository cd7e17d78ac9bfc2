// Lab 19: quantization on a GPU: four kernels that do next to nothing but move memory. This header
// is the contract: read it, implement its kernels in cuda_quantize.cu, leave it be (the grader
// compiles your file against its own copy).
//
// Memory moves in sectors of 32 bytes. A warp, 32 threads that run one instruction together, makes
// one request for what all of them want, and pays for every sector that the request touches:
//
//     thread     0   1   2   3  ...  31            float4 each:   0        1     ...    31
//                |   |   |   |        |                        |------| |------|     |------|
//     x        [ . | . | . | . | ... | . ]                   [ .  .  .  . ]  ...  [ . . . . ]
//              1 request, 4 sectors, 128 bytes                1 request, 16 sectors, 512 bytes
//
// Every kernel: pointers that came from a span start at a multiple of 256 bytes. Sizes are 64-bit,
// and so are indices. Nothing is launched when there is nothing to write; otherwise every element
// of the output is written, and no other memory is read or written. The published solution is
// the measure of what is moved and asked for, and a tenth more earns all points. So do twice its
// threads, 256 a block, and no more of them: a block without work has to be started, too.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- One scale for all elements ------------------------------------------------------------------

/// Quantizes n floats with one scale, one element a thread.
///
///     q[i] = clamp(round(x[i] / scale))                 to [-128, 127], both ends included
///
/// Arithmetic is float32: one division. round() sends ties to the even neighbour (2.5 -> 2, -2.5 ->
/// -2). A NaN becomes 0; what is too large, infinity included, becomes the last code on its side.
///
/// Launched over Work{.n = n}. Any n. It moves 5 bytes an element, in one request to read 32
/// elements and one to write them.
///
/// Requires: scale normal and > 0.
NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n);

inline void quantize(std::span<const float> x, std::span<std::int8_t> q, float scale) {
  NIBBLE_RUN(quantize_kernel, (Work{.n = std::ssize(x)}), x, q, scale, std::ssize(x));
}

/// The same codes, four elements a thread: as many bytes in a quarter of the requests.
///
///     thread     0               1               2                   16 bytes in, as a float4
///     x        [ 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | . . .            4 bytes out, as a char4
///     q        [0|1|2|3|4|5|6|7|8| . . .
///
/// A load of 16 bytes has to start at a multiple of 16. Any n: the last n % 4 elements are no whole
/// float4.
///
/// Launched over Work{.n = n}. Requires: scale normal and > 0.
NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n);

inline void quantize_vectorized(std::span<const float> x, std::span<std::int8_t> q, float scale) {
  NIBBLE_RUN(quantize_vectorized_kernel, (Work{.n = std::ssize(x)}), x, q, scale, std::ssize(x));
}

/// The same formula for binary16: 16 bytes are eight elements, and their codes are 8 bytes.
///
///     q[i] = clamp(round(float(x[i]) / scale))          every half is a float exactly
///
///     one 32-bit word    bit 31           16 15            0
///     of x                  [  x[2w + 1]    |    x[2w]     ]          the lower address is the
///     of q                  [q[4w+3]|q[4w+2]|q[4w+1]|q[4w] ]          lower half of the word
///
/// Arithmetic is float32: neither the scale nor a quotient is a binary16 in general. Any n:
/// the last n % 8 elements are no whole load. 3 bytes an element, one request to read 256 elements
/// and one to write them.
///
/// Launched over Work{.n = n}. Requires: scale normal and > 0.
NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n);

/// `x`: the bits of binary16 numbers.
inline void quantize_half(std::span<const std::uint16_t> x, std::span<std::int8_t> q, float scale) {
  NIBBLE_RUN(quantize_half_kernel, (Work{.n = std::ssize(x)}), x, q, scale, std::ssize(x));
}

// --- One scale for each row ----------------------------------------------------------------------

/// Turns codes [rows, cols] row-major back into floats: one scale for each row.
///
///     x_hat[i,j] = scales[i] * q[i,j]                   one float32 product
///
///                        cols                 cols % 4 == 0: every row starts at a multiple of 4
///     scales     q  +------------+            elements, so that char4 and float4 fit:
///     [s0] ---->    | . . . . .  |
///     [s1] ---->    | . . . . .  | rows       4 codes in, 1 scale, 16 bytes out a thread
///     [s2] ---->    | . . . . .  |
///                   +------------+            other cols: row 1 starts anywhere. Still right, and
///                                             still in whole sectors: threads side by side work on
///                                             columns side by side
///
/// A scale serves a whole row. Threads of a warp that read the same scale share one sector, and a
/// thread that has read it need not do so again: one request for 128 elements is enough.
///
/// Launched over Work{.m = rows, .n = cols}: m counts rows and becomes grid.y,
/// n columns and grid.x.
///
/// Requires: rows <= 65535, which any tile_m can serve; scales normal and > 0.
NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols);

/// `scales`: one for each row. `q` and `x_hat`: scales.size() * cols elements.
inline void dequantize(std::span<const std::int8_t> q, std::span<const float> scales,
                       std::span<float> x_hat, std::int64_t cols) {
  NIBBLE_RUN(dequantize_kernel, (Work{.m = std::ssize(scales), .n = cols}), q, scales, x_hat,
             std::ssize(scales), cols);
}

NIBBLE_EXERCISES(quantize, quantize_vectorized, quantize_half, dequantize);

}  // namespace nibble
