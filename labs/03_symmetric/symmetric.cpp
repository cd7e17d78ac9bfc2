// Lab 03. The contract is in symmetric.hpp; the story is in README.md.
// Check yourself:  ./nibble run 03        (or leave ./nibble watch open)
#include "symmetric.hpp"

namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  // 1. Refuse what the contract refuses: NIBBLE_EXPECTS(...), expects_finite(x).
  // 2. Find amax.  3. Make it a scale (mind all zeros).  4. Round and clamp:
  //    signed_range(num_bits) has the limits.
  NIBBLE_TODO("quantize x");
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  NIBBLE_TODO("undo quantize_symmetric");
}

}  // namespace nibble
