// Lab 01: tensors on a grid.
#pragma once

#include "grid.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_01_grid {

// By hand, scales are powers of two, so floats are compared exactly and ties are ties for everyone.
// Codes at the ends of a grid appear only where the ends are the question.

using Quantizing = Exercise<&quantize_to_grid>;
using Dequantizing = Exercise<&dequantize_from_grid>;
using Snapping = Exercise<&fake_quantize>;

template <class Arguments>
Shape as_many(const Arguments& in) {
  return {in.a.size()};
}

/// Rows whose last value is easy to get right: where it alone is wrong, a loop has stopped early.
template <class E>
void gives(const E& exercise, const char* what, const std::vector<typename E::Row>& rows) {
  exercise.gives(rows, [&](Expect& expect, const auto& in, const auto& got, const auto& want) {
    auto all_but_last = want;
    if (got.size() == want.size()) all_but_last.back() = got.back();
    expect.suspect("N-TAIL", what, all_but_last);
    exercise.only({what})(expect, in, got, want);
  });
}

struct NamedGrid {
  std::string name;
  Grid grid;
};

// The two kinds of 8 bits, 4 bits with an odd zero point, and 16. No scale is a power of two.
inline const std::vector<NamedGrid> kUsualGrids = {{"int8", {0.0123f, 0, -128, 127}},
                                                   {"uint8", {0.0123f, 101, 0, 255}},
                                                   {"int4", {0.3f, -3, -8, 7}},
                                                   {"uint16", {1e-4f, 32768, 0, 65535}}};

// One value; one less than, as many as and one more than eight vectors of 4 codes; a large prime.
template <class E>
std::vector<typename E::Input> every_length(const std::vector<NamedGrid>& grids, Seed seed_of,
                                            float widened) {
  std::vector<typename E::Input> inputs;
  for (const std::size_t count : {1, 31, 32, 33, 4099}) {
    for (const auto& [name, g] : grids) {
      const float lowest = g.scale * static_cast<float>(g.qmin - g.zero_point);
      const float highest = g.scale * static_cast<float>(g.qmax - g.zero_point);
      inputs.push_back({std::to_string(count) + "x" + name,
                        {uniform_tensor(count, seed_of(count * 8 + inputs.size() % grids.size()),
                                        widened * lowest, widened * highest),
                         g}});
    }
  }
  return inputs;
}

inline Tolerance half_a_step(const Grid& g) {
  return round_trip_tolerance(g.scale, g.qmax - g.qmin);
}

inline const Grid kFourBits{1, 0, -8, 7};

// One broken promise each, in the order in which expects_grid reads them.
inline const std::vector<Grid> kNoGrids = {
    {0, 0, -8, 7},     {-1, 0, -8, 7},      {INFINITY, 0, -8, 7}, {1e-40f, 0, -8, 7},
    {1, 8, -8, 7},     {1, -9, -8, 7},      {1, 0, 0, 0},         {1, 0, 7, -8},
    {1, 0, -40000, 7}, {1, 0, -8, 1 << 20}, {NAN, 0, -8, 7}};

/// A grid that is none is refused even where nothing would have to be written.
template <class E, class Values>
std::vector<typename E::Refused> without_a_grid(const Values& values) {
  std::vector<typename E::Refused> refused;
  for (const Grid& grid : kNoGrids) {
    refused.push_back({grid.scale == 1.0f ? "N-RANGE" : "N-DIV0", {values, grid}});
  }
  refused.push_back({"N-DIV0", {Values{}, kNoGrids.front()}});
  return refused;
}

/// x / scale, rounded, as those have it who divide in double or multiply by a rounded 1 / scale.
struct OtherSteps {
  const char* words;
  Reals steps;
};
inline std::vector<OtherSteps> other_divisions(const Reals& x, float scale) {
  return {{"x is divided in double: it is divided in float32",
           each_of(x, [=](double v) { return static_cast<float>(std::nearbyint(v / scale)); })},
          {"x is multiplied by 1 / scale: it is divided by scale",
           each_of(x, [=](float v) { return std::nearbyint(v * (1 / scale)); })}};
}

/// suspect(code, words, steps) for x / scale as those have it who round it in a wrong way.
template <class Suspect>
void each_wrong_step(const Reals& x, const Grid& g, const Suspect& suspect) {
  const auto rounded = [&](const auto& round) {
    return each_of(x, [&](float v) { return round(v / g.scale); });
  };
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    suspect(code, words, rounded(round));
  });
  const auto moved = static_cast<float>(g.zero_point);
  suspect("N-ROUND", "as if the zero point were added before rounding",
          rounded([=](float steps) { return std::nearbyint(steps + moved) - moved; }));
}

inline constexpr const char* kNoLowest = "codes begin at qmin + 1: qmin is a code, too";

/// Ties over 1.1f, but for the last: in double none is one, and times 1 / 1.1f two are not.
inline const Reals kTiesInFloat32{1.65f, 8.25f, 9.35f, 25.85f, 2};
inline const Grid kElevenTenths{1.1f, 100, 0, 255};

/// The floats next to ties, and 0.
inline const Reals kBesideTies{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 0};

/// No grid is wider, and the zero point is its end.
inline const Grid kWidest{1, 65535, -32768, 65535};
inline constexpr const char* kManySteps = "this grid reaches 98303 steps from its zero point";

}  // namespace nibble::judge::lab_01_grid
