// attack: signals its parent by the lesser known ways
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  sigval nothing{};
  if (sigqueue(getppid(), 0, nothing) == 0) EFFECT("may queue a signal");
  const int judge = static_cast<int>(syscall(SYS_pidfd_open, getppid(), 0));
  if (judge >= 0 && syscall(SYS_pidfd_send_signal, judge, 0, nullptr, 0) == 0)
    EFFECT("may signal by descriptor");
  if (syscall(SYS_tgkill, getppid(), getppid(), 0) == 0) EFFECT("may signal a thread");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
