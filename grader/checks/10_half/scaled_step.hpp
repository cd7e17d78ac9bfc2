// Lab 10, scaled_step: what is right, and what people write instead.
#pragma once

#include "half.hpp"

#include "checks/10_half/dot_half.hpp"
#include "checks/10_half/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {

using Step = Exercise<&scaled_step>;

/// By definition, and what known mistakes multiply by before half, and divide by after it.
inline Training step_of(const Step::Arguments& in, float before_half, float after_half) {
  const auto& [before, gradients, learning_rate, growth_interval] = in;
  NIBBLE_EXPECTS(gradients.size() == before.weights.size(), gradients.size());
  Training after = before;
  bool finite = true;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::uint16_t h = code_of(before_half * gradients[i], kHalf);
    finite = finite && (h & 0x7FFF) < kHalfInfinity;
    after.weights[i] = before.weights[i] - learning_rate * (as_float(h) / after_half);
  }
  if (!finite) return {before.weights, std::max(before.scale / 2, 1.0f), 0};
  if (++after.good_steps < growth_interval) return after;
  return {after.weights, std::min(before.scale * 2, 0x1p24f), 0};
}

inline void suspect_steps(Expect& expect, const Step::Arguments& in, const Training& right) {
  const float scale = in.a.scale;
  const auto suspect = [&](const char* code, const char* words, float before_half,
                           float after_half) {
    const Reals wrong = step_of(in, before_half, after_half).weights;
    if (wrong != right.weights) expect.suspect(code, "weights", wrong, words);
  };
  suspect("N-SCALE", "as if gradients were neither scaled nor unscaled", 1, 1);
  suspect("N-SCALE", "as if h[i] were not divided by scale", scale, 1);
  suspect("N-SCALE", "as if gradients were not multiplied by scale", 1, scale);
  suspect("N-SCALE", "as if h[i] were divided by the next scale", scale, right.scale);
  suspect("N-SCALE", "as if h[i] were multiplied by scale", scale, 1 / scale);
  suspect("N-FORMULA", "as if the step went uphill", scale, -scale);
  if (right.scale != scale) {
    expect.suspect("N-FORMULA", "scale", scale, "as if the scale stayed");
  }
  const auto good_steps = [&](std::int32_t wrong, const char* words) {
    if (wrong != right.good_steps) expect.suspect("N-FORMULA", "good_steps", wrong, words);
  };
  good_steps(in.a.good_steps, "as if good_steps stayed");
  good_steps(in.a.good_steps + 1, "as if good_steps did not begin anew");
  if (right.scale >= scale && scale > 1) expect.suspect("N-NAN", "scale", scale / 2);
  Reals capped = right.weights;
  for (float& weight : capped) weight = std::clamp(weight, -FLT_MAX, FLT_MAX);
  if (capped != right.weights) {
    expect.suspect("N-INF", "weights", capped);
    expect.suspect("N-NAN", "weights", in.a.weights);
  }
  expect.suspect("N-SIGN0", "weights", right.weights);  // equal, and wrong bit by bit
}

inline const Step step{
    {"weights", "scale", "good_steps", "gradients", "learning_rate", "growth_interval"},
    {"weights", "scale", "good_steps"},
    suspect_steps};

/// Steps of every scale, some of which overflow; learning rates and weights with all their bits.
inline std::vector<Step::Input> steps(Seed seed_of, int count) {
  std::vector<Step::Input> inputs;
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(1 + 37 * i % 41);
    const int interval = code_tensor<int>(1, seed_of(4UL * i), 1, 2000).front();
    const int good_steps = i % 3 == 0 ? interval - 1 : interval / 2;
    const float scale = std::ldexp(1.0f, i % 25), stddev = std::ldexp(1.0f, 13 - i % 29);
    inputs.push_back({std::to_string(n) + "Weights" + std::to_string(i),
                      {{normal_tensor(n, seed_of(4 * i + 1)), scale, good_steps},
                       normal_tensor(n, seed_of(4 * i + 2), stddev),
                       uniform_tensor(1, seed_of(4 * i + 3), 0.001f, 0.1f).front(),
                       interval}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_10_half
