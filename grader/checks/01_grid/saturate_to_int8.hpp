// Lab 01, saturate_to_int8: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_01_grid {

using Saturating = Exercise<&saturate_to_int8>;
inline const Saturating saturating{{"x"}, {"the int8"}};

}  // namespace nibble::judge::lab_01_grid
