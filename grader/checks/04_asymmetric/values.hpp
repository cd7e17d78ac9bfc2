// Lab 04: what more than one of its exercises needs.
#pragma once

#include "asymmetric.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble {

inline std::string show(ZeroPolicy policy) {
  return policy == ZeroPolicy::kIncludeZero ? "kIncludeZero" : "kFullRange";
}

}  // namespace nibble

namespace nibble::judge::lab_04_asymmetric {

inline constexpr ZeroPolicy kInclude = ZeroPolicy::kIncludeZero;
inline constexpr ZeroPolicy kFull = ZeroPolicy::kFullRange;

using Codes = std::vector<std::uint8_t>;

inline std::string show(AsymmetricParameters p) {
  return "scale " + show_value(p.scale) + " and zero_point " + show_value(p.zero_point);
}

inline Reals by_definition(const AsymmetricTensor& t) {
  return each_of(t.q, [&](int q) { return t.scale * static_cast<float>(q - t.zero_point); });
}

}  // namespace nibble::judge::lab_04_asymmetric
