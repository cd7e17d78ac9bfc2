// Which scales can wait until the integer sum is done? Those that are the same for all its terms.
#include <array>
#include <cstdio>

constexpr int kInputs = 2;
using Codes = std::array<int, kInputs>;

// [sums]
int integer_sum(const Codes& a, const Codes& w) {
  int acc = 0;
  for (int k = 0; k < kInputs; ++k) acc += a[k] * w[k];
  return acc;
}

/// The scale belongs to the output: it is the same for every k, and waits until the end.
float scaled_per_output(const Codes& a, const Codes& w, float scale) {
  return scale * static_cast<float>(integer_sum(a, w));
}

/// The scale belongs to the input: it differs from term to term, and must be inside the loop.
float scaled_per_input(const Codes& a, const Codes& w, const std::array<float, kInputs>& scales) {
  float sum = 0.0f;
  for (int k = 0; k < kInputs; ++k) sum += scales[k] * static_cast<float>(a[k] * w[k]);
  return sum;
}
// [/sums]

int main() {
  const Codes w{3, 1};
  for (const Codes& a : {Codes{1, 2}, Codes{0, 5}}) {
    std::printf("a = {%d, %d}   integer sum %d   per output %.1f   per input %.1f\n", a[0], a[1],
                integer_sum(a, w), scaled_per_output(a, w, 0.5f),
                scaled_per_input(a, w, {1.0f, 10.0f}));
  }
}
