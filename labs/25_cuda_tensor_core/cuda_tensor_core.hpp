// Lab 25: the int8 matrix product on tensor cores. This header is the contract: read it, implement
// its kernels in cuda_tensor_core.cu, leave it be (the grader compiles your file against its own
// copy).
//
// All three kernels compute the same thing, exactly:
//
//     c[i,j] = sum over p < k of a[i,p] * b_t[j,p]        a [m,k], b_t [n,k] int8, c [m,n] int32
//
// Matrices are row-major, without padding: a[i,p] = a[i * k + p]. A tensor core multiplies whole
// tiles, and a whole warp asks for it: 32 threads,
// each with its share of the operands in its registers.
//
//                  n                        one product    of tiles           where    exercises
//             +----------+                  wmma           16 x 16 x 16       m n k    1
//          k  |  b_t^T   |                  mma.sync       16 x  8 x 32                2, 3
//       k     +----------+
//     +---+   +----------+                  A tile of c takes one product for each tile along k. Sums
//    m| a |   |    c     |                  stay where they are, in registers, from the first to the
//     +---+   +----------+                  last.
//
// Launched over Work{.m = m, .n = n}: your descriptor says what part of c a block makes. Any m and
// n, also those that no tile divides; nothing is launched when m or n is 0. With k = 0 every sum is
// empty, and 0 is written. Every matrix starts at a multiple of 256 bytes. What c holds before
// means nothing. Writes c[0] to c[m * n - 1], reads a and b_t, and touches nothing else.
//
// Requires: 0 <= k <= 131071, the longest sum that fits whatever the codes; m <= 65535 * tile_m; in
// exercises 2 and 3 a k that is a multiple of 32, so that every row begins at a sector (whoever has
// another k pads both operands with zeros). Needs sm_80. Sizes are 64 bits wide: i * k passes 2^31.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

/// One tile of 16 x 16 outputs a warp, several warps a block, with nvcuda::wmma. Which lane holds
/// what is wmma's secret: it loads a tile of memory whose rows are ldm elements apart,
/// and stores one so.
///
///     load_matrix_sync(fragment, &tile[row][0], ldm)      a tile of a: row_major, ldm a multiple of 16
///     mma_sync(sums, a, b, sums)                          rows of b_t are columns of b: col_major
///     store_matrix_sync(&tile[row][0], sums, ldm, …)      ldm a multiple of 4 int32
///
/// It knows of no edges, and of no k that ends inside a tile: for that, codes go through a tile in
/// shared memory that is zero outside of the matrix, and sums through another. A tile begins at a
/// multiple of 32 bytes, as CUDA's guide asks; one of codes may begin at 16, as PTX has it.
/// ceil(m / 16) * ceil(n / 16) * ceil(k / 16) products, and no other.
NIBBLE_KERNEL void matmul_wmma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k);

inline void matmul_wmma(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                        std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_wmma_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m, shape.n,
             shape.k);
}

/// One tile of 16 x 8 outputs a warp, with the instruction itself: nibble::mma_m16n8k32(d, a, b,
/// c). Now the layout is yours. Lane 4 g + t, g = 0 … 7, t = 0 … 3,
/// brings words of four codes from memory:
///
///         a [16, 32]                             b [32, 8], which is 8 rows of b_t
///
///      p  0 … 3  4 … 7  8 … 11 12 … 15  16 … 31        p  0 … 3  4 … 7  8 … 11 12 … 15  16 … 31
///    row +------+------+------+------+----------+   col  +------+------+------+------+----------+
///     0  |lane 0|lane 1|lane 2|lane 3| the same |    0   |lane 0|lane 1|lane 2|lane 3| the same |
///     1  |lane 4|lane 5|lane 6|lane 7|  lanes   |    1   |lane 4|lane 5|lane 6|lane 7|  lanes   |
///     …  |      a[0] of lane 4g + t  |   a[2]   |    …   |      b[0] of lane 4g + t  |   b[1]   |
///     7  | 28   | 29   | 30   | 31   |          |    7   | 28   | 29   | 30   | 31   |          |
///        +------+------+------+------+----------+        +------+------+------+------+----------+
///   8-15 |      a[1], from lane 0    |   a[3]   |
///        +---------------------------+----------+
///                                                    c, d [16, 8]       column  0 1   2 3   4 5   6 7
///   The first code of a word is lowest.              row g         lane 4g + t  d[0] d[1] at 2t, 2t + 1
///                                                    row g + 8                  d[2] d[3]
///
/// k is a multiple of 32. Six words a lane for each product, 32 bits at a time;
/// ceil(m / 16) * ceil(n / 8) * (k / 32) products, and no other.
NIBBLE_KERNEL void matmul_mma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                     std::int64_t m, std::int64_t n, std::int64_t k);

inline void matmul_mma(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                       std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_mma_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m, shape.n,
             shape.k);
}

/// The same instruction, fed the way fast kernels feed it: a block of 64 x 64 outputs or more,
/// tiles that come by cp_async while the ones before are multiplied,
/// and ldmatrix from the tile to the registers.
///
///     global memory --cp_async<16>--> tile in shared memory --ldmatrix--> registers --mma--> sums
///       16 bytes a lane                 8 rows of 16 bytes are             one word a lane
///                                       a block, read in one pass
///
/// A block of ldmatrix is 8 rows of 16 bytes. In a tile of 64 bytes a row, the pieces of two rows
/// fill all 32 banks: every second row begins in bank 0, and 8 rows are read in four passes. So
/// piece q of a row has to lie elsewhere in each: neither the loads nor the copies that fill the
/// tile have a conflict.
///
/// k is a multiple of 32. A warp makes 32 x 32 outputs or more: 4 ldmatrix of 4 blocks feed 8
/// products. Where your tiles divide m, n and k it takes (m / 16) * (n / 8) * (k / 32) products.
NIBBLE_KERNEL void matmul_mma_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                           std::int32_t* c, std::int64_t m, std::int64_t n,
                                           std::int64_t k);

inline void matmul_mma_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                             std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(matmul_mma_tiled_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c, shape.m,
             shape.n, shape.k);
}

NIBBLE_EXERCISES(matmul_wmma, matmul_mma, matmul_mma_tiled);

}  // namespace nibble
