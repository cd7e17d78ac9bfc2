// Lab 01, dequantize_from_grid: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "checks/01_grid/on_a_grid.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_01_grid {

inline const Dequantizing dequantizing{
    {"q", "scale", "zero_point", "qmin", "qmax"},
    {"x_hat"},
    {},
    {.tolerance = one_ulp(), .sizes = as_many<Dequantizing::Arguments>}};

}  // namespace nibble::judge::lab_01_grid
