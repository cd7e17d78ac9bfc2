// How many steps a width has, and what they do to values that are spread evenly over [-1, 1].
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "nibble/int_range.hpp"

// [steps]
/// The largest |x - x_hat| for x in [-1, 1]. remainder() is x minus the nearest multiple of a step.
float largest_error(float scale) {
  float largest = 0.0f;
  for (int i = -10'000; i <= 10'000; ++i) {
    const float x = static_cast<float>(i) / 10'000.0f;
    largest = std::max(largest, std::fabs(std::remainder(x, scale)));
  }
  return largest;
}
// [/steps]

int main() {
  std::printf("bits   qmin   qmax      scale   largest error\n");
  for (const int num_bits : {8, 6, 4, 3, 2}) {
    const auto [qmin, qmax] = nibble::signed_range(num_bits);
    const float scale = 1.0f / static_cast<float>(qmax);
    std::printf("%4d   %4d   %4d   %8.6f        %8.6f\n", num_bits, qmin, qmax, scale,
                largest_error(scale));
  }
}
