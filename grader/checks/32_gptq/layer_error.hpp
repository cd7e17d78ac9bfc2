// Lab 32, layer_error: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "checks/32_gptq/gptq_quantize.hpp"
#include "checks/32_gptq/gptq_row.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_32_gptq {

using Erring = Exercise<&layer_error>;

inline double error_of(const Doubles& w, const Doubles& w_hat, const Doubles& x,
                       std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  return squared_error(w, w_hat, x, n) /
         static_cast<double>(rows_of(w, inputs) * rows_of(x, inputs));
}

/// The same numbers, read as if columns were rows.
inline Doubles by_columns(const Doubles& a, std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs), rows = rows_of(a, inputs);
  return each_of(a, [&](double, std::size_t at) { return a[at % n * rows + at / n]; });
}

inline void suspect_errors(Expect& expect, const Erring::Arguments& in, double right) {
  const auto& [w, w_hat, x, n] = in;
  expect.suspect("N-AXIS", "error", error_of(w, w_hat, by_columns(x, n), n),
                 "x is read by columns: a row of it is a sample");
  expect.suspect("N-AXIS", "error", error_of(by_columns(w, n), by_columns(w_hat, n), x, n),
                 "w is read by columns: a row of it is an output");
  expect.suspect("N-FORMULA", "error", std::sqrt(right),
                 "a root is taken, or no square: the mean is of squares");
  const double of_weights = error_of(w, w_hat, Doubles(static_cast<std::size_t>(n), 1), n);
  double squares = 0;
  for (std::size_t i = 0; i < w.size(); ++i) squares += (w[i] - w_hat[i]) * (w[i] - w_hat[i]);
  for (const double of : {of_weights, squares, squares / static_cast<double>(w.size())}) {
    expect.suspect("N-FORMULA", "error", of,
                   "how far the weights are off: it is how far the outputs are");
  }
  const auto outputs = static_cast<double>(rows_of(in.a, in.d));
  const auto samples = static_cast<double>(rows_of(in.c, in.d));
  if (outputs * samples > 1) {
    expect.suspect("N-DENOM", "error", right * outputs * samples,
                   "a sum is told: it is the mean over samples and outputs");
    expect.suspect("N-DENOM", "error", right * outputs,
                   "the mean is over samples alone: it is over outputs, too");
    expect.suspect("N-DENOM", "error", right * samples,
                   "the mean is over outputs alone: it is over samples, too");
  }
  if (in.d > 1)
    expect.suspect("N-DENOM", "error", right / in.d,
                   "inputs count in the mean: it is over samples and outputs");
}

inline const Erring erring{{"w", "w_hat", "x", "inputs"}, {"error"}, suspect_errors};

inline const auto kSameError = [](Expect& expect, const Erring::Arguments&, double got,
                                  double want) {
  expect.near("error", got, want, factor_tolerance(want));
};

}  // namespace nibble::judge::lab_32_gptq
