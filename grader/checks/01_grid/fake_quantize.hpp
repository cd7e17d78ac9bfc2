// Lab 01, fake_quantize: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "checks/01_grid/on_a_grid.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_01_grid {

inline void suspect_points(Expect& expect, const Snapping::Arguments& in, const Reals& right) {
  const auto& [x, g] = in;
  const float scale = g.scale;
  const auto zero_point = static_cast<float>(g.zero_point);
  const auto one_short = static_cast<float>(g.qmin + 1 - g.zero_point);
  const auto last = static_cast<float>(g.qmax - g.zero_point);
  // What becomes of these values if every step is changed.
  const auto suspect = [&](std::string_view code, const Reals& from, const auto& change,
                           std::string_view words = "") {
    Reals changed;
    for (const float value : from) changed.push_back(change(value / scale));
    expect.suspect(code, "x_hat", changed, words);
  };
  suspect("N-SCALE", right, [](float steps) { return steps; });
  suspect("N-ZP-SIGN", right, [=](float steps) { return scale * (steps + zero_point); });
  suspect("N-TRUNC", x, [=](float steps) {
    return scale * std::clamp(std::trunc(steps), one_short - 1.0f, last);
  });
  suspect("N-RANGE", right, [=](float steps) { return scale * std::max(steps, one_short); });
  suspect(
      "N-CLAMP", x,
      [=, g = g](float steps) {
        return scale * std::clamp(std::nearbyint(steps), float(g.qmin), float(g.qmax));
      },
      "as if steps were clamped to [qmin, qmax], which are the ends of codes");
  suspect(
      "N-ZP-SIGN", x,
      [=, g = g](float steps) {
        return scale * std::clamp(std::nearbyint(steps), g.qmin + zero_point, g.qmax + zero_point);
      },
      "as if steps ended at qmin + zero_point and qmax + zero_point: zero_point is taken off");
  suspect(
      "N-CANCEL", x,
      [=](float steps) {
        const float low = scale * zero_point;
        return scale * (std::clamp(std::nearbyint(steps), one_short - 1.0f, last) + zero_point) -
               low;
      },
      "as if scale * zero_point were taken from scale * q: the difference comes first");
  for (const Reals& steps : other_divisions(x, scale)) {
    expect.suspect("N-FORMULA", "x_hat", each_of(steps, [=](float step) {
                     return scale * std::clamp(step, one_short - 1.0f, last);
                   }));
  }
}

inline const Snapping snapping{
    {"x", "scale", "zero_point", "qmin", "qmax"}, {"x_hat"}, suspect_points};

}  // namespace nibble::judge::lab_01_grid
