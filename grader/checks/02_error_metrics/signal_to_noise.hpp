// Lab 02, signal_to_noise: what is right, and what people write instead.
#pragma once

#include <cmath>
#include <numeric>

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Comparing = Exercise<&signal_to_noise>;

inline double decibels(double ratio) { return 10.0 * std::log10(ratio); }

/// Ratios, before they are made decibels.
inline SignalToNoise ratios(double snr, double sqnr) { return {decibels(snr), decibels(sqnr)}; }

inline constexpr const char* kSnrByPower = "by the power of x: snr_db is by the variance";

/// What other formulas than 10 log10(ratio) give.
inline void suspect_decibels(Expect& expect, const char* what, double ratio) {
  const double right = decibels(ratio);
  if (!std::isfinite(right)) return;  // an infinity has a rule of its own
  const auto suspect = [&](const char* words, double value) {
    expect.suspect("N-DB", what, value, words);
  };
  suspect("the natural logarithm: it is log10", 10 * std::log(ratio));
  suspect("20 log10 is for amplitudes: it is 10 for powers", 2 * right);
  suspect("a bel has ten decibels: it is 10 log10", right / 10);
  suspect("noise by signal: it is signal by noise", -right);
  suspect("the ratio itself: its logarithm is wanted", ratio);
  suspect("rounded to two decimals", std::round(100 * right) / 100);
}

/// Sums over the first `end` elements.
struct Sums {
  double power = 0, variance = 0, noise = 0;
};

inline Sums sums_of(const Pair& in, std::size_t end) {
  const auto n = static_cast<double>(in.a.size());
  const double mean = std::accumulate(in.a.begin(), in.a.end(), 0.0) / n;
  Sums sums;
  for (std::size_t i = 0; i < end; ++i) {
    sums.power += double{in.a[i]} * in.a[i];
    sums.variance += std::pow(in.a[i] - mean, 2);
    sums.noise += std::pow(double{in.a[i]} - in.b[i], 2);
  }
  return sums;
}

inline void suspect_ratios(Expect& expect, const Pair& in, const SignalToNoise&) {
  const auto n = static_cast<double>(in.a.size());
  const Sums all = sums_of(in, in.a.size());
  const auto suspect = [&](const char* code, const char* words, double variance, double power) {
    expect.suspect(code, "snr_db", decibels(variance / all.noise), words);
    expect.suspect(code, "sqnr_db", decibels(power / all.noise), words);
  };
  suspect("N-DENOM", "a sum of squares is not divided by n", all.variance * n, all.power * n);
  if (n > 1) {
    const double more = n / (n - 1);
    suspect("N-DENOM", "a sum is divided by n - 1: it is by n", all.variance * more,
            all.power * more);
  }
  for (const std::size_t end : early_ends(in.a.size())) {
    const Sums some = sums_of(in, end);
    suspect("N-TAIL", kTailIsLost, some.variance, some.power);
  }
  expect.suspect("N-DB", "snr_db", decibels(all.power / all.noise), kSnrByPower);
  expect.suspect("N-DB", "sqnr_db", decibels(all.variance / all.noise),
                 "by the variance of x: sqnr_db is by the power");
  suspect_decibels(expect, "snr_db", all.variance / all.noise);
  suspect_decibels(expect, "sqnr_db", all.power / all.noise);
}

inline const Comparing comparing{
    {"x", "x_hat"}, {"snr_db", "sqnr_db"}, suspect_ratios, {.tolerance = cancelling_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
