// The three roundings of one library, on ties; and a tie that is none.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

// [three]
/// Q4_0: the half that makes a conversion round, and 8 to stay above 0. Ties go up.
int up(float steps) { return int(steps + 8.5f) - 8; }

/// Q8_0: ties go away from zero.
int away(float steps) { return int(std::round(steps)); }

/// The k-quants: so large a number has no room for a fraction, and the sum is rounded as every
/// float32 sum is, to even. What remains is read from the bits of the mantissa.
int to_even(float steps) {
  return int(std::bit_cast<std::uint32_t>(steps + 12582912.0f) & 0x7fffff) - 0x400000;
}
// [/three]

// [middle]
/// Of all scales of one binary exponent: how many give amax / 2, which is 63.5 steps, the code 63?
double share_of_63() {
  int below = 0;
  for (std::uint32_t bits = 0; bits < 1u << 23; ++bits) {
    const float amax = std::bit_cast<float>(0x3f800000u | bits);  // 1 ... 2
    const float inverse = 1.0f / (amax / 127.0f);
    below += std::round(amax / 2 * inverse) == 63.0f;
  }
  return 100.0 * below / (1 << 23);
}
// [/middle]

int main() {
  std::printf("steps      up    away  to even\n");
  for (const float steps : {-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f}) {
    std::printf("%5.1f   %5d   %5d    %5d\n", steps, up(steps), away(steps), to_even(steps));
  }
  std::printf("\nThe float32 below -0.5: up to %d\n", up(std::nextafter(-0.5f, -1.0f)));
  std::printf("amax / 2 becomes 63 at %.2f %% of all amax, 64 at the others\n", share_of_63());
}
