// Lab 09, zero_point_gradient: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "checks/09_fake_quant/scale_gradient.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {

using OfZero = Exercise<&zero_point_gradient>;

inline void suspect_zero_slopes(Expect& expect, const OfZero::Arguments& pairs, float right) {
  const OfScale::Arguments in{pairs.a, pairs.b, pairs.c};
  const float step = in.c.scale;
  const auto looks = [&](const char* code, const char* words, const auto& slope,
                         const Way& way = {}) {
    const float gradient = divided(summed(in, slope, way).value, in.a.size(), in.c);
    if (gradient != right) expect.suspect(code, "gradient", gradient, words);
  };
  const auto usual = [&](float, int side) { return side == 0 ? 0.0f : -step; };
  const double in_front = -double{step} * summed(in, usual).outside;
  const float scaled_last = divided(in_front, in.a.size(), in.c);
  if (scaled_last != right) expect.suspect("N-FORMULA", "gradient", scaled_last);
  if (step != 1) {
    looks("N-SCALE", "the slope is -1: it is -scale",
          [&](float, int side) { return side == 0 ? 0.0f : -1.0f; });
    looks("N-SCALE", "the slope is that of the offset: it is -scale",
          [&](float, int side) { return side == 0 ? 0.0f : 1.0f; });
    looks("N-SCALE", "the slope is -1 / scale: it is -scale",
          [&](float, int side) { return side == 0 ? 0.0f : -1.0f / step; });
  }
  looks("N-ZP-SIGN", "", [&](float, int side) { return side == 0 ? 0.0f : step; });
  looks("N-MASK", "inside has a slope: it is 0",
        [&](float, int side) { return side == 0 ? -step : 0.0f; });
  looks("N-MASK", "inside has a slope: it is 0",
        [&](float, int side) { return side == 0 ? step : 0.0f; });
  looks("N-MASK", "inside has a slope: it is 0", [&](float, int) { return -step; });
  looks("N-FORMULA", "the slope has another sign below: it is -scale on both sides",
        [&](float, int side) { return static_cast<float>(-side) * step; });
  looks("N-FORMULA", "the slope has another sign above: it is -scale on both sides",
        [&](float, int side) { return static_cast<float>(side) * step; });
  looks("N-MASK", "below has the slope 0: it is -scale, as above",
        [&](float, int side) { return side > 0 ? -step : 0.0f; });
  looks("N-MASK", "above has the slope 0: it is -scale, as below",
        [&](float, int side) { return side < 0 ? -step : 0.0f; });
  looks("N-STE", "all slopes are 0: outside they are -scale", [&](float, int) { return 0.0f; });
  for (const auto& [code, way, words] : wrong_ways()) looks(code, words, usual, way);
  suspect_divisors(expect, in, summed(in, usual), right);
}

inline const OfZero of_zero{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_zero_slopes};

}  // namespace nibble::judge::lab_09_fake_quant
