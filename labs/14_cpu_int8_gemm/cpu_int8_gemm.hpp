// Lab 14: one product of int8 matrices, six times, from three loops to packed and blocked code.
// This header is the contract: read it, implement it, leave it be (the grader compiles your
// cpu_int8_gemm.cpp against its own copy).
//
// Every function but pack_b computes the same thing, exactly. What differs is how b is stored, and
// how fast it can be done. Matrices are row-major; _t says "stored transposed".
//
//                        n                       a[i,p]   = a[i * k + p]
//                   +---------+                  b[p,j]   = b[p * n + j]
//                k  |  b      |                  b_t[j,p] = b_t[j * k + p]       the same b
//                   |   col j |                  c[i,j]   = c[i * n + j]
//           k       +---------+
//      +---------+  +---------+        Any size may be 0. With m = 0 or n = 0 there is nothing
//   m  | a row i |  | c[i,j]  |        to compute. With k = 0 every sum is empty, and 0.
//      +---------+  +---------+
//
// c is memory of the caller: its content on entry means nothing, and every element is written. An
// unpacked operand may start at any address, and the byte behind its last may be forbidden.
#pragma once

#include "nibble/kernel_lab.hpp"

namespace nibble {

/// The longest sum that fits in int32 whatever the codes: k * 128 * 128 <= 2^31 - 1.
inline constexpr int kLongestK = 131071;

// --- Three loops ---------------------------------------------------------------------------------

/// Multiplies as the definition says, one element of c after the other.
///
///     c[i,j] = sum over p of a[i,p] * b[p,j]              exact in int32, -128 included
///
/// Requires: m, n, k >= 0; k <= 131071; spans of m * k, k * n and m * n elements. Otherwise throws
/// std::invalid_argument.
void multiply_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                    std::span<std::int32_t> c, MatmulShape shape);

/// The same product of the same operands, fast: in an order of loops whose innermost one runs
/// along rows.
///
/// Requires: what multiply_naive requires. Otherwise throws std::invalid_argument.
void multiply_rows(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                   std::span<std::int32_t> c, MatmulShape shape);

// --- b transposed: both operands run along k -----------------------------------------------------

/// The same product, b stored transposed: every element of c is the dot product of two rows.
///
///     c[i,j] = sum over p of a[i,p] * b_t[j,p]
///
/// Requires: m, n, k >= 0; k <= 131071; spans of m * k, n * k and m * n elements. Otherwise throws
/// std::invalid_argument.
void multiply_dots(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                   std::span<std::int32_t> c, MatmulShape shape);

/// The same as multiply_dots, 2 rows by 4 columns of c at a time: 8 running sums that share their
/// 6 operands. What m leaves of a pair, and n of a four, is computed too.
///
///              b_t rows      j    j+1   j+2   j+3
///                          +-----+-----+-----+-----+
///      a row i     a[i,p]  | s00 | s01 | s02 | s03 |      for each p: 6 codes are read,
///                          +-----+-----+-----+-----+                  8 products are added
///      a row i+1           | s10 | s11 | s12 | s13 |
///                          +-----+-----+-----+-----+
///
/// Requires: what multiply_dots requires. Otherwise throws std::invalid_argument.
void multiply_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                    std::span<std::int32_t> c, MatmulShape shape);

// --- b packed: once, in the order and the type in which the product wants to read it -------------

/// Packed columns come in fours, and their codes in 32s: as many int16 as fill 64 bytes.
inline constexpr int kPanelColumns = 4;
inline constexpr int kStep = 32;
/// Packed codes lie in slabs of this many values of p; the last slab may be shorter.
inline constexpr int kSlabDepth = 256;

/// `count`, rounded up to a multiple of `step`.
constexpr std::size_t round_up(int count, int step) {
  const auto size = static_cast<std::size_t>(count), whole = static_cast<std::size_t>(step);
  return (size + whole - 1) / whole * whole;
}

/// How many int16 a packed b has. Sizes must not be negative.
constexpr std::size_t packed_size(MatmulShape shape) {
  return round_up(shape.n, kPanelColumns) * round_up(shape.k, kStep);
}

/// Packs b_t [n,k]: widened to int16, cut along k into slabs, padded with zeros.
///
///     columns = n rounded up to a multiple of 4          depth[s] = min(256, steps - 256 * s)
///     steps   = k rounded up to a multiple of 32                    of slab s = 0, 1, ...
///
///     packed[256 * s * columns + j * depth[s] + q] = b_t[j, 256 * s + q]     0 beyond n or beyond k
///                                                     for j < columns, q < depth[s]
///
///     b_t            k = 300                    packed: slab 0, whole, then slab 1, whole
///          +-----------------+------+
///      j=0 |     slab 0      |slab 1|           slab 0                       slab 1
///        1 |    256 codes    |44, 20|     j =   0     1     2     3          0     1     2     3
///      n=3 +-----------------+zeros |        +-----+-----+-----+-----+    +-----+-----+-----+-----+
///          :     zeros       :      :        | 256 | 256 | 256 |zeros|    | 64  | 64  | 64  |zeros|
///          +- - - - - - - - -+- - - +        +-----+-----+-----+-----+    +-----+-----+-----+-----+
///
/// Requires: m, n, k >= 0; k <= 131071; b_t of n * k, packed of packed_size(shape) elements.
/// Otherwise throws std::invalid_argument. m is not looked at any further.
///
/// Every column is a whole number of cache lines: where packed begins on a line, all of them do.
void pack_b(std::span<const std::int8_t> b_t, std::span<std::int16_t> packed, MatmulShape shape);

/// The same as multiply_dots, from a packed b. Slab after slab: each adds its part of the sums.
///
///     c[i,j] = sum over p of a[i,p] * b_t[j,p],  b_t as it was before pack_b
///
/// Requires: m, n, k >= 0; k <= 131071; a of m * k, packed of packed_size(shape), c of m * n
/// elements. Otherwise throws std::invalid_argument. packed holds what pack_b writes.
void multiply_packed(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape);

// --- Zero points ---------------------------------------------------------------------------------

/// The codes that stand for real 0.
struct ZeroPoints {
  std::int32_t a;  ///< in [-128, 127]
  std::int32_t b;  ///< in [-128, 127]
};

/// The product of codes with zero points, from a packed b, which holds the codes as they are. What
/// the zero points change is one number per row and one per column of c.
///
///     c[i,j] = sum over p of (a[i,p] - zero_points.a) * (b_t[j,p] - zero_points.b)
///
///     column_sums[j] = sum over p of b_t[j,p]             given: made once, when b was packed
///
/// Whether a sum fits is decided by k and the zero points alone, as in lab 06. int8 codes are at
/// most reach(z) = max(127 - z, z + 128) away from z:
///
///     k * reach(zero_points.a) * reach(zero_points.b) <= 2^31 - 1
///
/// Requires: what multiply_packed requires; column_sums of n elements; zero points in [-128, 127];
/// and the bound above. Otherwise throws std::invalid_argument.
void multiply_zero_points(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                          std::span<const std::int32_t> column_sums, std::span<std::int32_t> c,
                          ZeroPoints zero_points, MatmulShape shape);

NIBBLE_EXERCISES(multiply_naive, multiply_rows, multiply_dots, multiply_tiled, pack_b,
                 multiply_packed, multiply_zero_points);

}  // namespace nibble
