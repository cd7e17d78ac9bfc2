// Lab 02, cosine_similarity: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Turning = Exercise<&cosine_similarity>;

/// What PyTorch's function of this name divides by at least.
inline constexpr double kLeastOfPyTorch = 1e-8;

inline void suspect_least(Expect& expect, const Turning::Arguments& in, double cosine) {
  const auto length = [](const Reals& x) {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum);
  };
  const double lengths = length(in.a) * length(in.b);
  const bool differs = lengths < kLeastOfPyTorch && lengths > kLeastOfPyTorch / 1000;
  if (!differs) return;  // or it would be 0, which much else is
  expect.suspect("N-DIV0", "cosine", cosine * lengths / kLeastOfPyTorch,
                 "as if the lengths' product were 1e-8 at least: 0 alone has no direction");
}

inline const Turning turning{
    {"x", "x_hat"}, {"cosine"}, suspect_least, {.tolerance = cancelling_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
