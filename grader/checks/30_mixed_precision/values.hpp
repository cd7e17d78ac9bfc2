// Lab 30: what more than one of its exercises needs.
#pragma once

#include "mixed_precision.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Places = std::vector<std::int32_t>;

inline double largest_of(std::span<const double> row) { return largest({row.begin(), row.end()}); }

inline constexpr const char* kTinyIsNoZero = "a scale is 1 for zeros, and not for what is tiny";

}  // namespace nibble::judge::lab_30_mixed_precision
