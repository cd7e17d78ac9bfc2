// Five formats side by side: a ruler near 0, and how fine each is at every power of two.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

// [formats]
/// Numbers that are fraction_bits + 1 bits long, from 2^least on; below that as far apart as there.
struct Format {
  const char* name;
  int fraction_bits, least;
  double largest;
};
constexpr Format kFormats[] = {{"half", 10, -14, 65504},
                               {"bfloat16", 7, -126, 0x1.FEp127},
                               {"E4M3", 3, -6, 448},
                               {"E5M2", 2, -14, 57344},
                               {"E2M1", 1, 0, 6}};

/// From x to the next number away from 0.
double step_at(double x, const Format& f) {
  return std::ldexp(1.0, std::max(std::ilogb(x), f.least) - f.fraction_bits);
}
// [/formats]

bool is_number(double x, const Format& f) {
  return x <= f.largest && std::remainder(x, step_at(x, f)) == 0.0;
}

/// The bits that tell the numbers from 2^exponent to the next power of two apart; -1: it has none.
int bits_at(int exponent, const Format& f) {
  if (std::ldexp(1.0, exponent) > f.largest) return -1;
  return std::max(-1, f.fraction_bits - std::max(0, f.least - exponent));
}

int main() {
  std::printf("          0       1       2       3       4       5       6       7       8\n");
  for (const Format& f : kFormats) {
    std::string marks;
    for (int i = 0; i <= 64; ++i) marks += is_number(i / 8.0, f) ? '|' : '-';
    std::printf("%-10s%s\n", f.name, marks.c_str());
  }
  std::printf("\n%10s%-34s%-28s2^112\n", "", "2^-136", "2^0");
  for (const Format& f : kFormats) {
    std::string line;
    for (int exponent = -136; exponent < 128; exponent += 4) {
      int most = -1;
      for (int e = exponent; e < exponent + 4; ++e) most = std::max(most, bits_at(e, f));
      line += most < 0 ? '.' : "0123456789a"[most];
    }
    std::printf("%-10s%s\n", f.name, line.c_str());
  }
  std::printf("\n              smallest       largest   numbers from 1 to 2\n");
  for (const Format& f : kFormats) {
    std::printf("%-10s%12.4g%14.5g%22d\n", f.name, step_at(0.0, f), f.largest,
                1 << f.fraction_bits);
  }
}
