// Lab 13: weights of one bit, and of a bit and a half. This header is the contract: read it,
// implement it, leave it be (the grader compiles your binary.cpp against its own copy).
//
//     sign(x) = -1 where x < 0, else +1        so sign(0) = sign(-0.0) = sign(NaN) = +1
//     bit     =  1 where x < 0, else  0
//
//     column    0  1  2           31   32                       cols = 70: 3 words a row
//             +--+--+--+-- ... --+--+  +--+-- ... --+--+  +--+-- . --+--+----------+
//     row r   | word 0              |  | word 1        |  | 6 columns   | tail     |
//             +--+--+--+-- ... --+--+  +--+-- ... --+--+  +--+-- . --+--+----------+
//     bit       0  1  2          31      0            31    0         5   6 ... 31
//
// Column c is bit c % 32 of word c / 32: bit 0 is the lowest. A row begins with a new word, so it
// has ceil(cols / 32) of them; the bits behind its last column are the tail. (The same words as in
// lab 27, where a GPU makes them.) Matrices are row-major, and may have no rows.
#pragma once

#include "nibble/lab.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble {

/// Returns the signs of x [rows,cols] as bits [rows,ceil(cols / 32)]. Bits of the tail are 0.
///
///     x         [ 2 | -3 |  0 | -1 |  4 ]
///     x < 0       0    1    0    1    0          bits 0 1 2 3 4
///     word      0b01010 = 10
///
/// Every float has a sign, infinities and NaN too. With cols = 0 a row has no words.
///
/// Requires: rows, cols >= 0, and x of rows * cols elements. Otherwise throws
/// std::invalid_argument.
std::vector<std::uint32_t> pack_signs(std::span<const float> x, int rows, int cols);

/// Returns the product of two matrices of signs, a [m,k] and b_t [n,k] both as bits: c [m,n].
///
///     c[i,j] = sum over p < k of sign(a[i,p]) * sign(b_t[j,p])
///            = k - 2 * (how many of the k bits of row i and of row j differ)
///
///     a row of a        0  1  0  1  1  0  0  1     + - + - - + + -
///     a row of b_t      0  0  0  1  0  0  1  1     + + + - + + - -
///     they differ       .  1  .  .  1  .  1  .     3 of 8: five products are +1, three are -1
///     sum               8 - 2 * 3 = 2
///
/// Only k bits of a row count: *the tail of a and of b_t holds anything*, and adds nothing. With
/// k = 0 every sum is empty, and 0. One row of each (m = n = 1) is the dot product.
///
/// Requires: m, n >= 0; 0 <= k < 2^30, so that twice a count fits in an int; a of m * ceil(k / 32)
/// and b_t of n * ceil(k / 32) words. Otherwise throws std::invalid_argument.
std::vector<std::int32_t> binary_matmul(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b_t, MatmulShape shape);

/// Weights of one bit:  w[r,c] is about alpha[r] * sign(w[r,c]).
struct BinaryWeights {
  std::vector<std::uint32_t> bits;  ///< [rows,ceil(cols / 32)], tail bits 0
  std::vector<float> alpha;         ///< [rows], real units, finite and >= 0
};

/// Binarizes w [rows,cols], each row with the scale that loses least: its mean magnitude.
///
///     bits     = pack_signs(w, rows, cols)
///     alpha[r] = (sum over c of |w[r,c]|) / cols
///
/// Sum and division are float64, in any order of summing; alpha is their result, rounded to
/// float32 once. A row of zeros has alpha 0, and comes back as zeros: nothing divides by alpha, so
/// no alpha is too small.
///
/// Requires: rows >= 0, cols >= 1, w of rows * cols elements, every one finite. Otherwise throws
/// std::invalid_argument.
BinaryWeights binarize_weights(std::span<const float> w, int rows, int cols);

/// Weights of three values:  w[r,c] is about alpha[r] * trits[r,c].
struct TernaryWeights {
  std::vector<std::int8_t> trits;  ///< [rows,cols], each -1, 0 or 1
  std::vector<float> alpha;        ///< [rows], real units, finite and >= 0
};

/// Ternarizes w [rows,cols]: what is small against the rest of its row becomes 0.
///
///     mean[r]      = (sum over c of |w[r,c]|) / cols
///     threshold[r] = 0.7 * mean[r]
///     trits[r,c]   = 1 where w[r,c] > threshold[r], -1 where w[r,c] < -threshold[r], else 0
///     alpha[r]     = the mean of |w[r,c]| over those c whose trit is not 0
///
///     w      -8     -3.5      0      3.5    7 8       a row of mean magnitude 5
///      -------|-------|-------|-------|-----|-|---
///     trit   -1       0       0       0     1 1       a weight on the threshold is 0
///
/// All of it is float64, sums in any order, the threshold is compared as such, and alpha is rounded
/// to float32 once. A row of zeros has trits 0 and alpha 0. In any other row the largest
/// magnitude is above the threshold, so that alpha divides by a count that is not 0.
///
/// Requires: rows >= 0, cols >= 1, w of rows * cols elements, every one finite. Otherwise throws
/// std::invalid_argument.
TernaryWeights ternarize(std::span<const float> w, int rows, int cols);

/// Packs trits, five a byte: 3^5 = 243 combinations, and a byte has 256.
///
///     bytes[b] = sum over t < 5 of (trits[5b + t] + 1) * 3^t         0 ... 242
///
///     trits    [ -1 |  0 |  1 |  1 | -1 ]
///     digits      0    1    2    2    0       worth 1, 3, 9, 27, 81: the first is the lowest
///     byte        0 +  3 + 18 + 54 +  0 = 75
///
/// Where the last byte has fewer than five trits, the missing ones are packed as 0, digit 1.
///
/// Requires: every trit is -1, 0 or 1. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits);

/// Undoes pack_ternary: returns the first `count` trits of bytes.
///
///     trits[i] = digit i % 5 of bytes[i / 5], less 1
///
/// The digits behind the last trit hold anything. A byte above 242 is no code, wherever it stands.
///
/// Requires: count >= 0, ceil(count / 5) bytes, every one at most 242. Otherwise throws
/// std::invalid_argument.
std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count);

NIBBLE_EXERCISES(pack_signs, binary_matmul, binarize_weights, ternarize, pack_ternary,
                 unpack_ternary);

}  // namespace nibble
