// Which levels this machine has: found out by making a box and letting a control loose in it.
#pragma once

#include <string>
#include <vector>

#include "build/kit.hpp"
#include "sandbox/box.hpp"
#include "sandbox/level.hpp"

namespace nibble::sandbox {

struct Found {
  Level level = Level::kLimits;
  std::string why_not;  ///< empty: it works here

  bool works() const { return why_not.empty(); }
};

/// The control must live, and may do nothing of what it tries; without a box it must do some of it,
/// or the probe would prove nothing.
Found probe(const build::Kit& kit, Level level);

/// All of them, best first.
std::vector<Found> probe_all(const build::Kit& kit);

/// The first that works.
Level best_of(const std::vector<Found>& found);

/// The boxes for submissions at that level. Throws BoxBroke when there is none for compilers.
Boxes boxes_for(const build::Kit& kit, Level level);

}  // namespace nibble::sandbox
