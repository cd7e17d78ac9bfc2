// Lab 01, dequantize_from_grid: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "checks/01_grid/on_a_grid.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_01_grid {

/// The digits that a difference of products has lost.
inline void suspect_products(Expect& expect, const Dequantizing::Arguments& in, const Reals&) {
  const auto& [q, g] = in;
  const float scale = g.scale, moved = scale * static_cast<float>(g.zero_point);
  expect.suspect(
      "N-CANCEL", "x_hat",
      each_of(q, [=](std::int32_t code) { return scale * static_cast<float>(code) - moved; }),
      "as if scale * zero_point were taken from scale * q: the difference comes first");
}

inline const Dequantizing dequantizing{
    {"q", "scale", "zero_point", "qmin", "qmax"},
    {"x_hat"},
    suspect_products,
    {.tolerance = one_ulp(), .sizes = as_many<Dequantizing::Arguments>}};

}  // namespace nibble::judge::lab_01_grid
