// attack: says that the function is not written yet
// rule: V3
// expect: points 0
// expect: first N-STUB
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  throw NotImplemented("quantize_symmetric");
}

}  // namespace nibble
