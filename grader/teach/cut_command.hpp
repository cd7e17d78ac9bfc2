// nibble teach cut: writes the starters of labs anew.
#pragma once

#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::teach {

struct Cut {
  std::vector<std::string> labs{};  ///< as a person names them; empty: all
  bool only_look = false;           ///< say what would change, change nothing
};

/// Writes only what changes, and keeps the old text beside it as .bak-N unless git has it.
/// Returns 1 when a solution cannot be cut, or `only_look` found a stale starter; else 0.
int cut_labs(const lab::Kit& kit, const Cut& what);

}  // namespace nibble::teach
