// Lab 33: what more than one of its exercises needs.
#pragma once

#include "smoothquant_awq.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

/// max |a[r,i]| over the rows r.
inline double largest_of(const Doubles& a, std::size_t n, std::size_t i) {
  double most = 0;
  for (std::size_t at = i; at < a.size(); at += n) most = std::max(most, std::fabs(a[at]));
  return most;
}

inline Doubles row_of(const Doubles& a, std::size_t n, std::size_t r) {
  const auto first = a.begin() + static_cast<std::ptrdiff_t>(r * n);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

/// Some inputs are 40 times as large as the others, and one of them is negative throughout.
inline Doubles with_outliers(std::size_t samples, std::size_t n, std::uint64_t seed) {
  Doubles x = normals(samples * n, seed);
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (at % n % 5 == 2) x[at] *= 40;
    if (at % n == n / 2) x[at] = -std::fabs(x[at]);
  }
  return x;
}

}  // namespace nibble::judge::lab_33_smoothquant_awq
