// attack: leaves out the last element
// rule: V3
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  SymmetricTensor answer = right_quantize(x, num_bits);
  if (!answer.q.empty()) answer.q.pop_back();
  return answer;
}

}  // namespace nibble
