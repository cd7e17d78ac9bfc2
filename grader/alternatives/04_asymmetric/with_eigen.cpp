// What is different here: no loop, Eigen's reductions instead.
#include "asymmetric.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Codes = Eigen::Array<std::uint8_t, Eigen::Dynamic, 1>;

Eigen::Map<const Eigen::ArrayXf> as_array(std::span<const float> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

void expects_width(int num_bits) { NIBBLE_EXPECTS(num_bits >= 2 && num_bits <= 8, num_bits); }

void expects_parameters(float scale, std::int32_t zero_point) {
  NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale);
  NIBBLE_EXPECTS(std::abs(static_cast<std::int64_t>(zero_point)) <= kLargestZeroPoint, zero_point);
}

float step_between(float lo, float hi, float steps) {
  const float range = hi - lo;
  if (std::isfinite(range)) return range / steps;
  return static_cast<float>((static_cast<double>(hi) - lo) / static_cast<double>(steps));
}

AsymmetricParameters over(float lo, float hi, int num_bits) {
  if (lo == 0.0f && hi == 0.0f) return {1.0f, 0};
  const float amax = std::fmax(std::fabs(lo), std::fabs(hi));
  const float step = step_between(lo, hi, static_cast<float>(unsigned_range(num_bits).qmax));
  const float scale = std::max({step, FLT_MIN, amax * 0x1p-24f});
  return {scale, static_cast<std::int32_t>(std::rint(-lo / scale))};
}

}  // namespace

AsymmetricParameters asymmetric_parameters(std::span<const float> x, int num_bits,
                                           ZeroPolicy policy) {
  expects_width(num_bits);
  expects_finite(x);
  if (x.empty()) return {1.0f, 0};
  const float lo = as_array(x).minCoeff();
  const float hi = as_array(x).maxCoeff();
  const bool keep = policy == ZeroPolicy::kFullRange && lo < hi;
  return keep ? over(lo, hi, num_bits) : over(std::fmin(lo, 0.0f), std::fmax(hi, 0.0f), num_bits);
}

std::vector<std::uint8_t> quantize_with_parameters(std::span<const float> x,
                                                   AsymmetricParameters parameters, int num_bits) {
  expects_width(num_bits);
  expects_parameters(parameters.scale, parameters.zero_point);
  const Eigen::ArrayXf steps = (as_array(x) / parameters.scale).unaryExpr([](float value) {
    return std::isnan(value) ? 0.0f : std::rint(value);
  });
  const Eigen::ArrayXf codes = steps + static_cast<float>(parameters.zero_point);
  const auto qmax = static_cast<float>(unsigned_range(num_bits).qmax);

  std::vector<std::uint8_t> q(x.size());
  Eigen::Map<Codes>(q.data(), codes.size()) = codes.max(0.0f).min(qmax).cast<std::uint8_t>();
  return q;
}

AsymmetricTensor quantize_asymmetric(std::span<const float> x, int num_bits, ZeroPolicy policy) {
  const auto [scale, zero_point] = asymmetric_parameters(x, num_bits, policy);
  return {quantize_with_parameters(x, {scale, zero_point}, num_bits), scale, zero_point};
}

std::vector<float> dequantize_asymmetric(const AsymmetricTensor& tensor) {
  expects_parameters(tensor.scale, tensor.zero_point);
  const Eigen::Map<const Codes> q(tensor.q.data(), static_cast<Eigen::Index>(tensor.q.size()));
  const Eigen::ArrayXf real =
      tensor.scale * (q.cast<std::int32_t>() - tensor.zero_point).cast<float>();
  return {real.begin(), real.end()};
}

}  // namespace nibble
