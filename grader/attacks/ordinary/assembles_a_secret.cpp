// attack: has the assembler copy a file of the user into the program
// rule: V14
// expect: no_compile
// needs: sandbox
asm(".section .rodata\nstolen: .incbin \"@SECRETS@/results.json\"\n.byte 0\n.text\n");
extern "C" const char stolen[] asm("stolen");

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  std::puts(stolen);
  std::fflush(stdout);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
