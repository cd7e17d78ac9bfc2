// The staircase of a grid over x / scale, and below it the slopes that training takes for it: '*'
// is a value, '^' and 'v' are values above and below what is drawn.
//
//     by scale  0.50|    **       *
//               0.25|      *       *
//               0.00|-------***-----**
#pragma once

#include <string>
#include <vector>

#include "record/picture.hpp"

namespace nibble::report {

std::string staircase_text(const std::vector<record::Curve>& curves);
std::string staircase_svg(const std::vector<record::Curve>& curves);

}  // namespace nibble::report
