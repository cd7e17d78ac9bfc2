// attack: asks the compiler which files exist
// rule: V14
// expect: honest
// needs: sandbox
// open: L1
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
#if __has_include("@SOLUTION@")
  EFFECT("knows that the solution is there");
#endif
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
