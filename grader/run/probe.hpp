// Which levels this machine has: found out by making a box and letting a control loose in it.
#pragma once

#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "sandbox/box.hpp"
#include "sandbox/level.hpp"

namespace nibble::run {

struct LevelHere {
  sandbox::Level level = sandbox::Level::kLimits;
  std::string why_not;  ///< empty: it works here

  bool works() const { return why_not.empty(); }
};

/// The control must live, and may do nothing of what it tries; without a box it must do some of it,
/// or the probe would prove nothing.
LevelHere probe(const lab::Kit& kit, sandbox::Level level);

/// All of them, best first.
std::vector<LevelHere> probe_all(const lab::Kit& kit);

/// The first that works.
sandbox::Level best_of(const std::vector<LevelHere>& found);

/// A linker that works where submissions of a level are compiled: the first of the kit's that does.
struct Linker {
  bool works = false;
  std::vector<std::string> flags{};  ///< that choose it
  std::string refused{};             ///< faster ones that do not work there, with their own words
};
Linker linker_in_box(const lab::Kit& kit, sandbox::Level level);

/// The boxes for submissions at that level. Throws sandbox::BoxBroke when there is none for
/// compilers.
sandbox::Boxes boxes_for(const lab::Kit& kit, sandbox::Level level);

}  // namespace nibble::run
