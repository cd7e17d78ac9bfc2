// Lab 03: symmetric quantization. This header is the contract: read it, implement it, leave it be
// (the grader compiles your symmetric.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// A float tensor stored as integers:  real = scale * q.  There is no zero_point: real 0 is q = 0.
struct SymmetricTensor {
  std::vector<std::int8_t> q;  ///< one code per element, each in [qmin, qmax]
  float scale;                 ///< real units per integer step; normal and > 0
};

/// Returns the step that puts the largest magnitude of `x` on the last integer.
///
///     amax  = max |x[i]|                     0 for an empty tensor
///     scale = amax / qmax                    qmax = 2^(num_bits-1) - 1
///
///     q     -8 -7 -6 -5 -4 -3 -2 -1  0  1  2  3  4  5  6  7      num_bits = 4
///            |--|--|--|--|--|--|--|--+--|--|--|--|--|--|--|
///     real    -amax                  0                  amax     -8 is legal, and never reached
///
/// One float32 division. If amax is 0, scale is 1. A scale below FLT_MIN is raised to FLT_MIN, so
/// that it is never 0 and never subnormal.
///
/// Requires: 2 <= num_bits <= 8, and every x[i] finite. Otherwise throws std::invalid_argument.
float symmetric_scale(std::span<const float> x, int num_bits = 8);

/// Quantizes `x` with a scale that somebody else has chosen: values may lie outside its range.
///
///     q[i] = clamp(round(x[i] / scale))      to [qmin, qmax], qmin = -2^(num_bits-1)
///
/// Arithmetic is float32: one division per element, not a multiplication by 1/scale.
/// round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4), as ONNX Runtime and NumPy do.
/// The code qmin is used here, since the range was not made from x. A NaN becomes 0, +Inf becomes
/// qmax, -Inf becomes qmin; x[i] / scale may itself be too large for a float32, and is then clamped
/// like an infinity.
///
/// Requires: 2 <= num_bits <= 8, and scale normal and > 0 (so not NaN, not infinite). Otherwise
/// throws std::invalid_argument.
std::vector<std::int8_t> quantize_with_scale(std::span<const float> x, float scale,
                                             int num_bits = 8);

/// Quantizes `x` to `num_bits`-bit signed integers, with the scale of its own range.
///
///     scale = symmetric_scale(x, num_bits)
///     q     = quantize_with_scale(x, scale, num_bits)
///
/// Requires: 2 <= num_bits <= 8, and every x[i] finite. Otherwise throws std::invalid_argument.
SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits = 8);

/// Returns real[i] = scale * q[i], one float32 product each. Any int8 is a legal code here, and
/// the product may be infinite.
///
/// Requires: tensor.scale normal and > 0. Otherwise throws std::invalid_argument.
std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor);

NIBBLE_EXERCISES(symmetric_scale, quantize_with_scale, quantize_symmetric, dequantize_symmetric);

}  // namespace nibble
