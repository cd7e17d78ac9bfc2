// Rounding a product once, and rounding it twice: where the two part, and how often.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <random>

// [roundings]
/// The contract's formulas, for a shift of at most 0, in a type that holds every product.
using Real = long double;
Real once(Real x, Real multiplier, int shift) {
  return std::floor(std::ldexp(x * multiplier, shift - 31) + 0.5L);
}
Real twice(Real x, Real multiplier, int shift) {
  const Real high = std::floor(std::ldexp(x * multiplier, -31) + 0.5L);
  return std::round(std::ldexp(high, shift));
}
// [/roundings]

// [picture]
/// What becomes of the products from 2.2 to 2.8, one column for each hundredth.
template <class Round>
void print_row(const char* name, int shift, Round round) {
  std::printf("%-6s  shift %2d  ", name, shift);
  for (int hundredths = 220; hundredths <= 280; ++hundredths) {
    const Real product = hundredths / 100.0L;
    // The multiplier is 2^30, a mantissa of 1/2; x is what makes the product, for once no integer.
    const Real x = std::round(std::ldexp(product, 1 - shift + 16)) * 0x1p-16L;
    std::printf("%.0Lf", round(x, 0x1p30L, shift));
  }
  std::printf("\n");
}
// [/picture]

// [count]
constexpr int kProducts = 100'000;

struct Wrong {
  int once = 0, twice = 0;
  Real furthest = 0;
};

/// How many products, of about so many bits, are not what real numbers give.
Wrong count(std::uint64_t seed, int shift, int bits) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return std::ldexp(static_cast<Real>(random() >> 11), -53); };
  Wrong wrong;
  for (int i = 0; i < kProducts; ++i) {
    const Real mantissa = 0.5L + uniform() / 2, factor = std::ldexp(mantissa, shift);
    const Real x = std::round((2 * uniform() - 1) * std::ldexp(1.0L, bits - shift));
    const Real multiplier = std::round(mantissa * 0x1p31L), right = std::round(x * factor);
    const Real off_once = std::fabs(once(x, multiplier, shift) - right);
    const Real off_twice = std::fabs(twice(x, multiplier, shift) - right);
    wrong.once += off_once > 0;
    wrong.twice += off_twice > 0;
    wrong.furthest = std::max({wrong.furthest, off_once, off_twice});
  }
  return wrong;
}
// [/count]

void print_counts(int bits, int shift) {
  Wrong wrong[5];
  for (int seed = 0; seed < 5; ++seed) wrong[seed] = count(seed + 1, shift, bits);
  std::printf("%4d  %5d   ", bits, shift);
  for (const Wrong& w : wrong) std::printf("%5d", w.once);
  std::printf("   ");
  for (const Wrong& w : wrong) std::printf("%6d", w.twice);
  Real furthest = 0;
  for (const Wrong& w : wrong) furthest = std::max(furthest, w.furthest);
  std::printf("  %7.0Lf\n", furthest);
}

int main() {
  std::printf(
      "product            2.2       2.3       2.4       2.5       2.6       2.7       2.8\n");
  std::printf("                   |         |         |         |         |         |         |\n");
  print_row("once", -2, once);
  for (const int shift : {0, -1, -2, -3, -4}) print_row("twice", shift, twice);

  std::printf("\nof 100000 products, how many are wrong: five seeds\n");
  std::printf(
      "bits  shift   rounded once                rounded twice                    off by\n");
  for (const int shift : {0, -1, -2, -4, -8, -11}) print_counts(8, shift);
  for (const int bits : {16, 20, 30}) print_counts(bits, bits == 30 ? -1 : -8);
}
