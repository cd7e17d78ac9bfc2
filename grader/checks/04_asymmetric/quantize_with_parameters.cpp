// Lab 04, quantize_with_parameters: the checks.
#include "checks/04_asymmetric/quantize_with_parameters.hpp"

#include "judge/near_ties.hpp"

namespace nibble::judge::lab_04_asymmetric {
namespace {

// zero_point is 0 or even here, and what is wrong with it shows in the next check.
TEST(quantize_with_parameters, RoundsToNearest) {
  quantizing.gives({{"Whole", {{1, 0, 200, 9}, {1, 0}, 8}, {1, 0, 200, 9}},
                    {"Empty", {{}, {1, 0}, 8}, {}},
                    {"SmallScale", {{1, 2.5f, 50, 20}, {0.25f, 0}, 8}, {4, 10, 200, 80}},
                    {"LargeScale", {{48, 80, 0, 112}, {16, 0}, 4}, {3, 5, 0, 7}},
                    {"UpAndDown", {{1.75f, 1.25f, 0.75f, 9}, {1, 0}, 8}, {2, 1, 1, 9}},
                    {"BelowZero", {{-1.75f, -1.25f, 9}, {1, 100}, 8}, {98, 99, 109}}});
}

TEST(quantize_with_parameters, AddsTheZeroPoint) {
  quantizing.gives(
      {{"Inside", {{-50, 0, 1, 60}, {0.5f, 100}, 8}, {0, 100, 102, 220}},
       {"FourBits", {{-14, 0, 16, 2}, {2, 7}, 4}, {0, 7, 15, 8}},
       {"BelowTheCodes", {{1000, 1010, 1255, 1001}, {1, -1000}, 8}, {0, 10, 255, 1}},
       {"AboveTheCodes", {{-30, -20, -15, -29}, {1, 30}, 4}, {0, 10, 15, 1}},
       {"AsFarAsItGoes", {{-16777216, -16777215, -16777211}, {1, kFar}, 8}, {0, 1, 5}},
       {"AsFarTheOtherWay", {{8388608, 8388609, 8388612}, {0.5f, -kFar}, 8}, {0, 2, 8}}});
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
Quantizing::Row half_steps(std::size_t count, float scale, std::int32_t zero_point) {
  Reals x;
  Codes q;
  for (const int k : code_tensor<std::int16_t>(count, seed(count), -140, 140)) {
    x.push_back(scale * 0.5f * static_cast<float>(k));
    q.push_back(static_cast<std::uint8_t>(half_steps_to_even(k) + zero_point));
  }
  return {std::to_string(count), {x, {scale, zero_point}, 8}, q};
}

// Odd zero points: with an even one, rounding before and after the sum is the same.
TEST(quantize_with_parameters, TiesGoToEven) {
  quantizing.gives({{"AboveZero", {{0.5f, 1.5f, 2.5f, 9}, {1, 0}, 8}, {0, 2, 2, 9}},
                    {"BelowZero", {{-0.5f, -1.5f, -2.5f, 9}, {1, 10}, 8}, {10, 8, 8, 19}},
                    {"OddZeroPoint", {{1, 3, -1, -3, 4}, {2, 7}, 8}, {7, 9, 7, 5, 9}},
                    {"FourBits", {{0.5f, 1.5f, -0.5f, 4}, {1, 3}, 4}, {3, 5, 3, 7}},
                    // In double none of the first four is a tie; times 1 / 1.1f two are not.
                    {"OneDivision",
                     {{1.65f, 8.25f, 9.35f, 25.85f, 2}, {1.1f, 100}, 8},
                     {102, 108, 108, 124, 102},
                     "x / scale is one float32 division, not in double and not times 1 / scale"},
                    {"BesideTies",
                     {{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 9}, {1, 3}, 8},
                     {4, 4, 6, 2, 12},
                     kNoTies},
                    half_steps(33, 0.125f, 127),
                    half_steps(1021, 4.0f, 101)});
}

TEST(quantize_with_parameters, StaysOnTheGrid) {
  quantizing.gives(
      {{"EightBits", {{255, 256, 300, -1, -129, 5}, {1, 0}, 8}, {255, 255, 255, 0, 0, 5}},
       {"FourBits", {{3.5f, 4, 200, -4, -200, 1}, {0.5f, 8}, 4}, {15, 15, 15, 0, 0, 10}},
       {"TwoBits", {{1, 2, 3, -1, -2, 1}, {1, 1}, 2}, {2, 3, 3, 0, 0, 2}},
       {"ZeroPointInside", {{-128, -129, 127, 128, 3}, {1, 128}, 8}, {0, 0, 255, 255, 131}},
       {"FarOutside",
        {{1e9f, -1e9f, 1e19f, -1e19f, 1}, {1, 9}, 8},
        {255, 0, 255, 0, 10},
        "it is clamped before it is made an integer"},
       {"FarZeroPoint", {{3e9f, -3e9f, 0, -16777215}, {1, kFar}, 8}, {255, 0, 255, 1}},
       {"FarTheOtherWay",
        {{3e9f, -3e9f, 16777216, 16777470}, {1, -kFar}, 8},
        {255, 0, 0, 254},
        "qmax - zero_point is 2^24 + 255 here, which is no float32: clamp the code, not the steps"},
       {"Overflowing", {{FLT_MAX, -FLT_MAX, 0x1p-100f}, {0x1p-100f, 9}, 8}, {255, 0, 10}}});
}

// Only the parameters and the width have rules: whoever refuses x looks for what has none.
TEST(quantize_with_parameters, TakesNanAndInfinity) {
  const Quantizing unsuspecting{{"x", "scale", "zero_point", "num_bits"}, {"q"}};
  unsuspecting.gives(
      {{"Nan",
        {{1, kNan, -kNan, 2}, {1, 77}, 8},
        {78, 77, 77, 79},
        "a NaN becomes the zero point, which is real 0"},
       {"NanBelowTheCodes",
        {{kNan, 1001}, {1, -1000}, 8},
        {0, 1},
        "a NaN becomes the zero point, clamped to the codes"},
       {"NanAboveTheCodes", {{kNan, -29}, {1, 30}, 4}, {15, 1}},
       {"Infinity",
        {{1, kInfinity, -kInfinity, 2}, {0.5f, 77}, 8},
        {79, 255, 0, 81},
        "an infinity becomes the nearer end of the grid"},
       {"FourBits", {{kNan, kInfinity, -kInfinity, 2}, {0.5f, 3}, 4}, {3, 15, 0, 7}}},
      /*if_refused=*/"N-NAN");
}

TEST(quantize_with_parameters, RefusesUnusableParameters) {
  const Reals x{4 * FLT_MIN, 1000 * FLT_MIN};
  std::vector<Quantizing::Refused> refused;
  for (const AsymmetricParameters p : kUnusable) refused.push_back({code_of(p), {x, p, 8}});
  for (const int num_bits : {1, 9}) refused.push_back({"N-RANGE", {x, {1, 0}, num_bits}});
  quantizing.refuses(
      {{"TwoBits", {x, {FLT_MIN, 1}, 2}, {3, 3}}, {"EightBits", {x, {FLT_MIN, 1}, 8}, {5, 255}}},
      refused);
}

}  // namespace
}  // namespace nibble::judge::lab_04_asymmetric
