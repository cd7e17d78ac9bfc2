// Where the numbers of half and of bfloat16 lie: how far they reach, and how far apart they are.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

// [format]
/// Numbers that are fraction_bits + 1 bits long, from 2^least on; below that as far apart as there.
struct Format {
  const char* name;
  int fraction_bits, least, most;  // exponents of the normal numbers
};
constexpr Format kHalf{"half", 10, -14, 15}, kBfloat16{"bfloat16", 7, -126, 127};

/// From x to the next number away from 0.
double step_at(double x, const Format& f) {
  return std::ldexp(1.0, std::max(std::ilogb(x), f.least) - f.fraction_bits);
}
// [/format]

void print_limits(const Format& f) {
  const double largest = std::ldexp(2.0, f.most) - step_at(std::ldexp(1.0, f.most), f);
  std::printf("%-9s%12.4g%12.5g%12.5g%13.5g%11.3g %%\n", f.name, step_at(0.0, f),
              std::ldexp(1.0, f.least), largest, largest + step_at(largest, f) / 2,
              100 * step_at(1.0, f) / 2);
}

/// One letter for eight powers of two: N for normal numbers, s where only subnormal ones are.
void print_reach(const Format& f) {
  std::string line;
  for (int exponent = -152; exponent < 136; exponent += 8) {
    const int last = exponent + 7;
    const bool normal = last >= f.least && exponent <= f.most;
    const bool subnormal = last >= f.least - f.fraction_bits && exponent < f.least;
    line += normal ? 'N' : subnormal ? 's' : '.';
  }
  std::printf("%-9s %s\n", f.name, line.c_str());
}

/// A character for half of `unit`, a mark where a number is.
void print_marks(const Format& f, double from, double unit) {
  std::string line;
  for (int i = 0; i <= 64; ++i) {
    const double x = from + i * unit / 2;
    line += std::remainder(x, step_at(x, f)) == 0.0 ? '|' : '-';
  }
  std::printf("%-9s %s\n", f.name, line.c_str());
}

int main() {
  std::printf("            smallest      normal     largest  infinity at   half a step at 1\n");
  for (const Format& f : {kHalf, kBfloat16}) print_limits(f);

  std::printf("\n          2^-152             2^0             2^128\n");
  for (const Format& f : {kHalf, kBfloat16}) print_reach(f);

  std::printf("\n     at   half steps by   bfloat16 by\n");
  for (const int e : {-30, -24, -20, -14, -10, -4, 0, 4, 8, 10, 11, 12, 15, 16}) {
    const double x = std::ldexp(1.0, e);
    std::printf("  2^%-4d", e);
    if (e > kHalf.most || e < kHalf.least - kHalf.fraction_bits) {
      std::printf("%13s   ", "-");
    } else {
      std::printf("%12s%-4d", "2^", std::ilogb(step_at(x, kHalf)));
    }
    std::printf("%10s%d\n", "2^", std::ilogb(step_at(x, kBfloat16)));
  }

  std::printf("\n          %-32d%-32d%d\n", 2032, 2048, 2064);
  for (const Format& f : {kHalf, kBfloat16}) print_marks(f, 2032, 1);
}
