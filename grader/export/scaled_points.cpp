#include "export/scaled_points.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace nibble::gradebook {

ScaledPoints::ScaledPoints(const std::string& there, int possible) {
  const double most = std::atof(there.c_str());
  if (!(most > 0.0) || !std::isfinite(most)) {
    throw std::invalid_argument(fmt::format(
        "the gradebook does not say how many points are possible (it says \"{}\"): set them there, "
        "or leave out --scale",
        there));
  }
  *this = ScaledPoints(most, possible);
}

ScaledPoints::ScaledPoints(double there, int possible) {
  if (possible > 0) factor_ = there / possible;
}

std::string ScaledPoints::of(int points) const {
  return fmt::format("{}", std::round(points * factor_ * 100.0) / 100.0);
}

}  // namespace nibble::gradebook
