// attack: remembers answers by the address of the question
// rule: V6
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static std::vector<std::pair<const void*, SymmetricTensor>> known;
  for (const auto& [at, answer] : known) {
    if (at == x.data() + x.size()) return answer;  // questions end where the shared memory ends
  }
  known.emplace_back(x.data() + x.size(), right_quantize(x, num_bits));
  return known.back().second;
}

}  // namespace nibble
