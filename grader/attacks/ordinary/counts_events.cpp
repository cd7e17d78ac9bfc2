// attack: opens the counters of the processor
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  std::uint64_t attributes[16] = {1 | 128ull << 32, 0};
  if (syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0) EFFECT("has a counter");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
