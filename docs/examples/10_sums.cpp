// How far rounding to 16 bits moves one number, and what it does to a sum that is kept in 16 bits.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

// [rounded]
/// How many bits of fraction, and the exponent below which numbers get no closer.
struct Format {
  const char* name;
  int fraction_bits, least;
};
constexpr Format kHalf{"half", 10, -14}, kBfloat16{"bfloat16", 7, -126},
    kFloat{"float32", 23, -126};

/// remainder() is x minus the nearest multiple of a step, of two the even one. Nothing on this page
/// is too large for its format.
double rounded(double x, const Format& f) {
  return x - std::remainder(x, std::ldexp(1.0, std::max(std::ilogb(x), f.least) - f.fraction_bits));
}
// [/rounded]

/// Roughly normal(0, 1).
std::vector<float> gaussian(int count, unsigned seed) {
  std::mt19937 bits(seed);
  std::vector<float> x;
  for (int i = 0; i < count; ++i) {
    double sum = -6.0;
    for (int j = 0; j < 12; ++j) sum += bits() * 0x1p-32;
    x.push_back(static_cast<float>(sum));
  }
  return x;
}

void print_error(const Format& f, const std::vector<float>& x) {
  double error = 0.0, signal = 0.0;
  for (const double value : x) {
    error += std::pow(value - rounded(value, f), 2);
    signal += value * value;
  }
  std::printf("%-9s %.3f %%   %5.1f dB\n", f.name, 100 * std::sqrt(error / signal),
              10 * std::log10(signal / error));
}

// [ones]
/// One is added again and again, until nothing changes any more.
void print_ones(const Format& f) {
  double sum = 0.0;
  while (rounded(sum + 1.0, f) != sum) sum = rounded(sum + 1.0, f);
  std::printf("%-9s ends at %.0f\n", f.name, sum);
}
// [/ones]

/// Dot products of n halves with themselves: how far, relative, the two sums of lab 10 end from the
/// exact one.
void print_dot(int n) {
  double worst_half = 0.0, worst_float = 0.0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    double exact = 0.0, in_half = 0.0;
    float in_float = 0.0f;
    for (const float value : gaussian(n, seed)) {
      const double x = rounded(value, kHalf) / 4;
      exact += x * x;
      in_half = rounded(in_half + rounded(x * x, kHalf), kHalf);
      in_float += static_cast<float>(x * x);
    }
    worst_half = std::max(worst_half, std::fabs(in_half / exact - 1));
    worst_float = std::max(worst_float, std::fabs(in_float / exact - 1));
  }
  std::printf("%6d   %10.4f %%   %.6f %%\n", n, 100 * worst_half, 100 * worst_float);
}

int main() {
  const std::vector<float> x = gaussian(1 << 18, 1);
  for (const Format& f : {kHalf, kBfloat16}) print_error(f, x);

  std::puts("");
  for (const Format& f : {kHalf, kBfloat16, kFloat}) print_ones(f);

  std::puts("\n     n   sum in half   in float32");
  for (const int n : {16, 256, 4096, 65536}) print_dot(n);
}
