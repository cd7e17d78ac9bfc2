// attack: starts a process by each call that can
// rule: V2
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const pid_t by_vfork = vfork();
  if (by_vfork == 0) _exit(0);
  if (by_vfork > 0) EFFECT("vfork works");
  std::uint64_t arguments[11] = {0, 0, 0, 0, SIGCHLD};
  const long by_clone3 = syscall(SYS_clone3, arguments, sizeof arguments);
  if (by_clone3 == 0) _exit(0);
  if (by_clone3 > 0) EFFECT("clone3 works");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
