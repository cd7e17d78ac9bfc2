// What is different here: a table of what every code stands for, made once, and a search in it for
// what is nearest. Rounding is a comparison of two distances.
#include "half.hpp"

namespace nibble {
namespace {

/// What the codes of one sign stand for, in order; last what infinity's code would, if it were a
/// number: there the distances to it are measured.
std::vector<double> half_table() {
  std::vector<double> values;
  for (int fraction = 0; fraction < 1024; ++fraction) values.push_back(fraction * 0x1p-24);
  for (double step = 0x1p-24; step <= 32.0; step *= 2.0) {
    for (int fraction = 0; fraction < 1024; ++fraction) values.push_back((1024 + fraction) * step);
  }
  values.push_back(65536.0);
  return values;
}

std::vector<double> bfloat16_table() {
  std::vector<double> values;
  for (std::uint32_t code = 0; code < 0x7F80u; ++code) {
    values.push_back(std::bit_cast<float>(code << 16));
  }
  values.push_back(0x1p128);
  return values;
}

const std::vector<double> kHalves = half_table();
const std::vector<double> kBfloat16s = bfloat16_table();

std::uint16_t nearest(double magnitude, const std::vector<double>& table) {
  const auto above = std::lower_bound(table.begin(), table.end(), magnitude);
  if (above == table.end()) return static_cast<std::uint16_t>(table.size() - 1);
  const auto code = static_cast<std::uint16_t>(above - table.begin());
  if (code == 0) return 0;
  const double to_above = *above - magnitude, to_below = magnitude - *(above - 1);
  const bool odd = (code & 1) != 0;
  const bool down = to_below < to_above || (to_below == to_above && odd);
  return static_cast<std::uint16_t>(down ? code - 1 : code);
}

std::uint16_t with_sign(float x, int code) {
  return static_cast<std::uint16_t>(std::signbit(x) ? code | 0x8000 : code);
}

std::uint32_t fraction_of(float x) { return std::bit_cast<std::uint32_t>(x) & 0x007F'FFFFu; }

bool is_power_of_two(float x) { return x > 0.0f && fraction_of(x) == 0; }

}  // namespace

std::uint16_t encode_half(float x) {
  if (std::isnan(x)) return with_sign(x, 0x7E00 | static_cast<int>(fraction_of(x) >> 13));
  return with_sign(x, nearest(std::fabs(static_cast<double>(x)), kHalves));
}

float decode_half(std::uint16_t code) {
  const std::size_t magnitude = code & 0x7FFFu;
  float x = std::numeric_limits<float>::infinity();
  if (magnitude < 0x7C00) x = static_cast<float>(kHalves[magnitude]);
  if (magnitude > 0x7C00) {
    const auto fraction = static_cast<std::uint32_t>(magnitude & 0x3FF) << 13;
    x = std::bit_cast<float>(0x7FC0'0000u | fraction);
  }
  return std::copysign(x, code >= 0x8000 ? -1.0f : 1.0f);
}

std::uint16_t encode_bfloat16(float x) {
  if (std::isnan(x)) return with_sign(x, 0x7FC0 | static_cast<int>(fraction_of(x) >> 16));
  return with_sign(x, nearest(std::fabs(static_cast<double>(x)), kBfloat16s));
}

float decode_bfloat16(std::uint16_t code) {
  const std::array<std::uint16_t, 2> parts = {0, code};
  return std::bit_cast<float>(parts);  // little end first, as on every CPU of this kit
}

HalfDot dot_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  if (a.size() != b.size()) throw std::invalid_argument("two lists of different lengths");
  std::uint16_t half = 0;
  double sum = 0.0;  // long enough: rounded to it and then to float is rounded once
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(decode_half(a[i])) * decode_half(b[i]);
    const float rounded = decode_half(encode_half(static_cast<float>(product)));
    half = encode_half(decode_half(half) + rounded);
    sum = static_cast<float>(sum + product);
  }
  return {half, static_cast<float>(sum)};
}

Training scaled_step(const Training& before, std::span<const float> gradients, float learning_rate,
                     std::int32_t growth_interval) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(gradients.size() == before.weights.size(), "a gradient for each weight");
  require(is_power_of_two(before.scale), "the scale is no power of two");
  require(before.scale >= kLeastScale && before.scale <= kMostScale, "the scale is out of range");
  require(std::isfinite(learning_rate) && learning_rate > 0, "the learning rate is none");
  require(growth_interval > before.good_steps && before.good_steps >= 0, "good_steps");

  std::vector<float> scaled(gradients.begin(), gradients.end());
  for (float& gradient : scaled) gradient *= before.scale;
  const std::vector<float> h = half_to_float(float_to_half(scaled));
  const bool good = std::none_of(h.begin(), h.end(), [](float v) { return !std::isfinite(v); });
  const bool grows = good && before.good_steps + 1 == growth_interval;
  const float factor = grows ? 2.0f : good ? 1.0f : 0.5f;
  Training after{before.weights, std::clamp(before.scale * factor, kLeastScale, kMostScale),
                 good && !grows ? before.good_steps + 1 : 0};
  for (std::size_t i = 0; good && i < h.size(); ++i) {
    after.weights[i] -= learning_rate * (h[i] / before.scale);
  }
  return after;
}

}  // namespace nibble
