// attack: reads the environment for salts, seeds and switches
// rule: V2
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (char** at = environ; *at != nullptr; ++at) EFFECT("has %s", *at);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
