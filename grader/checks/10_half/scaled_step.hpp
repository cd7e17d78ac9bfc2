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

/// Whether the step is taken, and not a skip.
inline bool is_taken(const Step::Arguments& in) {
  return std::ranges::all_of(in.b, [&](float gradient) {
    return (code_of(in.a.scale * gradient, kHalf) & 0x7FFF) < kHalfInfinity;
  });
}

/// Weights that move(weight, h[i] / scale, gradients[i], learning_rate) makes of those before.
inline void suspect_moves(Expect& expect, const Step::Arguments& in, const Training& right) {
  if (!is_taken(in)) return;
  const auto looks = [&](const char* words, float (*move)(float, float, float, float)) {
    Reals weights;
    for (std::size_t i = 0; i < in.b.size(); ++i) {
      const float unscaled = half_of(in.a.scale * in.b[i]) / in.a.scale;
      weights.push_back(move(in.a.weights[i], unscaled, in.b[i], in.c));
    }
    if (weights != right.weights) expect.suspect("N-FORMULA", "weights", weights, words);
  };
  looks("as if h[i] / scale were not multiplied by learning_rate",
        [](float weight, float unscaled, float, float) { return weight - unscaled; });
  looks("the step is rounded once, at its end: the product is a float32, too",
        [](float weight, float unscaled, float, float rate) {
          return std::fma(-rate, unscaled, weight);
        });
  looks("gradients do not go through half",
        [](float weight, float, float gradient, float rate) { return weight - rate * gradient; });
  looks("weights are rounded to half: they are float32",
        [](float weight, float unscaled, float, float rate) {
          return half_of(weight - rate * unscaled);
        });
}

/// Scales and counts: of steps that are counted or not, and at both ends of the range.
inline void suspect_counts(Expect& expect, const Step::Arguments& in, const Training& right) {
  const float scale = in.a.scale;
  const bool is_skip = !is_taken(in);
  if (in.b.empty()) {
    constexpr const char* not_counted = "a step of no weights is not counted: it is a good one";
    if (right.scale != scale) expect.suspect("N-FORMULA", "scale", scale, not_counted);
    expect.suspect("N-FORMULA", "good_steps", in.a.good_steps, not_counted);
  }
  if (!is_skip && right.scale == scale && scale < kMostScale) {
    expect.suspect("N-FORMULA", "scale", scale * 2,
                   "the scale grows before growth_interval steps in a row were good");
  }
  if (is_skip) {
    expect.suspect("N-FORMULA", "good_steps", std::int32_t{1},
                   "a skip is counted as a good step: good_steps begins anew at 0");
  }
  if (!is_skip && scale == kMostScale) {
    expect.suspect("N-RANGE", "scale", scale * 2, "the scale grows beyond kMostScale");
  }
  if (is_skip && scale == kLeastScale) {
    expect.suspect("N-RANGE", "scale", scale / 2, "the scale falls below kLeastScale");
  }
}

inline void suspect_steps(Expect& expect, const Step::Arguments& in, const Training& right) {
  const float scale = in.a.scale;
  const auto suspect = [&](const char* code, const char* words, float before_half,
                           float after_half) {
    const Reals wrong = step_of(in, before_half, after_half).weights;
    if (wrong != right.weights) expect.suspect(code, "weights", wrong, words);
  };
  suspect("N-SCALE", "gradients go through half unscaled: they are multiplied by scale before", 1,
          1);
  suspect("N-SCALE", "as if h[i] were not divided by scale", scale, 1);
  suspect("N-SCALE", "as if gradients were not multiplied by scale", 1, scale);
  suspect("N-SCALE", "as if h[i] were divided by the next scale", scale, right.scale);
  suspect("N-SCALE", "as if h[i] were multiplied by scale", scale, 1 / scale);
  suspect("N-FORMULA", "as if the step went uphill", scale, -scale);
  suspect("N-FORMULA", "gradients are divided by scale before half: they are multiplied by it",
          1 / scale, scale);
  suspect_moves(expect, in, right);
  if (right.scale != scale) {
    expect.suspect("N-FORMULA", "scale", scale, "as if the scale stayed");
  }
  suspect_counts(expect, in, right);
  const auto good_steps = [&](std::int32_t wrong, const char* words) {
    if (wrong != right.good_steps) expect.suspect("N-FORMULA", "good_steps", wrong, words);
  };
  good_steps(in.a.good_steps, "as if good_steps stayed");
  good_steps(in.a.good_steps + 1, "as if good_steps did not begin anew");
  if (right.scale >= scale && scale > 1) {
    expect.suspect("N-NAN", "scale", scale / 2, "as if the step were skipped");
  }
  Reals capped = right.weights, all_capped = capped;
  for (std::size_t i = 0; i < capped.size() && i < in.a.weights.size(); ++i) {
    all_capped[i] = std::clamp(capped[i], -FLT_MAX, FLT_MAX);
    if (std::isfinite(in.a.weights[i])) capped[i] = all_capped[i];
  }
  if (capped != right.weights) {
    expect.suspect("N-INF", "weights", capped,
                   "a weight stops at the largest float: it becomes infinite");
    expect.suspect("N-NAN", "weights", in.a.weights);
  }
  if (all_capped != right.weights) expect.suspect("N-INF", "weights", all_capped);
  expect.suspect("N-SIGN0", "weights", right.weights,
                 "-0 - -0 is 0, and -0 - 0 is -0");  // equal, and wrong bit by bit
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
