// Lab 09, zero_point_gradient: the checks.
#include "checks/09_fake_quant/zero_point_gradient.hpp"

#include "checks/09_fake_quant/fake_quantize_backward.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

float zero_by_definition(const OfScale::Arguments& in) {
  const auto slope = [&](float, int side) { return side == 0 ? 0.0f : -in.c.scale; };
  return divided(summed(in, slope).value, in.a.size(), in.c);
}

TEST(zero_point_gradient, LengthOutside) {
  of_zero.gives(
      {{"Inside", {{0.25f, -1, 0.75f, 2}, {1, 2, 3, 4}, {0.5f, 0, -4, 4}}, 0.0f},
       {"Both", {{24, -24, 0.25f, 0}, {1, 5, 4, 8}, {4, 0, -4, 4}}, -6.0f},
       {"Above", {{9}, {1}, {0.5f, 0, -4, 4}}, -0.25f},
       {"Below", {{-9}, {1}, {0.5f, 0, -4, 4}}, -0.25f},
       {"Negative", {{9, -9, 0.25f, 0}, {-1, -4, 4, 8}, {0.25f, 1, -4, 4}}, 0.3125f},
       {"FarOutside",
        {{3e38f, -3e38f, 0, 0}, {0x1p126f, 0x1p126f, 9, 9}, {FLT_MIN, 0, -4, 4}},
        -0.5f},
       {"RoundedToTheEnd", {{4.25f, -4.25f, 9, 0}, {1, 2, 4, 8}, {1, 0, -4, 4}}, -1.0f},
       {"Ties", {{4.5f, -4.5f, 5.5f, 4.25f}, {1, 2, 4, 8}, {1, 0, -4, 4}}, -1.0f},
       {"OddEnd", {{2.25f, -2.75f, 2, -2.25f}, {1, 2, 4, 8}, {0.5f, 0, -5, 4}}, -0.25f},
       {"OddZeroPoint", {{3.5f, 9, -1.5f, 0}, {1, 2, 4, 8}, {1, 1, 0, 4}}, -1.75f, kZeroPointLast},
       {"OneDivision", {{0.75000006f, 0.75f, 0, 0}, {1, 2, 4, 8}, {0.3f, 0, -2, 2}}, 0}});
}

TEST(zero_point_gradient, RoundedAsTheOther) {
  of_zero.gives(
      {{"Empty", {{}, {}, {1, 0, -4, 4}}, 0.0f},
       {"One", {{9}, {2}, {1, 0, -1, 1}}, -2.0f},
       {"Nine", all_above<OfZero>(9, 2, {1, 0, -4, 1}), -6.0f},
       {"QmaxOfNine", {{20}, {3}, {1, 0, -4, 9}}, -1.0f},
       {"SixteenBits", all_above<OfZero>(65'536, 1, {1, 0, 0, 65'535}), -1.0000076f},
       {"LostInFloat", {{9, 9, 9, 9}, {16777216, 1, -16777216, 0}, {1, 0, -4, 4}}, -0.25f},
       {"ProductLostInFloat",
        {{9, 9, 0, 0}, {16777215, -16777213, 0, 0}, {0.3f, 0, -4, 4}},
        -0.3f / 2},
       {"FirstToLast",
        {{9, 9, 9, 9}, {0x1p53f, 1, -0x1p53f, 1}, {1, 0, -4, 4}},
        -0.25f,
        kFirstToLast},
       {"OneRoot", {{9, 9}, {1, 0x3p-24f}, {1, 0, -2, 2}}, -0.5f - 0x1p-23f},
       {"ScaleInEachTerm",
        {{99, 99, 99, 99}, {0x1p53f, 1, -0x1p53f, 1}, {0.1f, 0, -8, 7}},
        -0.042521003f,
        "the scale is in each term of the sum"},
       {"BeyondFloat", {{9, 9, 9, 9}, {3e38f, 3e38f, -3e38f, -3e38f}, {1, 0, -4, 4}}, 0.0f},
       {"Infinite", {{90}, {3e38f}, {8, 0, -4, 4}}, -kInfinity}},
      [](Expect& expect, const auto& in, float got, float want) {
        look_at_gradient(expect, {in.a, in.b, in.c}, got, want);
      });
  of_zero.agrees_with(
      [](const auto& in) {
        return zero_by_definition({in.a, in.b, in.c});
      },
      tensors<OfZero::Input>(seed, 1009));
}

TEST(zero_point_gradient, RefusesWhatHasNoSlope) {
  of_zero.refuses({{"Above", {{9}, {1}, {1, 0, -3, 4}}, -0.5f}}, no_slopes<OfZero::Refused>());
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
