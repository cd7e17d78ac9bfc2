// attack: finds itself to be root, or becomes it
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  if (geteuid() == 0 || setuid(0) == 0) EFFECT("is root");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
