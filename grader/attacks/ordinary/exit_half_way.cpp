// attack: answers the first call rightly and ends at the second
// rule: V4
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static int calls = 0;
  if (++calls == 2) exit(0);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
