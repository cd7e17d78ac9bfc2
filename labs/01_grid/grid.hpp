// Lab 01: the integer grid. This header is the contract: read it, implement it, leave it be
// (the grader compiles your grid.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// A row of equally spaced real numbers, each with an integer for a name:
///
///     real = scale * (q - zero_point)
///
///     q        0     1     2     3     4     5     6     7      qmin = 0, qmax = 7
///              |-----|-----|-----+-----|-----|-----|-----|
///     real   -1.5  -1.0  -0.5    0    0.5   1.0   1.5   2.0     scale = 0.5, zero_point = 3
struct Grid {
  float scale;              ///< real units per integer step; normal and > 0
  std::int32_t zero_point;  ///< the code that stands for real 0; in [qmin, qmax]
  std::int32_t qmin;        ///< the smallest code; >= -2^15
  std::int32_t qmax;        ///< the largest code; > qmin and < 2^16
};

/// Throws std::invalid_argument unless `grid` is one. Given: call it first where a Grid comes in.
/// Grids of at most 16 bits are all there are, so float32 holds every code and every sum of two
/// codes exactly.
inline void expects_grid(const Grid& grid) {
  NIBBLE_EXPECTS(std::isnormal(grid.scale) && grid.scale > 0.0f, grid.scale);
  NIBBLE_EXPECTS(grid.qmin >= -32768, grid.qmin);
  NIBBLE_EXPECTS(grid.qmax <= 65535, grid.qmax);
  NIBBLE_EXPECTS(grid.qmin < grid.qmax, grid.qmax);
  NIBBLE_EXPECTS(grid.qmin <= grid.zero_point && grid.zero_point <= grid.qmax, grid.zero_point);
}

/// Returns the int8 nearest to `x`.
///
///     clamp(round(x))     to [-128, 127]
///
/// round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4), here and below.
/// Whatever lies outside, the infinities too, goes to the nearer end. NaN gives 0.
std::int8_t saturate_to_int8(float x);

/// Writes the code of every x[i].
///
///     q[i] = clamp(round(x[i] / scale) + zero_point)     to [qmin, qmax]
///
/// Arithmetic is float32: one division per element, then rounding, then the zero point: a tie is a
/// tie of x[i] / scale, whatever the zero point. x[i] / scale may be far larger than any int32.
/// NaN gives zero_point, +Inf gives qmax, -Inf gives qmin. Nothing to write for an empty x.
///
/// Requires: expects_grid(grid) passes, and x.size() == q.size().
/// Otherwise throws std::invalid_argument.
void quantize_to_grid(std::span<const float> x, const Grid& grid, std::span<std::int32_t> q);

/// Writes the real number behind every code.
///
///     x_hat[i] = scale * (q[i] - zero_point)
///
/// The difference is taken in int32, where it is exact; then one float32 multiplication.
///
/// Requires: expects_grid(grid) passes, q.size() == x_hat.size(), and every q[i] in [qmin, qmax].
/// Otherwise throws std::invalid_argument.
void dequantize_from_grid(std::span<const std::int32_t> q, const Grid& grid,
                          std::span<float> x_hat);

/// Returns every x[i] moved to the nearest point of the grid: quantize_to_grid, then
/// dequantize_from_grid, in one pass and without an integer.
///
///     x_hat[i] = scale * clamp(round(x[i] / scale))     to [qmin - zero_point, qmax - zero_point]
///
/// The result equals the two steps exactly, but that a zero may have either sign: NaN gives 0, an
/// infinity the nearer end of the grid. It is empty for an empty x.
///
/// Requires: expects_grid(grid) passes. Otherwise throws std::invalid_argument.
std::vector<float> fake_quantize(std::span<const float> x, const Grid& grid);

NIBBLE_EXERCISES(saturate_to_int8, quantize_to_grid, dequantize_from_grid, fake_quantize);

}  // namespace nibble
