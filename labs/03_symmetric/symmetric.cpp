// Lab 03. The contract is in symmetric.hpp; the story is in README.md.
// Check yourself:  ./nibble run 03        (or leave ./nibble watch open)
#include "symmetric.hpp"

namespace nibble {

float symmetric_scale(std::span<const float> x, int num_bits) {
  // 1. Refuse what the contract refuses: NIBBLE_EXPECTS(...), expects_finite(x).
  // 2. Find amax.  3. Make it a scale: mind all zeros, and nearly zero.
  NIBBLE_TODO("choose the scale of x");
}

std::vector<std::int8_t> quantize_with_scale(std::span<const float> x, float scale, int num_bits) {
  // 1. Refuse.  2. Divide, round, clamp, and only then make it an int8:
  //    signed_range(num_bits) has the limits. What becomes of a NaN?
  NIBBLE_TODO("quantize x with the given scale");
}

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  // You have both halves already.
  NIBBLE_TODO("quantize x");
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  NIBBLE_TODO("undo quantize_symmetric");
}

}  // namespace nibble
