// Three ways to x / scale, rounded to a code: how often do they disagree with a division?
#include <cmath>
#include <cstdint>
#include <cstdio>

// [quotients]
float by_reciprocal(float x, float /*scale*/, float inverse) { return x * inverse; }

/// `rough` is off by its rounding and by that of `inverse`. What is left of x is exact in an FMA,
/// and small: its own rounding errors do not reach the last bit of the sum.
float corrected(float x, float scale, float inverse) {
  const float rough = x * inverse;
  const float rest = std::fma(-rough, scale, x);
  return std::fma(rest, inverse, rough);
}
// [/quotients]

std::uint64_t state = 1;

/// Uniform in [0, 1), the same everywhere.
float uniform() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<float>(state >> 40) * 0x1p-24f;
}

using Quotient = float (*)(float, float, float);

/// How many of a million x, next to half-way between two codes or anywhere, get another code.
int different_codes(Quotient quotient, bool near_ties) {
  int different = 0;
  for (int i = 0; i < 1000000; ++i) {
    const float scale = 0.001f + uniform();
    float x = (256 * uniform() - 128) * scale;
    if (near_ties) x = (std::floor(256 * uniform()) - 127.5f) * scale;
    const float inverse = 1.0f / scale;
    different += std::nearbyint(quotient(x, scale, inverse)) != std::nearbyint(x / scale);
  }
  return different;
}

void print(const char* name, Quotient quotient) {
  const int anywhere = different_codes(quotient, false);
  const int near_ties = different_codes(quotient, true);
  std::printf("%-30s %13d %25d\n", name, anywhere, near_ties);
}

int main() {
  std::printf("codes of a million that differ      anywhere    half-way between codes\n");
  print("x * (1 / scale)", by_reciprocal);
  print("the same, corrected", corrected);
}
