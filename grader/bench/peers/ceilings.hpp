// What this machine can do at most: each instruction alone, and memory alone.
#pragma once

#include <vector>

#include "results.hpp"

namespace nibble::peers {

/// In turn, `rounds` times, with one thread and with two.
std::vector<Ceiling> measure_ceilings(int rounds);

/// The fastest instruction for kernels of this family; null where none was measured.
const Ceiling* peak_of(const std::vector<Ceiling>& ceilings, const std::string& family,
                       int threads);

/// What the loop that only reads gets from a buffer of this many bytes, or the nearest.
const Ceiling* read_ceiling(const std::vector<Ceiling>& ceilings, std::int64_t bytes, int threads);

}  // namespace nibble::peers
