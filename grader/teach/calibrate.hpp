// `nibble teach calibrate`: what the speed rows of a lab measure, and how steadily, for everything
// that is known about its speed: the published solution, other right ones, slow ones.
#pragma once

#include <filesystem>
#include <string>

#include "lab/kit.hpp"
#include "proofs/workbench.hpp"

namespace nibble::teach {

struct Calibrate {
  std::string lab;
  int repetitions = 10;
  int neighbours = 0;  ///< threads that burn CPU time meanwhile
  bool only_solution = false;
  std::filesystem::path json;  ///< every ratio, to be kept; empty: not written
};

/// Prints a line for each implementation and row. 1 when the published solution lost a point.
int calibrate(const lab::Kit& kit, const Calibrate& what);

}  // namespace nibble::teach
