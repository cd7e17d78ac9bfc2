#include "formats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "nibble/net/split_mix.hpp"

namespace nibble::formats {

Quartiles quartiles_of(std::span<const double> seconds) {
  std::vector<double> t(seconds.begin(), seconds.end());
  std::ranges::sort(t);
  const std::size_t n = t.size();
  return {(t[(n - 1) / 2] + t[n / 2]) / 2, t[(n + 3) / 4 - 1], t[(3 * n + 3) / 4 - 1]};
}

PairedRatio paired_ratio(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed) {
  constexpr std::size_t kResamples = 1000, kLeftOut = 24;
  const std::size_t n = ours.size();
  std::vector<double> logs(n);
  for (std::size_t i = 0; i < n; ++i) logs[i] = std::log(ours[i] / theirs[i]);
  SplitMix random(seed);
  std::vector<double> draws(kResamples);
  for (double& draw : draws) {
    for (std::size_t i = 0; i < n; ++i) {
      draw += logs[random.below(static_cast<std::uint32_t>(n))] / static_cast<double>(n);
    }
  }
  std::ranges::sort(draws);
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(n);
  return {std::exp(mean), std::exp(draws[kLeftOut]), std::exp(draws[kResamples - 1 - kLeftOut])};
}

double sqnr_db(std::span<const double> right, std::span<const float> got) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double error = static_cast<double>(got[i]) - right[i];
    signal += right[i] * right[i];
    noise += error * error;
  }
  return 10 * std::log10(signal / noise);
}

}  // namespace nibble::formats
