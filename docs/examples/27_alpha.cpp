// How much of a row its signs keep, with the mean magnitude for a scale, and with others.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

// [error]
/// The share of w's squares that alpha * sign(w) misses.
double lost(const std::vector<double>& w, double alpha) {
  double missed = 0.0, all = 0.0;
  for (const double x : w) {
    missed += std::pow(x - (x < 0.0 ? -alpha : alpha), 2);
    all += x * x;
  }
  return missed / all;
}
// [/error]

void print_row(const char* what, const std::vector<double>& w) {
  double mean = 0.0, amax = 0.0;
  for (const double x : w) {
    mean += std::fabs(x) / double(w.size());
    amax = std::max(amax, std::fabs(x));
  }
  const double kept = lost(w, mean);
  std::printf("%-20s %10.2f %10.2f %10.2f %8.1f dB\n", what, kept, lost(w, 1.0), lost(w, amax),
              -10.0 * std::log10(kept));
}

int main() {
  std::mt19937_64 bits(27);
  const auto uniform = [&] { return double(bits() >> 11) * 0x1p-53; };
  std::vector<double> normal, flat, outlier;
  for (int i = 0; i < 100000; ++i) {
    double sum = -6.0;  // twelve uniforms: nearly normal, with deviation 1
    for (int k = 0; k < 12; ++k) sum += uniform();
    normal.push_back(sum / 2);
    flat.push_back(2 * uniform() - 1);
    outlier.push_back(i % 1000 == 0 ? 50 * sum : sum / 2);
  }
  std::puts("lost with alpha =          mean|w|          1    max |w|      SNR with the mean");
  print_row("normal, sigma 1/2", normal);
  print_row("uniform in [-1, 1)", flat);
  print_row("normal, outliers", outlier);
}
