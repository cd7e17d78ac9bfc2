// Lab 07: what more than one of its exercises needs.
#pragma once

#include "calibration.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_07_calibration {

inline float lo_of(const Reals& x) { return *std::ranges::min_element(x); }
inline float hi_of(const Reals& x) { return *std::ranges::max_element(x); }

/// Scaled by a power of two: floats stay as exact as they were.
inline Reals times(Reals x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

}  // namespace nibble::judge::lab_07_calibration
