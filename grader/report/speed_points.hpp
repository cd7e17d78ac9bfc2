// One line from nothing to full marks: what a ratio of speeds is paid.
#pragma once

#include <algorithm>
#include <cmath>

namespace nibble::report {

/// round(max_points * share): nothing up to `zero_at`, all from `full_at`, a straight line between.
inline int speed_points(double ratio, double zero_at, double full_at, int max_points) {
  const double share = (ratio - zero_at) / std::max(1e-9, full_at - zero_at);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * max_points));
}

}  // namespace nibble::report
