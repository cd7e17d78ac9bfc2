// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 02. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 02. The contract is in error_metrics.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 02        (or leave ./nibble watch open)
// NIBBLE-END
#include "error_metrics.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

// What every function of this lab requires. A NaN has to be looked for: max() would forget it.
template <class T>
void expects_comparable(std::span<const T> x, std::span<const T> x_hat) {
  NIBBLE_EXPECTS(x_hat.size() == x.size(), x_hat.size());
  NIBBLE_EXPECTS(!x.empty(), x.size());
  expects_finite(x);
  expects_finite(x_hat);
}

// The metrics, for T float or double: a float becomes a double before anything is done with it.

template <class T>
double mean_of(std::span<const T> x) {
  double sum = 0.0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

template <class T>
double power_of(std::span<const T> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;  // double: as floats, 1e-30 squared is 0
  return sum / static_cast<double>(x.size());
}

template <class T>
double variance_of(std::span<const T> x) {
  const double mean = mean_of(x);  // first: mean of squares minus square of mean cancels
  double sum = 0.0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(x.size());
}

// log10(0) is -infinity, which is what no signal means. No noise is the case to mind: 0 / 0.
double decibels(double signal, double noise) {
  if (noise == 0.0) return std::numeric_limits<double>::infinity();
  return 10.0 * std::log10(signal / noise);
}

template <class T>
double mse_of(std::span<const T> x, std::span<const T> x_hat) {
  expects_comparable(x, x_hat);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double e = static_cast<double>(x[i]) - x_hat[i];
    sum += e * e;
  }
  return sum / static_cast<double>(x.size());
}

template <class T>
AbsoluteErrors magnitudes_of(std::span<const T> x, std::span<const T> x_hat) {
  expects_comparable(x, x_hat);
  double sum = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::fabs(static_cast<double>(x[i]) - x_hat[i]);
    sum += size;
    largest = std::max(largest, size);
  }
  return {sum / static_cast<double>(x.size()), largest};
}

template <class T>
SignalToNoise ratios_of(std::span<const T> x, std::span<const T> x_hat) {
  const double mse = mse_of(x, x_hat);
  return {.snr_db = decibels(variance_of(x), mse), .sqnr_db = decibels(power_of(x), mse)};
}

template <class T>
double cosine_of(std::span<const T> x, std::span<const T> x_hat) {
  expects_comparable(x, x_hat);
  double product = 0.0, x_squared = 0.0, x_hat_squared = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    product += static_cast<double>(x[i]) * x_hat[i];
    x_squared += static_cast<double>(x[i]) * x[i];
    x_hat_squared += static_cast<double>(x_hat[i]) * x_hat[i];
  }
  // A vector of length 0 has no direction: the formula would be 0 / 0.
  if (x_squared == 0.0 || x_hat_squared == 0.0) return x_squared == x_hat_squared ? 1.0 : 0.0;
  return product / (std::sqrt(x_squared) * std::sqrt(x_hat_squared));
}

template <class T>
QuantizationError all_metrics_of(std::span<const T> x, std::span<const T> x_hat) {
  const double mse = mse_of(x, x_hat);
  const AbsoluteErrors absolute = magnitudes_of(x, x_hat);
  const SignalToNoise ratio = ratios_of(x, x_hat);
  // x / 0 is infinity, as the contract wants it; 0 / 0 is not 0.
  const double relative_error = mse == 0.0 ? 0.0 : mse / variance_of(x);
  return {.mse = mse,
          .mae = absolute.mae,
          .max_error = absolute.max_error,
          .relative_error = relative_error,
          .snr_db = ratio.snr_db,
          .sqnr_db = ratio.sqnr_db,
          .cosine = std::clamp(cosine_of(x, x_hat), -1.0, 1.0)};  // it was rounded
}

}  // namespace
// NIBBLE-END

double mean_squared_error(std::span<const float> x, std::span<const float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return mse_of(x, x_hat);
  // NIBBLE-STUB: // 1. Refuse what the contract refuses; the other functions will want that too.
  // NIBBLE-STUB: // 2. One loop. Which type does the subtraction have, and which the sum?
  // NIBBLE-STUB: NIBBLE_TODO("the mean of the squared errors");
  // NIBBLE-END
}

AbsoluteErrors absolute_errors(std::span<const float> x, std::span<const float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return magnitudes_of(x, x_hat);
  // NIBBLE-STUB: // Both fit in one loop. What about errors below zero?
  // NIBBLE-STUB: NIBBLE_TODO("the mean and the largest size of an error");
  // NIBBLE-END
}

SignalToNoise signal_to_noise(std::span<const float> x, std::span<const float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return ratios_of(x, x_hat);
  // NIBBLE-STUB: // You have the noise already. Two signals, one formula: write it once.
  // NIBBLE-STUB: NIBBLE_TODO("signal to noise, in decibels");
  // NIBBLE-END
}

double cosine_similarity(std::span<const float> x, std::span<const float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return cosine_of(x, x_hat);
  // NIBBLE-STUB: // Three sums. Which of them can be zero, and what then?
  // NIBBLE-STUB: NIBBLE_TODO("the cosine of the angle between x and x_hat");
  // NIBBLE-END
}

QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return all_metrics_of(x, x_hat);
  // NIBBLE-STUB: // Most of it is written. What is mse / variance when either is 0?
  // NIBBLE-STUB: NIBBLE_TODO("all seven metrics");
  // NIBBLE-END
}

QuantizationError error_of_doubles(std::span<const double> x, std::span<const double> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  return all_metrics_of(x, x_hat);
  // NIBBLE-STUB: // All of it is written, for floats. `template <class T>` makes it serve both.
  // NIBBLE-STUB: NIBBLE_TODO("all seven metrics, of doubles");
  // NIBBLE-END
}

}  // namespace nibble
