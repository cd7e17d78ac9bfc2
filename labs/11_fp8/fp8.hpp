// Lab 11: floats of one byte, and the scales that make them useful. This header is the contract:
// read it, implement it, leave it be (the grader compiles your fp8.cpp against its own copy).
//
// A byte is read as the 32 bits of a float are: a sign s, e bits of exponent, f of fraction. The
// Open Compute Project's "OCP 8-bit Floating Point Specification" knows two ways to divide it:
//
//     E4M3    s eeee fff       e = 4   f = 3   bias = 7
//     E5M2    s eeeee ff       e = 5   f = 2   bias = 15
//
//     exponent        the code stands for
//     0               +- fraction * 2^(1 - bias - f)                      0 and subnormal numbers
//     from 1 on       +- (2^f + fraction) * 2^(exponent - bias - f)       normal numbers
//
// What is different is the end. E5M2 keeps the exponent of all ones for infinity and NaN, as all
// larger formats do. E4M3 cannot spare eight codes: it has no infinity, and one NaN of each sign.
//
//     code       78      79      7A      7B      7C      7D      7E      7F      of either sign:
//     E4M3      256     288     320     352     384     416     448     NaN      F8 ... FF
//     E5M2    32768   40960   49152   57344     inf     NaN     NaN     NaN
//
// All of it is to be done by hand: with integers, their bits, and arithmetic of float or double.
// Headers and instructions that convert are what your functions have to agree with.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// What becomes of a number that is too large, and of infinity.
enum class Overflow : int {
  kSaturate,   ///< the largest number of its sign: what those who quantize want
  kNonFinite,  ///< infinity; in E4M3, which has none, NaN
};

// --- One number ---------------------------------------------------------------------------------

/// Returns the code of the E4M3 that is nearest to `x`; of two that are equally near, the one whose
/// last bit is 0.
///
///     E4M3      384      416      448      480               480 has no code: it would be 7F
///     code       7C       7D       7E
///                 |---+----|---+----|---+----:
///     ties           400      432      464
///     become         384      448      448
///
/// Below 2^-6 numbers are 2^-9 apart, all the way down to 0: none of them is skipped. The tie
/// between 0 and the smallest, 2^-10, becomes 0. Up to the tie 464 the nearest is 448. What is
/// larger, infinity too, becomes 448 with kSaturate and NaN with kNonFinite. The sign is kept
/// whatever the rest becomes. A NaN stays one, with either: 7F, or FF where its sign is set.
std::uint8_t encode_e4m3(float x, Overflow overflow);

/// Returns what an E4M3 stands for. Every E4M3 is a float32, so that nothing is rounded. 0 keeps
/// its sign. A NaN becomes the float of the bits 7FC00000, or FFC00000 where its sign is set.
float decode_e4m3(std::uint8_t code);

/// Returns the code of the E5M2 that is nearest to `x`; of two that are equally near, the one whose
/// last bit is 0.
///
///     E5M2     40960    49152    57344    65536            65536 would be 7C, infinity's code
///     code       79       7A       7B       7C
///                 |---+----|---+----|---+----:
///     ties          45056    53248    61440
///     become        49152    49152   overflow
///
/// Below 2^-14 numbers are 2^-16 apart, all the way down to 0. The tie 2^-17 becomes 0. The tie
/// 61440 lies between an odd code and an even one, so that it goes up: from there on, infinity too,
/// x becomes 57344 with kSaturate and infinity with kNonFinite. The sign is kept whatever the rest
/// becomes. A NaN stays one, with either: 7E, or FE where its sign is set.
std::uint8_t encode_e5m2(float x, Overflow overflow);

/// Returns what an E5M2 stands for; nothing is rounded. 0 and infinity keep their signs. A NaN
/// becomes the float of the bits 7FC00000, or FFC00000 where its sign is set.
float decode_e5m2(std::uint8_t code);

// --- The same for lists, written already: through these the exercises are graded ----------------

inline std::vector<std::uint8_t> float_to_e4m3(std::span<const float> x, Overflow overflow) {
  std::vector<std::uint8_t> codes;
  for (const float value : x) codes.push_back(encode_e4m3(value, overflow));
  return codes;
}
inline std::vector<float> e4m3_to_float(std::span<const std::uint8_t> codes) {
  std::vector<float> x;
  for (const std::uint8_t code : codes) x.push_back(decode_e4m3(code));
  return x;
}
inline std::vector<std::uint8_t> float_to_e5m2(std::span<const float> x, Overflow overflow) {
  std::vector<std::uint8_t> codes;
  for (const float value : x) codes.push_back(encode_e5m2(value, overflow));
  return codes;
}
inline std::vector<float> e5m2_to_float(std::span<const std::uint8_t> codes) {
  std::vector<float> x;
  for (const std::uint8_t code : codes) x.push_back(decode_e5m2(code));
  return x;
}

// --- A tensor -----------------------------------------------------------------------------------

/// Which of the two formats a tensor gets: weights and activations E4M3, gradients E5M2.
enum class Fp8Format : int { kE4m3, kE5m2 };

/// A tensor with one scale.
struct Fp8Tensor {
  std::vector<std::uint8_t> codes;  ///< of the format that was asked for, one an element
  float scale;                      ///< real = scale * what the code stands for; at least FLT_MIN
};

/// Quantizes a tensor so that its largest magnitude becomes the largest number of the format.
///
///     amax     = max |x[i]|
///     scale    = amax / largest                    largest: 448 in E4M3, 57344 in E5M2
///     codes[i] = encode(x[i] / scale)              of the format, with kSaturate
///
/// Each division is one of float32. A scale below FLT_MIN is raised to FLT_MIN. A tensor of zeros
/// of either sign, and an empty one, has the scale 1. A zero keeps its sign.
///
/// Requires: every x[i] finite. Otherwise throws std::invalid_argument.
Fp8Tensor quantize_fp8(std::span<const float> x, Fp8Format format);

// --- Blocks -------------------------------------------------------------------------------------

/// Values in a row that share a scale: "OCP Microscaling Formats (MX) Specification", MXFP8.
inline constexpr std::size_t kMxBlock = 32;

/// A tensor with a scale for each block. A scale is one byte, too: an exponent, and nothing else.
struct MxTensor {
  std::vector<std::uint8_t> codes;   ///< of the format that was asked for, one an element
  std::vector<std::uint8_t> scales;  ///< E8M0: real = 2^(scales[i / 32] - 127) * what codes[i] is
};

/// Quantizes a tensor in blocks of 32 values, of which the last may be shorter. For each block v:
///
///     2^e <= max |v[j]| < 2^(e + 1)                        e: a whole number
///     scales[b] = e - top + 127, or 0 where that is less   top: 8 in E4M3, 15 in E5M2
///     code[j]   = encode(v[j] / 2^(scales[b] - 127))       of the format, with kSaturate
///
/// 2^top is the largest power of two of the format. So the block's largest value lies between 2^top
/// and twice that, where the format may have ended: it saturates from 464 (E4M3) or 61440 (E5M2)
/// steps on. A block of zeros of either sign has the scale 0, which stands for 2^-127. A zero keeps
/// its sign. Only encode rounds: where v[j] is so small beside the largest that the quotient is no
/// float32, its code is a 0 of its sign, however one divides. e is exact for every float, subnormal
/// ones too.
///
/// Requires: every x[i] finite. Otherwise throws std::invalid_argument.
MxTensor quantize_mx(std::span<const float> x, Fp8Format format);

NIBBLE_EXERCISES(float_to_e4m3, e4m3_to_float, float_to_e5m2, e5m2_to_float, quantize_fp8,
                 quantize_mx);

}  // namespace nibble
