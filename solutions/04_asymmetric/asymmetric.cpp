// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 04. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 04. The contract is in asymmetric.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 04        (or leave ./nibble watch open)
// NIBBLE-END
#include "asymmetric.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

void expects_usable(float scale, std::int32_t zero_point) {
  NIBBLE_EXPECTS(FLT_MIN <= scale && scale <= FLT_MAX, scale);  // false for a NaN, too
  NIBBLE_EXPECTS(-kLargestZeroPoint <= zero_point && zero_point <= kLargestZeroPoint, zero_point);
}

/// (hi - lo) / steps in float32, which not every difference fits.
float step_of(float lo, float hi, float steps) {
  const float range = hi - lo;
  if (std::isfinite(range)) return range / steps;
  return static_cast<float>((static_cast<double>(hi) - static_cast<double>(lo)) / steps);
}

}  // namespace
// NIBBLE-END

AsymmetricParameters asymmetric_parameters(std::span<const float> x, int num_bits,
                                           ZeroPolicy policy) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  expects_finite(x);
  const int qmax = unsigned_range(num_bits).qmax;

  float lo = x.empty() ? 0.0f : x[0];
  float hi = lo;
  for (const float value : x) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  // Widen the range, not the answer: a zero point that is clamped afterwards moves every value.
  if (policy == ZeroPolicy::kIncludeZero || lo == hi) {
    lo = std::min(lo, 0.0f);
    hi = std::max(hi, 0.0f);
  }
  if (lo == hi) return {1.0f, 0};  // only zeros are left

  const float finest = std::max(FLT_MIN, std::max(-lo, hi) / static_cast<float>(kLargestZeroPoint));
  const float scale = std::max(step_of(lo, hi, static_cast<float>(qmax)), finest);
  return {scale, -static_cast<std::int32_t>(std::nearbyint(lo / scale))};
  // NIBBLE-STUB: // 1. Refuse.  2. Find lo and hi.  3. Widen them if the policy says so, or if they
  // NIBBLE-STUB: //    are equal.  4. Scale: mind zeros, and a step that is too fine.  5. Zero point.
  // NIBBLE-STUB: NIBBLE_TODO("choose scale and zero point");
  // NIBBLE-END
}

std::vector<std::uint8_t> quantize_with_parameters(std::span<const float> x,
                                                   AsymmetricParameters parameters, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  const auto [scale, zero_point] = parameters;
  expects_usable(scale, zero_point);
  const auto [qmin, qmax] = unsigned_range(num_bits);

  std::vector<std::uint8_t> q(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float steps = std::isnan(x[i]) ? 0.0f : std::nearbyint(x[i] / scale);
    // Still a float: the sum of two integers is exact wherever it can be a code, and nothing wraps.
    const float code = steps + static_cast<float>(zero_point);
    q[i] = static_cast<std::uint8_t>(
        std::clamp(code, static_cast<float>(qmin), static_cast<float>(qmax)));
  }
  return q;
  // NIBBLE-STUB: // 1. Refuse.  2. Divide, round, add, clamp, convert: in this order.
  // NIBBLE-STUB: NIBBLE_TODO("quantize x with the given parameters");
  // NIBBLE-END
}

AsymmetricTensor quantize_asymmetric(std::span<const float> x, int num_bits, ZeroPolicy policy) {
  // NIBBLE-BEGIN-SOLUTION
  const AsymmetricParameters parameters = asymmetric_parameters(x, num_bits, policy);
  return {quantize_with_parameters(x, parameters, num_bits), parameters.scale,
          parameters.zero_point};
  // NIBBLE-STUB: // You have both halves already.
  // NIBBLE-STUB: NIBBLE_TODO("quantize x");
  // NIBBLE-END
}

std::vector<float> dequantize_asymmetric(const AsymmetricTensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  expects_usable(tensor.scale, tensor.zero_point);
  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    const std::int32_t steps = tensor.q[i] - tensor.zero_point;  // often negative
    real[i] = tensor.scale * static_cast<float>(steps);
  }
  return real;
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize_asymmetric");
  // NIBBLE-END
}

}  // namespace nibble
