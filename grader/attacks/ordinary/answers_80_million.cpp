// attack: answers with more elements than there is room for
// rule: V3
// expect: points 0
// expect: first N-SIZE
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return {std::vector<std::int8_t>(80'000'000, 1), 1.0f};
}

}  // namespace nibble
