// Lab 29, forward_dynamic: the checks.
#include "checks/29_quantized_linear/forward_dynamic.hpp"

#include "checks/29_quantized_linear/learnt_nets.hpp"
#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

TEST(forward_dynamic, FollowsTheFormula) {
  dynamic.gives(
      {{"One", {QuantizedModel{{2, 1}, {0.5f}, {3}, {1, 2}, {3}, {6}, {}}, {254, 128.8f}}, {1539}},
       {"Outputs",
        {QuantizedModel{{2, 2}, {4}, {-5}, {1, 2, 5, -1}, {2, 0.25f}, {1, 3}, {}}, {254, 5}},
        {532, 319.5f}},
       {"Ties",
        {QuantizedModel{{3, 1}, {0.5f}, {0}, {0, 1, 10}, {1}, {0}, {}}, {127, 2.5f, -3.75f}},
        {-38}},
       {"FloatQuotient",
        {QuantizedModel{{4, 1}, {1}, {0}, {0, 1, 10, 100}, {1}, {0}, {}},
         {1.5f, kTieBelow, kTieAbove, kNoTie}},
        {642 * kTieScale},
        kQuotientIsFloat},
       {"Deep",
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {2, -3, 2, 50}, {1, 1, 0.5f}, {0, 0, 2}, {}},
         {63.5f}},
        {128}},
       {"Long", {long_layer(), long_row()}, {kLongSum}, "acc is a sum of integers, and exact"}});
  constexpr float kMax = std::numeric_limits<float>::max();
  dynamic.gives({{"LargeScales",
                  {QuantizedModel{{2, 1}, {1}, {0}, {127, -127}, {0x1p53f}, {1}, {}}, {kMax, kMax}},
                  {0x1p53f}}},
                [](Expect& expect, const Dynamic::Arguments&, const Reals& got, const Reals& want) {
                  expect.that(std::ranges::all_of(got, [](float v) { return std::isfinite(v); }),
                              "y is no finite number: something overflows on the way. What is in "
                              "parentheses comes first, and here that is 1",
                              "N-OVERFLOW");
                  expect.near("y", got, want, one_ulp());
                });
}

TEST(forward_dynamic, ScalesOfRows) {
  const QuantizedModel sum{{2, 1}, {0.5f}, {0}, {1, 1}, {1}, {0}, {}};
  dynamic.gives({{"TwoRows", {sum, {127, 2.4f, 508, 2.4f}}, {129, 512}},
                 {"LargeLast", {sum, {0.5f, 31.75f, 1270, 0}}, {32.25f, 1270}},
                 {"Negative", {sum, {-127, 2.4f}}, {-125}},
                 {"Zeros", {sum, {0, 0, 127, 0}}, {0, 127}},
                 {"ZerosAndBias",
                  {QuantizedModel{{2, 1}, {0.5f}, {0}, {1, 1}, {1}, {6}, {}}, {0, 0}},
                  {3},
                  kZerosHaveABias},
                 {"Small",
                  {sum, {127 * kLeastScale, 0}},
                  {127 * kLeastScale},
                  "x_scale is 1 for zeros alone: a row of small numbers has its own"},
                 {"Tiny", {sum, {0x1p-80f, 0}}, {0}, "x_scale is never below kLeastScale"}});
}

TEST(forward_dynamic, AnyLayer) {
  dynamic.agrees_with(
      kDynamic, some_models<Dynamic>(seed, {{{1, 1}, 1}, {{5, 3}, 2}, {{3, 8}, 4}, {{80, 17}, 9}}),
      kNearlySame);
}

TEST(forward_dynamic, KeepsTheNet) { keeps_public_nets(dynamic); }

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
