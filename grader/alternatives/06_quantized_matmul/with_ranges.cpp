// The same lab with algorithms instead of index arithmetic: one row of a at a time, walking along
// whole rows of b (so b is read in the order it lies in memory), zero points applied afterwards in
// arithmetic that wraps, and scales multiplied in double.
#include <ranges>

#include "quantized_matmul.hpp"

namespace nibble {
namespace {

template <class T>
std::span<T> slice(std::span<T> all, std::size_t index, std::size_t length) {
  return all.subspan(index * length, length);
}

bool is_scale(double value) { return value >= FLT_MIN && value <= FLT_MAX; }

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool holds(std::size_t count, std::int64_t rows, std::int64_t columns) {
  return rows >= 0 && columns >= 0 && count == std::size_t(rows) * std::size_t(columns);
}

bool is_code(std::int32_t value) { return value >= -128 && value <= 127; }

/// The combined scale of every column.
std::vector<double> scales_of(float a_scale, std::span<const float> b_scales) {
  require(is_scale(a_scale), "a_scale is no scale");
  require(std::ranges::all_of(b_scales, is_scale), "b_scales holds what is no scale");
  std::vector<double> scales(b_scales.size());
  std::ranges::transform(b_scales, scales.begin(), [=](double b) { return b * a_scale; });
  require(std::ranges::all_of(scales, [](double s) { return is_scale(static_cast<float>(s)); }),
          "a product of scales vanishes or overflows");
  return scales;
}

/// Adds factor * row to the sums. Unsigned: what wraps on the way unwraps at the end.
void add_row(std::span<std::uint32_t> sums, std::uint32_t factor,
             std::span<const std::int8_t> row) {
  std::ranges::transform(sums, row, sums.begin(), [=](std::uint32_t sum, std::int32_t code) {
    return sum + factor * static_cast<std::uint32_t>(code);
  });
}

/// The integer sums in double, where adding a bias cannot overflow.
std::vector<double> wide_sums(const QuantizedOperands& operands, MatmulShape shape,
                              std::size_t count) {
  require(holds(count, shape.m, shape.n), "c does not fit the shape");
  require(operands.b_scales.size() == static_cast<std::size_t>(shape.n), "one scale per column");
  std::vector<std::int32_t> acc(count);
  quantized_matmul(operands.a, operands.a_zero_point, operands.b, operands.b_zero_point, shape,
                   acc);
  return {acc.begin(), acc.end()};
}

}  // namespace

void quantized_matmul(std::span<const std::int8_t> a, std::int32_t a_zero_point,
                      std::span<const std::int8_t> b, std::int32_t b_zero_point, MatmulShape shape,
                      std::span<std::int32_t> c) {
  require(holds(a.size(), shape.m, shape.k), "a does not fit the shape");
  require(holds(b.size(), shape.k, shape.n), "b does not fit the shape");
  require(holds(c.size(), shape.m, shape.n), "c does not fit the shape");
  require(is_code(a_zero_point) && is_code(b_zero_point), "a zero point is no code");
  const auto reach = [](std::int32_t z) { return 128.0 + (z < 0 ? -1 - z : z); };
  require(shape.k * reach(a_zero_point) * reach(b_zero_point) < 0x1p31, "k is too large");

  const auto m = std::size_t(shape.m), n = std::size_t(shape.n), k = std::size_t(shape.k);
  const auto za = static_cast<std::uint32_t>(a_zero_point);
  const auto zb = static_cast<std::uint32_t>(b_zero_point);
  std::vector<std::uint32_t> column_sums(n, 0);
  for (const std::size_t p : std::views::iota(std::size_t{0}, k)) {
    add_row(column_sums, 1, slice(b, p, n));
  }
  for (const std::size_t i : std::views::iota(std::size_t{0}, m)) {
    const auto codes = slice(a, i, k);
    const std::int32_t row_sum = std::accumulate(codes.begin(), codes.end(), 0);
    // b_zero_point and k are the same for the whole row, so a sum starts from there.
    const std::uint32_t start = zb * (static_cast<std::uint32_t>(k) * za - std::uint32_t(row_sum));
    std::vector<std::uint32_t> sums(n, start);
    for (const std::size_t p : std::views::iota(std::size_t{0}, k)) {
      add_row(sums, static_cast<std::uint32_t>(codes[p]), slice(b, p, n));
    }
    std::ranges::transform(sums, column_sums, slice(c, i, n).begin(), [=](auto sum, auto column) {
      return static_cast<std::int32_t>(sum - za * column);
    });
  }
}

void apply_zero_points(std::span<const std::int32_t> raw, std::span<const std::int32_t> row_sums,
                       std::span<const std::int32_t> column_sums, std::int32_t a_zero_point,
                       std::int32_t b_zero_point, MatmulShape shape, std::span<std::int32_t> c) {
  require(holds(raw.size(), shape.m, shape.n) && c.size() == raw.size(), "raw or c does not fit");
  require(holds(row_sums.size(), shape.m, 1), "one sum per row");
  require(holds(column_sums.size(), shape.n, 1), "one sum per column");
  require(is_code(a_zero_point) && is_code(b_zero_point), "a zero point is no code");
  require(shape.k >= 0, "k is negative");
  const std::size_t n = column_sums.size();
  auto row = row_sums.begin();
  for (std::size_t i = 0; i < row_sums.size(); ++i, ++row) {
    // (zb * k - column) * za takes the two terms of a column together; doubles hold them exactly.
    const double by_row = static_cast<double>(b_zero_point) * *row;
    std::vector<double> sums(n);
    std::ranges::transform(
        slice(raw, i, n), column_sums, sums.begin(), [=](double r, double column) {
          return r - by_row + (static_cast<double>(b_zero_point) * shape.k - column) * a_zero_point;
        });
    require(std::ranges::all_of(sums, [](double s) { return s >= -0x1p31 && s < 0x1p31; }),
            "a result does not fit in int32");
    std::ranges::transform(sums, slice(c, i, n).begin(),
                           [](double sum) { return static_cast<std::int32_t>(sum); });
  }
}

void quantized_matmul_float(const QuantizedOperands& operands, std::span<const float> bias,
                            MatmulShape shape, std::span<float> c) {
  const std::vector<double> sums = wide_sums(operands, shape, c.size());
  const std::vector<double> scales = scales_of(operands.a_scale, operands.b_scales);
  require(bias.empty() || bias.size() == scales.size(), "one bias per column, or none");
  auto column = std::size_t{0};
  std::ranges::transform(sums, c.begin(), [&](double sum) {
    const std::size_t j = std::exchange(column, (column + 1) % scales.size());
    const float real = static_cast<float>(sum) * static_cast<float>(scales[j]);
    return real + (bias.empty() ? 0.0f : bias[j]);
  });
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float a_scale,
                                        std::span<const float> b_scales) {
  require(bias.size() == b_scales.size(), "one scale per bias");
  const std::vector<double> scales = scales_of(a_scale, b_scales);
  std::vector<std::int32_t> q(bias.size());
  std::ranges::transform(bias, scales, q.begin(), [](double real, double scale) {
    const double steps = std::nearbyint(real / scale);
    if (steps >= 0x1p31) return std::numeric_limits<std::int32_t>::max();
    if (steps <= -0x1p31) return std::numeric_limits<std::int32_t>::min();
    return std::isnan(steps) ? 0 : static_cast<std::int32_t>(steps);
  });
  return q;
}

void quantized_matmul_int8(const QuantizedOperands& operands, std::span<const std::int32_t> bias,
                           float c_scale, std::int32_t c_zero_point, MatmulShape shape,
                           std::span<std::int8_t> c) {
  const std::vector<double> sums = wide_sums(operands, shape, c.size());
  std::vector<double> multipliers = scales_of(operands.a_scale, operands.b_scales);
  require(is_scale(c_scale) && is_code(c_zero_point), "c_scale or c_zero_point");
  require(bias.empty() || bias.size() == multipliers.size(), "one bias per column, or none");
  for (double& multiplier : multipliers) {
    multiplier /= c_scale;
    require(is_scale(multiplier), "a multiplier vanishes or overflows");
  }
  auto column = std::size_t{0};
  std::ranges::transform(sums, c.begin(), [&](double sum) {
    const std::size_t j = std::exchange(column, (column + 1) % multipliers.size());
    const double v = (sum + (bias.empty() ? 0 : bias[j])) * multipliers[j];
    return static_cast<std::int8_t>(std::clamp(std::nearbyint(v) + c_zero_point, -128.0, 127.0));
  });
}

// The top bit of a byte turned around: an int8 code of a uint8 code, and back.
void quantized_linear(const LinearLayer& layer, std::span<const std::uint8_t> x, MatmulShape shape,
                      std::span<std::uint8_t> y) {
  const auto is_byte = [](std::int32_t value) { return value >= 0 && value <= 255; };
  require(is_byte(layer.x_zero_point) && is_byte(layer.y_zero_point), "a zero point is no byte");
  std::vector<std::int8_t> a(x.size()), c(y.size());
  std::ranges::transform(x, a.begin(), [](int q) { return static_cast<std::int8_t>(q ^ 0x80); });
  const std::vector<float> none(layer.w_scales.size());
  const auto bias = quantize_bias(layer.bias.empty() ? std::span<const float>(none) : layer.bias,
                                  layer.x_scale, layer.w_scales);
  quantized_matmul_int8({a, layer.x_zero_point - 128, layer.x_scale, layer.w, 0, layer.w_scales},
                        bias, layer.y_scale, layer.y_zero_point - 128, shape, c);
  std::ranges::transform(c, y.begin(), [](int q) { return static_cast<std::uint8_t>(q ^ 0x80); });
}

}  // namespace nibble
