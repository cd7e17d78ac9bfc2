// Every sample of a run, as JSON.
#pragma once

#include <string>

#include "results.hpp"

namespace nibble::peers {

/// Dates, compiler and machine, then ceilings and rows with all their samples, a line each.
std::string raw(const Results& results, const std::string& command);

}  // namespace nibble::peers
