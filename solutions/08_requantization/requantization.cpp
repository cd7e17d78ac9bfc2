// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 08. Written to be read: every shift has its half, and 64 bits hold all
// that 32 do not.
// NIBBLE-STUB: // Lab 08. The contract is in requantization.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 08        (or leave ./nibble watch open)
// NIBBLE-END
#include "requantization.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

std::int32_t saturate(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

/// floor(value / 2^bits + 1/2): a half goes up, below zero, too.
std::int64_t shift_half_up(std::int64_t value, int bits) {
  if (bits == 0) return value;  // nothing is dropped: there is no half to add
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return (value + half) >> bits;
}

/// value / 2^bits, rounded to nearest: a half goes away from 0.
std::int64_t shift_half_away(std::int64_t value, int bits) {
  return value < 0 ? -shift_half_up(-value, bits) : shift_half_up(value, bits);
}

/// One product. |x * multiplier| is at most 2^62, so that 64 bits hold it and its half.
std::int32_t times(std::int32_t x, std::int64_t multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kSingle) return saturate(shift_half_up(x * multiplier, 31 - shift));
  const std::int64_t left = saturate(std::int64_t{x} << std::max(shift, 0));
  const std::int64_t high = shift_half_up(left * multiplier, 31);
  return saturate(shift_half_away(high, std::max(-shift, 0)));
}

void expects_factors(const QuantizedMultiplier& factors, std::size_t count) {
  const auto& [multipliers, shifts] = factors;
  NIBBLE_EXPECTS(shifts.size() == multipliers.size(), shifts.size());
  for (const std::int32_t m : multipliers) NIBBLE_EXPECTS(m == 0 || m >= 1 << 30, m);
  for (const std::int32_t shift : shifts) NIBBLE_EXPECTS(-31 <= shift && shift <= 30, shift);
  const std::size_t n = multipliers.size();
  NIBBLE_EXPECTS(n == 0 ? count == 0 : count % n == 0, count);
}

void expects_zero_point(std::int32_t zero_point) {
  NIBBLE_EXPECTS(-128 <= zero_point && zero_point <= 127, zero_point);
}

void expects_scale(float scale) { NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale); }

/// How much finer than a step the unit of a sum of two tensors is: 2^20 times.
constexpr int kSpareBits = 20;

/// Requantizes into [low, high].
std::vector<std::int8_t> requantize_into(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors,
                                         std::int64_t zero_point, std::int64_t low,
                                         std::int64_t high, Rounding rounding) {
  std::vector<std::int32_t> sums(acc.begin(), acc.end());
  for (std::size_t at = 0; at < sums.size() && !bias.empty(); ++at) {
    sums[at] = saturate(std::int64_t{acc[at]} + bias[at % bias.size()]);
  }
  const auto y = multiply_by_quantized_multiplier(sums, factors, rounding);
  std::vector<std::int8_t> c(y.size());
  for (std::size_t at = 0; at < c.size(); ++at) {
    c[at] = static_cast<std::int8_t>(std::clamp(y[at] + zero_point, low, high));
  }
  return c;
}

}  // namespace
// NIBBLE-END

QuantizedMultiplier quantize_multiplier(std::span<const double> factors) {
  // NIBBLE-BEGIN-SOLUTION
  QuantizedMultiplier quantized;
  for (const double factor : factors) {
    NIBBLE_EXPECTS(factor >= 0.0 && std::isfinite(factor), factor);
    int shift = 0;
    const double mantissa = std::frexp(factor, &shift);  // in [1/2, 1), or 0 for 0
    auto multiplier = static_cast<std::int64_t>(std::round(mantissa * 0x1p31));
    if (multiplier == std::int64_t{1} << 31) {  // a mantissa of nearly 1
      multiplier /= 2;
      ++shift;
    }
    if (shift < -31) multiplier = shift = 0;
    NIBBLE_EXPECTS(shift <= 30, shift);
    quantized.multiplier.push_back(static_cast<std::int32_t>(multiplier));
    quantized.shift.push_back(shift);
  }
  return quantized;
  // NIBBLE-STUB: // 1. Refuse.  2. Which standard function takes a number apart like this?
  // NIBBLE-STUB: // 3. Mind the mantissa that is rounded to 1, and the factor that is next to nothing.
  // NIBBLE-STUB: NIBBLE_TODO("write real factors as integers");
  // NIBBLE-END
}

std::vector<std::int32_t> multiply_by_quantized_multiplier(std::span<const std::int32_t> x,
                                                           const QuantizedMultiplier& factors,
                                                           Rounding rounding) {
  // NIBBLE-BEGIN-SOLUTION
  expects_factors(factors, x.size());
  const auto& [multipliers, shifts] = factors;
  std::vector<std::int32_t> y(x.size());
  for (std::size_t at = 0; at < y.size(); ++at) {
    const std::size_t j = at % multipliers.size();  // the column: a channel
    y[at] = times(x[at], multipliers[j], shifts[j], rounding);
  }
  return y;
  // NIBBLE-STUB: // 1. Refuse.  2. Write one product first, in a function of its own: how many bits has it,
  // NIBBLE-STUB: //    and which half is added before which shift?  3. Then all of them.
  // NIBBLE-STUB: NIBBLE_TODO("multiply by factors that are integers");
  // NIBBLE-END
}

std::vector<std::int8_t> requantize(std::span<const std::int32_t> acc,
                                    std::span<const std::int32_t> bias,
                                    const QuantizedMultiplier& factors, std::int32_t zero_point,
                                    Rounding rounding) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(bias.empty() || bias.size() == factors.multiplier.size(), bias.size());
  expects_zero_point(zero_point);
  return requantize_into(acc, bias, factors, zero_point, -128, 127, rounding);
  // NIBBLE-STUB: // Bias, factor, zero point, clamp: in which unit is each, and which type holds the sum?
  // NIBBLE-STUB: NIBBLE_TODO("make codes of the sums of a layer");
  // NIBBLE-END
}

std::vector<std::int8_t> requantize_relu(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors, float c_scale,
                                         std::int32_t zero_point, Activation activation,
                                         Rounding rounding) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(bias.empty() || bias.size() == factors.multiplier.size(), bias.size());
  expects_zero_point(zero_point);
  expects_scale(c_scale);
  float six = 127.0f;
  // Compared as float: a tiny scale makes it larger than any integer.
  if (activation == Activation::kRelu6) {
    six = std::min(static_cast<float>(zero_point) + std::round(6.0f / c_scale), six);
  }
  return requantize_into(acc, bias, factors, zero_point, zero_point, static_cast<std::int64_t>(six),
                         rounding);
  // NIBBLE-STUB: // Which code stands for real 0, and which for 6? What is left is requantize.
  // NIBBLE-STUB: NIBBLE_TODO("requantize, and clamp to the activation");
  // NIBBLE-END
}

std::vector<std::int8_t> add_quantized(const QuantizedTensor& a, const QuantizedTensor& b,
                                       float c_scale, std::int32_t c_zero_point,
                                       Rounding rounding) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(a.q.size() == b.q.size(), b.q.size());
  for (const float scale : {a.scale, b.scale, c_scale}) expects_scale(scale);
  for (const auto zero_point : {a.zero_point, b.zero_point}) expects_zero_point(zero_point);

  const double unit = 2.0 * std::max(a.scale, b.scale);
  const auto in_units = [&](const QuantizedTensor& tensor) {
    std::vector<std::int32_t> steps(tensor.q.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i] = (tensor.q[i] - tensor.zero_point) * (1 << kSpareBits);
    }
    const double factor = tensor.scale / unit;
    return multiply_by_quantized_multiplier(steps, quantize_multiplier({&factor, 1}), rounding);
  };
  std::vector<std::int32_t> sum = in_units(a);
  const std::vector<std::int32_t> other = in_units(b);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
  const double factor = unit / std::ldexp(double{c_scale}, kSpareBits);
  return requantize(sum, {}, quantize_multiplier({&factor, 1}), c_zero_point, rounding);
  // NIBBLE-STUB: // 1. Refuse.  2. a, then b, in steps of one unit, with 20 bits to spare.
  // NIBBLE-STUB: // 3. What is left to do with their sum is an exercise you have done.
  // NIBBLE-STUB: NIBBLE_TODO("add two tensors with different scales");
  // NIBBLE-END
}

std::vector<std::int8_t> average_quantized(std::span<const std::int8_t> x, int channels,
                                           int window) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(channels >= 1, channels);
  NIBBLE_EXPECTS(window >= 1, window);
  const auto n = static_cast<std::size_t>(channels), rows = static_cast<std::size_t>(window);
  NIBBLE_EXPECTS(x.size() % n == 0, x.size());
  const std::size_t m = x.size() / n;
  std::vector<std::int8_t> c;
  for (std::size_t first = 0; first < m; first += rows) {
    // Signed, like the sum: a negative number divided by a std::size_t is no longer negative.
    const auto count = static_cast<std::int64_t>(std::min(rows, m - first));
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::int64_t p = 0; p < count; ++p) sum += x[(first + std::size_t(p)) * n + j];
      const std::int64_t half = sum < 0 ? -(count / 2) : count / 2;  // a division drops towards 0
      c.push_back(static_cast<std::int8_t>((sum + half) / count));
    }
  }
  return c;
  // NIBBLE-STUB: // 1. Refuse.  2. For each window and channel: the sum, and how many were summed.
  // NIBBLE-STUB: // 3. Which way does a division of integers drop its rest, above 0 and below?
  // NIBBLE-STUB: NIBBLE_TODO("average codes over windows of rows");
  // NIBBLE-END
}

}  // namespace nibble
