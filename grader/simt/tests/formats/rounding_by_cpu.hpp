// What the CPU's own arithmetic gives under another rounding direction.
#pragma once

#include <cfenv>

#include "nibble/float_format.hpp"

namespace nibble::simt {

inline constexpr Rounding kEveryRounding[] = {Rounding::kNearestEven, Rounding::kTowardZero,
                                              Rounding::kUp, Rounding::kDown};

/// The result of an operation that the compiler must neither do itself nor move.
template <class Operation>
auto under(Rounding rounding, Operation operation) {
  constexpr int kDirections[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  std::fesetround(kDirections[static_cast<int>(rounding)]);
  volatile auto result = operation();
  std::fesetround(FE_TONEAREST);
  return static_cast<decltype(operation())>(result);
}

/// Operands come in through here, for the same reason.
template <class T>
T opaque(T x) {
  volatile T copy = x;
  return copy;
}

}  // namespace nibble::simt
