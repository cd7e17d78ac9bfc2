// Lab 01, quantize_to_grid: the checks.
#include "checks/01_grid/quantize_to_grid.hpp"

#include "judge/near_ties.hpp"

namespace nibble::judge::lab_01_grid {
namespace {

TEST(quantize_to_grid, DividesByTheScale) {
  gives(quantizing, "q",
        {{"Quarter",
          {{0.25f, -0.5f, 8, 0}, {0.25f, 0, -128, 127}},
          {1, -2, 32, 0},
          "x / scale is how many steps x is from 0"},
         {"Four", {{4, -8, 100, 0}, {4, 0, -128, 127}}, {1, -2, 25, 0}}});
}

TEST(quantize_to_grid, AddsTheZeroPoint) {
  gives(quantizing, "q",
        {{"OfTheDrawing",
          {{-1, -0.5f, 0, 1.5f}, {0.5f, 3, 0, 7}},
          {1, 2, 3, 6},
          "real 0 is the code zero_point, and every other code counts from there"},
         {"EightBits", {{1, -1, 31, 0}, {0.25f, 128, 0, 255}}, {132, 124, 252, 128}},
         {"Negative", {{2, -2, 20, 0}, {2, -5, -8, 7}}, {-4, -6, 5, -5}}});
}

TEST(quantize_to_grid, RoundsToNearest) {
  gives(quantizing, "q",
        {{"UpAndDown", {{1.75f, 1.25f, 0}, {1, 0, -8, 7}}, {2, 1, 0}},
         {"BelowZero", {{-1.75f, -0.75f, 0}, {1, 0, -8, 7}}, {-2, -1, 0}},
         {"OtherScale", {{-0.875f, 1.125f, 0}, {0.5f, 10, 0, 15}}, {8, 12, 10}}});
}

// With an odd zero point, rounding after it is added turns every even neighbour into an odd one.
TEST(quantize_to_grid, TiesGoToEven) {
  gives(quantizing, "q",
        {{"AboveZero", {{0.5f, 1.5f, 2.5f, 0}, {1, 0, -8, 7}}, {0, 2, 2, 0}},
         {"BelowZero", {{-0.5f, -1.5f, -2.5f, 0}, {1, 0, -8, 7}}, {0, -2, -2, 0}},
         {"OddZeroPoint",
          {{0.25f, 0.75f, -0.25f, 0}, {0.5f, 7, 0, 15}},
          {7, 9, 7, 7},
          "x / scale is rounded first, and then zero_point is added"},
         {"OddAndNegative", {{1, 3, -3, 0}, {2, -3, -8, 7}}, {-3, -1, -5, -3}},
         {"OneDivision",
          {kTiesInFloat32, kElevenTenths},
          {102, 108, 108, 124, 102},
          "x / scale is one float32 division, not in double and not times 1 / scale"},
         {"BesideTies", {kBesideTies, kFourBits}, {1, 1, 3, -1, 0}, kNoTies}});
}

// Beyond int32, converting first gives any number; FLT_MAX / FLT_MIN is infinite.
TEST(quantize_to_grid, ClampsToTheGrid) {
  gives(quantizing, "q",
        {{"BothEnds", {{127, -128, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Unsigned", {{-5, 122.5f, 0}, {0.5f, 10, 0, 255}}, {0, 255, 10}},
         {"OneBeyond",
          {{-2, 2.5f, 0}, {0.5f, 3, 0, 7}},
          {0, 7, 3},
          "what lies beyond [qmin, qmax] becomes its nearer end"},
         {"FarBeyond", {{1000, -1000, 250, 0}, {1, 5, -8, 7}}, {7, -8, 7, 5}},
         {"OddRange", {{-100, 100, 0}, {1, -2, -3, 12}}, {-3, 12, -2}},
         {"BeyondInt32",
          {{3e9f, -3e9f, 4294967296.0f, 0}, {1, 5, 0, 255}},
          {255, 0, 255, 5},
          "it is clamped before it is made an integer: 3e9 fits no int32"},
         {"BeyondFloat",
          {{FLT_MAX, -FLT_MAX, 0}, {FLT_MIN, 5, 0, 255}},
          {255, 0, 5},
          "it is clamped before it is made an integer: x / scale fits no integer here"},
         {"WidestGrid", {{-1e6f, -98000, 0}, kWidest}, {-32768, -32465, 65535}, kManySteps}});
}

TEST(quantize_to_grid, NanAndInfinity) {
  gives(quantizing, "q",
        {{"NaN",
          {{NAN, -NAN, 0.5f}, {0.5f, 3, 0, 7}},
          {3, 3, 4},
          "a NaN becomes zero_point, the code of real 0"},
         {"Inf",
          {{INFINITY, -INFINITY, 0.5f}, {0.5f, 3, 0, 7}},
          {7, 0, 4},
          "an infinity is clamped like any large number"}});
}

TEST(quantize_to_grid, EveryValueWithinHalfAStep) {
  quantizing.on_each(every_length<Quantizing>(kUsualGrids, seed, 1.0f), [](Expect& expect,
                                                                           const auto& in) {
    const auto& [x, grid] = in;
    const Codes q = quantizing(in);
    expect.equal("q, clamped", clamped(q, grid.qmin, grid.qmax), q);
    suspect_tail_of(expect, "scale * (q - zero_point)", x, 0.0f, "the last code is that of real 0",
                    "the last codes are those of real 0: fewer than a whole block");
    expect.near("scale * (q - zero_point)", by_definition({q, grid}), x, half_a_step(grid));
  });
}

TEST(quantize_to_grid, RefusesWhatIsNoGrid) {
  auto refused = without_a_grid<Quantizing>(Reals{1, 2});
  for (const Reals& x : {Reals{1, 2}, Reals{}}) {
    refused.push_back({"N-SIZE", {x, kFourBits}, /*too_many=*/1});
  }
  quantizing.refuses({{"Fine", {{1, 2}, kFourBits}, {1, 2}}, {"Empty", {{}, kFourBits}, {}}},
                     refused);
}

}  // namespace
}  // namespace nibble::judge::lab_01_grid
