// Lab 06: quantized matrix multiplication. This header is the contract: read it, implement it,
// leave it be (the grader compiles your quantized_matmul.cpp against its own copy).
//
// Every matrix is row-major:  a [m,k], b [k,n], c [m,n].
//
//                         n                    a[i,p] = a[i * k + p]
//                    +---------+               b[p,j] = b[p * n + j]
//                 k  |  b      |               c[i,j] = c[i * n + j]
//                    |   col j |
//            k       +---------+        Any size may be 0. With m = 0 or n = 0 there is nothing
//       +---------+  +---------+        to compute. With k = 0 every sum is empty, and 0.
//    m  | a row i |  | c[i,j]  |
//       +---------+  +---------+        c is memory of the caller: its content on entry means
//                                       nothing, and every element of it is written.
#pragma once

#include "nibble/lab.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble {

/// Multiplies two matrices of codes as integers.
///
///     c[i,j] = sum over p of (a[i,p] - a_zero_point) * (b[p,j] - b_zero_point)
///
/// A difference reaches from -255 to 255, a product to 65025: neither fits the type of a code.
/// The sum is exact in int32, or refused. Whether it fits is decided by the sizes and zero points
/// alone, so that no data can ever overflow it. int8 codes are at most reach away from zero_point,
///
///     reach(zero_point) = max(127 - zero_point, zero_point + 128)           128 ... 255
///     k * reach(a_zero_point) * reach(b_zero_point) <= 2^31 - 1
///
/// which allows k up to 131071 for zero points of 0, and 33025 where both are -128.
///
/// Requires: m, n, k >= 0; spans of m * k, k * n and m * n elements; zero points in [-128, 127];
/// and the bound above. Otherwise throws std::invalid_argument.
void quantized_matmul(std::span<const std::int8_t> a, std::int32_t a_zero_point,
                      std::span<const std::int8_t> b, std::int32_t b_zero_point, MatmulShape shape,
                      std::span<std::int32_t> c);

/// Turns the product of the raw codes into the one above, after the fact: fast kernels multiply
/// codes as they are, and add what the zero points change per row and per column.
///
///     raw[i,j]       = sum over p of a[i,p] * b[p,j]
///     row_sums[i]    = sum over p of a[i,p]
///     column_sums[j] = sum over p of b[p,j]
///
///     c[i,j] = raw[i,j] - b_zero_point * row_sums[i]
///                       - a_zero_point * column_sums[j] + k * a_zero_point * b_zero_point
///
/// Only the result has to fit in int32: each of the three corrections may be too large for it.
///
/// Requires: m, n, k >= 0; raw and c of m * n, row_sums of m, column_sums of n elements; zero
/// points in [-128, 127]; every c[i,j] within int32. Otherwise throws std::invalid_argument.
void apply_zero_points(std::span<const std::int32_t> raw, std::span<const std::int32_t> row_sums,
                       std::span<const std::int32_t> column_sums, std::int32_t a_zero_point,
                       std::int32_t b_zero_point, MatmulShape shape, std::span<std::int32_t> c);

/// Two matrices of codes, and what the codes stand for. The scale of b may differ per column (an
/// output channel), never per row: rows are summed over, and a sum has one unit.
struct QuantizedOperands {
  std::span<const std::int8_t> a;   ///< codes [m,k], row-major
  std::int32_t a_zero_point;        ///< in [-128, 127]
  float a_scale;                    ///< normal, > 0:  real a = a_scale * (a - a_zero_point)
  std::span<const std::int8_t> b;   ///< codes [k,n], row-major
  std::int32_t b_zero_point;        ///< in [-128, 127]
  std::span<const float> b_scales;  ///< [n], normal, > 0:  real b = b_scale * (b - b_zero_point)
};

/// Multiplies as quantized_matmul does, and gives the real result: scaled once, at the end.
///
///     acc    = what quantized_matmul gives, exact
///     c[i,j] = float(acc[i,j]) * (a_scale * b_scales[j]) + bias[j]      float32, in this order
///
/// An empty bias adds nothing.
///
/// Requires: what quantized_matmul requires; n scales; bias empty or of n elements; a_scale, every
/// b_scales[j] and every product a_scale * b_scales[j] normal and > 0. Otherwise throws
/// std::invalid_argument.
void quantized_matmul_float(const QuantizedOperands& operands, std::span<const float> bias,
                            MatmulShape shape, std::span<float> c);

/// Quantizes a bias to the unit of the integer sums, so that it can be added to them.
///
///     q[j] = clamp(round(bias[j] / (a_scale * b_scales[j])))      to [-2^31, 2^31 - 1]
///
/// Arithmetic is float32: one product and one division per element. round() sends ties to the even
/// neighbour. A bias too large for int32 saturates, infinities too; NaN becomes 0.
///
/// Requires: as many scales as biases; scales and products of scales normal and > 0, as above.
/// Otherwise throws std::invalid_argument.
std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float a_scale,
                                        std::span<const float> b_scales);

/// Multiplies, adds an integer bias, and gives codes again: the input of the next layer.
///
///     acc    = what quantized_matmul gives, exact
///     v      = float(acc[i,j] + bias[j]) * ((a_scale * b_scales[j]) / c_scale)       float32
///     c[i,j] = clamp(round(v) + c_zero_point)                                    to [-128, 127]
///
/// bias comes from quantize_bias; an empty one adds nothing. acc + bias may need more than 32 bits:
/// it is exact before it becomes a float. round() sends ties to the even neighbour, and comes
/// before the zero point: v = 2.5 with c_zero_point = 1 gives 3.
///
/// Requires: what quantized_matmul_float requires; c_scale and (a_scale * b_scales[j]) / c_scale
/// normal and > 0; c_zero_point in [-128, 127]. Otherwise throws std::invalid_argument.
void quantized_matmul_int8(const QuantizedOperands& operands, std::span<const std::int32_t> bias,
                           float c_scale, std::int32_t c_zero_point, MatmulShape shape,
                           std::span<std::int8_t> c);

/// A layer as frameworks deploy it: uint8 codes in and out, int8 weights with a scale per column.
struct LinearLayer {
  float x_scale;                    ///< normal, > 0:  real x = x_scale * (x - x_zero_point)
  std::int32_t x_zero_point;        ///< in [0, 255]
  std::span<const std::int8_t> w;   ///< codes [k,n], row-major, with a zero point of 0
  std::span<const float> w_scales;  ///< [n], normal, > 0:  real w = w_scale * w
  std::span<const float> bias;      ///< [n], in the unit of real y, or empty
  float y_scale;                    ///< normal, > 0:  real y = y_scale * (y - y_zero_point)
  std::int32_t y_zero_point;        ///< in [0, 255]
};

/// Puts activations through a layer, from codes to codes: x [m,k] times w [k,n] is y [m,n].
///
///     acc    = sum over p of (x[i,p] - x_zero_point) * w[p,j]                          exact
///     bias   = what quantize_bias makes of the layer's bias, with x_scale and w_scales
///     v      = float(acc[i,j] + bias[j]) * ((x_scale * w_scales[j]) / y_scale)         float32
///     y[i,j] = clamp(round(v) + y_zero_point)                                          to [0, 255]
///
/// Ties, and a bias that is empty or large, are what they are in quantized_matmul_int8. x and y are
/// unsigned: a code of 200 is 200 here, and would be -56 as an int8.
///
/// Requires: zero points in [0, 255]; k * max(x_zero_point, 255 - x_zero_point) * 128 <= 2^31 - 1;
/// of sizes and scales what quantized_matmul_int8 requires, with x_scale, w_scales and y_scale for
/// a_scale, b_scales and c_scale. Otherwise throws std::invalid_argument.
void quantized_linear(const LinearLayer& layer, std::span<const std::uint8_t> x, MatmulShape shape,
                      std::span<std::uint8_t> y);

NIBBLE_EXERCISES(quantized_matmul, apply_zero_points, quantized_matmul_float, quantize_bias,
                 quantized_matmul_int8, quantized_linear);

}  // namespace nibble
