// Lab 02, quantization_error: what is right, and what people write instead.
#pragma once

#include <cmath>

#include "error_metrics.hpp"

#include "checks/02_error_metrics/absolute_errors.hpp"
#include "checks/02_error_metrics/cosine_similarity.hpp"
#include "checks/02_error_metrics/mean_squared_error.hpp"
#include "checks/02_error_metrics/pairs.hpp"
#include "checks/02_error_metrics/signal_to_noise.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Measuring = Exercise<&quantization_error>;

/// A metric in the place of another.
inline void suspect_places(Expect& expect, const QuantizationError& want) {
  expect.suspect("N-FORMULA", "mse", want.mae, kMeanOfSizes);
  expect.suspect("N-FORMULA", "mse", std::sqrt(want.mse), kRootOfMean);
  expect.suspect("N-FLOAT32", "mse", static_cast<double>(static_cast<float>(want.mse)),
                 "a float has no room for mse: it is a double");
  expect.suspect("N-FORMULA", "max_error", want.mae, kMeanForLargest);
  expect.suspect("N-DB", "snr_db", want.sqnr_db, kSnrByPower);
}

inline void suspect_relative(Expect& expect, const Pair& in, const QuantizationError& want) {
  const auto n = static_cast<double>(in.a.size());
  const double power = sums_of(in, in.a.size()).power / n;
  const auto suspect = [&](const char* words, double value) {
    expect.suspect("N-DENOM", "relative_error", value, words);
  };
  if (power > 0) {
    suspect("as if mse were divided by the mean square of x: it is by its variance",
            want.mse / power);
  }
  suspect("as if it were of the root of mse, and of the standard deviation",
          std::sqrt(want.relative_error));
  suspect("the variance is divided by n - 1: it is by n", want.relative_error * (n - 1) / n);
  suspect("in percent: it has no unit", want.relative_error * 100);
  const bool is_tiny = 0 < want.mse && want.mse < 0x1p-20;
  expect.suspect("N-DIV0", "relative_error", 0.0, is_tiny ? "mse is tiny here, and not 0" : "");
}

inline void suspect_metrics(Expect& expect, const Pair& in, const QuantizationError& want) {
  suspect_places(expect, want);
  suspect_relative(expect, in, want);
  suspect_one_direction(expect, in);
  for (const char* ratio : {"snr_db", "sqnr_db"}) expect.suspect("N-DIV0", ratio, HUGE_VAL);
}

inline const Measuring measuring{
    {"x", "x_hat"},
    {"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine"},
    suspect_metrics,
    {.tolerance = metric_tolerance()}};

inline constexpr const char* kExact = "mse is 0 here: the error is 0, and decibels are +infinity";
inline constexpr const char* kNoSignal =
    "the variance is 0 here, and mse is not: the error is +infinity, snr_db -infinity";

/// What a value of 1 is made.
struct Unit {
  const char* name;
  double size;
};

// The errors are 2, -1, 0, -3. The mean of x is 4, its variance 5, its power 21. Then the same in
// other units: what has a unit changes, a ratio does not.
template <class E>
std::vector<typename E::Row> worked_by_hand(const std::vector<Unit>& units) {
  const double cosine = 106.0 / std::sqrt(84.0 * 142.0);
  const auto [snr_db, sqnr_db] = ratios(5 / 3.5, 21 / 3.5);
  std::vector<typename E::Row> rows;
  for (const auto& [name, u] : units) {
    const auto unit = static_cast<Number<typename E::Arguments>>(u);
    rows.push_back({name,
                    {{unit, 3 * unit, 5 * unit, 7 * unit}, {-unit, 4 * unit, 5 * unit, 10 * unit}},
                    {3.5 * u * u, 1.5 * u, 3 * u, 0.7, snr_db, sqnr_db, cosine}});
  }
  return rows;
}

/// The product over both lengths is 1 + 2^-52 in double, and an acos of that is NaN.
template <class E>
void stays_a_cosine(const E& exercise) {
  exercise.on_each({{"SameDirection", {{3, 3}, {3, 3}}}, {"Opposite", {{1, 5}, {-2, -10}}}},
                   [&](Expect& expect, const auto& in) {
                     const double cosine = exercise(in).cosine;
                     expect.that(-1 <= cosine && cosine <= 1,
                                 "cosine = " + show_value(cosine) +
                                     " lies outside [-1, 1], if only by a rounding");
                   });
}

}  // namespace nibble::judge::lab_02_error_metrics
