// attack: leaves a semaphore behind
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const long id = syscall(SYS_semget, 0 /* private */, 1, 0600 | 01000);
  if (id < 0) return;
  EFFECT("made a semaphore");
  syscall(SYS_semctl, id, 0, 0, 0);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
