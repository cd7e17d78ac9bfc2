// attack: sleeps without using the processor
// rule: V9
// expect: points 0
// expect: first N-TIME
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  for (;;) sleep(100);
}

}  // namespace nibble
