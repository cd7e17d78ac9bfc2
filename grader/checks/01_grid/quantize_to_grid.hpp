// Lab 01, quantize_to_grid: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "checks/01_grid/on_a_grid.hpp"
#include "checks/01_grid/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_01_grid {

inline Codes clamped(Codes q, int qmin, int qmax) {
  for (std::int32_t& code : q) code = std::clamp(code, qmin, qmax);
  return q;
}

inline void suspect_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const Grid& g = in.b;
  Codes clamped_too_early;  // the steps; and only then the zero point is added
  for (const std::int32_t code : right) {
    clamped_too_early.push_back(g.zero_point + std::clamp(code - g.zero_point, g.qmin, g.qmax));
  }
  expect.suspect("N-RANGE", "q", clamped(right, g.qmin + 1, g.qmax), kNoLowest);
  expect.suspect("N-RANGE", "q", clamped(right, -128, 127),
                 "codes are clamped to -128 ... 127, whatever the grid");
  expect.suspect("N-CLAMP", "q", clamped_too_early,
                 "steps are clamped, and the zero point comes after: it is added first");
  const auto on_the_grid = [&g](double code) {
    return std::clamp(code, double(g.qmin), double(g.qmax));
  };
  for (const auto& [words, steps] : other_divisions(in.a, g.scale)) {
    expect.suspect("N-FORMULA", "q",
                   each_of(steps, [&](double step) { return on_the_grid(step + g.zero_point); }),
                   words);
  }
  each_wrong_step(in.a, g, [&](const char* code, const char* words, const Reals& steps) {
    expect.suspect(code, "q",
                   each_of(steps, [&](double step) { return on_the_grid(step + g.zero_point); }),
                   words);
  });
}

inline const Quantizing quantizing{{"x", "scale", "zero_point", "qmin", "qmax"},
                                   {"q"},
                                   suspect_codes,
                                   {.sizes = as_many<Quantizing::Arguments>}};

/// scale * (q - zero_point): the exact product, since a code and a scale fit a double together.
inline Reals by_definition(const Dequantizing::Arguments& in) {
  Reals real;
  for (const std::int32_t code : in.a) {
    real.push_back(static_cast<float>(static_cast<double>(in.b.scale) * (code - in.b.zero_point)));
  }
  return real;
}

}  // namespace nibble::judge::lab_01_grid
