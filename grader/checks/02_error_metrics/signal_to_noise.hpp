// Lab 02, signal_to_noise: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Comparing = Exercise<&signal_to_noise>;

inline double decibels(double ratio) { return 10.0 * std::log10(ratio); }

/// Ratios, before they are made decibels.
inline SignalToNoise ratios(double snr, double sqnr) { return {decibels(snr), decibels(sqnr)}; }

/// What a sum where a mean is wanted would give, and a mean over one element less.
inline void suspect_ratios(Expect& expect, const Pair& in, const SignalToNoise&) {
  const auto n = static_cast<double>(in.a.size());
  double sum = 0, power = 0, variance = 0, noise = 0;
  for (const double x : in.a) sum += x;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    power += double{in.a[i]} * in.a[i];
    variance += std::pow(in.a[i] - sum / n, 2);
    noise += std::pow(double{in.a[i]} - in.b[i], 2);
  }
  for (const double less : {1.0, n - 1}) {
    expect.suspect("N-DENOM", "snr_db", decibels(variance / noise * n / less));
    expect.suspect("N-DENOM", "sqnr_db", decibels(power / noise * n / less));
  }
}

inline const Comparing comparing{
    {"x", "x_hat"}, {"snr_db", "sqnr_db"}, suspect_ratios, {.tolerance = cancelling_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
