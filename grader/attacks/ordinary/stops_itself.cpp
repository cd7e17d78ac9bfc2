// attack: stops itself
// rule: V15
// expect: points 0
// expect: first N-TIME
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  raise(SIGSTOP);
  for (;;) pause();
}

}  // namespace nibble
