// Lab 02, mean_squared_error: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

/// What a sum where a mean is wanted would give, and a mean over one element less.
inline void suspect_wrong_counts(Expect& expect, std::string_view what, const Pair& in,
                                 double right) {
  const auto n = static_cast<double>(in.a.size());
  expect.suspect("N-DENOM", what, right * n);
  if (n > 1) expect.suspect("N-DENOM", what, right * n / (n - 1));
}

inline const Squaring squaring{{"x", "x_hat"},
                               {"mse"},
                               [](auto& expect, const auto& in, double right) {
                                 suspect_wrong_counts(expect, "mse", in, right);
                               },
                               {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
