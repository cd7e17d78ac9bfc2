// attack: leaves the runner by unwinding its thread
// rule: V4
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  pthread_exit(nullptr);
}

}  // namespace nibble
