// Lab 02: pairs of tensors.
#pragma once

#include "error_metrics.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Squaring = Exercise<&mean_squared_error>;
using Pair = Squaring::Arguments;  // x and x_hat, as of every exercise but the last

template <class Tensors>
using Number = typename decltype(Tensors::a)::value_type;  ///< float or double

inline Reals tensor_of(std::size_t size, float first, float others) {
  Reals x(size, others);
  x.front() = first;
  return x;
}

/// 65,536 values of which the first is so large that a float32 sum that has begun with `first`
/// squared, or with `first`, stays where it is whatever the others add.
inline Pair long_tail(float first, float others) {
  return {tensor_of(65536, first, others), Reals(65536, 0.0f)};
}

/// `size` values of which 2^exponent is the base: base, base + 1, base, … with every eighth of them
/// one too large. The variance is 1/4, the mse 1/8, and the mean is the base plus 1/2.
template <class Tensors = Pair>
Tensors large_mean(std::size_t size, int exponent) {
  Tensors pair;
  const double base = std::ldexp(1.0, exponent);
  for (std::size_t i = 0; i < size; ++i) {
    pair.a.push_back(static_cast<Number<Tensors>>(base + static_cast<double>(i % 2)));
    pair.b.push_back(pair.a.back() + (i % 8 == 0 ? 1 : 0));
  }
  return pair;
}

/// x - x_hat of each element.
inline std::vector<double> errors_of(const Pair& in) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < in.a.size(); ++i) errors.push_back(double{in.a[i]} - in.b[i]);
  return errors;
}

/// How many of n elements a loop may see that stops early: all but one, or whole vectors.
inline std::vector<std::size_t> early_ends(std::size_t n) {
  std::vector<std::size_t> ends;
  for (const std::size_t end : {n - 1, n / 4 * 4, n / 8 * 8}) {
    if (0 < end && end < n) ends.push_back(end);
  }
  return ends;
}

inline constexpr const char* kCancels =
    "the mean of squares minus mean^2 has lost its digits here: subtract the mean first";
inline constexpr const char* kTailIsLost = "the last elements are not counted";

/// 5, 3, 5, 3, … of which only the last comes back wrong, by 4; and what `want` makes of the size.
/// Two values; less than, as many as and one more than two vectors of 4 doubles; a large prime.
template <class E, class Want>
std::vector<typename E::Row> every_length(const Want& want) {
  std::vector<typename E::Row> rows;
  for (const std::size_t size : {2, 7, 8, 9, 33, 4099}) {
    Reals x(size, 5.0f);
    for (std::size_t i = 1; i < size; i += 2) x[i] = 3.0f;
    Reals x_hat = x;
    x_hat.back() -= 4.0f;
    rows.push_back({std::to_string(size), {x, x_hat}, want(static_cast<double>(size))});
  }
  return rows;
}

/// All the pairs that have no error.
template <class E>
std::vector<typename E::Refused> without_an_error() {
  return {{"N-NAN", {{1, kNan, 2}, {1, 1, 2}}},  {"N-NAN", {{1, 1, 2}, {1, 1, kNan}}},
          {"N-NAN", {{-kInfinity, 1}, {1, 1}}},  {"N-NAN", {{1, 1}, {1, kInfinity}}},
          {"N-NAN", {{kInfinity}, {kInfinity}}}, {"N-SIZE", {{1, 2}, {1, 2, 3}}},
          {"N-SIZE", {{1, 2, 3}, {1, 2}}},       {"N-DIV0", typename E::Arguments{}}};
}

}  // namespace nibble::judge::lab_02_error_metrics
