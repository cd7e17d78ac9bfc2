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

/// Quantizes `x` to `num_bits`-bit signed integers.
///
///     amax  = max |x[i]|                     0 for an empty tensor
///     scale = amax / qmax                    qmax = 2^(num_bits-1) - 1
///     q[i]  = clamp(round(x[i] / scale))     to [qmin, qmax], qmin = -2^(num_bits-1)
///
///     q     -8 -7 -6 -5 -4 -3 -2 -1  0  1  2  3  4  5  6  7      num_bits = 4
///            |--|--|--|--|--|--|--|--+--|--|--|--|--|--|--|
///     real    -amax                  0                  amax     -8 is legal, and never reached
///
/// Arithmetic is float32: one division per element, not a multiplication by 1/scale.
/// round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4), as ONNX Runtime and NumPy do.
/// If amax is 0, scale is 1. A scale below FLT_MIN is raised to FLT_MIN.
///
/// Requires: 2 <= num_bits <= 8, and every x[i] finite. Otherwise throws std::invalid_argument.
SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits = 8);

/// Returns real[i] = scale * q[i].
///
/// Requires: tensor.scale > 0. Otherwise throws std::invalid_argument.
std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor);

NIBBLE_EXERCISES(quantize_symmetric, dequantize_symmetric);

}  // namespace nibble
