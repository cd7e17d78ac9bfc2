// Lab 31, sgd_step: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/scale_gradients.hpp"
#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {

using Stepping = Exercise<&sgd_step>;

inline QatLayer step_by_definition(const Stepping::Arguments& in) {
  const auto& [layer, gradient, by_scales, rate] = in;
  if (gradient.weight.size() != layer.weight.size() || gradient.bias.size() != layer.bias.size()) {
    throw std::invalid_argument("sizes");
  }
  const auto less = [rate = rate](double value, double by) { return value - rate * by; };
  QatLayer next = layer;
  std::ranges::transform(layer.weight, gradient.weight, next.weight.begin(), less);
  std::ranges::transform(layer.bias, gradient.bias, next.bias.begin(), less);
  const auto scale = [&](double now, double by) {
    return std::min(std::max(less(now, by), now / 2), now * 2);
  };
  next.scales = {scale(layer.scales.weight, by_scales.weight),
                 scale(layer.scales.input, by_scales.input)};
  return next;
}

/// The step of the copy: from w_hat, and its w_hat.
inline void suspect_copies(Expect& expect, const Stepping::Arguments& in, const QatLayer& right) {
  const auto copy = [&](const Doubles& weight) {
    return each_of(stairs(weight, in.a.scales.weight, weight_range(in.a), Slip::kNone),
                   [](const Stair& one) { return one.hat; });
  };
  Stepping::Arguments wrong = in;
  wrong.a.weight = copy(in.a.weight);
  expect.suspect("N-COPY", "weight", step_by_definition(wrong).weight,
                 "the step is of w_hat: it is of the real weights");
  expect.suspect("N-COPY", "weight", copy(right.weight),
                 "the new weights are rounded: they stay real");
  const auto& [layer, gradient, by, rate] = in;
  Stepping::Arguments up = in;
  up.d = -rate;
  const QatLayer climbed = step_by_definition(up);
  expect.suspect("N-SIGN", "weight", climbed.weight, "up, along the gradient: a step goes down");
  expect.suspect("N-SIGN", "bias", climbed.bias, "up, along the gradient: a step goes down");
  expect.suspect("N-FORMULA", "bias", layer.bias, "the biases have not moved");
  const auto scales = [&, &layer = layer, &by = by](const char* code, const char* words,
                                                    const auto& of) {
    expect.suspect(code, "weight", of(layer.scales.weight, by.weight), words);
    expect.suspect(code, "input", of(layer.scales.input, by.input), words);
  };
  scales("N-SIGN", "up, along the gradient: a step goes down",
         [rate = rate](double now, double slope) {
           return std::min(std::max(now + rate * slope, now / 2), now * 2);
         });
  const bool is_at_an_end = layer.scales.weight == 1e30 || layer.scales.weight == 1e-30;
  if (!is_at_an_end) {
    scales("N-FORMULA", "this scale has not moved: both are learnt",
           [](double now, double) { return now; });
  }
  constexpr const char* unclamped =
      "this scale is not clamped: it ends at its half and at its double";
  scales("N-STEP", unclamped,
         [rate = rate](double now, double slope) { return now - rate * slope; });
  scales("N-STEP", unclamped,
         [rate = rate](double now, double slope) { return std::max(now - rate * slope, now / 2); });
  scales("N-STEP", unclamped,
         [rate = rate](double now, double slope) { return std::min(now - rate * slope, now * 2); });
  const auto between = [rate = rate](double now, double slope, double of) {
    return std::min(std::max(now - rate * slope, of / 2), of * 2);
  };
  constexpr const char* other_ends = "its ends are made of the other scale";
  const LayerScales& old = layer.scales;
  expect.suspect("N-STEP", "weight", between(old.weight, by.weight, old.input), other_ends);
  expect.suspect("N-STEP", "input", between(old.input, by.input, old.weight), other_ends);
  scales("N-FORMULA", "a scale moves by a share of itself: it is by rate * gradient",
         [rate = rate](double now, double slope) { return now * std::exp(-rate * slope); });
  scales("N-FORMULA", "a scale moves by a share of itself: it is by rate * gradient",
         [rate = rate](double now, double slope) { return now * (1 - rate * slope); });
}

inline const Stepping stepping{{"weight", "bias", "scales.weight", "scales.input", "weight_bits",
                                "input_bits", "gradient.input", "gradient.weight", "gradient.bias",
                                "by_scales.weight", "by_scales.input", "rate"},
                               {kLayerNames[0], kLayerNames[1], kLayerNames[2], kLayerNames[3],
                                kLayerNames[4], kLayerNames[5]},
                               suspect_copies};

inline const auto kSameLayer = [](Expect& expect, const Stepping::Arguments&, const QatLayer& got,
                                  const QatLayer& want) {
  expect_reals(expect, "weight", got.weight, want.weight);
  expect_reals(expect, "bias", got.bias, want.bias);
  same_scales(expect, got.scales, want.scales);
  expect.equal("weight_bits", got.weight_bits, want.weight_bits);
  expect.equal("input_bits", got.input_bits, want.input_bits);
};

}  // namespace nibble::judge::lab_31_qat
