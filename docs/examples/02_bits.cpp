// What one more bit is worth, on values that are spread evenly over [-1, 1].
#include <cmath>
#include <cstdio>

// [bits]
/// The root of the mean square of what rounding takes away, when [-1, 1] has `steps` steps.
double rms_error(int steps) {
  constexpr int kCount = 100'000;
  const double scale = 2.0 / steps;
  double norm = 0.0;
  for (int i = 0; i < kCount; ++i) {
    const double x = -1.0 + 2.0 * (i + 0.5) / kCount;
    norm = std::hypot(norm, std::remainder(x, scale));  // remainder: x minus the nearest multiple
  }
  return norm / std::sqrt(kCount);
}
// [/bits]

int main() {
  const double rms_of_x = 1.0 / std::sqrt(3.0);
  std::printf("bits   error / signal        dB\n");
  for (int bits = 2; bits <= 8; ++bits) {
    const double share = rms_error((1 << bits) - 2) / rms_of_x;
    std::printf("%4d   %13.4f %%   %7.2f\n", bits, 100 * share, -20.0 * std::log10(share));
  }
}
