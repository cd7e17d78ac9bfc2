// Lab 02, quantization_error: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "checks/02_error_metrics/signal_to_noise.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Measuring = Exercise<&quantization_error>;
inline const Measuring measuring{
    {"x", "x_hat"},
    {"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine"},
    [](auto& expect, const auto& in, const auto& want) {
      double squares = 0;
      for (const double value : in.a) squares += value * value;
      if (squares > 0) {
        expect.suspect("N-DENOM", "relative_error", want.mse / (squares / double(in.a.size())),
                       "as if mse were divided by the mean square of x: it is by its variance");
      }
      expect.suspect("N-DENOM", "relative_error", std::sqrt(want.relative_error),
                     "as if it were of the root of mse, and of the standard deviation");
      expect.suspect("N-DIV0", "relative_error", 0.0);
      for (const char* ratio : {"snr_db", "sqnr_db"}) expect.suspect("N-DIV0", ratio, HUGE_VAL);
    },
    {.tolerance = metric_tolerance()}};

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
