// What is different here: no loop. A tensor is an Eigen array, and each rule of the contract is one
// expression over all of it.
#include "symmetric.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

Eigen::Map<const Eigen::ArrayXf> as_array(std::span<const float> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

bool is_usable(float scale) { return std::isnormal(scale) && scale > 0.0f; }

}  // namespace

float symmetric_scale(std::span<const float> x, int num_bits) {
  NIBBLE_EXPECTS(num_bits >= 2 && num_bits <= 8, num_bits);
  expects_finite(x);
  const float amax = x.empty() ? 0.0f : as_array(x).abs().maxCoeff();
  const float scale = amax / static_cast<float>(signed_range(num_bits).qmax);
  return amax > 0.0f ? std::fmax(scale, FLT_MIN) : 1.0f;
}

std::vector<std::int8_t> quantize_with_scale(std::span<const float> x, float scale, int num_bits) {
  NIBBLE_EXPECTS(num_bits >= 2 && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(is_usable(scale), scale);
  const auto [qmin, qmax] = signed_range(num_bits);
  const Eigen::ArrayXf steps = (as_array(x) / scale).unaryExpr([](float value) {
    return std::isnan(value) ? 0.0f : std::rint(value);
  });

  std::vector<std::int8_t> q(x.size());
  Eigen::Map<Eigen::Array<std::int8_t, Eigen::Dynamic, 1>>(q.data(), steps.size()) =
      steps.max(static_cast<float>(qmin)).min(static_cast<float>(qmax)).cast<std::int8_t>();
  return q;
}

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  SymmetricTensor result{{}, symmetric_scale(x, num_bits)};
  result.q = quantize_with_scale(x, result.scale, num_bits);
  return result;
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  NIBBLE_EXPECTS(is_usable(tensor.scale), tensor.scale);
  const Eigen::Map<const Eigen::Array<std::int8_t, Eigen::Dynamic, 1>> q(
      tensor.q.data(), static_cast<Eigen::Index>(tensor.q.size()));
  const Eigen::ArrayXf real = tensor.scale * q.cast<float>();
  return {real.begin(), real.end()};
}

}  // namespace nibble
