// attack: writes a program into memory and runs it
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const int fd = static_cast<int>(syscall(SYS_memfd_create, "x", 0u));
  if (fd >= 0) EFFECT("has a file in memory");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
