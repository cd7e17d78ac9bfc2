// attack: leaves a queue of messages behind
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const long id = syscall(SYS_msgget, 0 /* private */, 0600 | 01000);
  if (id < 0) return;
  EFFECT("made a queue");
  syscall(SYS_msgctl, id, 0, nullptr);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
