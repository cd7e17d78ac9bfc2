// Lab 01: what more than one of its exercises needs.
#pragma once

#include "grid.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_01_grid {

using Codes = std::vector<std::int32_t>;

}  // namespace nibble::judge::lab_01_grid
