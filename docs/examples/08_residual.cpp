// Two tensors with different scales are added: how fine must the unit be in which they meet?
#include <cmath>
#include <cstdio>
#include <initializer_list>

// [bits]
/// Of all 65,536 pairs of codes, how many sums are not the nearest code, when both terms are
/// rounded to a unit of twice the larger scale, divided by 2^bits.
int wrong_sums(double a_scale, double b_scale, double c_scale, int bits) {
  const double unit = 2 * std::fmax(a_scale, b_scale) / std::exp2(bits);
  int wrong = 0;
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const double terms = std::round(a * a_scale / unit) + std::round(b * b_scale / unit);
      const double real = a * a_scale + b * b_scale;
      wrong += std::round(terms * unit / c_scale) != std::round(real / c_scale);
    }
  }
  return wrong;
}
// [/bits]

int main() {
  std::printf("bits   0.02 + 0.05   0.0131 + 0.9   0.07 + 0.11\n");
  for (const int bits : {0, 1, 4, 8, 12, 16, 20}) {
    std::printf("%4d   %11d   %11d    %11d\n", bits, wrong_sums(0.02, 0.05, 0.067, bits),
                wrong_sums(0.0131, 0.9, 0.9107, bits), wrong_sums(0.07, 0.11, 0.173, bits));
  }
}
