// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 03. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 03. The contract is in symmetric.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 03        (or leave ./nibble watch open)
// NIBBLE-END
#include "symmetric.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

float max_abs(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

}  // namespace
// NIBBLE-END

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  expects_finite(x);  // max() forgets a NaN: it would pass unseen
  const auto [qmin, qmax] = signed_range(num_bits);

  const float amax = max_abs(x);
  float scale = 1.0f;  // all zeros: any scale is exact, but 0 would divide
  if (amax > 0.0f) scale = std::max(amax / static_cast<float>(qmax), FLT_MIN);

  SymmetricTensor result{std::vector<std::int8_t>(x.size()), scale};
  for (std::size_t i = 0; i < x.size(); ++i) {
    // nearbyint honours the default rounding mode, ties to even; std::round would not.
    // Clamp as float: converting an out-of-range float to int8_t is undefined behaviour.
    const float steps = std::nearbyint(x[i] / scale);
    result.q[i] = static_cast<std::int8_t>(
        std::clamp(steps, static_cast<float>(qmin), static_cast<float>(qmax)));
  }
  return result;
  // NIBBLE-STUB: // 1. Refuse what the contract refuses: NIBBLE_EXPECTS(...), expects_finite(x).
  // NIBBLE-STUB: // 2. Find amax.  3. Make it a scale (mind all zeros).  4. Round and clamp:
  // NIBBLE-STUB: //    signed_range(num_bits) has the limits.
  // NIBBLE-STUB: NIBBLE_TODO("quantize x");
  // NIBBLE-END
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(tensor.scale > 0.0f, tensor.scale);
  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    real[i] = tensor.scale * static_cast<float>(tensor.q[i]);
  }
  return real;
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize_symmetric");
  // NIBBLE-END
}

}  // namespace nibble
