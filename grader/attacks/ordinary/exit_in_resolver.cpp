// attack: ends the program while the linker still resolves its names
// rule: V4
// expect: points 0
extern "C" {
static void nothing() {}
static void (*resolve())() {
  _exit(0);
  return nothing;
}
void exits_early() __attribute__((ifunc("resolve")));
}
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() { exits_early(); }

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
