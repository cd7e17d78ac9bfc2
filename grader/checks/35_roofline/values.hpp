// Lab 35: what more than one of its exercises needs.
#pragma once

#include "roofline.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_35_roofline {

using Times = std::vector<double>;

inline double mean_of(const Times& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace nibble::judge::lab_35_roofline
