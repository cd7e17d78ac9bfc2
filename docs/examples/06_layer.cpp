// A layer in integers, from real numbers to real numbers: what a zero point for the activations is
// worth, and what a scale for each column of the weights.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t kRows = 200, kK = 256, kColumns = 3;

/// Numbers that look random, from -1 to 1: a sum of three is nearly normal.
struct Noise {
  std::uint64_t state = 1;
  double operator()() {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<double>(state >> 40) / (1 << 23) - 1.0;
    }
    return sum / 3;
  }
};

/// Real numbers as whole ones: a scale for each of so many columns, and one zero point.
struct Codes {
  std::vector<double> scales;
  double zero_point;
  std::vector<double> q;
};

// [quantize]
/// Codes from `qmin` to `qmax` of x [rows, columns]. Symmetric: qmax is the largest |x|, and the
/// zero point 0; else the codes reach from the least x to the largest.
Codes quantize(const std::vector<double>& x, std::size_t columns, bool per_column, bool symmetric,
               double qmin, double qmax) {
  std::vector<double> low(columns, 0.0), high(columns, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t j = per_column ? i % columns : 0;
    low[j] = std::min(low[j], x[i]);
    high[j] = std::max(high[j], x[i]);
  }
  Codes codes{{}, 0.0, {}};
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t of = per_column ? j : 0;
    codes.scales.push_back(symmetric ? std::max(-low[of], high[of]) / qmax
                                     : (high[of] - low[of]) / (qmax - qmin));
  }
  if (!symmetric) codes.zero_point = qmin - std::nearbyint(low[0] / codes.scales[0]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double steps = std::nearbyint(x[i] / codes.scales[i % columns]);
    codes.q.push_back(std::clamp(steps + codes.zero_point, qmin, qmax));
  }
  return codes;
}
// [/quantize]

/// The rms error of each column of the product of codes, in per cent of the column's rms.
void print_errors(const char* what, const std::vector<double>& x, const std::vector<double>& w,
                  const Codes& xq, const Codes& wq) {
  std::array<double, kColumns> power{}, noise{};
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      double real = 0, sum = 0;
      for (std::size_t p = 0; p < kK; ++p) {
        real += x[i * kK + p] * w[p * kColumns + j];
        sum += (xq.q[i * kK + p] - xq.zero_point) * wq.q[p * kColumns + j];
      }
      const double error = sum * (xq.scales[0] * wq.scales[j]) - real;
      power[j] += real * real;
      noise[j] += error * error;
    }
  }
  std::printf("%-22s", what);
  for (std::size_t j = 0; j < kColumns; ++j) {
    std::printf("  %6.2f %%", 100 * std::sqrt(noise[j] / power[j]));
  }
  std::printf("\n");
}

int main() {
  Noise noise;
  std::vector<double> x, w;
  // Activations behind a SiLU: hardly below 0, far above it.
  while (x.size() < kRows * kK) {
    const double v = 6 * noise();
    x.push_back(v / (1 + std::exp(-v)));
  }
  // The columns of the weights: small ones, medium ones, large ones.
  constexpr std::array<double, kColumns> kSizes = {0.02, 0.1, 1.0};
  while (w.size() < kK * kColumns) w.push_back(kSizes.at(w.size() % kColumns) * noise());

  const Codes int8 = quantize(x, kK, false, true, -128, 127);
  const Codes uint8 = quantize(x, kK, false, false, 0, 255);
  const Codes one = quantize(w, kColumns, false, true, -128, 127);
  const Codes each = quantize(w, kColumns, true, true, -128, 127);
  std::printf("zero point of uint8: %.0f\n", uint8.zero_point);
  std::printf("%-22s  %8s  %8s  %8s\n", "x, scales of w", "small", "medium", "large");
  print_errors("int8, one", x, w, int8, one);
  print_errors("uint8, one", x, w, uint8, one);
  print_errors("int8, each column", x, w, int8, each);
  print_errors("uint8, each column", x, w, uint8, each);
}
