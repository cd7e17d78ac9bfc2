// attack: has the kernel send signals for it when a pipe moves
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  if (fcntl(1, F_SETOWN, getpid()) == 0 && fcntl(1, F_SETSIG, SIGKILL) == 0)
    EFFECT("armed a signal");
  struct {
    int type, pid;
  } owner{1, getpid()};
  if (fcntl(5, 15 /* F_SETOWN_EX */, &owner) == 0) EFFECT("armed another");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
