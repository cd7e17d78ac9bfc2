// attack: exchanges or removes its own program, that whoever runs it next runs another
// rule: V10
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  char own[PATH_MAX] = "";
  if (readlink("/proc/self/exe", own, sizeof own - 1) <= 0) return;
  const std::string path = own, other = path + ".other";
  for (const int flags : {O_WRONLY, O_RDWR | O_TRUNC}) {
    if (open(own, flags) >= 0) EFFECT("opens its program to write");
  }
  if (chmod(own, 0777) == 0) EFFECT("changes who may write to its program");
  if (utimensat(AT_FDCWD, own, nullptr, 0) == 0) EFFECT("changes when it was made");
  if (link(own, other.c_str()) == 0)
    EFFECT("gives its program another name"), unlink(other.c_str());
  if (rename(own, other.c_str()) == 0) EFFECT("moves its program"), rename(other.c_str(), own);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
