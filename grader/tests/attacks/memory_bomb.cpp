// attack: takes all the memory there is
// rule: V2
// expect: points 0
// expect: first N-MEMORY
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  std::vector<std::vector<char>> all;
  for (;;) all.emplace_back(1 << 20, 'x');
}

}  // namespace nibble
