// Lab 09, fake_quantize_backward: the checks.
#include "checks/09_fake_quant/fake_quantize_backward.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

TEST(fake_quantize_backward, PassesInside) {
  back.gives(
      {{"Inside", {{0.5f, -1, 0}, {1, -2, 3}, {0.5f, 0, -4, 3}}, {1, -2, 3}},
       {"Outside", {{9, 1, -9}, {5, 7, -6}, {1, 0, -4, 3}}, {0, 7, 0}},
       {"ZeroPoint",
        {{-1.5f, -2, 2, 2.5f, 0}, {1, 2, 3, 4, 5}, {0.5f, 3, 0, 7}},
        {1, 0, 3, 0, 5},
        "round(x / scale) + zero_point is what lies in [qmin, qmax]"},
       {"FarOutside",
        {{3e38f, 0, -3e38f, FLT_MAX}, {1, 2, 3, 4}, {FLT_MIN, 0, -128, 127}},
        {0, 2, 0, 0}},
       {"BeyondInteger", {{3e9f, -3e9f, 5e9f, 1}, {1, 2, 3, 4}, {1, 0, -8, 7}}, {0, 0, 0, 4}},
       {"BeyondShort", {{65537, -65535, 131070, 1}, {1, 2, 3, 4}, {1, 0, -4, 3}}, {0, 0, 0, 4}},
       {"AnyUpstream",
        {{1, 2, 3, 9}, {FLT_MAX, FLT_TRUE_MIN, -0.0f, FLT_MAX}, {1, 0, -8, 7}},
        {FLT_MAX, FLT_TRUE_MIN, 0, 0}},
       {"Empty", {{}, {}, {1, 0, -4, 3}}, {}}});
}

// Up to half a step beyond an end a value is rounded to it, and not clamped.
TEST(fake_quantize_backward, RoundsBeforeItAsks) {
  back.gives(
      {{"AtTheEnds", {{3, 1, -4, 2}, {1, 2, 3, 4}, {1, 0, -4, 3}}, {1, 2, 3, 4}},
       {"JustBeyond",
        {{3.25f, 3.75f, -4.25f, -4.75f, 9, 0.5f}, {1, 2, 3, 4, 5, 6}, {1, 0, -4, 3}},
        {1, 0, 3, 0, 0, 6}},
       {"HalfUp",
        {{3.5f, 2.5f, -0.5f, 0, 3.25f, 3.75f}, {1, 2, 3, 4, 5, 6}, {1, 0, 0, 3}},
        {0, 2, 3, 4, 5, 0}},
       {"HalfDown",
        {{4.5f, 5.5f, -3.5f, -2.5f, 4.25f, 4.75f}, {1, 2, 3, 4, 5, 6}, {1, 0, -3, 4}},
        {1, 0, 0, 4, 5, 0}},
       {"OddZeroPoint",
        {{3.5f, 2.5f, -1.5f, 9, 3.25f, 3.75f}, {1, 2, 3, 4, 5, 6}, {1, 1, 0, 4}},
        {0, 2, 0, 0, 5, 0},
        kZeroPointLast},
       {"EvenEnds",
        {{2.5f, -2.5f, 3.5f, 2.25f, 2.75f}, {1, 2, 3, 4, 5}, {1, 0, -2, 2}},
        {1, 2, 0, 4, 0}},
       {"Scaled", {{13, -17, 14, -18, 15}, {1, 2, 3, 4, 5}, {4, 0, -4, 3}}, {1, 2, 0, 4, 0}}});
}

// 37.35 and 0.75 are a little more than a tie of 0.3, and so is the product with 1 / 0.3; the
// quotient in float32 is the tie.
TEST(fake_quantize_backward, AnyGrid) {
  back.gives(
      {{"OneDivision", {{0.75000006f, 0.75f, 1.05f}, {1, 2, 3}, {0.3f, 0, -2, 2}}, {1, 2, 0}},
       {"AnotherOne",
        {{-37.3500023f, 37.3500023f, 37.25f}, {1, 2, 3}, {0.3f, 0, -124, 124}},
        {1, 2, 3}},
       {"Bytes", {{-129, 126, 127, -128.5f}, {1, 2, 3, 4}, {1, 128, 0, 255}}, {0, 2, 3, 4}},
       {"SixteenBits",
        {{-32768, 32767, 32768, -32769}, {1, 2, 3, 4}, {1, 0, -32768, 32767}},
        {1, 2, 0, 0}},
       {"Unsigned16", {{0, 65535, 65536, -1}, {1, 2, 3, 4}, {1, 0, 0, 65535}}, {1, 2, 0, 0}},
       {"ZeroPointOf16Bits",
        {{0, -65535, 1, -65536}, {1, 2, 3, 4}, {1, 65535, 0, 65535}},
        {1, 2, 0, 0}},
       {"ZeroPointAtAnEnd", {{0, 1, -7, -8}, {1, 2, 3, 4}, {1, 7, 0, 7}}, {1, 0, 3, 0}}});
  back.agrees_with([](const auto& in) { return masked(in); }, tensors<Back::Input>(seed, 257));
}

TEST(fake_quantize_backward, RefusesWhatHasNoSlope) {
  back.refuses({{"One", {{1}, {2}, {1, 0, -4, 3}}, {2}}}, no_slopes<Back::Refused>());
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
