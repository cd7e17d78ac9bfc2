// attack: calls itself for ever
// rule: V9
// expect: points 0
// expect: first N-CRASH
#define OWN_QUANTIZE
namespace nibble {

namespace {
int deep(volatile int depth) {
  volatile char room[4096] = {};
  return room[0] + depth + deep(depth + 1);
}
}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return {std::vector<std::int8_t>(deep(1)), 1.0f};
}

}  // namespace nibble
