// attack: answers an empty tensor
// rule: V3
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) { return {{}, 1.0f}; }

}  // namespace nibble
