// What a run found, as tables.
#pragma once

#include <vector>

#include "results.hpp"
#include "table.hpp"

namespace nibble::peers {

/// Each product with all its contenders, who they are, and who took no part.
std::vector<TextTable> details(const Results& results);

/// Ours beside the others, conversions, single rows, ceilings.
std::vector<TextTable> summary(const Results& results);

}  // namespace nibble::peers
