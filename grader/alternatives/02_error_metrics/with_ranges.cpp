// No loop and no index: every metric is a fold over pairs, and all of them come out of one pass.
// The variance is updated as values arrive (Welford), which keeps its digits like two passes do.
#include "error_metrics.hpp"

namespace nibble {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What one pass over the pairs has gathered.
struct Sums {
  double count = 0.0;
  double squared_error = 0.0, absolute_error = 0.0, largest = 0.0;
  double x_squared = 0.0, x_hat_squared = 0.0, product = 0.0;
  double mean = 0.0, squared_distance = 0.0;  ///< of x, so far

  Sums with(double x, double x_hat) const {
    Sums next = *this;
    const double size = std::abs(x - x_hat);
    next.count += 1.0;
    next.squared_error += size * size;
    next.absolute_error += size;
    next.largest = std::max(largest, size);
    next.x_squared += x * x;
    next.x_hat_squared += x_hat * x_hat;
    next.product += x * x_hat;
    next.mean += (x - mean) / next.count;
    next.squared_distance += (x - mean) * (x - next.mean);
    return next;
  }
};

bool is_finite(double value) { return std::isfinite(value); }

template <class T>
Sums gather(std::span<const T> x, std::span<const T> x_hat) {
  const bool usable = x.size() == x_hat.size() && !x.empty() && std::ranges::all_of(x, is_finite) &&
                      std::ranges::all_of(x_hat, is_finite);
  if (!usable) throw std::invalid_argument("expected two finite tensors of one size, not empty");
  Sums sums;
  std::ranges::for_each(
      x, [&, other = x_hat.begin()](double value) mutable { sums = sums.with(value, *other++); });
  return sums;
}

double decibels(double signal, double noise) {
  return noise == 0.0 ? kInfinity : -10.0 * std::log10(noise / signal);
}

double cosine(const Sums& sums) {
  const bool has_x = sums.x_squared > 0.0;
  const bool has_x_hat = sums.x_hat_squared > 0.0;
  if (!has_x || !has_x_hat) return has_x == has_x_hat ? 1.0 : 0.0;
  return sums.product / std::sqrt(sums.x_squared) / std::sqrt(sums.x_hat_squared);
}

QuantizationError metrics(const Sums& sums) {
  const bool exact = sums.squared_error == 0.0;
  return {sums.squared_error / sums.count,
          sums.absolute_error / sums.count,
          sums.largest,
          exact ? 0.0 : sums.squared_error / sums.squared_distance,
          decibels(sums.squared_distance, sums.squared_error),
          decibels(sums.x_squared, sums.squared_error),
          std::clamp(cosine(sums), -1.0, 1.0)};
}

}  // namespace

double mean_squared_error(std::span<const float> x, std::span<const float> x_hat) {
  return quantization_error(x, x_hat).mse;
}

AbsoluteErrors absolute_errors(std::span<const float> x, std::span<const float> x_hat) {
  const QuantizationError error = quantization_error(x, x_hat);
  return {error.mae, error.max_error};
}

SignalToNoise signal_to_noise(std::span<const float> x, std::span<const float> x_hat) {
  const QuantizationError error = quantization_error(x, x_hat);
  return {error.snr_db, error.sqnr_db};
}

double cosine_similarity(std::span<const float> x, std::span<const float> x_hat) {
  return cosine(gather(x, x_hat));
}

QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat) {
  return metrics(gather(x, x_hat));
}

QuantizationError error_of_doubles(std::span<const double> x, std::span<const double> x_hat) {
  return metrics(gather(x, x_hat));
}

}  // namespace nibble
