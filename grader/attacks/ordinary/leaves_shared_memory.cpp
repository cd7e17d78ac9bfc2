// attack: leaves memory behind that outlives it
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const int id = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
  if (id < 0) return;
  EFFECT("made a segment");
  shmctl(id, IPC_RMID, nullptr);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
