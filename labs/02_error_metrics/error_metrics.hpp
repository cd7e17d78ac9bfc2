// Lab 02: error metrics. This header is the contract: read it, implement it, leave it be
// (the grader compiles your error_metrics.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// In all of this lab, n = x.size() and the error of an element is
//
//     e[i] = x[i] - x_hat[i]
//
//     real   ---x_hat-----------x-------->        x is what one had, x_hat what came back
//               |<--- e > 0 --->|
//
// Everything is computed in double, from the subtraction on: the square of a float always fits a
// double, and a sum of many still has digits to spare. Sums and means run over all n elements;
// dividing by n, never by n - 1. Results are within 1e-6, relative, of the exact value. Decibels
// and a cosine may be near 0, where terms cancel: these are within 1e-6 (1 + |exact|).
//
// Requires, of every function: x.size() == x_hat.size(), neither empty, and every value finite (an
// error that is NaN has no size). Otherwise throws std::invalid_argument; expects_finite(x) helps.

/// Returns the mean of the squares of the errors.
///
///     mse = sum e[i]^2 / n
double mean_squared_error(std::span<const float> x, std::span<const float> x_hat);

/// Two sizes of an error, in the units of x; neither has a sign.
struct AbsoluteErrors {
  double mae;        ///< mean of |e[i]|; >= 0
  double max_error;  ///< largest |e[i]|; >= mae, but for the rounding of a mean
};

/// Returns the mean and the largest magnitude of the errors.
///
///     mae = sum |e[i]| / n        max_error = max |e[i]|
AbsoluteErrors absolute_errors(std::span<const float> x, std::span<const float> x_hat);

/// How much larger the signal is than the error, in decibels: 10 dB are a factor 10 of power.
struct SignalToNoise {
  double snr_db;   ///< the signal is what varies: the variance of x
  double sqnr_db;  ///< the signal is all of x: its mean square
};

/// Returns both ratios of signal to noise.
///
///     snr_db  = 10 log10(variance / mse)       variance = sum (x[i] - mean)^2 / n
///     sqnr_db = 10 log10(power / mse)          power    = sum x[i]^2 / n
///
/// The mean is known before the variance is begun: power - mean^2 is the same on paper, and loses
/// its digits where the mean is large.
/// If mse is 0, both are +infinity. If it is not, a variance of 0 gives snr_db -infinity, and a
/// power of 0 gives sqnr_db -infinity.
SignalToNoise signal_to_noise(std::span<const float> x, std::span<const float> x_hat);

/// Returns the cosine of the angle between x and x_hat: 1 is the same direction, 0 a right angle.
///
///     cosine = sum x[i] x_hat[i] / (sqrt(sum x[i]^2) sqrt(sum x_hat[i]^2))
///
/// If both are all zero, it is 1; if only one of them is, 0.
double cosine_similarity(std::span<const float> x, std::span<const float> x_hat);

/// Everything that is usually asked about the error of a quantized tensor.
struct QuantizationError {
  double mse;             ///< mean e[i]^2, in units of x squared
  double mae;             ///< mean |e[i]|, in units of x
  double max_error;       ///< largest |e[i]|, in units of x
  double relative_error;  ///< mse / variance of x; no unit: 0.0001 is 0.01 %
  double snr_db;          ///< 10 log10(variance / mse), in dB
  double sqnr_db;         ///< 10 log10(power / mse), in dB
  double cosine;          ///< of x and x_hat, in [-1, 1]
};

/// Returns all of the above, and one more:
///
///     relative_error = mse / variance
///
/// If mse is 0, relative_error is 0. If it is not, a variance of 0 gives +infinity.
QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat);

/// Returns the same seven metrics of tensors that are doubles: a network that is computed in
/// double, beside its quantized self. Nothing becomes a float on the way, which has 24 bits of the
/// 53.
///
///     x      1     1 + 2^-30          e = 0, 2^-30        as doubles
///     x_hat  1     1                  e = 0, 0            as floats: 1 + 2^-30 is 1
///
/// The mean of equal doubles may be rounded. Then the variance may be 0, or what is left by that:
/// of ten times 0.1 about 1e-34. Equal floats have a variance of 0.
///
/// The caller sees to it that all |x[i]| and |x_hat[i]| are below 2^500: the square of a double
/// need not fit a double.
QuantizationError error_of_doubles(std::span<const double> x, std::span<const double> x_hat);

NIBBLE_EXERCISES(mean_squared_error, absolute_errors, signal_to_noise, cosine_similarity,
                 quantization_error, error_of_doubles);

}  // namespace nibble
