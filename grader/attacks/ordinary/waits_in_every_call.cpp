// attack: is right, and waits in every call almost as long as it may
// rule: V16
// budget: 6
// expect: points <= 20
// expect: ends 16
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  usleep(1400000);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
