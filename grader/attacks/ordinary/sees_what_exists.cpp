// attack: asks whether the solution exists, and how long it is
// rule: V13
// expect: honest
// needs: sandbox
// open: L1
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  struct stat file {};
  if (stat("@SOLUTION@", &file) == 0) EFFECT("sees %ld bytes", static_cast<long>(file.st_size));
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
