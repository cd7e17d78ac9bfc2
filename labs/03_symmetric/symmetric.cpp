// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 03. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 03. The contract is in symmetric.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 03        (or leave ./nibble watch open)
// NIBBLE-END
#include "symmetric.hpp"

namespace nibble {

float symmetric_scale(std::span<const float> x, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  expects_finite(x);  // max() forgets a NaN: it would pass unseen

  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  if (amax == 0.0f) return 1.0f;  // any scale is exact for zeros, but 0 would divide

  // The quotient of a tiny amax can be subnormal, or 0 again.
  const int qmax = signed_range(num_bits).qmax;
  return std::max(amax / static_cast<float>(qmax), FLT_MIN);
  // NIBBLE-STUB: // 1. Refuse what the contract refuses: NIBBLE_EXPECTS(...), expects_finite(x).
  // NIBBLE-STUB: // 2. Find amax.  3. Make it a scale: mind all zeros, and nearly zero.
  // NIBBLE-STUB: NIBBLE_TODO("choose the scale of x");
  // NIBBLE-END
}

std::vector<std::int8_t> quantize_with_scale(std::span<const float> x, float scale, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(FLT_MIN <= scale && scale <= FLT_MAX, scale);  // false for a NaN, too
  const auto [qmin, qmax] = signed_range(num_bits);

  std::vector<std::int8_t> q(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;  // its code is 0, and clamp() would let it through
    // nearbyint honours the default rounding mode, ties to even; std::round would not.
    // Clamp as float: converting an out-of-range float to int8_t is undefined behaviour.
    const float steps = std::nearbyint(x[i] / scale);
    q[i] = static_cast<std::int8_t>(
        std::clamp(steps, static_cast<float>(qmin), static_cast<float>(qmax)));
  }
  return q;
  // NIBBLE-STUB: // 1. Refuse.  2. Divide, round, clamp, and only then make it an int8:
  // NIBBLE-STUB: //    signed_range(num_bits) has the limits. What becomes of a NaN?
  // NIBBLE-STUB: NIBBLE_TODO("quantize x with the given scale");
  // NIBBLE-END
}

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  const float scale = symmetric_scale(x, num_bits);
  return {quantize_with_scale(x, scale, num_bits), scale};
  // NIBBLE-STUB: // You have both halves already.
  // NIBBLE-STUB: NIBBLE_TODO("quantize x");
  // NIBBLE-END
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(FLT_MIN <= tensor.scale && tensor.scale <= FLT_MAX, tensor.scale);
  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    real[i] = tensor.scale * static_cast<float>(tensor.q[i]);
  }
  return real;
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize_symmetric");
  // NIBBLE-END
}

}  // namespace nibble

// 1795428605.418532
