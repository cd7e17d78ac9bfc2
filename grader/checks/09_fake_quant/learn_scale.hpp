// Lab 09, learn_scale: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "checks/09_fake_quant/scale_gradient.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {

using Learning = Exercise<&learn_scale>;

/// The loop of the contract, with a step and a gradient of one's own. It ends at what is no scale.
template <class Step, class Gradient>
Reals descent(const Learning::Arguments& in, const Step& step_of, const Gradient& gradient_of) {
  const auto& [x, num_bits, start, rate, steps] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  Grid grid{start, 0, qmin, qmax};
  Reals scales, upstream(x.size());
  while (std::ssize(scales) < steps) {
    for (std::size_t i = 0; i < x.size(); ++i) upstream[i] = fake_quantize(x[i], grid) - x[i];
    grid.scale = step_of(grid.scale, gradient_of(OfScale::Arguments{x, upstream, grid}), rate);
    scales.push_back(grid.scale);
    if (!(std::isnormal(grid.scale) && grid.scale > 0)) break;
  }
  return scales;
}

inline constexpr const char* kUnheld =
    "a step is not held between half of the scale and its double";

inline void suspect_steps(Expect& expect, const Learning::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const char* words, const auto& step) {
    const Reals wrong = descent(in, step, scale_by_definition);
    if (wrong != right) expect.suspect(code, "scales", wrong, words);
  };
  const auto ends = [](float next, float scale) {
    return std::clamp(std::clamp(next, scale / 2, scale * 2), FLT_MIN, FLT_MAX);
  };
  looks("N-FORMULA", "the scale goes uphill: rate * gradient is subtracted",
        [&](float s, float g, float r) { return ends(s + r * g, s); });
  looks("N-STEP", kUnheld, [](float s, float g, float r) { return std::max(s - r * g, FLT_MIN); });
  looks("N-STEP", kUnheld,
        [](float s, float g, float r) { return std::clamp(s - r * g, FLT_MIN, FLT_MAX); });
  looks("N-STEP", kUnheld, [](float s, float g, float r) { return std::max(s - r * g, s / 2); });
  looks("N-STEP", kUnheld, [](float s, float g, float r) {
    return std::clamp(std::fabs(s - r * g), FLT_MIN, FLT_MAX);
  });
  looks("N-STEP", kUnheld, [](float s, float g, float r) { return s - r * g > 0 ? s - r * g : s; });
  looks("N-STEP", "a scale may end below FLT_MIN or above FLT_MAX",
        [](float s, float g, float r) { return std::clamp(s - r * g, s / 2, s * 2); });
  looks("N-STEP", "a scale may end above FLT_MAX", [](float s, float g, float r) {
    return std::max(std::clamp(s - r * g, s / 2, s * 2), FLT_MIN);
  });
  looks("N-STEP", "a scale may end below FLT_MIN", [](float s, float g, float r) {
    return std::min(std::clamp(s - r * g, s / 2, s * 2), FLT_MAX);
  });
  looks("N-FORMULA", "", [&](float s, float g, float r) {
    return ends(static_cast<float>(double{s} - double{r} * double{g}), s);
  });
  looks("N-FORMULA", "the step is relative: the gradient is not multiplied by the scale",
        [&](float s, float g, float r) { return ends(s * (1 - r * g), s); });
  looks("N-FORMULA", "", [&](float s, float g, float r) { return ends(s * std::exp(-r * g), s); });
  looks("N-FORMULA", "the rate is left out",
        [&](float s, float g, float) { return ends(s - g, s); });
  looks("N-FORMULA", "the step is relative: the gradient is not multiplied by the scale",
        [&](float s, float g, float r) { return ends(s - r * g * s, s); });
  looks("N-STEP", "the scale stays as it is", [](float s, float, float) { return s; });
}

inline const Learning learning{
    {"x", "num_bits", "start", "rate", "steps"}, {"scales"}, suspect_steps};

}  // namespace nibble::judge::lab_09_fake_quant
