// Lab 29: what more than one of its exercises needs.
#pragma once

#include "quantized_linear.hpp"

#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {

inline Reals row_of(const Reals& matrix, std::size_t n, std::size_t row) {
  const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(row * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// Numbers whose quotients by this scale are 2.5, 3.5 and 5.8 as floats, and codes 2, 4 and 6. In
/// double the first is a bit more, the second a bit less; cut, the last is 5.
inline constexpr float kTieScale = 1.5f / 127, kTieBelow = 0.02952756f, kTieAbove = 0.04133858f,
                       kNoTie = 0.0685f;
inline constexpr const char* kQuotientIsFloat =
    "the quotient by the scale is a float32, and may be a tie where a double is none";

}  // namespace nibble::judge::lab_29_quantized_linear
