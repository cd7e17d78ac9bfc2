// What is different here: nothing is shifted. A code is a count of steps, since the codes of one
// sign are in the order of what they stand for; one template counts them for both formats.
#include <functional>

#include "half.hpp"

namespace nibble {
namespace {

struct Format {
  int fraction_bits, bias;
};
constexpr Format kHalf{10, 15}, kBfloat16{7, 127};

template <Format F>
constexpr int kInfinity = (2 * F.bias + 1) << F.fraction_bits;

template <Format F>
std::uint16_t encode(float x) {
  int code = 0;
  if (std::isnan(x)) {
    const int fraction = std::bit_cast<std::int32_t>(x) >> (23 - F.fraction_bits);
    const int quiet = 1 << (F.fraction_bits - 1);
    code = kInfinity<F> | quiet | (fraction & (2 * quiet - 1));
  } else if (std::isinf(x)) {
    code = kInfinity<F>;
  } else {
    const int exponent = std::max(std::ilogb(x), 1 - F.bias);
    const double steps = std::nearbyint(std::ldexp(std::fabs(x), F.fraction_bits - exponent));
    code = ((exponent + F.bias - 1) << F.fraction_bits) + static_cast<int>(steps);
    code = std::min(code, kInfinity<F>);
  }
  return static_cast<std::uint16_t>(code + (std::signbit(x) ? 0x8000 : 0));
}

template <Format F>
float decode(std::uint16_t code) {
  const int magnitude = code & 0x7FFF;
  const int fraction = magnitude % (1 << F.fraction_bits);
  const int exponent = magnitude >> F.fraction_bits;
  const int hidden = exponent == 0 ? 0 : 1 << F.fraction_bits;
  float x = std::ldexp(static_cast<float>(hidden + fraction),
                       std::max(exponent, 1) - F.bias - F.fraction_bits);
  if (magnitude >= kInfinity<F>) {
    x = std::bit_cast<float>(0x7F80'0000 | fraction << (23 - F.fraction_bits));
  }
  return (code & 0x8000) != 0 ? -x : x;
}

float to_half_and_back(float x) { return decode<kHalf>(encode<kHalf>(x)); }

}  // namespace

std::uint16_t encode_half(float x) { return encode<kHalf>(x); }

float decode_half(std::uint16_t code) {
  const float x = decode<kHalf>(code);
  if (!std::isnan(x)) return x;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) | 0x0040'0000u);
}

std::uint16_t encode_bfloat16(float x) { return encode<kBfloat16>(x); }

float decode_bfloat16(std::uint16_t code) { return decode<kBfloat16>(code); }

HalfDot dot_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  NIBBLE_EXPECTS(a.size() == b.size(), b.size());
  const std::vector<float> x = half_to_float(a), y = half_to_float(b);
  std::vector<float> products(x.size());
  std::transform(x.begin(), x.end(), y.begin(), products.begin(), std::multiplies<>());
  const float in_half = std::accumulate(
      products.begin(), products.end(), 0.0f,
      [](float sum, float product) { return to_half_and_back(sum + to_half_and_back(product)); });
  return {encode_half(in_half), std::accumulate(products.begin(), products.end(), 0.0f)};
}

Training scaled_step(const Training& before, std::span<const float> gradients, float learning_rate,
                     std::int32_t growth_interval) {
  int exponent = 0;
  NIBBLE_EXPECTS(std::frexp(before.scale, &exponent) == 0.5f, before.scale);
  NIBBLE_EXPECTS(exponent >= 1 && exponent <= 25, exponent);
  NIBBLE_EXPECTS(before.weights.size() == gradients.size(), gradients.size());
  NIBBLE_EXPECTS(std::isfinite(learning_rate) && learning_rate > 0.0f, learning_rate);
  NIBBLE_EXPECTS(before.good_steps >= 0 && before.good_steps < growth_interval, growth_interval);

  Training stepped = before;
  bool overflowed = false;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const float scaled = to_half_and_back(gradients[i] * before.scale);
    overflowed = overflowed || !std::isfinite(scaled);
    stepped.weights[i] = before.weights[i] - scaled / before.scale * learning_rate;
  }
  if (overflowed) return {before.weights, std::max(1.0f, before.scale * 0.5f), 0};
  stepped.good_steps = (before.good_steps + 1) % growth_interval;
  if (stepped.good_steps == 0) stepped.scale = std::min(kMostScale, 2.0f * before.scale);
  return stepped;
}

}  // namespace nibble
