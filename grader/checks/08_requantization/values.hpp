// Lab 08: what more than one of its exercises needs.
#pragma once

#include "requantization.hpp"

#include "judge/exercise.hpp"

namespace nibble {

inline std::string show(Rounding rounding) {
  return rounding == Rounding::kSingle ? "kSingle" : "kDouble";
}
inline std::string show(Activation activation) {
  return activation == Activation::kRelu ? "kRelu" : "kRelu6";
}

}  // namespace nibble

namespace nibble::judge::lab_08_requantization {

using Reals = std::vector<double>;
using Factors = QuantizedMultiplier;

inline constexpr std::int32_t kFirst = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t kHalf = 1 << 30;  // the multiplier of a mantissa of 1/2
inline constexpr std::int32_t kThreeQuarters = 3 << 29;
inline constexpr Rounding kBoth[] = {Rounding::kSingle, Rounding::kDouble};

inline std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

}  // namespace nibble::judge::lab_08_requantization
