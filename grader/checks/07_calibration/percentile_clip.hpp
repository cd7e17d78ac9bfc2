// Lab 07, percentile_clip: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/moving_average_observe.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_07_calibration {

using Percentile = Exercise<&percentile_clip>;

inline void suspect_percentiles(Expect& expect, const Percentile::Arguments& in, float /*right*/) {
  const auto& [x, per_million] = in;
  if (x.empty()) return;
  Reals values = x, magnitudes = x;
  for (float& value : magnitudes) value = std::fabs(value);
  std::ranges::sort(values);
  std::ranges::sort(magnitudes);
  const double share = per_million / 1e6, n = static_cast<double>(x.size());
  const auto at = [&](const Reals& sorted, double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
  };
  for (const double off : {0.0, 1.0}) {
    expect.suspect("N-FORMULA", "clip", at(magnitudes, std::floor(n * share) + off));
  }
  expect.suspect("N-RANGE", "clip", at(values, std::ceil(n * share)));
  expect.suspect("N-RANGE", "clip", std::fabs(at(values, std::ceil(n * share))));
  const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(x.size()) *
                                                static_cast<std::uint32_t>(per_million));
  for (const double parts : {0.0 + narrow, 0.0 + static_cast<std::uint32_t>(narrow)}) {
    expect.suspect("N-OVERFLOW", "clip", at(magnitudes, std::ceil(parts / 1e6)));
  }
}

inline const Percentile percentile{{"x", "per_million"}, {"clip"}, suspect_percentiles};

}  // namespace nibble::judge::lab_07_calibration
