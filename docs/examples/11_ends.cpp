// Which numbers have eight bits, what becomes of those beyond, and what rounding twice does.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

// [format]
/// Numbers that are fraction_bits + 1 bits long, from 2^least on; below that as far apart as there.
struct Format {
  const char* name;
  int fraction_bits, least;
  double largest;
};
constexpr Format kE4m3{"E4M3", 3, -6, 448}, kE5m2{"E5M2", 2, -14, 57344};

/// From x to the next number away from 0.
double step_at(double x, const Format& f) {
  return std::ldexp(1.0, std::max(std::ilogb(x), f.least) - f.fraction_bits);
}

/// remainder() is x minus the nearest multiple of a step, of two the even one.
double rounded(double x, const Format& f) { return x - std::remainder(x, step_at(x, f)); }
// [/format]

constexpr Format kHalf{"half", 10, -14, 65504}, kBfloat16{"bfloat16", 7, -126, 3.39e38};

void print_limits(const Format& f) {
  int numbers = 1;
  for (double x = 0.0; x < f.largest; x += step_at(x, f)) ++numbers;
  std::printf("%-9s%12.4g%12.5g%10.5g%12d%15.3g %%\n", f.name, step_at(0.0, f),
              std::ldexp(1.0, f.least), f.largest, numbers, 100 * step_at(1.0, f) / 2);
}

/// Eight characters for a power of two, a mark where a number is.
void print_marks(const Format& f, int from, int to) {
  std::string line;
  for (int exponent = from; exponent < to; ++exponent) {
    for (int eighth = 8; eighth < 16; ++eighth) {
      const double x = std::ldexp(eighth, exponent - 3);
      const bool is_number = x <= f.largest && std::remainder(x, step_at(x, f)) == 0.0;
      line += is_number ? '|' : '-';
    }
  }
  std::printf("%-6s %s\n", f.name, line.c_str());
}

/// Both answers: "448  NaN".
void print_end(double x, const Format& f, const char* overflow) {
  const bool too_large = std::isinf(x) || rounded(x, f) > f.largest;
  const std::string nearest = std::to_string(std::lround(too_large ? f.largest : rounded(x, f)));
  std::printf("%10s%10s", nearest.c_str(), too_large ? overflow : nearest.c_str());
}

// [twice]
/// Of the floats from 16 to 32: how many are rounded to another number by way of `between`.
int other_by_way_of(const Format& between, const Format& f) {
  int other = 0;
  for (float x = 16.0f; x < 32.0f; x = std::nextafter(x, 32.0f)) {
    other += rounded(rounded(x, between), f) != rounded(x, f) ? 1 : 0;
  }
  return other;
}
// [/twice]

int main() {
  std::printf("             smallest      normal   largest     numbers    half a step at 1\n");
  for (const Format& f : {kE4m3, kE5m2}) print_limits(f);

  std::puts("\n       2^-11   2^-10   2^-9    2^-8    2^-7    2^-6");
  for (const Format& f : {kE4m3, kE5m2}) print_marks(f, -11, -5);
  std::puts("\n       64      128     256     512     1024    2048");
  for (const Format& f : {kE4m3, kE5m2}) print_marks(f, 6, 12);

  std::printf("\n         x      E4M3: saturated, or     E5M2: saturated, or\n");
  for (const double x : {440.0, 448.0, 464.0, 465.0, 480.0, 57344.0, 61439.0, 61440.0, HUGE_VAL}) {
    std::printf("%10.0f      ", x);
    print_end(x, kE4m3, "NaN");
    std::printf("    ");
    print_end(x, kE5m2, "infinity");
    std::printf("\n");
  }

  std::printf("\nof 8388608 floats from 16 to 32, rounded twice:\n");
  std::printf("E5M2 by way of half      %6d go elsewhere\n", other_by_way_of(kHalf, kE5m2));
  std::printf("E4M3 by way of half      %6d\n", other_by_way_of(kHalf, kE4m3));
  std::printf("E4M3 by way of bfloat16  %6d\n", other_by_way_of(kBfloat16, kE4m3));
}
