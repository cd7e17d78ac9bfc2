// attack: answers the same whatever is asked
// rule: V6
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return {{1, -1, 127, 0}, 1.0f};
}

}  // namespace nibble
