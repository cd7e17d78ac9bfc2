// Lab 22: the int8 matrix product four codes at a time. This header is the contract: read it,
// implement its kernels in cuda_dp4a.cu, leave it be (the grader compiles your file against its own
// copy).
//
//     __dp4a(x, y, sum) = sum + x0 * y0 + x1 * y1 + x2 * y2 + x3 * y3
//
//     x   | x3 | x2 | x1 | x0 |      a 32-bit word: four int8 codes, the first of them lowest,
//     y   | y3 | y2 | y1 | y0 |      as they lie in memory. -128 included; one instruction.
//
// All three kernels compute the same thing, exactly:
//
//     c[i,j] = sum over p < k of a[i,p] * b_t[j,p]        a [m,k], b_t [n,k] int8, c [m,n] int32
//
// Both operands run along k, so that four codes of a sum are neighbours. And every row of them
// begins where a vector of 16 codes may be loaded: pitch codes lie from row to row.
//
//              p = 0         4         8      k      pitch
//     row i    | w0 . . . | w1 . . . | w2 .  # # | # # # # |      a[i,p]   = a[i * pitch + p]
//     row i+1  | w0 . . . | w1 . . . | w2 .  # # | # # # # |      b_t[j,p] = b_t[j * pitch + p]
//                                                                 c[i,j]   = c[i * n + j]
//     # is padding: you may load it. It holds anything, and adds nothing to a sum.
//
// Launched over Work{.m = m, .n = n}. Any m, n and k, also those that no tile divides; nothing is
// launched when m or n is 0. With k = 0 every sum is empty, and 0 is written. Every matrix starts
// at a multiple of 256 bytes. What c holds before means nothing. Writes c[0] to c[m * n - 1], reads
// a and b_t, m and n rows of pitch codes, and touches nothing else. What tiles take that divide m,
// n and k is counted at 64 and 128.
//
// Requires: 0 <= k <= 131071, the longest sum that fits whatever the codes; k <= pitch, a multiple
// of 16; m <= 65535 * tile_m. Sizes are 64 bits wide, for so is the index of a large matrix.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

/// A product whose operands have padded rows.
struct PaddedShape {
  int m;      ///< rows of a and of c
  int n;      ///< rows of b_t, columns of c
  int k;      ///< codes of a row that are summed over
  int pitch;  ///< codes from one row of a or b_t to the next: a multiple of 16, k or more
};

/// One output a thread, words from global memory: m * n * ceil(k / 4) times __dp4a, and no other
/// way to multiply two codes.
///
///     a warp of r rows and s columns of c needs, for each word along k,
///     r words of a and s words of b_t, each pitch bytes from the next:      r + s sectors
NIBBLE_KERNEL void matmul_dp4a_naive_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch);

inline void matmul_dp4a_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                              std::span<std::int32_t> c, PaddedShape shape) {
  NIBBLE_RUN(matmul_dp4a_naive_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k, shape.pitch);
}

/// One output a thread, words from tiles in shared memory, which are filled word by word too.
///
///     tile of b_t       w                  loaded   along a row: neighbours of memory
///     row 0           [ * . . . . ]        used     down a column: 32 lanes, 32 rows, the same w
///     row 1           [ * . . . . ]
///     row 2           [ * . . . . ]        no bank conflict, neither here nor there
///
/// Where your tiles divide m, n and k it takes m * n * k / 4 times __dp4a.
NIBBLE_KERNEL void matmul_dp4a_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch);

inline void matmul_dp4a_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                              std::span<std::int32_t> c, PaddedShape shape) {
  NIBBLE_RUN(matmul_dp4a_tiled_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k, shape.pitch);
}

/// 8 x 8 outputs a thread, and 16 bytes at a time from the tiles: 16 loads for 256 __dp4a.
///
///                        8 x 16 bytes of b_t
///                     +----+----+-- ... --+----+
///        8 x 16       |    |    |         |    |      each of the 64 sums takes four words of
///        bytes of a   |         64 sums        |      its row and four of its column
///                     |    |    |         |    |
///                     +----+----+-- ... --+----+
///
/// A load of 16 bytes is served 8 lanes at a time: those 8 must not meet in a bank. Which 8 rows
/// and columns are a thread's is yours to choose. No bank conflict; where your tiles divide m, n
/// and k it takes m * n * k / 4 times __dp4a.
NIBBLE_KERNEL void matmul_dp4a_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                               std::int32_t* c, std::int64_t m, std::int64_t n,
                                               std::int64_t k, std::int64_t pitch);

inline void matmul_dp4a_register(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                                 std::span<std::int32_t> c, PaddedShape shape) {
  NIBBLE_RUN(matmul_dp4a_register_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k, shape.pitch);
}

NIBBLE_EXERCISES(matmul_dp4a_naive, matmul_dp4a_tiled, matmul_dp4a_register);

}  // namespace nibble
