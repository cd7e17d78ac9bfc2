// What a GPU takes of a launch.
#pragma once

#include <cstdint>

#include "nibble/simt/launch.hpp"

namespace nibble::simt {

/// A sentence, valid until the next call; null when a GPU of that compute capability (80: 8.0)
/// takes the launch.
const char* why_not(const LaunchConfig& config, int sm);

/// The same of a launch by host code that has asked for `most` bytes of dynamic shared memory.
const char* why_not_unasked(const LaunchConfig& config, unsigned most);

/// Those of the grid that do not come before LaunchConfig::first.
std::uint64_t blocks_to_run(const LaunchConfig& config);

/// Bytes of shared memory that a block may ask for, all in all.
unsigned most_shared(int sm);

inline constexpr unsigned kMostStaticShared = 48 * 1024;

}  // namespace nibble::simt
