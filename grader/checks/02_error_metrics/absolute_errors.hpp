// Lab 02, absolute_errors: what is right, and what people write instead.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "error_metrics.hpp"

#include "checks/02_error_metrics/mean_squared_error.hpp"
#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Magnitudes = Exercise<&absolute_errors>;

inline void suspect_signs(Expect& expect, const std::vector<double>& errors) {
  double sum = 0.0, above = -kInfinity, below = -kInfinity;  // the largest of e and of -e
  for (const double e : errors) {
    sum += e;
    above = std::max(above, e);
    below = std::max(below, -e);
  }
  const double mean = sum / static_cast<double>(errors.size());
  for (const double value : {mean, -mean}) {
    expect.suspect("N-SIGN", "mae", value, "as if errors kept their signs");
  }
  for (const double value : {above, below}) {
    expect.suspect("N-SIGN", "max_error", value, "as if errors kept their signs");
  }
}

inline constexpr const char* kMeanForLargest = "the mean of |e|: max_error is the largest";

inline void suspect_magnitudes(Expect& expect, const Pair& in, const AbsoluteErrors& right) {
  const std::vector<double> errors = errors_of(in);
  std::vector<double> sizes;
  double squares = 0.0, amax = 0.0;
  for (const double e : errors) {
    sizes.push_back(std::fabs(e));
    squares += e * e / static_cast<double>(errors.size());
  }
  for (const double x : in.a) amax = std::max(amax, std::fabs(x));
  suspect_wrong_counts(expect, "mae", sizes);
  suspect_signs(expect, errors);
  const auto suspect = [&](const char* what, const char* words, double value) {
    expect.suspect("N-FORMULA", what, value, words);
  };
  suspect("mae", "the largest |e|: mae is the mean", right.max_error);
  suspect("mae", "e^2 is averaged: mae is the mean of |e|", squares);
  suspect("mae", "e^2 is averaged: mae is the mean of |e|", std::sqrt(squares));
  suspect("max_error", kMeanForLargest, right.mae);
  if (sizes.back() != right.max_error) {  // else it is all that a loop sees that stops early
    for (const double some : {sizes.back(), *std::ranges::min_element(sizes)}) {
      suspect("max_error", "the |e| of another element: max_error is the largest", some);
    }
  }
  if (amax > 0) {
    constexpr const char* words = "divided by the largest |x|: both are in units of x";
    suspect("mae", words, right.mae / amax);
    suspect("max_error", words, right.max_error / amax);
  }
}

inline const Magnitudes magnitudes{
    {"x", "x_hat"}, {"mae", "max_error"}, suspect_magnitudes, {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
