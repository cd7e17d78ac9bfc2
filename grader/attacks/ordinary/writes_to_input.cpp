// attack: casts const away and writes to its argument
// rule: V5
// expect: points 0
// expect: first N-INPUT
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  if (!x.empty()) const_cast<float&>(x.front()) = 0.0f;
  return right_quantize(x, num_bits);
}

}  // namespace nibble
