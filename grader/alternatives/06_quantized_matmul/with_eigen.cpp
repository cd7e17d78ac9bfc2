// The same lab with Eigen: whole matrices instead of loops, sums in int32 matrix products, and
// row-wise and column-wise broadcasts for everything that belongs to a row or a column.
#include <Eigen/Dense>

#include "quantized_matmul.hpp"

namespace nibble {
namespace {

template <class T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Row = Eigen::Array<T, 1, Eigen::Dynamic>;

template <class T>
Eigen::Map<const Matrix<T>> matrix(std::span<const T> values, int rows, int columns) {
  const bool fits = rows >= 0 && columns >= 0 &&
                    values.size() == static_cast<std::size_t>(rows) * std::size_t(columns);
  NIBBLE_EXPECTS(fits, values.size());
  return {values.data(), rows, columns};
}

template <class T>
Eigen::Map<Matrix<T>> result(std::span<T> values, int rows, int columns) {
  matrix(std::span<const T>(values), rows, columns);
  return {values.data(), rows, columns};
}

void expects_code(std::int32_t zero_point) {
  NIBBLE_EXPECTS(std::clamp(zero_point, -128, 127) == zero_point, zero_point);
}

std::int64_t furthest(std::int32_t zero_point) {
  expects_code(zero_point);
  return std::max(std::abs(-128 - zero_point), std::abs(127 - zero_point));
}

void expects_usable(const Row<float>& scales) {
  for (const float scale : scales) NIBBLE_EXPECTS(scale >= FLT_MIN && scale <= FLT_MAX, scale);
}

/// a_scale * b_scales, when all of them are scales.
Row<float> combined(float a_scale, std::span<const float> b_scales, int n) {
  const Row<float> row = matrix(b_scales, 1, n);
  expects_usable(Row<float>::Constant(1, a_scale));
  expects_usable(row);
  expects_usable(a_scale * row);
  return a_scale * row;
}

template <class T>
Row<T> bias_row(std::span<const T> bias, int n) {
  if (bias.empty()) return Row<T>::Zero(n);
  return matrix(bias, 1, n);
}

Matrix<std::int32_t> accumulate(const QuantizedOperands& operands, MatmulShape shape) {
  matrix(operands.a, shape.m, shape.k);
  matrix(operands.b, shape.k, shape.n);
  std::vector<std::int32_t> acc(std::size_t(shape.m) * std::size_t(shape.n));
  quantized_matmul(operands.a, operands.a_zero_point, operands.b, operands.b_zero_point, shape,
                   acc);
  return matrix(std::span<const std::int32_t>(acc), shape.m, shape.n);
}

}  // namespace

void quantized_matmul(std::span<const std::int8_t> a, std::int32_t a_zero_point,
                      std::span<const std::int8_t> b, std::int32_t b_zero_point, MatmulShape shape,
                      std::span<std::int32_t> c) {
  const auto codes_a = matrix(a, shape.m, shape.k);
  const auto codes_b = matrix(b, shape.k, shape.n);
  auto sums = result(c, shape.m, shape.n);
  const std::int64_t largest = furthest(a_zero_point) * furthest(b_zero_point);
  NIBBLE_EXPECTS(shape.k <= std::numeric_limits<std::int32_t>::max() / largest, shape.k);
  const Matrix<std::int32_t> x = codes_a.cast<std::int32_t>() - a_zero_point;
  const Matrix<std::int32_t> y = codes_b.cast<std::int32_t>() - b_zero_point;
  sums = (x.matrix() * y.matrix()).array();
}

void apply_zero_points(std::span<const std::int32_t> raw, std::span<const std::int32_t> row_sums,
                       std::span<const std::int32_t> column_sums, std::int32_t a_zero_point,
                       std::int32_t b_zero_point, MatmulShape shape, std::span<std::int32_t> c) {
  auto corrected = result(c, shape.m, shape.n);
  NIBBLE_EXPECTS(shape.k >= 0, shape.k);
  expects_code(a_zero_point);
  expects_code(b_zero_point);
  const std::int64_t za = a_zero_point, zb = b_zero_point;
  Matrix<std::int64_t> wide =
      matrix(raw, shape.m, shape.n).cast<std::int64_t>() + shape.k * za * zb;
  wide.colwise() -= (zb * matrix(row_sums, shape.m, 1).cast<std::int64_t>()).col(0);
  wide.rowwise() -= (za * matrix(column_sums, 1, shape.n).cast<std::int64_t>()).row(0);
  corrected = wide.cast<std::int32_t>();
  NIBBLE_EXPECTS((corrected.cast<std::int64_t>() == wide).all(), wide.size());
}

void quantized_matmul_float(const QuantizedOperands& operands, std::span<const float> bias,
                            MatmulShape shape, std::span<float> c) {
  auto real = result(c, shape.m, shape.n);
  const Row<float> scales = combined(operands.a_scale, operands.b_scales, shape.n);
  const Row<float> offsets = bias_row(bias, shape.n);
  real = accumulate(operands, shape).cast<float>();
  real.rowwise() *= scales;
  real.rowwise() += offsets;
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float a_scale,
                                        std::span<const float> b_scales) {
  const int n = static_cast<int>(b_scales.size());
  const Row<float> steps = (matrix(bias, 1, n) / combined(a_scale, b_scales, n)).rint();
  const Row<double> rails = steps.isNaN().select(Row<float>::Zero(n), steps).cast<double>();
  std::vector<std::int32_t> q(bias.size());
  result(std::span<std::int32_t>(q), 1, n) =
      rails.max(-2147483648.0).min(2147483647.0).cast<std::int32_t>();
  return q;
}

void quantized_matmul_int8(const QuantizedOperands& operands, std::span<const std::int32_t> bias,
                           float c_scale, std::int32_t c_zero_point, MatmulShape shape,
                           std::span<std::int8_t> c) {
  auto codes = result(c, shape.m, shape.n);
  expects_usable(Row<float>::Constant(1, c_scale));
  expects_code(c_zero_point);
  const Row<float> multiplier = combined(operands.a_scale, operands.b_scales, shape.n) / c_scale;
  expects_usable(multiplier);
  Matrix<std::int64_t> sums = accumulate(operands, shape).cast<std::int64_t>();
  sums.rowwise() += bias_row(bias, shape.n).cast<std::int64_t>();
  Matrix<float> v = sums.cast<float>();
  v.rowwise() *= multiplier;
  const auto zero_point = static_cast<float>(c_zero_point);
  codes = (v.rint() + zero_point).max(-128.0f).min(127.0f).cast<std::int8_t>();
}

void quantized_linear(const LinearLayer& layer, std::span<const std::uint8_t> x, MatmulShape shape,
                      std::span<std::uint8_t> y) {
  auto codes = result(y, shape.m, shape.n);
  const std::int32_t zero_point = layer.x_zero_point;
  NIBBLE_EXPECTS(std::clamp(zero_point, 0, 255) == zero_point, zero_point);
  NIBBLE_EXPECTS(std::clamp(layer.y_zero_point, 0, 255) == layer.y_zero_point, layer.y_zero_point);
  NIBBLE_EXPECTS(shape.k <= 16777215 / std::max(zero_point, 255 - zero_point), shape.k);
  expects_usable(Row<float>::Constant(1, layer.y_scale));
  const Row<float> multiplier = combined(layer.x_scale, layer.w_scales, shape.n) / layer.y_scale;
  expects_usable(multiplier);
  const Matrix<std::int32_t> distances =
      matrix(x, shape.m, shape.k).cast<std::int32_t>() - zero_point;
  const Matrix<std::int32_t> w = matrix(layer.w, shape.k, shape.n).cast<std::int32_t>();
  const Matrix<std::int32_t> acc = (distances.matrix() * w.matrix()).array();
  Matrix<std::int64_t> sums = acc.cast<std::int64_t>();
  std::vector<std::int32_t> bias;
  if (!layer.bias.empty()) bias = quantize_bias(layer.bias, layer.x_scale, layer.w_scales);
  sums.rowwise() += bias_row(std::span<const std::int32_t>(bias), shape.n).cast<std::int64_t>();
  Matrix<float> v = sums.cast<float>();
  v.rowwise() *= multiplier;
  const auto real_zero = static_cast<float>(layer.y_zero_point);
  codes = (v.rint() + real_zero).max(0.0f).min(255.0f).cast<std::uint8_t>();
}

}  // namespace nibble
