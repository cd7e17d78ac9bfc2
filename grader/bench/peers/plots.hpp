// What a run found, as drawings.
#pragma once

#include <string>

#include "results.hpp"

namespace nibble::peers {

/// Products of one thread: a panel for each shape, a bar for each contender.
std::string bar_chart(const Results& results);

/// Products of one thread beside what instructions and memory allow.
std::string roofline(const Results& results);

}  // namespace nibble::peers
