// Lab 21: one product of int8 matrices, four kernels, each asking less of the memory than the one
// before. This header is the contract: read it, implement its kernels in cuda_int8_matmul.cu, leave
// it be (the grader compiles your file against its own copy).
//
// All four compute the same thing, exactly. What differs is how b is stored, and how often a code
// is fetched. Matrices are row-major; _t says "stored transposed".
//
//                        n                       a[i,p]   = a[i * k + p]         int8
//                   +---------+                  b[p,j]   = b[p * n + j]         int8
//                k  |  b      |                  b_t[j,p] = b_t[j * k + p]       the same b
//                   |   col j |                  c[i,j]   = c[i * n + j]         int32
//           k       +---------+
//      +---------+  +---------+        c[i,j] = sum over p of a[i,p] * b[p,j],  -128 included
//   m  | a row i |  | c[i,j]  |
//      +---------+  +---------+        With k = 0 every sum is empty, and 0 is written.
//
// Launched over Work{.m = m, .n = n}: your descriptor says how many threads a block has and how
// many rows (tile_m) and columns (tile_n) of c it makes. Any m, n and k, also those that no tile
// divides; nothing is launched when m or n is 0. Every matrix starts at a multiple of 256 bytes, a
// row of it anywhere. What c holds before means nothing. Writes c[0] to c[m * n - 1], reads a and
// b, and touches nothing else.
//
// Requires: 0 <= k <= 131071, the longest sum that fits whatever the codes; m <= 65535 * tile_m.
// Sizes are 64 bits wide, for so is the index of a large matrix: i * k + p passes 2^31.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

/// The definition: one output a thread, every code from global memory. b as in a textbook: [k,n].
///
///     lane        0   1   2  ...  31        a warp makes 32 neighbours of one row of c. For each p
///     a[i,p]      *                         it needs one code of a,                      1 sector
///     b[p,j]    [ . | . | . | ... | . ]     and 32 neighbours of a row of b,             1 sector
///     c[i,j]    [ . | . | . | ... | . ]
NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k);

inline void matmul_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                         std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_naive_kernel, (Work{.m = shape.m, .n = shape.n}), a, b, c, shape.m, shape.n,
             shape.k);
}

/// The same product, b [k,n], through shared memory: a block walks along k, and at each step keeps
/// a tile of a and a tile of b that all of its threads use. One output a thread.
///
///                      b  +-----+
///            p0 ->        |/////|  tile of b       each code of the two tiles is fetched once
///                         +-----+                  and used by a whole row or column of threads
///         a   p0 ->       |     |
///       +-----+-----+     +-----+
///       |/////|     |     |  c  |  tile of c       where a tile reaches over the edge of its
///       +-----+-----+     +-----+                  matrix it holds zeros
///       tile of a
///
/// At most two barriers a step, and no bank conflict. The lanes of a warp work together: on
/// average, at least a quarter as many as in the published solution.
NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k);

inline void matmul_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                         std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_tiled_kernel, (Work{.m = shape.m, .n = shape.n}), a, b, c, shape.m, shape.n,
             shape.k);
}

/// The same product with b_t [n,k], as a Linear layer stores its weights: both operands run along
/// k, in memory and in their tiles. Now the lanes of a warp read *down* the tile of b_t:
///
///     tile of b_t       p               32 rows of 32 bytes, 8 words of 4 bytes each.
///     lane 0  row 0   [ * . . . ]       word w lies in bank w mod 32: row 0, 4, 8, ... all begin
///     lane 1  row 1   [ * . . . ]       in bank 0, and would be read one after the other
///     lane 2  row 2   [ * . . . ]
///
/// One output a thread, at most two barriers a step, and no bank conflict.
NIBBLE_KERNEL void matmul_transposed_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k);

inline void matmul_transposed(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                              std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_transposed_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k);
}

/// The same product of the same operands, 4 x 4 outputs a thread: of each p a thread fetches 4
/// codes of a and 4 of b_t from the tiles, keeps them in registers, and makes 16 products of them.
///
///                     4 codes of b_t
///                     +----+----+----+----+
///        4 codes      |    |    |    |    |     8 fetched for 16 products;
///        of a         |    16 sums        |     with one output a thread 2 for 1
///                     |    |    |    |    |
///                     +----+----+----+----+
///
/// Which 4 rows and columns are a thread's is yours to choose. No bank conflict.
NIBBLE_KERNEL void matmul_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                          std::int32_t* c, std::int64_t m, std::int64_t n,
                                          std::int64_t k);

inline void matmul_register(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                            std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_register_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k);
}

NIBBLE_EXERCISES(matmul_naive, matmul_tiled, matmul_transposed, matmul_register);

}  // namespace nibble
