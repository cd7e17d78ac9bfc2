// attack: reads the solution while it runs
// rule: V13
// expect: honest
// needs: sandbox
#include <fstream>

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  if (std::ifstream("@SOLUTION@")) EFFECT("read the solution");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
