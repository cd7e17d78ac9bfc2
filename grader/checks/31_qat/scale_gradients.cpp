// Lab 31, scale_gradients: the checks.
#include "checks/31_qat/scale_gradients.hpp"

#include "checks/31_qat/linear_forward_fake.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

LayerScales scales_by_definition(const Scaling::Arguments& in) {
  return worked(in.a, in.b, in.c).by_scales;
}

// The product of count and qmax is a square: 3 * 3 for inputs of 2 bits, 12 * 3, 27 * 3.
TEST(scale_gradients, SlopesOfRounding) {
  scaling.gives(
      {{"OnTheGrid", {{1, 2, 3}, {3}, layer_of({1, -1, 2}, {0})}, {0, 0}},
       {"Inputs",
        {{0.75, 2.25, 1.25}, {6}, layer_of({2, 1, -3}, {0})},
        {0, 2},
        "three inputs of 2 bits, whose qmax is 3: their sum is divided by sqrt(3 * 3)"},
       {"Weights", {{1, 2, 3}, {6}, layer_of({0.75, -1.25, 1.75}, {0})}, {3, 0}},
       {"Both", {{0.75, 2.25, 1}, {6}, layer_of({0.75, 0.75, 2.25}, {0})}, {1, 0}},
       {"Scaled", {{0.375, 1.125, 0.5}, {6}, layer_of({3, 3, 9}, {0}, {4, 0.5})}, {0.5, 0}}},
      kSameScales);
}

TEST(scale_gradients, ClampedTellMost) {
  scaling.gives({{"Inputs",
                  {{9, 3, -5}, {2}, layer_of({1, 1, 1}, {0})},
                  {0, 2},
                  "of a clamped number the slope is its code, and no difference"},
                 {"WeightsAbove",
                  {{1, 1, 1}, {2}, layer_of({9, 2, 2}, {0})},
                  {2, 0},
                  "of a clamped number the slope is its code, and no difference"},
                 {"WeightsBelow",
                  {{1, 1, 1}, {2}, layer_of({-9, 2, 2}, {0})},
                  {-8.0 / 3, 0},
                  "clamped from below the code is qmin, one below -qmax"},
                 {"Weights", {{1, 1, 1}, {2}, layer_of({9, -9, 2}, {0})}, {-2.0 / 3, 0}},
                 {"JustInside", {{3.25, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, -0.5}},
                 {"JustOutside", {{3.5, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, 6}}},
                kSameScales);
  scaling.gives(
      {{"FarInputs", {{1e300, 0, -1e300}, {2}, layer_of({1, 1, 1}, {0}, {1, 1e-30})}, {0, 2}},
       {"FarWeights",
        {{1, 1, 1}, {2}, layer_of({1e300, 0, -1e300}, {0}, {1e-30, 1})},
        {-2.0 / 3, 0}}},
      [](Expect& expect, const auto&, const LayerScales& got, const LayerScales& want) {
        expect.that(!std::isnan(got.weight) && !std::isnan(got.input),
                    "of a clamped number the slope is its code, however far away v is: "
                    "1e300 / 1e-30 is infinite, and times 0, or less itself, it is NaN",
                    "N-NAN");
        same_scales(expect, got, want);
      });
}

TEST(scale_gradients, DividesByTheRoot) {
  scaling.gives({{"OneWeight", {{3}, {2}, layer_of({3.25}, {0})}, {-0.5 * std::sqrt(3), 0}},
                 {"ManyRows",
                  {{9, 9, 9}, {1, 1, 1}, layer_of({3}, {0}, {1, 1}, 3)},
                  {0, 9},
                  "how many x: of all rows"},
                 {"ManyOutputs", {{1}, Doubles(3, 2), layer_of({9, 9, 9}, Doubles(3))}, {6, 0}},
                 {"OwnQmax",
                  {{20, 20, 20, 20, 20}, {1}, layer_of(Doubles(5, 5), Doubles(1), {1, 1}, 2, 4)},
                  {std::sqrt(5) * 15, std::sqrt(75)},
                  "each divides by its own count and its own qmax"}},
                kSameScales);
}

TEST(scale_gradients, AnyShape) {
  scaling.agrees_with(scales_by_definition, scaling_inputs(seed, kShapes), kSameScales);
}

TEST(scale_gradients, RefusesOtherSizes) {
  scaling.refuses({{"Fine", {{3.25, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, -0.5}}},
                  {{"", {{2}, {3, 4}, layer_of({-1}, {7})}},
                   {"N-NAN", {{2}, {double{kInfinity}}, layer_of({-1}, {7})}},
                   {"N-RANGE", {{2}, {3}, layer_of({-1}, {7}, {1, 1}, 9)}}},
                  kSameScales);
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
