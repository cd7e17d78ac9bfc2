// Lab 03, symmetric_scale: what is right, and what people write instead.
#pragma once

#include "symmetric.hpp"

#include "checks/03_symmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_03_symmetric {

// Wherever values were worked out by hand, scales are powers of two, so floats are compared exactly
// and ties are ties for everyone.

using Scaling = Exercise<&symmetric_scale>;

inline void suspect_scales(Expect& expect, const Scaling::Arguments& in, float right) {
  const auto& [x, num_bits] = in;
  const std::size_t some = x.empty() ? 0 : 1;
  for (const auto part :
       {std::span(x).first(x.size() - some), std::span(x).last(x.size() - some)}) {
    const float scale = max_abs(part) / static_cast<float>(qmax_of(num_bits));
    if (scale >= FLT_MIN) expect.suspect("N-TAIL", "scale", scale);
  }
  expect.suspect("N-SCALE", "scale", 1 / right);
  const float product = max_abs(x) * (1 / static_cast<float>(qmax_of(num_bits)));
  if (product > FLT_MIN) expect.suspect("N-FORMULA", "scale", product);
  const auto steps = static_cast<float>(2 * qmax_of(num_bits) + 1);
  const float spread = 2 * max_abs(x) / steps;
  if (spread >= FLT_MIN) {
    expect.suspect("N-RANGE", "scale", spread, "as if 2 * amax were spread over qmax - qmin steps");
  }
  // Plain abs is C's, of ints; what no int holds becomes the least one, which is no maximum.
  const float whole =
      max_abs(each_of(x, [](float v) { return std::fabs(v) < 0x1p31f ? std::trunc(v) : 0.0f; }));
  expect.suspect("N-TRUNC", "scale", whole == 0 ? 1 : whole / static_cast<float>(qmax_of(num_bits)),
                 "magnitudes are cut to whole numbers: |x[i]| is a float, and keeps its fraction");
  if (right < FLT_EPSILON) {
    expect.suspect("N-DIV0", "scale", FLT_EPSILON,
                   "as if a scale were raised to FLT_EPSILON, which is no small number");
  }
}

inline const Scaling scaling{{"x", "num_bits"}, {"scale"}, suspect_scales};

/// What has no range, whichever function is asked for one.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_range() {
  return {{"N-NAN", {{1, kNan, 2}, 8}},       {"N-NAN", {{kNan}, 8}},
          {"N-NAN", {{1, 2, -kInfinity}, 8}}, {"N-NAN", {{kInfinity, 2}, 8}},
          {"N-RANGE", {{1, 2}, 1}},           {"N-RANGE", {{1, 2}, 9}},
          {"N-RANGE", {Reals{}, 0}}};
}

}  // namespace nibble::judge::lab_03_symmetric
