// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 06. Written to be read: three loops, and a word on each trap.
// NIBBLE-STUB: // Lab 06. The contract is in quantized_matmul.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 06        (or leave ./nibble watch open)
// NIBBLE-END
#include "quantized_matmul.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr std::int64_t kInt32Min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();

std::size_t product(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

void expects_sizes(MatmulShape shape, std::size_t c_count) {
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  NIBBLE_EXPECTS(shape.k >= 0, shape.k);
  NIBBLE_EXPECTS(c_count == product(shape.m, shape.n), c_count);
}

void expects_zero_point(std::int32_t zero_point) {
  NIBBLE_EXPECTS(-128 <= zero_point && zero_point <= 127, zero_point);
}

void expects_scale(float scale) { NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale); }

constexpr std::int32_t kHalf = 128;  // from the range of int8 up to that of uint8

void expects_byte(std::int32_t zero_point) {
  NIBBLE_EXPECTS(0 <= zero_point && zero_point <= 255, zero_point);
}

/// The largest |q - zero_point| of any int8 code q.
std::int64_t reach(std::int32_t zero_point) { return std::max(127 - zero_point, zero_point + 128); }

void expects_scales(float a_scale, std::span<const float> column_scales) {
  expects_scale(a_scale);
  for (const float b_scale : column_scales) {
    expects_scale(b_scale);
    expects_scale(a_scale * b_scale);  // two small scales may vanish, two large ones overflow
  }
}

}  // namespace
// NIBBLE-END

void quantized_matmul(std::span<const std::int8_t> a, std::int32_t a_zero_point,
                      std::span<const std::int8_t> b, std::int32_t b_zero_point, MatmulShape shape,
                      std::span<std::int32_t> c) {
  // NIBBLE-BEGIN-SOLUTION
  expects_sizes(shape, c.size());
  NIBBLE_EXPECTS(a.size() == product(shape.m, shape.k), a.size());
  NIBBLE_EXPECTS(b.size() == product(shape.k, shape.n), b.size());
  expects_zero_point(a_zero_point);
  expects_zero_point(b_zero_point);
  // In 64 bits, for the bound itself may overflow. Decided before any code is looked at.
  NIBBLE_EXPECTS(shape.k * reach(a_zero_point) * reach(b_zero_point) <= kInt32Max, shape.k);

  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int32_t acc = 0;  // not c[i,j]: the caller's memory holds anything
      for (std::size_t p = 0; p < k; ++p) {
        // int8 minus int32 is an int32: the difference may be as large as 255.
        const std::int32_t x = a[i * k + p] - a_zero_point;
        const std::int32_t y = b[p * n + j] - b_zero_point;
        acc += x * y;
      }
      c[i * n + j] = acc;
    }
  }
  // NIBBLE-STUB: // 1. Refuse what the contract refuses: sizes, zero points, then the bound on k.
  // NIBBLE-STUB: // 2. Which type holds a difference, which a sum?  3. Start every sum afresh.
  // NIBBLE-STUB: NIBBLE_TODO("multiply codes as integers");
  // NIBBLE-END
}

void apply_zero_points(std::span<const std::int32_t> raw, std::span<const std::int32_t> row_sums,
                       std::span<const std::int32_t> column_sums, std::int32_t a_zero_point,
                       std::int32_t b_zero_point, MatmulShape shape, std::span<std::int32_t> c) {
  // NIBBLE-BEGIN-SOLUTION
  expects_sizes(shape, c.size());
  NIBBLE_EXPECTS(raw.size() == c.size(), raw.size());
  NIBBLE_EXPECTS(row_sums.size() == product(shape.m, 1), row_sums.size());
  NIBBLE_EXPECTS(column_sums.size() == product(shape.n, 1), column_sums.size());
  expects_zero_point(a_zero_point);
  expects_zero_point(b_zero_point);

  const std::size_t m = shape.m, n = shape.n;
  // Widened before the products: widening their results would come too late.
  const std::int64_t za = a_zero_point, zb = b_zero_point, k = shape.k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t sum =
          raw[i * n + j] - zb * row_sums[i] - za * column_sums[j] + k * za * zb;
      NIBBLE_EXPECTS(kInt32Min <= sum && sum <= kInt32Max, sum);
      c[i * n + j] = static_cast<std::int32_t>(sum);
    }
  }
  // NIBBLE-STUB: // Multiply (a - za) * (b - zb) out on paper first: which sum goes with which zero point?
  // NIBBLE-STUB: NIBBLE_TODO("correct the raw product");
  // NIBBLE-END
}

void quantized_matmul_float(const QuantizedOperands& operands, std::span<const float> bias,
                            MatmulShape shape, std::span<float> c) {
  // NIBBLE-BEGIN-SOLUTION
  const auto& [a, a_zero_point, a_scale, b, b_zero_point, b_scales] = operands;
  expects_sizes(shape, c.size());
  NIBBLE_EXPECTS(b_scales.size() == product(shape.n, 1), b_scales.size());
  NIBBLE_EXPECTS(bias.empty() || bias.size() == b_scales.size(), bias.size());
  expects_scales(a_scale, b_scales);

  std::vector<std::int32_t> acc(c.size());
  quantized_matmul(a, a_zero_point, b, b_zero_point, shape, acc);
  for (std::size_t at = 0; at < acc.size(); ++at) {
    const std::size_t j = at % b_scales.size();  // the column: a channel of the output
    c[at] = static_cast<float>(acc[at]) * (a_scale * b_scales[j]);
    if (!bias.empty()) c[at] += bias[j];
  }
  // NIBBLE-STUB: // 1. Refuse.  2. The exact integer sums: you have a function for them.
  // NIBBLE-STUB: // 3. One multiplication by the combined scale of its column.  4. The bias, if any.
  // NIBBLE-STUB: NIBBLE_TODO("scale the integer sums");
  // NIBBLE-END
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float a_scale,
                                        std::span<const float> b_scales) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(bias.size() == b_scales.size(), bias.size());
  expects_scales(a_scale, b_scales);
  std::vector<std::int32_t> q(bias.size());
  for (std::size_t j = 0; j < q.size(); ++j) {
    const float steps = std::nearbyint(bias[j] / (a_scale * b_scales[j]));
    if (std::isnan(steps)) continue;  // real 0, and clamp() would hand the NaN on
    // In double: float(2^31 - 1) is 2^31, which no int32 holds.
    q[j] = static_cast<std::int32_t>(std::clamp<double>(steps, kInt32Min, kInt32Max));
  }
  return q;
  // NIBBLE-STUB: // Which real value does a sum of 1 stand for? How many of those is bias[j]?
  // NIBBLE-STUB: // Mind what does not fit in int32, and what is no number.
  // NIBBLE-STUB: NIBBLE_TODO("express the bias in the unit of the sums");
  // NIBBLE-END
}

void quantized_matmul_int8(const QuantizedOperands& operands, std::span<const std::int32_t> bias,
                           float c_scale, std::int32_t c_zero_point, MatmulShape shape,
                           std::span<std::int8_t> c) {
  // NIBBLE-BEGIN-SOLUTION
  const auto& [a, a_zero_point, a_scale, b, b_zero_point, b_scales] = operands;
  expects_sizes(shape, c.size());
  NIBBLE_EXPECTS(b_scales.size() == product(shape.n, 1), b_scales.size());
  NIBBLE_EXPECTS(bias.empty() || bias.size() == b_scales.size(), bias.size());
  expects_scales(a_scale, b_scales);
  expects_scale(c_scale);
  expects_zero_point(c_zero_point);
  for (const float b_scale : b_scales) expects_scale(a_scale * b_scale / c_scale);

  std::vector<std::int32_t> acc(c.size());
  quantized_matmul(a, a_zero_point, b, b_zero_point, shape, acc);
  for (std::size_t at = 0; at < acc.size(); ++at) {
    const std::size_t j = at % b_scales.size();
    std::int64_t sum = acc[at];  // both terms may be near the end of int32
    if (!bias.empty()) sum += bias[j];
    const float v = static_cast<float>(sum) * (a_scale * b_scales[j] / c_scale);
    // Round, then add the zero point: the other way round moves ties. Clamp while still a float.
    const float code = std::nearbyint(v) + static_cast<float>(c_zero_point);
    c[at] = static_cast<std::int8_t>(std::clamp(code, -128.0f, 127.0f));
  }
  // NIBBLE-STUB: // 1. Refuse.  2. The integer sums.  3. The bias joins them while they are integers.
  // NIBBLE-STUB: // 4. Rescale, round, add the zero point, clamp: which order does the contract say?
  // NIBBLE-STUB: NIBBLE_TODO("requantize the integer sums");
  // NIBBLE-END
}

void quantized_linear(const LinearLayer& layer, std::span<const std::uint8_t> x, MatmulShape shape,
                      std::span<std::uint8_t> y) {
  // NIBBLE-BEGIN-SOLUTION
  expects_byte(layer.x_zero_point);
  expects_byte(layer.y_zero_point);
  // A code and its zero point, both moved down by 128, are an int8 and its zero point; their
  // difference, and so all that follows, stays what it was.
  std::vector<std::int8_t> a(x.size());
  for (std::size_t at = 0; at < a.size(); ++at) a[at] = static_cast<std::int8_t>(x[at] - kHalf);
  const QuantizedOperands operands{
      a, layer.x_zero_point - kHalf, layer.x_scale, layer.w, 0, layer.w_scales};

  std::vector<std::int32_t> bias;
  if (!layer.bias.empty()) bias = quantize_bias(layer.bias, layer.x_scale, layer.w_scales);
  std::vector<std::int8_t> c(y.size());
  quantized_matmul_int8(operands, bias, layer.y_scale, layer.y_zero_point - kHalf, shape, c);
  for (std::size_t at = 0; at < c.size(); ++at) y[at] = static_cast<std::uint8_t>(c[at] + kHalf);
  // NIBBLE-STUB: // All of it is written already, for int8. Which int8 codes have the same distances to
  // NIBBLE-STUB: // their zero point as these? And in which unit is the bias?
  // NIBBLE-STUB: NIBBLE_TODO("from uint8 codes to uint8 codes");
  // NIBBLE-END
}

}  // namespace nibble
