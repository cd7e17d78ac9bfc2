// Lab 02. The contract is in error_metrics.hpp; the story is in README.md.
// Check yourself:  ./nibble run 02        (or leave ./nibble watch open)
#include "error_metrics.hpp"

namespace nibble {

double mean_squared_error(std::span<const float> x, std::span<const float> x_hat) {
  // 1. Refuse what the contract refuses; the other functions will want that too.
  // 2. One loop. Which type does the subtraction have, and which the sum?
  NIBBLE_TODO("the mean of the squared errors");
}

AbsoluteErrors absolute_errors(std::span<const float> x, std::span<const float> x_hat) {
  // Both fit in one loop. What about errors below zero?
  NIBBLE_TODO("the mean and the largest size of an error");
}

SignalToNoise signal_to_noise(std::span<const float> x, std::span<const float> x_hat) {
  // You have the noise already. Two signals, one formula: write it once.
  NIBBLE_TODO("signal to noise, in decibels");
}

double cosine_similarity(std::span<const float> x, std::span<const float> x_hat) {
  // Three sums. Which of them can be zero, and what then?
  NIBBLE_TODO("the cosine of the angle between x and x_hat");
}

QuantizationError quantization_error(std::span<const float> x, std::span<const float> x_hat) {
  // Most of it is written. What is mse / variance when either is 0?
  NIBBLE_TODO("all seven metrics");
}

QuantizationError error_of_doubles(std::span<const double> x, std::span<const double> x_hat) {
  // All of it is written, for floats. `template <class T>` makes it serve both.
  NIBBLE_TODO("all seven metrics, of doubles");
}

}  // namespace nibble
