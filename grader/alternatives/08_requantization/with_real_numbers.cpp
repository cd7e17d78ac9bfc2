// What is different here: the formulas of the contract as they are written, in a floating-point
// type whose mantissa holds every product, and algorithms instead of loops.
#include <ranges>

#include "requantization.hpp"

namespace nibble {
namespace {

using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64, "a product and its half have 64 bits");

constexpr Real kLast = 0x1p31L - 1;

Real saturate(Real value) { return std::clamp(value, -0x1p31L, kLast); }
Real half_up(Real value) { return std::floor(value + 0.5L); }

Real times(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kSingle)
    return saturate(half_up(std::ldexp(x * multiplier, shift - 31)));
  const Real left = saturate(std::ldexp(x, std::max(shift, 0)));
  return std::round(std::ldexp(half_up(std::ldexp(left * multiplier, -31)), std::min(shift, 0)));
}

template <class... Holds>
void require(Holds... holds) {
  if (!(holds && ...)) throw std::invalid_argument("the contract requires something else");
}

bool is_code(std::int32_t zero_point) { return std::abs(zero_point + 0.5) <= 127.5; }
bool is_scale(float scale) { return std::isnormal(scale) && !std::signbit(scale); }

struct Ends {
  Real low, high;
};

std::vector<std::int8_t> to_codes(const std::vector<std::int32_t>& y, std::int32_t zero_point,
                                  Ends ends) {
  std::vector<std::int8_t> c(y.size());
  std::ranges::transform(y, c.begin(), [=](Real steps) {
    return static_cast<std::int8_t>(std::clamp(steps + zero_point, ends.low, ends.high));
  });
  return c;
}

std::vector<std::int32_t> scaled(std::span<const std::int32_t> acc,
                                 std::span<const std::int32_t> bias,
                                 const QuantizedMultiplier& factors, Rounding rounding) {
  require(bias.empty() || bias.size() == factors.multiplier.size());
  std::vector<std::int32_t> sums(acc.begin(), acc.end());
  if (!bias.empty()) {
    std::ranges::transform(sums, sums.begin(), [&, at = std::size_t{0}](Real sum) mutable {
      return static_cast<std::int32_t>(saturate(sum + bias[at++ % bias.size()]));
    });
  }
  return multiply_by_quantized_multiplier(sums, factors, rounding);
}

}  // namespace

QuantizedMultiplier quantize_multiplier(std::span<const double> factors) {
  QuantizedMultiplier quantized;
  for (const double factor : factors) {
    require(factor >= 0, std::isfinite(factor));
    // The last of the 31 bits is worth 2^(exponent - 30), where 2^exponent <= factor.
    const int exponent = factor > 0 ? std::ilogb(factor) : -100;
    const double rounded = std::ldexp(std::round(std::ldexp(factor, 30 - exponent)), exponent - 30);
    const int shift = rounded > 0 ? std::ilogb(rounded) + 1 : -100;
    require(shift <= 30);
    const bool vanishes = shift < -31;
    quantized.shift.push_back(vanishes ? 0 : shift);
    quantized.multiplier.push_back(
        vanishes ? 0 : static_cast<std::int32_t>(std::ldexp(rounded, 31 - shift)));
  }
  return quantized;
}

std::vector<std::int32_t> multiply_by_quantized_multiplier(std::span<const std::int32_t> x,
                                                           const QuantizedMultiplier& factors,
                                                           Rounding rounding) {
  const auto& [multipliers, shifts] = factors;
  require(multipliers.size() == shifts.size());
  require(std::ranges::all_of(multipliers, [](auto m) { return m == 0 || m >= 0x1p30; }));
  require(std::ranges::all_of(shifts, [](int shift) { return std::abs(shift + 0.5) < 31; }));
  const std::size_t n = multipliers.size();
  require(n == 0 ? x.empty() : x.size() % n == 0);
  std::vector<std::int32_t> y(x.size());
  for (const std::size_t at : std::views::iota(std::size_t{0}, x.size())) {
    y[at] = static_cast<std::int32_t>(times(x[at], multipliers[at % n], shifts[at % n], rounding));
  }
  return y;
}

std::vector<std::int8_t> requantize(std::span<const std::int32_t> acc,
                                    std::span<const std::int32_t> bias,
                                    const QuantizedMultiplier& factors, std::int32_t zero_point,
                                    Rounding rounding) {
  require(is_code(zero_point));
  return to_codes(scaled(acc, bias, factors, rounding), zero_point, {-128, 127});
}

std::vector<std::int8_t> requantize_relu(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors, float c_scale,
                                         std::int32_t zero_point, Activation activation,
                                         Rounding rounding) {
  require(is_code(zero_point), is_scale(c_scale));
  const Real six = zero_point + std::round(Real{6.0f / c_scale});
  const Ends ends{Real(zero_point), activation == Activation::kRelu6 ? std::min(six, 127.0L) : 127};
  return to_codes(scaled(acc, bias, factors, rounding), zero_point, ends);
}

std::vector<std::int8_t> add_quantized(const QuantizedTensor& a, const QuantizedTensor& b,
                                       float c_scale, std::int32_t c_zero_point,
                                       Rounding rounding) {
  require(a.q.size() == b.q.size(), is_scale(a.scale), is_scale(b.scale), is_scale(c_scale),
          is_code(a.zero_point), is_code(b.zero_point), is_code(c_zero_point));
  // a and b become the two columns of one matrix, each column with its own factor.
  std::vector<std::int32_t> terms;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    terms.push_back((a.q[i] - a.zero_point) << 20);
    terms.push_back((b.q[i] - b.zero_point) << 20);
  }
  const double unit = std::max(2.0 * a.scale, 2.0 * b.scale);
  const std::array<double, 2> both{a.scale / unit, b.scale / unit};
  const std::array<double, 1> last{std::ldexp(unit / c_scale, -20)};
  terms = multiply_by_quantized_multiplier(terms, quantize_multiplier(both), rounding);
  std::vector<std::int32_t> sums(a.q.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = terms[2 * i] + terms[2 * i + 1];
  const auto y = multiply_by_quantized_multiplier(sums, quantize_multiplier(last), rounding);
  return to_codes(y, c_zero_point, {-128, 127});
}

std::vector<std::int8_t> average_quantized(std::span<const std::int8_t> x, int channels,
                                           int window) {
  require(channels >= 1, window >= 1);
  const auto n = std::size_t(channels), rows = std::size_t(window);
  require(x.size() % n == 0);
  const std::size_t m = x.size() / n;
  std::vector<Real> sums((m + rows - 1) / rows * n);
  for (std::size_t at = 0; at < x.size(); ++at) sums[at / n / rows * n + at % n] += x[at];
  std::vector<std::int8_t> c(sums.size());
  std::ranges::transform(sums, c.begin(), [&, at = std::size_t{0}](Real sum) mutable {
    const std::size_t first = at++ / n * rows;
    return static_cast<std::int8_t>(std::round(sum / Real(std::min(rows, m - first))));
  });
  return c;
}

}  // namespace nibble
