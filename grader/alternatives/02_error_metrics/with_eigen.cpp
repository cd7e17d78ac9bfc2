// Whole vectors at a time, with Eigen: the sums are its reductions, in its own order.
#include "error_metrics.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Vector = Eigen::ArrayXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
Vector as_doubles(std::span<const T> x) {
  using Given = Eigen::Array<T, Eigen::Dynamic, 1>;
  const auto size = static_cast<Eigen::Index>(x.size());
  return Eigen::Map<const Given>(x.data(), size).template cast<double>();
}

/// Both tensors as doubles, and their difference.
struct Compared {
  template <class T>
  Compared(std::span<const T> given, std::span<const T> back) {
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
  double cosine() const {
    const double x_norm = x.matrix().norm();
    const double x_hat_norm = x_hat.matrix().norm();
    if (x_norm == 0.0 && x_hat_norm == 0.0) return 1.0;
    if (x_norm == 0.0 || x_hat_norm == 0.0) return 0.0;
    return (x / x_norm).matrix().dot((x_hat / x_hat_norm).matrix());
  }

  Vector x, x_hat, e;
};

double decibels(double signal, double noise) {
  if (noise == 0.0) return kInfinity;
  return signal == 0.0 ? -kInfinity : 10.0 * (std::log10(signal) - std::log10(noise));
}

QuantizationError all_of(const Compared& c) {
  return {c.mse(),
          c.e.abs().mean(),
          c.e.abs().maxCoeff(),
          c.mse() == 0.0 ? 0.0 : c.mse() / c.variance(),
          decibels(c.variance(), c.mse()),
          decibels(c.x.square().mean(), c.mse()),
          std::clamp(c.cosine(), -1.0, 1.0)};
}

}  // namespace

double mean_squared_error(std::span<const float> x, std::span<const float> x_hat) {
  return Compared(x, x_hat).mse();
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
  return Compared(x, x_hat).cosine();
}

QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat) {
  return all_of(Compared(x, x_hat));
}

QuantizationError error_of_doubles(std::span<const double> x, std::span<const double> x_hat) {
  return all_of(Compared(x, x_hat));
}

}  // namespace nibble
