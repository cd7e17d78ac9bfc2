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

/// Of n values, in ascending order, that of a rank, or of the next rank that there is.
inline float ranked(const Reals& sorted, double rank) {
  const auto n = static_cast<double>(sorted.size());
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
}

/// As NumPy does it.
inline float between_two(const Reals& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const float below = ranked(sorted, std::floor(at) + 1),
              above = ranked(sorted, std::floor(at) + 2);
  return static_cast<float>(below + (at - std::floor(at)) * (above - below));
}

inline void suspect_ranks(Expect& expect, const Reals& magnitudes, std::int32_t per_million) {
  const auto looks = [&](const char* words, double rank, const char* code = "N-FORMULA") {
    expect.suspect(code, "clip", ranked(magnitudes, rank), words);
  };
  const auto n = static_cast<double>(magnitudes.size());
  const double parts = n * per_million, rank = std::ceil(parts / 1e6);
  looks("the rank is rounded down: it is rounded up", std::floor(parts / 1e6));
  looks("what is little above a whole rank is rounded to it: it is rounded up",
        std::floor(parts / 1e6 + 0.5));
  looks("one magnitude too far: a rank counts from 1, a vector from 0", rank + 1);
  looks("a whole rank is one too large: it is rounded up only where it is no integer",
        std::floor(parts / 1e6) + 1);
  looks("per_million is the share that is cut: it is the share that is kept", n - rank + 1);
  const auto floats = static_cast<float>(n), share = static_cast<float>(per_million);
  for (const float narrow : {floats * (share / 1e6f), floats * share / 1e6f, share / 1e6f * floats,
                             share * (1 / 1e6f) * floats - 1.0f / 10'000}) {
    looks("the rank is computed in floating point: it is exact, in integers", std::ceil(narrow));
  }
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(parts));
  for (const double narrow : {0.0 + bits, 0.0 + static_cast<std::int32_t>(bits)}) {
    looks("n * per_million is more than 32 bits hold", std::ceil(narrow / 1e6), "N-OVERFLOW");
  }
}

inline void suspect_percentiles(Expect& expect, const Percentile::Arguments& in, float /*right*/) {
  const auto& [x, per_million] = in;
  if (x.empty()) return;
  Reals values = x, magnitudes = x;
  for (float& value : magnitudes) value = std::fabs(value);
  std::ranges::sort(values);
  std::ranges::sort(magnitudes);
  const double share = per_million / 1e6, n = static_cast<double>(x.size());
  expect.suspect("N-RANGE", "clip", ranked(values, std::ceil(n * share)));
  expect.suspect("N-RANGE", "clip", std::fabs(ranked(values, std::ceil(n * share))));
  suspect_ranks(expect, magnitudes, per_million);
  expect.suspect("N-FORMULA", "clip", between_two(magnitudes, share),
                 "a number between two magnitudes: it is one of them");
}

inline const Percentile percentile{{"x", "per_million"}, {"clip"}, suspect_percentiles};

}  // namespace nibble::judge::lab_07_calibration
