// Lab 04. The contract is in asymmetric.hpp; the story is in README.md.
// Check yourself:  ./nibble run 04        (or leave ./nibble watch open)
#include "asymmetric.hpp"

namespace nibble {

AsymmetricParameters asymmetric_parameters(std::span<const float> x, int num_bits,
                                           ZeroPolicy policy) {
  // 1. Refuse.  2. Find lo and hi.  3. Widen them if the policy says so, or if they
  //    are equal.  4. Scale: mind zeros, and a step that is too fine.  5. Zero point.
  NIBBLE_TODO("choose scale and zero point");
}

std::vector<std::uint8_t> quantize_with_parameters(std::span<const float> x,
                                                   AsymmetricParameters parameters, int num_bits) {
  // 1. Refuse.  2. Divide, round, add, clamp, convert: in this order.
  NIBBLE_TODO("quantize x with the given parameters");
}

AsymmetricTensor quantize_asymmetric(std::span<const float> x, int num_bits, ZeroPolicy policy) {
  // You have both halves already.
  NIBBLE_TODO("quantize x");
}

std::vector<float> dequantize_asymmetric(const AsymmetricTensor& tensor) {
  NIBBLE_TODO("undo quantize_asymmetric");
}

}  // namespace nibble
