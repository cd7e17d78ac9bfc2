#include "judge/quartile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "judge/mix.hpp"

namespace nibble::judge {

double lower_quartile(std::vector<double> samples) {
  if (samples.empty()) return 0.0;
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 4);
  std::ranges::nth_element(samples, at);
  return *at;
}

double ratio_margin(const std::vector<double>& submission, const std::vector<double>& published) {
  constexpr int kResamples = 200;
  const std::size_t n = submission.size();
  if (n < 2) return 0.0;
  double sum = 0.0, squares = 0.0;
  std::vector<double> a(n), b(n);
  for (int r = 0; r < kResamples; ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t from = mix(static_cast<std::uint64_t>(r), i) % n;
      a[i] = submission[from];
      b[i] = published[from];
    }
    const double ratio = lower_quartile(b) / std::max(1.0, lower_quartile(a));
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / kResamples;
  return 2.0 * std::sqrt(std::max(0.0, squares / kResamples - mean * mean));
}

}  // namespace nibble::judge
