// What checks call the lists that contracts take and fill, and the floats that deserve a name.
#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace nibble::judge {

using Reals = std::vector<float>;
using Codes = std::vector<std::int8_t>;
using Bytes = std::vector<std::uint8_t>;
using Sums = std::vector<std::int32_t>;

/// give(x) of each x of a list, or give(x, at) with its place.
template <class List, class Give>
auto each_of(const List& list, const Give& give) {
  const auto one = [&](std::size_t at) {
    if constexpr (requires { give(list[at], at); }) {
      return give(list[at], at);
    } else {
      return give(list[at]);
    }
  };
  std::vector<decltype(one(0))> all;
  for (std::size_t at = 0; at < list.size(); ++at) all.push_back(one(at));
  return all;
}

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Zero of either sign, the wrong side, what is no number, and what is no normal one.
inline constexpr float kUnusableScales[] = {0.0f, -0.0f, -0.5f, kNan, kInfinity, FLT_MIN / 2};

}  // namespace nibble::judge
