// attack: throws invalid_argument whatever is asked
// rule: V3
// expect: points 0
// expect: first N-REFUSED
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  throw std::invalid_argument("no");
}

}  // namespace nibble
