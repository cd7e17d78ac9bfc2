// What a GPU can be asked for, and a sentence for what it cannot.
#pragma once

#include <cstdint>
#include <string>

#include "nibble/launch.hpp"

namespace nibble::gpu {

/// Shared memory that a block may opt in to, in bytes, by compute capability; what is not known is
/// taken for the smallest.
std::uint32_t most_shared_bytes(int sm);

/// Why nothing can be launched so, or "".
std::string launch_trouble(const std::string& kernel, const Launch& launch, int sm);

struct Grid {
  std::uint32_t x = 0, y = 0;  ///< blocks
};

/// grid = ceil(n / tile_n) x ceil(m / tile_m), for a launch without trouble and work that is not
/// empty. Throws std::runtime_error when no GPU has that many blocks.
Grid grid_of(const std::string& kernel, const Launch& launch, const Work& work);

}  // namespace nibble::gpu
