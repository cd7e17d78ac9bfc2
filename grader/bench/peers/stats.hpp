// The middle of some samples, and how far they lie apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nibble::peers {

struct Summary {
  double median = 0, least = 0, most = 0;
  std::size_t count = 0;
};

inline Summary summary_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  const std::size_t count = samples.size();
  const double median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
  return {median, samples.front(), samples.back(), count};
}

}  // namespace nibble::peers
