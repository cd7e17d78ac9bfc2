// What is different here: the arithmetic of a machine without 64-bit registers to spare. Products
// are made of halves of 16 bits, a shift looks at what it drops, and a double is taken apart by its
// bits. Rows are walked one by one.
#include "requantization.hpp"

namespace nibble {
namespace {

/// An integer of 64 bits as two words.
struct Wide {
  std::int32_t high;
  std::uint32_t low;
};

Wide product(std::int32_t x, std::int32_t y) {
  const std::uint32_t x_low = static_cast<std::uint32_t>(x) & 0xFFFF;
  const std::uint32_t y_low = static_cast<std::uint32_t>(y) & 0xFFFF;
  const std::int32_t x_high = x >> 16, y_high = y >> 16;
  const std::uint32_t lows = x_low * y_low;
  // Each of these is below 2^31 in magnitude, and is added in two parts.
  const std::int32_t cross = x_high * static_cast<std::int32_t>(y_low);
  const std::int32_t other = y_high * static_cast<std::int32_t>(x_low);
  const std::uint32_t middle = (lows >> 16) + (static_cast<std::uint32_t>(cross) & 0xFFFF) +
                               (static_cast<std::uint32_t>(other) & 0xFFFF);
  return {x_high * y_high + (cross >> 16) + (other >> 16) + static_cast<std::int32_t>(middle >> 16),
          middle << 16 | (lows & 0xFFFF)};
}

bool bit_of(Wide value, int at) {
  return at < 32 ? (value.low >> at & 1) != 0 : (value.high >> (at - 32) & 1) != 0;
}

/// Drops so many bits, at least one: a half goes up, and what does not fit is cut to the end.
std::int32_t drop_half_up(Wide value, int bits) {
  const std::int32_t half = bit_of(value, bits - 1) ? 1 : 0;  // the highest bit of the dropped
  if (bits >= 32) return (value.high >> (bits - 32)) + half;
  const std::int32_t sign = value.high >> 31;
  if (value.high >> (bits - 1) != sign) return sign < 0 ? INT32_MIN : INT32_MAX;
  const std::uint32_t kept =
      static_cast<std::uint32_t>(value.high) << (32 - bits) | value.low >> bits;
  return static_cast<std::int32_t>(kept) == INT32_MAX ? INT32_MAX
                                                      : static_cast<std::int32_t>(kept) + half;
}

std::int32_t once(std::int32_t x, std::int32_t multiplier, int shift) {
  return drop_half_up(product(x, multiplier), 31 - shift);
}

std::int32_t doubled(std::int32_t x, int times) {
  for (; times > 0; --times) {
    if (x > INT32_MAX / 2) return INT32_MAX;
    if (x < INT32_MIN / 2) return INT32_MIN;
    x *= 2;
  }
  return x;
}

std::int32_t halved(std::int32_t x, int times) {
  if (times == 0) return x;
  const std::uint32_t mask = (std::uint32_t{1} << times) - 1;
  const std::uint32_t rest = static_cast<std::uint32_t>(x) & mask, half = mask / 2 + 1;
  const bool up = x < 0 ? rest > half : rest >= half;
  return (x >> times) + (up ? 1 : 0);
}

std::int32_t twice(std::int32_t x, std::int32_t multiplier, int shift) {
  const std::int32_t left = doubled(x, std::max(shift, 0));
  return halved(drop_half_up(product(left, multiplier), 31), std::max(-shift, 0));
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool is_code(std::int32_t value) { return value == static_cast<std::int8_t>(value); }
bool is_scale(float scale) { return scale >= FLT_MIN && scale <= FLT_MAX; }

std::int32_t saturating_sum(std::int32_t x, std::int32_t y) {
  if (y > 0 && x > INT32_MAX - y) return INT32_MAX;
  if (y < 0 && x < INT32_MIN - y) return INT32_MIN;
  return x + y;
}

/// The code that is `steps` away from the zero point, within [low, high].
std::int8_t code(std::int32_t steps, std::int32_t zero_point, std::int32_t low, std::int32_t high) {
  return static_cast<std::int8_t>(
      std::clamp(std::clamp(steps, -1000, 1000) + zero_point, low, high));
}

std::vector<std::int8_t> codes_within(std::span<const std::int32_t> acc,
                                      std::span<const std::int32_t> bias,
                                      const QuantizedMultiplier& factors, std::int32_t zero_point,
                                      std::int32_t low, std::int32_t high, Rounding rounding) {
  require(bias.empty() || bias.size() == factors.multiplier.size(), "one bias a channel, or none");
  require(is_code(zero_point), "zero_point is no code");
  std::vector<std::int32_t> sums;
  for (const std::int32_t sum : acc) {
    sums.push_back(bias.empty() ? sum : saturating_sum(sum, bias[sums.size() % bias.size()]));
  }
  std::vector<std::int8_t> codes;
  for (const auto y : multiply_by_quantized_multiplier(sums, factors, rounding)) {
    codes.push_back(code(y, zero_point, low, high));
  }
  return codes;
}

}  // namespace

QuantizedMultiplier quantize_multiplier(std::span<const double> factors) {
  QuantizedMultiplier all;
  for (const double factor : factors) {
    require(factor >= 0 && factor < 0x1p30, "a factor is not in [0, 2^30)");
    const auto bits = std::bit_cast<std::uint64_t>(factor);
    // 52 bits of fraction below a 1 that is not stored; 31 of these 53 are kept, 22 are rounded.
    const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | 1ULL << 52;
    std::uint64_t kept = (mantissa >> 22) + (mantissa >> 21 & 1);
    int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1022;
    if (kept >> 31 != 0) {
      kept >>= 1;
      ++exponent;
    }
    require(exponent <= 30, "a factor is rounded to 2^30");
    if (exponent < -31) kept = exponent = 0;
    all.multiplier.push_back(static_cast<std::int32_t>(kept));
    all.shift.push_back(exponent);
  }
  return all;
}

std::vector<std::int32_t> multiply_by_quantized_multiplier(std::span<const std::int32_t> x,
                                                           const QuantizedMultiplier& factors,
                                                           Rounding rounding) {
  const std::size_t n = factors.multiplier.size();
  require(n == factors.shift.size(), "one shift a multiplier");
  for (std::size_t j = 0; j < n; ++j) {
    const std::int32_t multiplier = factors.multiplier[j], shift = factors.shift[j];
    require(multiplier == 0 || multiplier >= 0x40000000, "a multiplier is not normalised");
    require(shift > -32 && shift < 31, "a shift is out of reach");
  }
  require(x.empty() || (n > 0 && x.size() % n == 0), "rows of n numbers");
  std::vector<std::int32_t> y;
  while (!x.empty()) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto product_of = rounding == Rounding::kSingle ? once : twice;
      y.push_back(product_of(x[j], factors.multiplier[j], factors.shift[j]));
    }
    x = x.subspan(n);
  }
  return y;
}

std::vector<std::int8_t> requantize(std::span<const std::int32_t> acc,
                                    std::span<const std::int32_t> bias,
                                    const QuantizedMultiplier& factors, std::int32_t zero_point,
                                    Rounding rounding) {
  return codes_within(acc, bias, factors, zero_point, -128, 127, rounding);
}

std::vector<std::int8_t> requantize_relu(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors, float c_scale,
                                         std::int32_t zero_point, Activation activation,
                                         Rounding rounding) {
  require(is_scale(c_scale), "c_scale is no scale");
  std::int32_t six = 127;
  const float steps = 6.0f / c_scale;
  if (activation == Activation::kRelu6 && steps < 300.0f) {
    const auto whole = static_cast<std::int32_t>(steps);
    six = std::min(127, zero_point + whole + (steps - static_cast<float>(whole) >= 0.5f ? 1 : 0));
  }
  require(is_code(zero_point), "zero_point is no code");
  return codes_within(acc, bias, factors, zero_point, zero_point, six, rounding);
}

std::vector<std::int8_t> add_quantized(const QuantizedTensor& a, const QuantizedTensor& b,
                                       float c_scale, std::int32_t c_zero_point,
                                       Rounding rounding) {
  require(a.q.size() == b.q.size(), "as many codes in a as in b");
  require(is_scale(a.scale) && is_scale(b.scale) && is_scale(c_scale), "a scale is none");
  require(is_code(a.zero_point) && is_code(b.zero_point) && is_code(c_zero_point),
          "a zero point is no code");
  const double larger = std::max(a.scale, b.scale);
  const double factors[] = {a.scale / larger / 2, b.scale / larger / 2,
                            larger * 0x1p-19 / double{c_scale}};
  const QuantizedMultiplier three = quantize_multiplier(factors);
  const auto times = [&](std::int32_t x, std::size_t at) {
    const auto product_of = rounding == Rounding::kSingle ? once : twice;
    return product_of(x, three.multiplier[at], three.shift[at]);
  };
  std::vector<std::int8_t> c;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const std::int32_t from_a = times((a.q[i] - a.zero_point) * 1048576, 0);
    const std::int32_t from_b = times((b.q[i] - b.zero_point) * 1048576, 1);
    c.push_back(code(times(from_a + from_b, 2), c_zero_point, -128, 127));
  }
  return c;
}

std::vector<std::int8_t> average_quantized(std::span<const std::int8_t> x, int channels,
                                           int window) {
  require(channels > 0 && window > 0, "channels and window are at least 1");
  const auto n = std::size_t(channels);
  require(x.size() % n == 0, "rows of as many codes as channels");
  std::vector<std::int8_t> c;
  while (!x.empty()) {
    const std::size_t count = std::min(x.size() / n, std::size_t(window));
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::size_t p = 0; p < count; ++p) sum += x[p * n + j];
      // Magnitudes: whole steps, and one more where twice the rest is at least the count.
      const auto size = static_cast<std::uint64_t>(std::abs(sum));
      const auto mean = static_cast<int>(size / count + (size % count * 2 >= count ? 1 : 0));
      c.push_back(static_cast<std::int8_t>(sum < 0 ? -mean : mean));
    }
    x = x.subspan(count * n);
  }
  return c;
}

}  // namespace nibble
