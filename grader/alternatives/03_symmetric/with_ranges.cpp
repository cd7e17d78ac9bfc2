// What is different here: algorithms instead of loops, integers instead of float rounding (the tie
// is decided by hand), and no function calls another.
#include "symmetric.hpp"

#include <ranges>

namespace nibble {
namespace {

// Ties to even without <cmath>'s help: 2^23 and more has no fraction; below, look at what is left.
int nearest_even(float steps) {
  const float floor = std::floor(steps);
  const float rest = steps - floor;  // exact, in [0, 1)
  const int below = static_cast<int>(floor);
  if (rest < 0.5f) return below;
  if (rest > 0.5f) return below + 1;
  return below % 2 == 0 ? below : below + 1;
}

struct ToCode {
  float scale;
  IntRange range;

  std::int8_t operator()(float value) const {
    const float steps = value / scale;
    if (steps != steps) return 0;
    if (steps >= static_cast<float>(range.qmax)) return static_cast<std::int8_t>(range.qmax);
    if (steps <= static_cast<float>(range.qmin)) return static_cast<std::int8_t>(range.qmin);
    return static_cast<std::int8_t>(nearest_even(steps));
  }
};

int checked(int num_bits) {
  if (num_bits < 2 || 8 < num_bits) throw std::invalid_argument("num_bits must be 2 to 8");
  return num_bits;
}

float checked(float scale) {
  if (std::fpclassify(scale) == FP_NORMAL && !std::signbit(scale)) return scale;
  throw std::invalid_argument("the scale must be normal and positive");
}

std::vector<std::int8_t> to_codes(std::span<const float> x, const ToCode& to_code) {
  auto codes = x | std::views::transform(to_code);
  return {codes.begin(), codes.end()};
}

float scale_of(std::span<const float> x, int num_bits) {
  const int qmax = signed_range(checked(num_bits)).qmax;
  expects_finite(x);
  if (x.empty()) return 1.0f;
  const auto [lo, hi] = std::ranges::minmax(x);
  const float amax = std::max(-lo, hi);
  if (!(amax > 0.0f)) return 1.0f;
  return std::max(FLT_MIN, amax / static_cast<float>(qmax));
}

}  // namespace

float symmetric_scale(std::span<const float> x, int num_bits) { return scale_of(x, num_bits); }

std::vector<std::int8_t> quantize_with_scale(std::span<const float> x, float scale, int num_bits) {
  return to_codes(x, {checked(scale), signed_range(checked(num_bits))});
}

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const float scale = scale_of(x, num_bits);
  return {to_codes(x, {scale, signed_range(num_bits)}), scale};
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  std::vector<float> real;
  real.reserve(tensor.q.size());
  std::ranges::transform(tensor.q, std::back_inserter(real),
                         [scale = checked(tensor.scale)](int q) { return scale * q; });
  return real;
}

}  // namespace nibble
