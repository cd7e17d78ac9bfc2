// What one bit and one trit keep of a row of weights: over eight seeds, for three distributions,
// with the scale that loses least and with others; then threshold by threshold.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

using Row = std::vector<double>;

double mean_magnitude(const Row& w) {
  double sum = 0.0;
  for (const double x : w) sum += std::fabs(x);
  return sum / double(w.size());
}

// [kept]
/// The signal to the error in decibels, where weights above the threshold become +-alpha and the
/// others 0. One bit has a threshold of -1: nothing is small. alpha < 0 asks for the best one.
double snr_db(const Row& w, double threshold, double alpha) {
  double kept = 0.0, count = 0.0, squares = 0.0, missed = 0.0;
  for (const double x : w) {
    if (std::fabs(x) > threshold) kept += std::fabs(x), count += 1.0;
  }
  if (alpha < 0.0) alpha = kept / count;
  for (const double x : w) {
    const double back = std::fabs(x) > threshold ? std::copysign(alpha, x) : 0.0;
    squares += x * x;
    missed += (x - back) * (x - back);
  }
  return 10.0 * std::log10(squares / missed);
}
// [/kept]

constexpr double kBest = -1.0, kNothingIsSmall = -1.0, kPi = 3.14159265358979323846;

struct Distribution {
  const char* name;
  double (*of)(double, double);  // of two numbers in (0, 1)
};
const Distribution kDistributions[] = {
    {"normal",
     [](double u, double v) { return std::sqrt(-2 * std::log(u)) * std::cos(2 * kPi * v); }},
    {"uniform", [](double u, double) { return 2 * u - 1; }},
    {"Laplace", [](double u, double v) { return std::copysign(std::log(u), v - 0.5); }},
};

Row draw(const Distribution& distribution, int seed) {
  std::mt19937_64 bits(seed);
  const auto uniform = [&] { return (double(bits() >> 12) + 0.5) * 0x1p-52; };
  Row w(100'000);
  for (double& x : w) {
    const double u = uniform();
    x = distribution.of(u, uniform());
  }
  return w;
}

void print_row(const char* what, const std::function<double(const Row&)>& measured) {
  std::printf("%-38s", what);
  for (const Distribution& distribution : kDistributions) {
    double least = 1e9, most = -1e9;
    for (int seed = 1; seed <= 8; ++seed) {
      const double db = measured(draw(distribution, seed));
      least = std::min(least, db);
      most = std::max(most, db);
    }
    std::printf("%7.2f ..%6.2f", least, most);
  }
  std::puts("");
}

int main() {
  std::printf("%-38s", "dB, least and most of eight seeds");
  for (const Distribution& distribution : kDistributions) std::printf("%15s", distribution.name);
  std::puts("");
  print_row("a bit, alpha = mean |w|",
            [](const Row& w) { return snr_db(w, kNothingIsSmall, mean_magnitude(w)); });
  print_row("a bit, alpha = max |w|", [](const Row& w) {
    const auto [low, high] = std::minmax_element(w.begin(), w.end());
    return snr_db(w, kNothingIsSmall, std::max(-*low, *high));
  });
  print_row("a trit above 0.7 mean, alpha of them",
            [](const Row& w) { return snr_db(w, 0.7 * mean_magnitude(w), kBest); });
  print_row("a trit above 1.0 mean, alpha of them",
            [](const Row& w) { return snr_db(w, 1.0 * mean_magnitude(w), kBest); });
  print_row("a trit above 0.5 mean, alpha of them",
            [](const Row& w) { return snr_db(w, 0.5 * mean_magnitude(w), kBest); });
  print_row("a trit above 0.5 mean, alpha = mean",
            [](const Row& w) { return snr_db(w, 0.5 * mean_magnitude(w), mean_magnitude(w)); });

  std::puts("\nthreshold / mean, normal");
  const Row w = draw(kDistributions[0], 1);
  for (int tenths = 0; tenths <= 14; ++tenths) {
    const double db = snr_db(w, 0.1 * tenths * mean_magnitude(w), kBest);
    std::printf("%4.1f  %5.2f dB  %s\n", 0.1 * tenths, db,
                std::string(std::size_t(std::lround(8 * (db - 4))), '#').c_str());
  }
}
