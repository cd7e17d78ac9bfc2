// Lab 17: a matrix product with tiles. This header is the contract: read it, implement it, leave it
// be (the grader compiles your cpu_amx.cpp against its own copy).
//
//     a [m,k] int8 activations     b_t [n,k] int8 weights, stored transposed     c [m,n]
//
//     acc[i,j] = sum over p of a[i * k + p] * b_t[j * k + p]        exact for every int8
//
// All three are row-major. Any size may be 0; with k = 0 every sum is 0. What an output holds on
// entry means nothing, and every element of it is written. a, b_t and c are not aligned, and not a
// byte behind their ends is read.
//
// Where a function takes an engine, the tiles come from nibble/amx.hpp, and each engine gives the
// same answer, bit by bit. One that does not grant its tiles is refused with std::invalid_argument:
// kDenied always, kHardware where they are not usable. None is ever replaced by another.
#pragma once

#include "nibble/kernel_lab.hpp"

#include "nibble/amx.hpp"

namespace nibble {

/// The longest sum that fits in int32 whatever the codes: k * 128 * 128 <= 2^31 - 1.
inline constexpr int kLongestK = 131071;

/// Says how large each tile is.
///
///     rows[t], colsb[t]      tile t has rows[t] rows of colsb[t] bytes;  t = 0 ... rows.size() - 1
///
///     byte       0         1        2 ... 15    16 ... 31     32 ... 47   48 ... 55    56 ... 63
///            +---------+-----------+----------+-------------+-----------+------------+-----------+
///            | palette | start_row | reserved | colsb[0..7] |     0     | rows[0..7] |     0     |
///            |    1    |     0     |    0     | 16 bit each |           | 8 bit each |           |
///            +---------+-----------+----------+-------------+-----------+------------+-----------+
///
/// Tiles that are not listed have 0 rows of 0 bytes.
///
/// Requires: as many rows as colsb, at most 8; rows in [0, 16], colsb in [0, 64], both 0 or
/// neither. Otherwise throws std::invalid_argument: the processor would raise a fault.
TileConfig tile_config(std::span<const std::int32_t> rows, std::span<const std::int32_t> colsb);

// --- Packing -------------------------------------------------------------------------------------
//
// Tiles of 16 rows and 64 codes of k, 1024 bytes each, one behind the other in the order in which
// a kernel loads them. Sizes are rounded up, so that a kernel meets whole tiles only, two by two:
//
//     steps = ceil(k / 64)
//
//     packed   | rows 0..15               | rows 16..31              | ...     two row blocks for
//              | tile of k 0..63, 64..127 | tile of k 0..63, 64..127 |         every 32 rows

/// Bytes of packed activations: 32 rows and 64 codes of k at a time. Given.
constexpr std::size_t packed_a_size(MatmulShape shape) {
  return (std::size_t(shape.m) + 31) / 32 * 32 * ((std::size_t(shape.k) + 63) / 64 * 64);
}

/// Bytes of packed weights: the same, with the rows of b_t. Given.
constexpr std::size_t packed_b_size(MatmulShape shape) {
  return packed_a_size({.m = shape.n, .n = 0, .k = shape.k});
}

/// Lays out activations: a tile holds 16 rows, 64 codes from each.
///
///     packed[((i / 16 * steps + p / 64) * 16 + i % 16) * 64 + p % 64] = a[i,p]
///
///                   p = 0 ... 63
///     row i = 0   | a[0,0]  a[0,1]  . . . a[0,63]  |       where i >= m or p >= k: 0
///           1     | a[1,0]  a[1,1]  . . . a[1,63]  |
///           ...
///           15    | a[15,0] . . .         a[15,63] |
///
/// Requires: m, k >= 0, k <= kLongestK (n means nothing here); a of m * k codes; packed of
/// packed_a_size(shape) bytes. Otherwise throws std::invalid_argument.
void pack_a(std::span<const std::int8_t> a, std::span<std::int8_t> packed, MatmulShape shape);

/// Lays out weights: a tile holds 16 columns of the product, in quads: four codes of one column,
/// neighbours in k, lie together, since a product of tiles adds four products at a time.
///
///     packed[((j / 16 * steps + p / 64) * 16 + p % 64 / 4) * 64 + j % 16 * 4 + p % 4] = b_t[j,p]
///
///                  column j = 0        1               15
///     quad 0     | p: 0  1  2  3 | 0  1  2  3 | . . . | 0  1  2  3 |     16 rows of 64 bytes;
///     quad 1     |    4  5  6  7 | 4  5  6  7 | . . . | 4  5  6  7 |     where j >= n or p >= k: 0
///     ...
///     quad 15    |   60 61 62 63 | . . .              | . . .   63 |
///
/// Done once, when a model is loaded.
///
/// Requires: n, k >= 0, k <= kLongestK (m means nothing here); b_t of n * k codes; packed of
/// packed_b_size(shape) bytes. Otherwise throws std::invalid_argument.
void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape);

// --- Products ------------------------------------------------------------------------------------

/// One product of tiles, of any size that fits: c[i,j] = acc[i,j].
///
///     b_tile    the first tile of pack_b: quad q of column j at bytes 64 * q + 4 * j
///
///                           n columns: 4 * n bytes
///                         +------+
///             ceil(k / 4) |  B   |           a is not packed: its rows are k bytes apart, and
///             rows        +------+           k need not be a multiple of 4, as rows of tiles are.
///          +-------+      +------+
///        m |   A   |    m |  C   |           c is not packed either: its rows are 4 * n bytes apart.
///          +-------+      +------+
///            k bytes
///
/// Requires: 1 <= m <= 16, 1 <= n <= 16, 1 <= k <= 64; a of m * k, c of m * n elements; b_tile of
/// 1024 bytes; an engine that grants its tiles. Otherwise throws std::invalid_argument.
void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape);

/// A product of any size: c[i,j] = acc[i,j]. `packed_b` comes from pack_b for the same n and k.
///
///                      32 columns
///                    +------+------+         Two tiles of A and two of B are loaded, and make four
///                    |  B0  |  B1  |         products: as many loads as products. A product alone
///                    +------+------+         takes two loads.
///          +------+  +------+------+
///          |  A0  |  |  C00 |  C01 |         Where m and n are multiples of 32 and k is one of 64,
///     32   +------+  +------+------+         at least 64 each, there are m/16 * n/16 * k/64 products
///     rows |  A1  |  |  C10 |  C11 |         and no more than 5 loads for every 4 of them, whatever
///          +------+  +------+------+         they load.
///
/// Returns what with_tiles() counted.
///
/// Requires: m, n, k >= 0, k <= kLongestK; a of m * k, c of m * n elements; packed_b of
/// packed_b_size(shape) bytes; an engine that grants its tiles. Otherwise throws
/// std::invalid_argument.
TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape);

/// The same product, made real before it is written, with a scale and a bias for each column.
///
///     v      = float(acc[i,j]) * scale[j] + bias[j]      float32: rounded after *, again after +
///     c[i,j] = v > 0 ? v : 0                             so a -0 becomes 0
///
/// Two roundings, hence no fused multiply-add. Sums too large for a float32 are rounded once, when
/// they are finished.
///
/// Requires: what multiply_tiles requires; n scales and n biases, all finite. Otherwise throws
/// std::invalid_argument.
void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape);

NIBBLE_EXERCISES(tile_config, pack_a, pack_b, multiply_tile, multiply_tiles, multiply_tiles_fused);

}  // namespace nibble
