// Lab 09, scale_gradient: the checks.
#include "checks/09_fake_quant/scale_gradient.hpp"

#include "checks/09_fake_quant/fake_quantize_backward.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

// With qmax = 4 the root is 2 for one value and 4 for four of them.
TEST(scale_gradient, RoundingInside) {
  of_scale.gives({{"Down", {{0.25f}, {1}, {1, 0, -4, 4}}, -0.125f},
                  {"OneDivision",
                   {{1}, {1}, {0.3f, 0, -4, 4}},
                   -0.166666627f,
                   "x / scale is one float32 division"},
                  {"Up", {{1.75f}, {1}, {1, 0, -4, 4}}, 0.125f},
                  {"Negative", {{-2.75f}, {3}, {1, 0, -4, 4}}, -0.375f},
                  {"Scaled", {{0.375f}, {2}, {0.5f, 0, -4, 4}}, 0.25f},
                  {"OnTheGrid", {{1.5f}, {8}, {0.5f, 0, -4, 4}}, 0.0f},
                  {"Tie", {{2.5f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -4, 4}}, -0.1875f},
                  {"OtherTie", {{1.5f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -4, 4}}, 0.0625f},
                  {"ZeroPoint", {{2.75f}, {1}, {1, 1, -4, 4}}, 0.125f},
                  {"Four", {{0.25f, 1.75f, -0.25f, 3}, {1, 2, 4, 8}, {1, 0, -4, 4}}, 0.3125f}});
}

TEST(scale_gradient, StepsOutside) {
  of_scale.gives(
      {{"Above", {{9}, {1}, {1, 0, -3, 4}}, 2.0f},
       {"Below", {{-9}, {1}, {1, 0, -3, 4}}, -1.5f},
       {"AboveScaled", {{9}, {0.5f}, {0.25f, 0, -3, 4}}, 1.0f},
       {"FarAbove",
        {{3e38f, 1e-36f}, {1, 3}, {FLT_MIN, 0, -4, 8}},
        8.0f,
        "round(x / scale) is a float, which no integer type has to hold"},
       {"FarBelow", {{-3e38f}, {1}, {FLT_MIN, 0, -3, 4}}, -1.5f},
       {"ZeroPointAbove", {{9}, {1}, {1, 2, -3, 4}}, 1.0f},
       {"ZeroPointBelow", {{-9}, {1}, {1, -1, -3, 4}}, -1.0f},
       {"RoundedToTheEnd", {{4.25f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -3, 4}}, -0.125f},
       {"TieAtTheEnd", {{4.5f}, {1}, {1, 0, -3, 4}}, -0.25f},
       {"TieBelow", {{-3.5f}, {1}, {1, 0, -3, 4}}, -1.5f},
       {"OddZeroPoint", {{3.5f, 9, 0, 0}, {1, 1, 2, 3}, {1, 1, 0, 4}}, 1.5f, kZeroPointLast},
       {"Mixed", {{9, -9, 0.25f, 4.25f}, {1, 2, 4, 32}, {1, 0, -3, 4}}, -2.75f}});
}

// 65,536 times 65,535 is no int32, and 80,000 times 60,000 no uint32.
TEST(scale_gradient, DividedByTheRoot) {
  of_scale.gives({{"One", {{9}, {2}, {1, 0, -1, 1}}, 2.0f},
                  {"Empty", {{}, {}, {1, 0, -4, 4}}, 0.0f},
                  {"Nine", all_above(9, 2, {1, 0, -4, 1}), 6.0f},
                  {"QmaxOfNine", {{20}, {1}, {1, 0, -4, 9}}, 3.0f},
                  {"QmaxOfSeven",
                   {{20}, {1}, {1, 0, -8, 7}},
                   2.64575124f,
                   "root and quotient are double, which is rounded to float32 at the end"},
                  {"SixteenBits", all_above(65'536, 1, {1, 0, 0, 65'535}), 65535.5f}},
                 look_at_gradient);
  of_scale.agrees_with(scale_by_definition,
                       {{"Seven", all_above(7, 1, {1, 0, -8, 7})},
                        {"NoSquare", all_above(3, 1, {0.5f, 2, 0, 15})},
                        {"Long", all_above(80'000, 1, {1, 0, 0, 60'000})}},
                       look_at_gradient);
}

// In float32 2^24 + 1 is 2^24, and so is 2^53 + 1 in double: the order of the terms is visible.
TEST(scale_gradient, SumsInDouble) {
  of_scale.gives(
      {{"LostInFloat", {{9, 9, 9, 9}, {16777216, 1, -16777216, 0}, {1, 0, -4, 4}}, 1.0f},
       {"ProductLostInFloat",
        {{0.3f, 0.3f, 0, 0}, {16777215, -16777213, 0, 0}, {1, 0, -4, 4}},
        -0.3f / 2},
       {"FirstToLast",
        {{9, 9, 9, 9}, {0x1p53f, 1, -0x1p53f, 1}, {1, 0, -4, 4}},
        1.0f,
        kFirstToLast},
       {"DividedOnce", {{9, 9, 9}, {0x1p53f, 1, -0x1p53f}, {1, 0, -2, 1}}, 0.0f},
       {"LastAlone", {{9, 9, 9, 9}, {1, 0x1p53f, 1, -0x1p53f}, {1, 0, -4, 4}}, 0.0f},
       {"RootOfTheProduct", {{100, 100}, {1, 3 * 0x1p-24f}, {1, 0, -2, 2}}, 1.00000024f},
       {"Quotient", {{1e6f}, {1.00000572f}, {1, 0, -8, 2401}}, 49.0002823f},
       {"BeyondFloat", {{9, 9, 9, 9}, {3e38f, -3e38f, 0x1p-100f, 0}, {1, 0, -4, 4}}, 0x1p-100f},
       {"SumBeyondFloat", {{9, 9, 9, 9}, {3e38f, 3e38f, -3e38f, -3e38f}, {1, 0, -4, 4}}, 0.0f},
       {"Infinite", {{9}, {3e38f}, {1, 0, -4, 4}}, kInfinity}},
      look_at_gradient);
  of_scale.agrees_with(scale_by_definition, tensors<OfScale::Input>(seed, 1009));
}

TEST(scale_gradient, RefusesWhatHasNoSlope) {
  of_scale.refuses({{"Above", {{9}, {1}, {1, 0, -3, 4}}, 2.0f}}, no_slopes<OfScale::Refused>());
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
