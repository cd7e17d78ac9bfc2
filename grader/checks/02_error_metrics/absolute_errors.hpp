// Lab 02, absolute_errors: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "checks/02_error_metrics/mean_squared_error.hpp"
#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Magnitudes = Exercise<&absolute_errors>;

inline void suspect_signs(Expect& expect, const Pair& in, const AbsoluteErrors& right) {
  double sum = 0.0, above = -kInfinity, below = -kInfinity;  // the largest of e and of -e
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const double e = double{in.a[i]} - in.b[i];
    sum += e;
    above = std::max(above, e);
    below = std::max(below, -e);
  }
  const double mean = sum / static_cast<double>(in.a.size());
  suspect_wrong_counts(expect, "mae", in, right.mae);
  for (const double value : {mean, -mean}) {
    expect.suspect("N-SIGN", "mae", value, "as if errors kept their signs");
  }
  for (const double value : {above, below}) {
    expect.suspect("N-SIGN", "max_error", value, "as if errors kept their signs");
  }
}

inline const Magnitudes magnitudes{
    {"x", "x_hat"}, {"mae", "max_error"}, suspect_signs, {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
