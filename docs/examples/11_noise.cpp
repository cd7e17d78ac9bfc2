// How far rounding to eight bits moves a tensor, on a grid and as floats, and what a scale can do.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

// [rounded]
struct Format {
  const char* name;
  int fraction_bits, least;
  double largest;
};
constexpr Format kInt8{"int8", 0, 0, 127}, kE4m3{"E4M3", 3, -6, 448}, kE5m2{"E5M2", 2, -14, 57344};

/// The nearest number of the format; beyond the last, the last. A grid has one step for all.
double rounded(double x, const Format& f) {
  const int exponent = f.fraction_bits == 0 ? 0 : std::max(std::ilogb(x), f.least);
  const double nearest = x - std::remainder(x, std::ldexp(1.0, exponent - f.fraction_bits));
  return std::clamp(nearest, -f.largest, f.largest);
}
// [/rounded]

/// Roughly normal(0, 1).
std::vector<double> gaussian(int count) {
  std::mt19937 bits(1);
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    double sum = -6.0;
    for (int j = 0; j < 12; ++j) sum += bits() * 0x1p-32;
    x.push_back(sum);
  }
  return x;
}

double amax_of(const std::vector<double>& x) {
  double amax = 0.0;
  for (const double value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

/// Signal to noise with the largest magnitude at `share` of the format's largest number.
double decibels(const std::vector<double>& x, const Format& f, double share) {
  const double scale = amax_of(x) / (f.largest * share);
  double error = 0.0, signal = 0.0;
  for (const double value : x) {
    error += std::pow(value - scale * rounded(value / scale, f), 2);
    signal += value * value;
  }
  return 10 * std::log10(signal / error);
}

int main() {
  const std::vector<double> x = gaussian(1 << 16);
  std::puts("largest value      int8    E4M3    E5M2");
  for (const double outlier : {0.0, 10.0, 30.0, 100.0, 1000.0}) {
    std::vector<double> with = x;
    if (outlier > 0.0) with[0] = outlier;
    std::printf("%-9.4g       ", amax_of(with));
    for (const Format& f : {kInt8, kE4m3, kE5m2}) {
      // The noise of the others: one exact outlier would be most of the signal.
      const double scale = amax_of(with) / f.largest;
      double error = 0.0, signal = 0.0;
      for (std::size_t i = 1; i < with.size(); ++i) {
        error += std::pow(with[i] - scale * rounded(with[i] / scale, f), 2);
        signal += with[i] * with[i];
      }
      std::printf("%7.1f ", 10 * std::log10(signal / error));
    }
    std::printf("dB\n");
  }

  std::puts("\namax at       int8    E4M3    E5M2");
  for (int exponent = 2; exponent >= -20; exponent -= 2) {
    std::printf("2^%-9d", exponent);
    for (const Format& f : {kInt8, kE4m3, kE5m2}) {
      std::printf("%8.1f", decibels(x, f, std::ldexp(1.0, exponent)));
    }
    const double e4m3 = decibels(x, kE4m3, std::ldexp(1.0, exponent));
    std::printf("  |%s\n", std::string(static_cast<std::size_t>(std::max(0.0, e4m3)), '#').c_str());
  }
}
