// attack: never returns
// rule: V9
// expect: points 0
// expect: first N-TIME
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  for (volatile int i = 0;; i = i + 1) {
  }
}

}  // namespace nibble
