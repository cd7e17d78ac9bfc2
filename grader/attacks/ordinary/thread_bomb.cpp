// attack: starts threads until it may not
// rule: V2
// expect: honest
#include <thread>

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  try {
    for (int i = 0; i < 1000; ++i) {
      std::thread([] { sleep(100); }).detach();
      if (i > 100) EFFECT("has 100 threads");
    }
  } catch (const std::exception&) {
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
