// Lab 04: asymmetric quantization. This header is the contract: read it, implement it, leave it be
// (the grader compiles your asymmetric.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// Which reals the codes have to cover.
enum class ZeroPolicy : std::int32_t {
  kIncludeZero,  ///< the data and 0: real 0 is exactly one of the codes. What arithmetic needs.
  kFullRange,    ///< the data alone: a finer step, and real 0 may have no code. For storage only.
};

/// float32 counts every integer up to here, and no zero_point is farther out.
inline constexpr std::int32_t kLargestZeroPoint = 1 << 24;

/// real = scale * (q - zero_point)
struct AsymmetricParameters {
  float scale;              ///< real units per integer step; normal and > 0
  std::int32_t zero_point;  ///< the q that stands for real 0; |zero_point| <= kLargestZeroPoint
};

/// A float tensor stored as unsigned integers:  real = scale * (q - zero_point).
struct AsymmetricTensor {
  std::vector<std::uint8_t> q;  ///< one code per element, each in [0, qmax]
  float scale;                  ///< real units per integer step; normal and > 0
  std::int32_t zero_point;      ///< the q that stands for real 0; outside [0, qmax] it has no code
};

/// Chooses the step and the zero point that spread the codes 0 ... qmax over the range of `x`.
///
///     lo, hi     = min x[i], max x[i]                kFullRange
///                = min(0, min x[i]), max(0, max x[i])    kIncludeZero: widened until 0 is inside
///     scale      = (hi - lo) / qmax                  qmax = 2^num_bits - 1, one less than codes
///     zero_point = -round(lo / scale)                so that lo becomes code 0
///
///     q       0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15       num_bits = 4
///             |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
///     real    lo                  0                                      hi
///                                 ^ zero_point = 5
///
/// round() sends ties to even. Arithmetic is float32: the difference, and either quotient. Where
/// that difference is infinite, it is taken in double, and (hi - lo) / qmax rounded to float32
/// once. Under kIncludeZero the zero point is a code without further ado. Then, in this order:
///
///     nothing, or zeros alone          scale 1, zero_point 0
///     all values equal to c != 0       as kIncludeZero: a range of no width has no step
///     a step finer than float32        scale is raised to the larger of FLT_MIN and
///                                      max(|lo|, |hi|) / 2^24: at its largest value float32
///                                      has no finer step, and all of zero_point stays exact
///
/// Requires: 2 <= num_bits <= 8, and every x[i] finite. Otherwise throws std::invalid_argument.
AsymmetricParameters asymmetric_parameters(std::span<const float> x, int num_bits = 8,
                                           ZeroPolicy policy = ZeroPolicy::kIncludeZero);

/// Quantizes `x` with parameters that somebody else has chosen: values may lie outside their range.
///
///     q[i] = clamp(round(x[i] / scale) + zero_point)      to [0, qmax], qmax = 2^num_bits - 1
///
/// Arithmetic is float32: one division per element. round() sends ties to even, and comes before
/// the zero point: 0.5 and zero_point 1 make 0 + 1, not round(1.5). The quotient may be larger
/// than any int: clamp before you convert. A NaN becomes clamp(zero_point), real 0 or the nearest
/// to it; +Inf becomes qmax, -Inf becomes 0.
///
/// Requires: 2 <= num_bits <= 8, scale normal and > 0, |zero_point| <= kLargestZeroPoint.
/// Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> quantize_with_parameters(std::span<const float> x,
                                                   AsymmetricParameters parameters,
                                                   int num_bits = 8);

/// Quantizes `x` to `num_bits`-bit unsigned integers, with the parameters of its own range.
///
///     scale, zero_point = asymmetric_parameters(x, num_bits, policy)
///     q                 = quantize_with_parameters(x, {scale, zero_point}, num_bits)
///
/// Requires: 2 <= num_bits <= 8, and every x[i] finite. Otherwise throws std::invalid_argument.
AsymmetricTensor quantize_asymmetric(std::span<const float> x, int num_bits = 8,
                                     ZeroPolicy policy = ZeroPolicy::kIncludeZero);

/// Returns real[i] = scale * (q[i] - zero_point): the difference in int32, then one float32
/// product, which may be infinite. Any uint8 is a legal code here.
///
/// Requires: tensor.scale normal and > 0, |tensor.zero_point| <= kLargestZeroPoint. Otherwise
/// throws std::invalid_argument.
std::vector<float> dequantize_asymmetric(const AsymmetricTensor& tensor);

NIBBLE_EXERCISES(asymmetric_parameters, quantize_with_parameters, quantize_asymmetric,
                 dequantize_asymmetric);

}  // namespace nibble
