// Which hint comes next.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lab/hints.hpp"

namespace nibble::cli {

/// "1:N-ROUND", "2": how progress remembers a hint that was shown.
std::string name_of_hint(const lab::Hint& hint);

/// Of one exercise's hints: the new one that answers `diagnosis`, else the next that answers none
/// in particular. `level` > 0 asks for a level, shown or not. nullptr: there is none (any more).
const lab::Hint* choose_hint(const std::vector<lab::Hint>& hints, const std::string& diagnosis,
                             const std::set<std::string>& shown, int level);

}  // namespace nibble::cli
