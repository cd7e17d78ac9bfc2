// attack: goes on writing to the answer after it was given
// rule: V3
// expect: points <= 100
static std::byte* outputs() {
  return static_cast<std::byte*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
}

#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  static std::byte* const at = outputs();
  struct sigaction action {};
  action.sa_handler = [](int) { std::fill_n(at, 4096, std::byte{0xFF}); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, nullptr);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
