#include "judge/quartile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "judge/mix.hpp"

namespace nibble::judge {
namespace {

/// The value that this share of the samples lie below.
double quantile(std::vector<double> samples, double share) {
  if (samples.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size()));
  std::ranges::nth_element(samples, samples.begin() + at);
  return samples[static_cast<std::size_t>(at)];
}

}  // namespace

double lower_quartile(std::vector<double> samples) { return quantile(std::move(samples), 0.25); }

double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

double relative_margin(const std::vector<double>& samples) {
  constexpr int kResamples = 200;
  const std::size_t n = samples.size();
  if (n < 2) return 0.0;
  double sum = 0.0, squares = 0.0;
  std::vector<double> drawn(n);
  for (int r = 0; r < kResamples; ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      drawn[i] = samples[mix(static_cast<std::uint64_t>(r), i) % n];
    }
    const double quartile = lower_quartile(drawn);
    sum += quartile;
    squares += quartile * quartile;
  }
  const double mean = sum / kResamples;
  const double error = std::sqrt(std::max(0.0, squares / kResamples - mean * mean));
  return 2.0 * std::numbers::sqrt2 * error / std::max(1.0, mean);
}

}  // namespace nibble::judge
