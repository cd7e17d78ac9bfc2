// Lab 01, fake_quantize: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "checks/01_grid/on_a_grid.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_01_grid {

inline constexpr const char* kEndsOfCodes =
    "as if steps were clamped to [qmin, qmax], which are the ends of codes";

/// What needs no arithmetic.
inline void suspect_idle(Expect& expect, const Reals& x, const Grid& g, const Reals& right) {
  Reals same = right;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float steps = x[i] / g.scale;
    const float most = static_cast<float>(g.qmax - g.qmin) + 1;
    if (std::fabs(steps) < most && g.scale * std::nearbyint(steps) == right[i]) same[i] = x[i];
  }
  expect.suspect("N-FORMULA", "x_hat", same,
                 "x comes back as it is: it is moved to the nearest point of the grid");
  expect.suspect("N-FORMULA", "x_hat", Reals(x.size()), "every x_hat is 0");
  suspect_tail(expect, "x_hat", right);
}

inline void suspect_points(Expect& expect, const Snapping::Arguments& in, const Reals& right) {
  const auto& [x, g] = in;
  const float scale = g.scale;
  const auto zero_point = static_cast<float>(g.zero_point);
  const auto one_short = static_cast<float>(g.qmin + 1 - g.zero_point);
  const auto last = static_cast<float>(g.qmax - g.zero_point);
  // What becomes of these values if every step is changed.
  const auto suspect = [&](std::string_view code, const Reals& from, const auto& change,
                           std::string_view words) {
    Reals changed;
    for (const float value : from) changed.push_back(change(value / scale));
    expect.suspect(code, "x_hat", changed, words);
  };
  suspect(
      "N-SCALE", right, [](float steps) { return steps; },
      "steps come back: they are multiplied by the scale");
  suspect(
      "N-ZP-SIGN", right, [=](float steps) { return scale * (steps + zero_point); },
      "zero_point is not subtracted on the way back");
  suspect(
      "N-RANGE", right, [=](float steps) { return scale * std::max(steps, one_short); }, kNoLowest);
  suspect(
      "N-CLAMP", x, [=](float steps) { return scale * std::nearbyint(steps); },
      "what lies beyond the grid stays there: it is clamped");
  suspect(
      "N-CLAMP", x,
      [=, g = g](float steps) {
        return scale * std::clamp(std::nearbyint(steps), float(g.qmin), float(g.qmax));
      },
      kEndsOfCodes);
  suspect(
      "N-CLAMP", x,
      [=, g = g](float steps) {
        const auto lowest = std::min(one_short - 1.0f, float(g.qmin));
        return scale * std::clamp(std::nearbyint(steps), lowest, float(g.qmax));
      },
      kEndsOfCodes);
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
  const auto points = [&](const char* code, const char* words, const Reals& steps) {
    expect.suspect(
        code, "x_hat",
        each_of(steps,
                [=](float step) { return scale * std::clamp(step, one_short - 1.0f, last); }),
        words);
  };
  for (const auto& [words, steps] : other_divisions(x, scale)) points("N-FORMULA", words, steps);
  each_wrong_step(x, g, points);
  suspect_idle(expect, x, g, right);
}

inline const Snapping snapping{
    {"x", "scale", "zero_point", "qmin", "qmax"}, {"x_hat"}, suspect_points};

}  // namespace nibble::judge::lab_01_grid
