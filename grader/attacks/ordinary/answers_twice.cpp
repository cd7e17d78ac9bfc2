// attack: sends an answer of its own, with a guessed nonce, before the real one
// rule: V4
// expect: points 0
// expect: first N-PROTOCOL
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const Answer answer{42, 0, 0, {}};
  send(5, &answer, sizeof answer, 0);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
