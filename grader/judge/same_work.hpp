// Whether two answers to one call come of the same work. A kernel that is counted could do less and
// write anything; a wrong value is another check's to explain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

namespace nibble::judge {

/// Integers exactly. Floats as two right kernels may differ that sum in another order: k terms
/// of either sign are off by at most k * 2^-24 of the sum of their magnitudes, which is about
/// sqrt(k) of the largest sum; with k up to 2^10 that is 2^-9 of the largest value. Twice that is
/// allowed: who has not read the inputs is off by as much as the values are large.
template <class T>
bool same_work(const std::vector<T>& got, const std::vector<T>& want) {
  if constexpr (std::is_floating_point_v<T>) {
    T largest{0};
    for (const T value : want) {
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
    return std::ranges::equal(got, want, [&](T x, T y) {
      return std::fabs(x - y) <= T{0x1p-8} * largest || x == y || (std::isnan(x) && std::isnan(y));
    });
  } else {
    return got == want;
  }
}
template <class... Parts>
bool same_work(const std::tuple<Parts...>& got, const std::tuple<Parts...>& want) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same_work(std::get<I>(got), std::get<I>(want)) && ...);
  }
  (std::index_sequence_for<Parts...>());
}

}  // namespace nibble::judge
