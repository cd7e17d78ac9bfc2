// Whole vectors at a time, with Eigen: the sums are its reductions, in its own order.
#include "error_metrics.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Vector = Eigen::ArrayXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector as_doubles(std::span<const float> x) {
  const auto size = static_cast<Eigen::Index>(x.size());
  return Eigen::Map<const Eigen::ArrayXf>(x.data(), size).cast<double>();
}

/// Both tensors as doubles, and their difference.
struct Compared {
  Compared(std::span<const float> given, std::span<const float> back) {
    const bool same_size = given.size() == back.size() && !given.empty();
    if (!same_size) throw std::invalid_argument("expected two tensors of one size, not empty");
    x = as_doubles(given);
    x_hat = as_doubles(back);
    if (!x.isFinite().all() || !x_hat.isFinite().all()) {
      throw std::invalid_argument("expected finite values");
    }
    e = x - x_hat;
  }
  double mse() const { return e.square().mean(); }
  double variance() const { return (x - x.mean()).square().mean(); }

  Vector x, x_hat, e;
};

double decibels(double signal, double noise) {
  if (noise == 0.0) return kInfinity;
  return signal == 0.0 ? -kInfinity : 10.0 * (std::log10(signal) - std::log10(noise));
}

}  // namespace

double mean_squared_error(std::span<const float> x, std::span<const float> x_hat) {
  return Compared(x, x_hat).mse();
}

AbsoluteErrors absolute_errors(std::span<const float> x, std::span<const float> x_hat) {
  const Compared c(x, x_hat);
  return {c.e.abs().mean(), c.e.abs().maxCoeff()};
}

SignalToNoise signal_to_noise(std::span<const float> x, std::span<const float> x_hat) {
  const Compared c(x, x_hat);
  return {decibels(c.variance(), c.mse()), decibels(c.x.square().mean(), c.mse())};
}

double cosine_similarity(std::span<const float> x, std::span<const float> x_hat) {
  const Compared c(x, x_hat);
  const double x_norm = c.x.matrix().norm();
  const double x_hat_norm = c.x_hat.matrix().norm();
  if (x_norm == 0.0 && x_hat_norm == 0.0) return 1.0;
  if (x_norm == 0.0 || x_hat_norm == 0.0) return 0.0;
  return (c.x / x_norm).matrix().dot((c.x_hat / x_hat_norm).matrix());
}

QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat) {
  const Compared c(x, x_hat);
  const auto [mae, max_error] = absolute_errors(x, x_hat);
  const auto [snr_db, sqnr_db] = signal_to_noise(x, x_hat);
  const double relative_error = c.mse() == 0.0 ? 0.0 : c.mse() / c.variance();
  const double cosine = std::clamp(cosine_similarity(x, x_hat), -1.0, 1.0);
  return {c.mse(), mae, max_error, relative_error, snr_db, sqnr_db, cosine};
}

}  // namespace nibble
