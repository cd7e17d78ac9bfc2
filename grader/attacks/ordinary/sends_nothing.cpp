// attack: sends an empty message
// rule: V3
// expect: points 0
// expect: first N-PROTOCOL
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  send(5, "", 0, 0);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
