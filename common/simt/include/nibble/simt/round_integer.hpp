// Between floats and integers as the GPU's cvt does it: any rounding, saturating.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "nibble/float_format.hpp"

namespace nibble::simt {

/// x rounded to a whole number. Requires: x is not NaN.
NIBBLE_SIMT_PURE constexpr double round_to_whole(double x, Rounding rounding) {
  constexpr double kAllWhole = 4503599627370496.0;  // 2^52
  if (!(x > -kAllWhole && x < kAllWhole)) {
    return x;
  }
  const auto whole = static_cast<std::int64_t>(x);
  const double rest = x - static_cast<double>(whole);  // exact, with the sign of x
  int step = 0;
  switch (rounding) {
    case Rounding::kNearestEven:
      step = rest > 0.5 || (rest == 0.5 && whole % 2 != 0)     ? 1
             : rest < -0.5 || (rest == -0.5 && whole % 2 != 0) ? -1
                                                               : 0;
      break;
    case Rounding::kUp:
      step = rest > 0 ? 1 : 0;
      break;
    case Rounding::kDown:
      step = rest < 0 ? -1 : 0;
      break;
    case Rounding::kTowardZero:
      break;
  }
  const auto rounded = static_cast<double>(whole + step);
  return rounded == 0 && __builtin_signbit(x) ? -0.0 : rounded;
}

/// What NaN becomes. PTX: 0, unless the source is a double or the result has 64 bits; then the code
/// with the top bit alone.
template <class Integer, class Source>
constexpr Integer kNanAsInteger = std::is_same_v<Source, double> || sizeof(Integer) == 8
                                      ? static_cast<Integer>(std::make_unsigned_t<Integer>{1}
                                                             << (sizeof(Integer) * 8 - 1))
                                      : Integer{0};

/// x rounded to an integer, clamped to the range of its type. Source is float or double, the type
/// that x has in the kernel.
template <class Integer, class Source>
NIBBLE_SIMT_PURE constexpr Integer to_integer(Source x, Rounding rounding) {
  constexpr Integer kMin = std::numeric_limits<Integer>::min();
  constexpr Integer kMax = std::numeric_limits<Integer>::max();
  constexpr double kEnd = 2.0 * static_cast<double>((kMax >> 1) + 1);  // one past kMax, exactly
  if (x != x) {
    return kNanAsInteger<Integer, Source>;
  }
  const double rounded = round_to_whole(static_cast<double>(x), rounding);
  if (rounded >= kEnd) {
    return kMax;
  }
  return rounded <= static_cast<double>(kMin) ? kMin : static_cast<Integer>(rounded);
}

/// A number as a double that rounds as it would itself: 64-bit integers do not fit, so what is cut
/// off leaves a one in the last place (rounding to odd; see float_arithmetic.hpp).
template <class Number>
NIBBLE_SIMT_PURE constexpr double as_double_to_odd(Number n) {
  if constexpr (std::is_floating_point_v<Number> || sizeof(Number) < 8) {
    return static_cast<double>(n);
  } else {
    const bool negative = n < 0;
    const auto bits = static_cast<std::uint64_t>(n);
    std::uint64_t magnitude = negative ? 0 - bits : bits;
    if (magnitude >> 53 != 0) {
      const bool inexact = (magnitude & 0x7FF) != 0;
      magnitude = (magnitude & ~std::uint64_t{0x7FF}) | (inexact ? 0x800 : 0);
    }
    const auto value = static_cast<double>(magnitude);
    return negative ? -value : value;
  }
}

}  // namespace nibble::simt
