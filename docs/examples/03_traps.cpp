// What the obvious function does where quantization needs another one.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>

int main() {
  // [traps]
  const float nan = std::nanf("");
  std::printf("2.5 by a cast %d, by round %g, by nearbyint %g\n", static_cast<int>(2.5f),
              std::round(2.5f), std::nearbyint(2.5f));
  std::printf("300 in an int8: %d\n", static_cast<std::int8_t>(300));
  std::printf("max(0, NaN) = %g, max(NaN, 0) = %g\n", std::max(0.0f, nan), std::max(nan, 0.0f));
  std::printf("clamp(NaN, -128, 127) = %g\n", std::clamp(nan, -128.0f, 127.0f));
  std::printf("FLT_MIN / 127 is %s\n", FLT_MIN / 127 < FLT_MIN ? "below FLT_MIN" : "normal");
  // [/traps]
}
