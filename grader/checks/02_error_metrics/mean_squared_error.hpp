// Lab 02, mean_squared_error: what is right, and what people write instead.
#pragma once

#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

/// What a sum where a mean is wanted would give, a mean over one element less, and one of the first
/// elements alone.
inline void suspect_wrong_counts(Expect& expect, std::string_view what,
                                 const std::vector<double>& terms) {
  const auto n = static_cast<double>(terms.size());
  const double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  expect.suspect("N-DENOM", what, sum, "a sum: it is divided by n");
  if (n > 1)
    expect.suspect("N-DENOM", what, sum / (n - 1), "a sum is divided by n - 1: it is by n");
  for (const std::size_t end : early_ends(terms.size())) {
    expect.suspect("N-TAIL", what, std::accumulate(&terms[0], &terms[end], 0.0) / n, kTailIsLost);
  }
}

/// The mean of term(x[i], x_hat[i]), whose sum is kept as a Sum.
template <class Sum, class Term>
double mean_of(const Pair& in, const Term& term) {
  Sum sum = 0;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    sum = static_cast<Sum>(sum + term(in.a[i], in.b[i]));
  }
  return static_cast<double>(sum) / static_cast<double>(in.a.size());
}

/// mse with float32 in its way: the float of a number that is too large is infinite.
inline void suspect_floats(Expect& expect, const Pair& in) {
  const auto square = [](double x, double x_hat) { return (x - x_hat) * (x - x_hat); };
  const auto square_of_float = [](float x, float x_hat) {
    const double e = x - x_hat;
    return e * e;
  };
  const auto float_square = [](float x, float x_hat) {
    const float e = x - x_hat;
    return e * e;
  };
  expect.suspect("N-FLOAT32", "mse", mean_of<float>(in, square),
                 "the sum is a float: everything is computed in double");
  expect.suspect("N-FLOAT32", "mse", mean_of<double>(in, float_square),
                 "squares are floats: everything is computed in double");
  expect.suspect("N-FLOAT32", "mse", mean_of<double>(in, square_of_float),
                 "x - x_hat is a float: the subtraction is in double, too");
}

inline constexpr const char* kMeanOfSizes = "the mean of |e|: mse is that of e^2";
inline constexpr const char* kRootOfMean = "the root of the mean of e^2: mse has none";

inline void suspect_squares(Expect& expect, const Pair& in, double right) {
  std::vector<double> squares;
  for (const double e : errors_of(in)) squares.push_back(e * e);
  suspect_wrong_counts(expect, "mse", squares);
  const auto suspect = [&](const char* words, double value) {
    expect.suspect("N-FORMULA", "mse", value, words);
  };
  const double mean = mean_of<double>(in, [](double x, double x_hat) { return x - x_hat; });
  suspect("the mean of e: it is that of e^2", mean);
  suspect(kMeanOfSizes,
          mean_of<double>(in, [](double x, double x_hat) { return std::fabs(x - x_hat); }));
  suspect(kRootOfMean, std::sqrt(right));
  suspect("the mean error is squared: mse is the mean of the squares", mean * mean);
  suspect("x_hat is added: e is x - x_hat",
          mean_of<double>(in, [](double x, double x_hat) { return (x + x_hat) * (x + x_hat); }));
  // Smaller ones are 0 then, as they are in a float.
  if (right > 0x1p-10) suspect("rounded to three decimals", std::round(1000 * right) / 1000);
  suspect_floats(expect, in);
}

inline const Squaring squaring{
    {"x", "x_hat"}, {"mse"}, suspect_squares, {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
