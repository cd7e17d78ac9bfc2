// Lab 27: networks of one bit. A number keeps its sign alone, 32 signs make a word, and 32 products
// of a sum are one XOR and one population count. This header is the contract: read it, implement
// its kernels in cuda_binary.cu, leave it be (the grader compiles your file against its own copy).
//
//     sign(x) = -1 where x < 0, else +1        so sign(0) = sign(-0.0) = sign(NaN) = +1
//     bit     =  1 where x < 0, else  0
//
//     columns   0  1  2           31   32                       cols = 70: 3 words a row
//             +--+--+--+-- ... --+--+  +--+-- ... --+--+  +--+-- . --+--+----------+
//     row r   | word 0              |  | word 1        |  | 6 columns   | tail     |
//             +--+--+--+-- ... --+--+  +--+-- ... --+--+  +--+-- . --+--+----------+
//     bit       0  1  2          31      0            31    0         5   6 ... 31
//
// Column c is bit c % 32 of word c / 32: bit 0 is the lowest. A row begins with a new word, so it
// has ceil(cols / 32) of them; the bits behind its last column are the tail.
// Matrices are row-major.
//
// Every matrix starts at a multiple of 256 bytes, a row of it anywhere. What an output holds before
// means nothing. A kernel writes all of its outputs, reads its inputs, and touches nothing else.
// Sizes are 64 bits wide, for so is the index of a large matrix.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- Signs to bits -------------------------------------------------------------------------------

/// The signs of x [rows,cols] float32 as bits [rows,ceil(cols / 32)]. Bits of the tail are 0.
///
///     lane     0    1    2         31
///     x      [ 2 | -3 |  0 | ... | -1 ]       32 neighbours: 4 sectors
///     x < 0    0    1    0          1         __ballot_sync: lane l's answer is bit l,
///              \____|____|__________/         and every lane has the word
///                  0x8.....2
///
/// A warp that writes one word at a time asks for a sector of 32 bytes, to fill 4 of them: let it
/// make neighbours, and write them together.
///
/// Launched over Work{.m = rows, .n = words of a row}: your descriptor says how many rows (tile_m)
/// and how many words of each (tile_n) a block makes. Any cols, and
/// rows <= 65535 * tile_m; nothing is launched when either is 0.
NIBBLE_KERNEL void pack_signs_kernel(const float* x, std::uint32_t* bits, std::int64_t rows,
                                     std::int64_t cols);

inline void pack_signs(std::span<const float> x, std::span<std::uint32_t> bits, int rows,
                       int cols) {
  NIBBLE_RUN(pack_signs_kernel, (Work{.m = rows, .n = (cols + 31) / 32}), x, bits,
             std::int64_t{rows}, std::int64_t{cols});
}

// --- The product of two matrices of signs --------------------------------------------------------

/// The product of two matrices of signs: a [m,k] and b_t [n,k], both as bits, to c [m,n] int32.
///
///     c[i,j] = sum over p < k of sign(a[i,p]) * sign(b_t[j,p])
///            = k - 2 * (how many of the k bits of row i and row j differ)
///
/// Two signs that agree give +1, two that differ -1, and XOR finds those that differ. Only k bits
/// of a row count: *the tail of a and of b_t holds anything*, and adds nothing. With k = 0 every
/// sum is empty, and 0 is written.
///
/// One output a thread, words from global memory, __popc once for each word of each output:
/// m * n * ceil(k / 32) times. A warp of r rows and s columns of c needs, for each word along k, r
/// words of a and s of b_t, which lie in as many sectors: r + s of them, where r * s = 32.
///
/// Launched over Work{.m = m, .n = n}; nothing is launched when m or n is 0. Requires: 0 <= k
/// < 2^30, m <= 65535 * tile_m.
NIBBLE_KERNEL void binary_matmul_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                        std::int32_t* c, std::int64_t m, std::int64_t n,
                                        std::int64_t k);

inline void binary_matmul(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b_t,
                          std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_RUN(binary_matmul_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c,
             std::int64_t{shape.m}, std::int64_t{shape.n}, std::int64_t{shape.k});
}

/// The same product, through tiles of words in shared memory.
///
///              32 words = 1024 columns           A warp loads a row of a tile: 32 neighbours, 4 sectors.
///            +------------------------+          Each word serves a whole row or column of c's tile.
///     row 0  | w0  w1  w2  ...   w31  |          The lanes of a warp then read *down* the tile of b_t:
///     row 1  | w0  w1  w2  ...   w31  |          32 rows, the same word of each. Word v of a tile lies
///            :                        :          in bank v mod 32.
///     row 31 | w0  w1  w2  ...   w31  |
///            +------------------------+
///
/// A word of 0 in both tiles differs nowhere, and adds nothing: that is what lies beyond every
/// edge, and in the tail. At most two barriers a step, and no bank conflict. The lanes of a warp
/// work together: on average, at least a quarter as many as in the published solution. Where your
/// tiles divide m, n and the words of a row it takes m * n * k / 32 times __popc.
NIBBLE_KERNEL void binary_matmul_tiled_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                              std::int32_t* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k);

inline void binary_matmul_tiled(std::span<const std::uint32_t> a,
                                std::span<const std::uint32_t> b_t, std::span<std::int32_t> c,
                                MatmulShape shape) {
  NIBBLE_RUN(binary_matmul_tiled_kernel, (Work{.m = shape.m, .n = shape.n}), a, b_t, c,
             std::int64_t{shape.m}, std::int64_t{shape.n}, std::int64_t{shape.k});
}

// --- What a sign stands for ----------------------------------------------------------------------

/// Each row of w [rows,cols] as one scale and the signs: w[r,c] is about alpha[r] * sign(w[r,c]).
///
///     bits[r,:] = the signs of row r, as pack_signs makes them, tail bits 0
///     alpha[r]  = (sum over c of |w[r,c]|) / cols           the mean magnitude, of all scales the best
///
/// The sum is float32, in any order, then one division. (The judge's numbers have sums that are
/// exact in every order; so the mean has one right value.) A row that holds a NaN has a NaN for its
/// mean, and +1 for the sign of the NaN; an infinity makes the mean infinite.
///
///     w[r,:]     [ 32 | 32 | 32 | ... ]       read once, by one warp
///                   |    |    |
///     lane l       its bit of each word, and its own sum of magnitudes
///                             |
///     exchanges    16, 8, 4, 2, 1 lanes apart: the sum of all
///
/// Launched over Work{.n = rows}: tile_n rows a block, and each of them one warp's. A warp has
/// neither shared memory nor barriers to ask for. Any number of rows (with 0 nothing is launched).
///
/// Requires: cols >= 1.
NIBBLE_KERNEL void binarize_rows_kernel(const float* w, std::uint32_t* bits, float* alpha,
                                        std::int64_t rows, std::int64_t cols);

inline void binarize_rows(std::span<const float> w, std::span<std::uint32_t> bits,
                          std::span<float> alpha, int cols) {
  NIBBLE_RUN(binarize_rows_kernel, (Work{.n = std::ssize(alpha)}), w, bits, alpha,
             static_cast<std::int64_t>(std::ssize(alpha)), std::int64_t{cols});
}

NIBBLE_EXERCISES(pack_signs, binary_matmul, binary_matmul_tiled, binarize_rows);

}  // namespace nibble
