// Lab 12: codes of four bits, two in a byte, and the blocks in which GGUF files store weights. This
// header is the contract: read it, implement it, leave it be (the grader compiles your int4.cpp
// against its own copy).
//
// Codes lie from -8 to 7. Two of them are a byte, which is called q4: the even one is the low
// nibble, both in two's complement.
//
//     bits of q4[b]     7 6 5 4   3 2 1 0
//                      +---------+---------+        nibble   0 .. 7    8  9 .. 15
//                      | q[2b+1] |  q[2b]  |        code     0 .. 7   -8 -7 .. -1
//                      +---------+---------+
#pragma once

#include "nibble/half.hpp"
#include "nibble/lab.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble {

/// Packs codes, two in a byte, as drawn above.
///
///     low nibble of q4[b] = q[2b]        high nibble of q4[b] = q[2b+1]
///
/// Any number of codes, 0 too. With an odd number the last high nibble is 0, which is the code 0:
/// whoever adds it up adds nothing.
///
/// Requires: every code in [-8, 7]. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> pack_int4(std::span<const std::int8_t> q);

/// Unpacks `count` codes, 0 or any other number: what pack_int4 packs, and labs 16 and 23 read.
///
///     q[2b] = low nibble of q4[b]        q[2b+1] = high nibble of q4[b]        -8 ... 7
///
/// With an odd count the last high nibble means nothing, and may hold anything.
///
/// Requires: q4 of count / 2 bytes, rounded up. Otherwise throws std::invalid_argument.
std::vector<std::int8_t> unpack_int4(std::span<const std::uint8_t> q4, std::size_t count);

/// Turns every nibble of two's complement into one of excess 8: unsigned, as many kernels and files
/// want it.
///
///     code         -8  -7 ... -1   0   1 ...  7
///     in q4         8   9 ... 15   0   1 ...  7
///     in u4         0   1 ...  7   8   9 ... 15         code + 8, in the same place
///
/// A nibble that only pads is one like all others: the code 0 stays the code 0, and is 8 in u4.
/// Given its own result, the function returns what that was made of: it is the way back, too. Any
/// number of bytes, and every byte is legal.
std::vector<std::uint8_t> to_excess8(std::span<const std::uint8_t> q4);

/// GGUF stores weights in blocks: so many values in a row share a scale, which is stored as a half,
/// low byte first. nibble/half.hpp has the conversion, with ties to even (lab 10 takes it apart).
inline constexpr std::size_t kBlockValues = 32;
inline constexpr std::size_t kQ4Bytes = 18;  ///< of a Q4_0 block: a half, 32 nibbles
inline constexpr std::size_t kQ8Bytes = 34;  ///< of a Q8_0 block: a half, 32 bytes

/// Quantizes to Q4_0 blocks, byte for byte as llama.cpp does when it writes a model. For each block
/// v of 32 values of x:
///
///     extreme = the v[j] whose magnitude is largest; of equal ones the first
///     d       = extreme / -8                       the extreme gets the code -8, whatever its sign
///     inverse = 1 / d                              0 where d is 0, or 1 / d infinite
///     u[j]    = min(15, trunc(v[j] * inverse + 8.5))         the code + 8: excess 8
///
///     byte      0      1      2              3                     17
///             +------+------+--------------+--------------+     +---------------+
///             | half of d   | u[16] | u[0] | u[17] | u[1] | ... | u[31] | u[15] |
///             +------+------+--------------+--------------+     +---------------+
///               low    high    high   low     high   low           high    low
///
/// Each operation is one of float32, in this order: two divisions, a product, a sum. Ties go up:
/// half a step above a code is the next code. Codes are made with d as it is, not with its half; so
/// they are the same where d is too small for a half, which is 0 then, or subnormal. A block of
/// zeros of either sign has the extreme +0, which makes d = -0: the bytes 00 80, and every u is 8.
///
/// Requires: x.size() a multiple of 32; every x[i] finite; every |d| < 65520, so that its half is
/// finite. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> quantize_q4_0(std::span<const float> x);

/// Quantizes to Q8_0 blocks, byte for byte as llama.cpp does when it writes a model. For each block
/// v of 32 values of x:
///
///     d       = max |v[j]| / 127
///     inverse = 1 / d                              0 where d is 0, or 1 / d infinite
///     q[j]    = round(v[j] * inverse)              -127 ... 127
///
///     byte      0      1      2      3             33
///             +------+------+------+------+     +-------+
///             | half of d   | q[0] | q[1] | ... | q[31] |        two's complement
///             +------+------+------+------+     +-------+
///               low    high
///
/// Each operation is one of float32, in this order. round() sends ties away from zero. Codes are
/// made with d as it is, not with its half. A block of zeros of either sign has d = +0: 34 bytes of
/// 0.
///
/// Requires: as quantize_q4_0, of this d. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> quantize_q8_0(std::span<const float> x);

/// How the second operand of a product [k,n] lies in memory. Both ways pack along k, two codes that
/// follow each other in a sum.
enum class Int4Layout : int {
  kTransposed,  ///< b4 [n, (k+1)/2]: a column of b after the other, each packed as by pack_int4
  kPairs,       ///< b4 [(k+1)/2, n]: byte [r,j] holds b[2r,j], low, and b[2r+1,j], high
};

/// Multiplies two matrices of packed codes.
///
///     c[i,j] = sum over p of a[i,p] * b[p,j]               a [m,k], b [k,n], c [m,n], row-major
///
///     a4 [m, (k+1)/2]      row i of a, packed as by pack_int4
///     b4                   as `layout` says
///
///     b, k = 3, n = 2       kTransposed            kPairs                   high | low
///       1  2              +-------+-------+      +-------+-------+
///       3  4              | 3 | 1 | . | 5 |      | 3 | 1 | 4 | 2 |          . means nothing
///       5  6              | 4 | 2 | . | 6 |      | . | 5 | . | 6 |
///                         +-------+-------+      +-------+-------+
///
/// Sums are int32 and exact: |a * b| <= 64, so that k may be 33554431 = (2^31 - 1) / 64. Any size
/// may be 0; with k = 0 every sum is 0. With an odd k the last high nibble of every row of a and of
/// every column of b means nothing, and may hold anything.
///
/// Requires: m, n, k >= 0 and k <= 33554431; a4 and b4 of the sizes above; one of the two layouts.
/// Otherwise throws std::invalid_argument.
std::vector<std::int32_t> matmul_int4(std::span<const std::uint8_t> a4,
                                      std::span<const std::uint8_t> b4, Int4Layout layout,
                                      MatmulShape shape);

NIBBLE_EXERCISES(pack_int4, unpack_int4, to_excess8, quantize_q4_0, quantize_q8_0, matmul_int4);

}  // namespace nibble
