// attack: answers NaN, which compares as false
// rule: V3
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return {std::vector<std::int8_t>(x.size()), std::numeric_limits<float>::quiet_NaN()};
}

}  // namespace nibble
