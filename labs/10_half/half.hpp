// Lab 10: half and bfloat16. This header is the contract: read it, implement it, leave it be
// (the grader compiles your half.cpp against its own copy).
//
// A code of 16 bits is read as the 32 bits of a float are: a sign s, e bits of exponent, f of
// fraction.
//
//     float32     s eeeeeeee fffffffffffffffffffffff       e = 8   f = 23   bias = 127
//     half        s eeeee ffffffffff                       e = 5   f = 10   bias = 15
//     bfloat16    s eeeeeeee fffffff                       e = 8   f = 7    bias = 127
//
//     exponent        the code stands for
//     0               +- fraction * 2^(1 - bias - f)                      0 and subnormal numbers
//     in between      +- (2^f + fraction) * 2^(exponent - bias - f)       normal numbers
//     all ones        +- infinity where the fraction is 0, else a NaN: a quiet one where the first
//                     bit of the fraction is 1
//
// All of it is to be done by hand: with integers, their bits, and arithmetic of float or double.
// _Float16, the CPU's own conversions and headers that have them are what your functions have to
// agree with.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- half ---------------------------------------------------------------------------------------

/// Returns the code of the half that is nearest to `x`; of two that are equally near, the one whose
/// last bit is 0.
///
///     half      2046     2047     2048              2050              2052
///                |----+---|----+---|--------+--------|--------+--------|
///     ties          2046.5   2047.5        2049              2051
///     become         2046     2048         2048              2052
///
/// Below 2^-14 halves are 2^-24 apart, all the way down to 0: none of them is skipped. The tie
/// between 0 and the smallest, 2^-25, becomes 0. At the other end the largest half is 65504, and
/// the next would be 65536: the tie between them, 65520, becomes infinity, as does all beyond it.
/// The sign is kept whatever the rest becomes. A NaN keeps its sign and the first 10 bits of its
/// fraction, of which the very first is set: it stays a NaN, and is a quiet one.
std::uint16_t encode_half(float x);

/// Returns what a half stands for. Every half is a float32, so that nothing is rounded. 0 and
/// infinity keep their signs. A NaN keeps its sign, and its fraction becomes the first 10 bits of
/// the float's, of which the very first is set.
float decode_half(std::uint16_t code);

// --- bfloat16 -----------------------------------------------------------------------------------

/// Returns the code of the bfloat16 that is nearest to `x`; of two that are equally near, the one
/// whose last bit is 0. A bfloat16 is the upper half of a float32:
///
///     x         s eeeeeeee fffffff ffffffffffffffff
///     code      s eeeeeeee fffffff                 and what is cut off decides about the last bit
///
/// Subnormal numbers are kept. The largest bfloat16 is (2 - 2^-7) * 2^127: from the tie above it,
/// (2 - 2^-8) * 2^127, x becomes infinity. The sign is kept whatever the rest becomes. A NaN keeps
/// its sign and the first 7 bits of its fraction, of which the very first is set.
std::uint16_t encode_bfloat16(float x);

/// Returns what a bfloat16 stands for: the float32 of which it is the upper half, where the lower
/// is 0. No bit of it changes, of a NaN neither.
float decode_bfloat16(std::uint16_t code);

// --- The same for lists, written already: through these the exercises are graded ----------------

template <class To, class From>
std::vector<To> each(std::span<const From> list, To (*convert)(From)) {
  std::vector<To> converted(list.size());
  std::transform(list.begin(), list.end(), converted.begin(), convert);
  return converted;
}

inline std::vector<std::uint16_t> float_to_half(std::span<const float> x) {
  return each(x, encode_half);
}
inline std::vector<float> half_to_float(std::span<const std::uint16_t> codes) {
  return each(codes, decode_half);
}
inline std::vector<std::uint16_t> float_to_bfloat16(std::span<const float> x) {
  return each(x, encode_bfloat16);
}
inline std::vector<float> bfloat16_to_float(std::span<const std::uint16_t> codes) {
  return each(codes, decode_bfloat16);
}

// --- A sum of products, twice -------------------------------------------------------------------

/// One dot product of halves, summed in two types.
struct HalfDot {
  std::uint16_t in_half;  ///< a half: everything is rounded to half at once
  float in_float;         ///< what tensor cores do: products of halves, a sum in float32
};

/// Multiplies two lists of halves element by element, and adds up the products from the first to
/// the last. half(v) is v rounded to the nearest half, as encode_half does it.
///
///     in_half      h = 0;  for each i:  h = half(h + half(a[i] * b[i]))
///     in_float     s = 0;  for each i:  s = s + a[i] * b[i]                        float32
///
/// The product of two halves has 11 + 11 bits and is exact in float32. The float32 sum of two
/// halves is rounded, but so far behind the last bit of a half that rounding it once more gives
/// what rounding the exact sum would. Both sums of no products are 0. Sums may be infinite. Where
/// one has no value (infinity * 0, infinity - infinity) it is a NaN, whichever.
///
/// Requires: as many codes in `a` as in `b`. Otherwise throws std::invalid_argument.
HalfDot dot_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b);

// --- Training with gradients in half ------------------------------------------------------------

inline constexpr float kLeastScale = 1.0f;
inline constexpr float kMostScale = 16'777'216.0f;  // 2^24

/// What is carried from one step of training to the next.
struct Training {
  std::vector<float> weights;  ///< float32: a step may be too small for a half to notice
  float scale;                 ///< of the loss: a power of two in [kLeastScale, kMostScale]
  std::int32_t good_steps;     ///< in a row since a skip, or since growth_interval was reached
};

/// Takes one step of training with gradients that pass through half, and says what comes next.
/// Where the loss is multiplied by `scale`, so are its gradients, and small ones do not become 0.
///
///     h[i] = half(scale * gradients[i])                         as they come out of a half network
///
///     every h[i] finite:     weights[i] = weights[i] - learning_rate * (h[i] / scale)      float32
///                            good_steps = good_steps + 1; when that is growth_interval,
///                            scale = 2 * scale, at most kMostScale, and good_steps = 0
///     otherwise, a skip:     the weights stay as they are
///                            scale = scale / 2, at least kLeastScale, and good_steps = 0
///
/// The division is exact, and by the scale that the step began with; the product is rounded, and
/// then the difference.
///
/// Requires: as many gradients as weights; a scale as Training says; learning_rate finite and > 0;
/// growth_interval >= 1; 0 <= good_steps < growth_interval. Weights and gradients may be anything;
/// what a step makes of a weight that is a NaN is a NaN, whichever. Otherwise throws
/// std::invalid_argument.
Training scaled_step(const Training& before, std::span<const float> gradients, float learning_rate,
                     std::int32_t growth_interval);

NIBBLE_EXERCISES(float_to_half, half_to_float, float_to_bfloat16, bfloat16_to_float, dot_half,
                 scaled_step);

}  // namespace nibble
