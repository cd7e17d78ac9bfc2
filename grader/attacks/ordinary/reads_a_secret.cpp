// attack: reads a file that belongs to the user
// rule: V13
// expect: honest
// needs: sandbox
#include <fstream>
#include <iostream>

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  std::ifstream file("@SECRETS@/results.json");
  std::cout << file.rdbuf() << std::flush;
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
