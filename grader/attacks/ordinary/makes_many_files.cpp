// attack: makes files without a byte, each of which costs the kernel memory
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  int made = 0;
  for (const char* const folder : {"/tmp", "/dev/shm", "/var/tmp"}) {
    for (int i = 0; i < 200; ++i) {
      const std::string name =
          std::string(folder) + "/nibble-" + std::to_string(getpid()) + "-" + std::to_string(i);
      const int fd = open(name.c_str(), O_CREAT | O_WRONLY, 0600);
      if (fd < 0) break;
      ++made;
      close(fd);
      unlink(name.c_str());
    }
  }
  if (made > 0) EFFECT("made %d files", made);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
