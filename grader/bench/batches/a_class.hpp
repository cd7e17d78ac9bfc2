// A class that hands in everything that classes hand in: right, wrong, untouched, broken, endless
// and crashing files, no two alike, the same ones for the same seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::bench {

/// Fills `folder` with a submission a person, each with a file a lab, until there are `gradings`
/// files. How many there are of each kind.
std::map<std::string, int> hand_in(const lab::Kit& kit, const std::vector<std::string>& labs,
                                   int gradings, std::uint64_t seed,
                                   const std::filesystem::path& folder);

}  // namespace nibble::bench
