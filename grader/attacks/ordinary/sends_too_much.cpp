// attack: sends 60,000 bytes where 256 are an answer
// rule: V3
// expect: points 0
// expect: first N-PROTOCOL
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const std::vector<char> junk(60000);
  send(5, junk.data(), junk.size(), 0);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
