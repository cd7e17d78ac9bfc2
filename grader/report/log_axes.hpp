// Where values lie in a drawing whose axes are both logarithmic.
#pragma once

#include <cmath>

#include "report/roofline.hpp"

namespace nibble::report {

struct LogAxes {
  RooflineRange range;
  double left, bottom, width, height;  ///< of the drawing; y runs downwards

  double x(double intensity) const {
    return left +
           width * std::log(intensity / range.least_x) / std::log(range.most_x / range.least_x);
  }
  double y(double gops) const {
    return bottom -
           height * std::log(gops / range.least_y) / std::log(range.most_y / range.least_y);
  }
};

}  // namespace nibble::report
