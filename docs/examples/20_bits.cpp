// Magnitudes and their bits: two orders that are one, and what a maximum of floats does to a NaN.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

// [bits]
std::uint32_t bits_of_magnitude(float x) { return std::bit_cast<std::uint32_t>(x) & 0x7fffffff; }

float largest_by_bits(float a, float b) {
  return std::bit_cast<float>(std::max(bits_of_magnitude(a), bits_of_magnitude(b)));
}
// [/bits]

/// Every float is looked at beside the next one up, from 0 to infinity: 2^31 - 2^24 of them, so
/// only every 1009th here.
bool orders_agree() {
  for (std::uint32_t bits = 0; bits < 0x7f800000; bits += 1009) {
    if (!(std::bit_cast<float>(bits) < std::bit_cast<float>(bits + 1))) return false;
  }
  return true;
}

int main() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float x : {0.0f, -1e-40f, 1.0f, -2.0f, 3e38f, -INFINITY, nan}) {
    std::printf("%12g   bits of |x|  %08x\n", x, static_cast<unsigned>(bits_of_magnitude(x)));
  }
  std::printf("\nthe order of the bits is that of the numbers: %s\n",
              orders_agree() ? "yes" : "no");
  std::printf("fmax(NaN, 1)            = %g\n", std::fmax(nan, 1.0f));
  std::printf("std::max(1, NaN)        = %g\n", std::max(1.0f, nan));
  std::printf("std::max(NaN, 1)        = %g\n", std::max(nan, 1.0f));
  std::printf("largest_by_bits(NaN, 1) = %g\n", largest_by_bits(nan, 1.0f));
}
