// Every sample of a run, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "results.hpp"

namespace nibble::peers {

/// Dates, compiler and machine, then ceilings and rows with all their samples.
nlohmann::ordered_json raw(const Results& results, const std::string& command);

}  // namespace nibble::peers
