// attack: starts a process that is a child of the judge
// rule: V15
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) _exit(0);
  if (pid > 0) EFFECT("started a sibling");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
