// attack: becomes another program
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  char name[] = "echo", text[] = "EFFECT ran a program";
  char* words[] = {name, text, nullptr};
  execv("/bin/echo", words);
  execv("/usr/bin/echo", words);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
