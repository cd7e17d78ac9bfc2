// attack: crashes, prints and throws in a file whose name no JSON can hold
// rule: V16
// expect: points 0
#define OWN_QUANTIZE
#line 1 "\377\376\033[2J"
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  std::printf("\xC3\x28 \xED\xA0\x80 \xF8 %s\n", __FILE__);
  if (num_bits < 4) throw std::runtime_error(__FILE__ " \xF0\x28\x8C\x28");
  return {{std::vector<std::int8_t>(2)[x.size() + 2]}, 1.0f};
}

}  // namespace nibble
