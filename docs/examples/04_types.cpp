// Three sums around a zero point, and the type that spoils each.
#include <cmath>
#include <cstdint>
#include <cstdio>

int main() {
  // [types]
  const std::uint8_t q = 9, zero_point = 10;
  std::printf("9 - 10 in int %d, in uint8 %d\n", q - zero_point,
              static_cast<std::uint8_t>(q - zero_point));

  const float far = 16'777'216.0f;  // 2^24
  std::printf("2^24 - 1 + 1 = %.0f, 2^24 + 1 = %.0f in float32\n", far - 1 + 1, far + 1);

  const float steps = 0.5f, odd = 7.0f;
  std::printf("0.5 with zero point 7: rounded first %g, added first %g\n",
              std::nearbyint(steps) + odd, std::nearbyint(steps + odd));
  // [/types]
}
