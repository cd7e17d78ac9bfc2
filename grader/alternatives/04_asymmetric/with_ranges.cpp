// What is different here: algorithms instead of loops, 64-bit integers instead of a float sum, and
// a table of all codes to dequantize from.
#include "asymmetric.hpp"

#include <ranges>

namespace nibble {
namespace {

struct Range {
  float lo, hi;
};

Range range_of(std::span<const float> x, ZeroPolicy policy) {
  if (x.empty()) return {0.0f, 0.0f};
  const auto [lo, hi] = std::ranges::minmax(x);
  if (policy == ZeroPolicy::kFullRange && lo != hi) return {lo, hi};
  return {std::min(0.0f, lo), std::max(0.0f, hi)};
}

/// Rounds with ties to even. Larger than any code or zero point: cut, since only its sign matters.
std::int64_t nearest(float steps) {
  constexpr float kFar = 0x1p40f;
  return std::llrint(std::clamp(steps, -kFar, kFar));
}

int checked(int num_bits) {
  if (num_bits < 2 || 8 < num_bits) throw std::invalid_argument("num_bits must be 2 to 8");
  return num_bits;
}

AsymmetricParameters checked(AsymmetricParameters parameters) {
  const bool normal = std::fpclassify(parameters.scale) == FP_NORMAL;
  if (!normal || std::signbit(parameters.scale)) {
    throw std::invalid_argument("the scale must be normal and positive");
  }
  const std::int64_t far = parameters.zero_point;
  if (std::max(far, -far) > kLargestZeroPoint) {
    throw std::invalid_argument("the zero point must lie within 2^24");
  }
  return parameters;
}

}  // namespace

AsymmetricParameters asymmetric_parameters(std::span<const float> x, int num_bits,
                                           ZeroPolicy policy) {
  const double steps = unsigned_range(checked(num_bits)).qmax;
  expects_finite(x);
  const auto [lo, hi] = range_of(x, policy);
  if (lo == hi) return {1.0f, 0};
  const auto finest = static_cast<double>(std::max(std::fabs(lo), std::fabs(hi))) * 0x1p-24;
  const double range = std::isinf(hi - lo) ? static_cast<double>(hi) - lo : double{hi - lo};
  const double step = range / steps;
  const auto scale = static_cast<float>(std::max({step, finest, static_cast<double>(FLT_MIN)}));
  return {scale, static_cast<std::int32_t>(-nearest(lo / scale))};
}

std::vector<std::uint8_t> quantize_with_parameters(std::span<const float> x,
                                                   AsymmetricParameters parameters, int num_bits) {
  const auto [scale, zero_point] = checked(parameters);
  const std::int64_t qmax = unsigned_range(checked(num_bits)).qmax;
  auto codes =
      x | std::views::transform([=](float value) {
        const std::int64_t steps = std::isnan(value) ? 0 : nearest(value / scale);
        return static_cast<std::uint8_t>(std::clamp(steps + zero_point, std::int64_t{0}, qmax));
      });
  return {codes.begin(), codes.end()};
}

AsymmetricTensor quantize_asymmetric(std::span<const float> x, int num_bits, ZeroPolicy policy) {
  const AsymmetricParameters chosen = asymmetric_parameters(x, num_bits, policy);
  AsymmetricTensor result{{}, chosen.scale, chosen.zero_point};
  result.q = quantize_with_parameters(x, chosen, num_bits);
  return result;
}

std::vector<float> dequantize_asymmetric(const AsymmetricTensor& tensor) {
  const auto [scale, zero_point] = checked({tensor.scale, tensor.zero_point});
  std::array<float, 256> real_of{};
  for (std::int32_t q = 0; q < 256; ++q) {
    real_of[static_cast<std::size_t>(q)] = scale * static_cast<float>(q - zero_point);
  }
  std::vector<float> real(tensor.q.size());
  std::ranges::transform(tensor.q, real.begin(), [&](std::uint8_t q) { return real_of[q]; });
  return real;
}

}  // namespace nibble
