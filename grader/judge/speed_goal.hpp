// What a speed check pays for, and what came of it.
#pragma once

#include <cstddef>
#include <string>

#include "nibble/cpu.hpp"
#include "report/speed_points.hpp"

namespace nibble::judge {

/// `zero_at` and `full_at` are ratios to the published solution, as `nibble teach calibrate` finds
/// them: nothing up to the first, all from the second, a straight line between.
struct SpeedGoal {
  double zero_at = 0.0;
  double full_at = 0.0;
  double operations = 0.0;  ///< of one call; a multiplication and an addition are two
  double bytes = 0.0;       ///< that one call has to read and write at least; 0: not looked at
  Isa isa = Isa::kScalar;   ///< whose peak the screen compares with; kScalar: the machine's best
};

struct MeasuredSpeed {
  double ratio = 0.0;    ///< published / submission; above 1: the submission is faster
  double margin = 0.0;   ///< two standard errors of the ratio
  int pairs = 0;         ///< rounds that were counted
  int measurements = 1;  ///< more than one: the margin held a threshold
  double submission_ns = 0.0, published_ns = 0.0;  ///< lower quartiles, of one call
  SpeedGoal goal;
  double peak_gops = 0.0;    ///< of goal.isa, or the machine's best
  double read_gbytes = 0.0;  ///< of a loop that only reads goal.bytes
  bool believable = true;
  int points = 0;         ///< of the row's
  bool in_doubt = false;  ///< the margin still holds a step: the higher mark is given
};

inline int points_for(double ratio, const SpeedGoal& goal, int max_points) {
  return report::speed_points(ratio, goal.zero_at, goal.full_at, max_points);
}

}  // namespace nibble::judge
