// attack: uses descriptors that the judge forgot to close
// rule: V2
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (int fd = 6; fd < 1024; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) EFFECT("descriptor %d is open", fd);
  }
  char byte = 0;
  if (read(0, &byte, 1) > 0) EFFECT("has an input");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
