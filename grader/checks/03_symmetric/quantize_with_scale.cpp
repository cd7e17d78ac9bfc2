// Lab 03, quantize_with_scale: the checks.
#include "checks/03_symmetric/quantize_with_scale.hpp"

#include "judge/near_ties.hpp"

namespace nibble::judge::lab_03_symmetric {
namespace {

TEST(quantize_with_scale, RoundsToNearest) {
  quantizing.gives({{"Whole", {{1, -1, 0, 100}, 1.0f, 8}, {1, -1, 0, 100}},
                    {"Empty", {{}, 1.0f, 8}, {}},
                    {"SmallScale",
                     {{1, -2.5f, 0, 20}, 0.25f, 8},
                     {4, -10, 0, 80},
                     "x is divided by the scale, and then rounded"},
                    {"LargeScale", {{48, -80, 0, 112}, 16.0f, 4}, {3, -5, 0, 7}},
                    {"UpAndDown", {{1.75f, 1.25f, 0.75f, 9}, 1.0f, 8}, {2, 1, 1, 9}},
                    {"BelowZero", {{-1.75f, -1.25f, -0.75f, 9}, 1.0f, 8}, {-2, -1, -1, 9}}});
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
Quantizing::Row half_steps(std::size_t count, float scale) {
  Reals x;
  Codes q;
  for (const int k : code_tensor<std::int16_t>(count, seed(count), -253, 253)) {
    x.push_back(scale * 0.5f * static_cast<float>(k));
    q.push_back(static_cast<std::int8_t>(half_steps_to_even(k)));
  }
  return {std::to_string(count), {x, scale, 8}, q};
}

TEST(quantize_with_scale, TiesGoToEven) {
  quantizing.gives({{"AboveZero", {{0.5f, 1.5f, 2.5f, 9}, 1.0f, 8}, {0, 2, 2, 9}},
                    {"BelowZero", {{-0.5f, -1.5f, -2.5f, 9}, 1.0f, 8}, {0, -2, -2, 9}},
                    {"NearTheEnds", {{13, 11, -13, -15, 2}, 2.0f, 4}, {6, 6, -6, -8, 1}},
                    // 1 / 7.0f is rounded: its products lie beyond these ties, all but the last.
                    {"OneDivision",
                     {{45.5f, 87.5f, -101.5f, 3.5f}, 7.0f, 8},
                     {6, 12, -14, 0},
                     "x / scale is one float32 division, not a product with 1 / scale"},
                    {"BesideTies",
                     {{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 9}, 1.0f, 8},
                     {1, 1, 3, -1, 9},
                     kNoTies},
                    half_steps(33, 0.125f),
                    half_steps(1021, 4.0f)});
}

TEST(quantize_with_scale, StaysOnTheGrid) {
  quantizing.gives({{"EightBits",
                     {{127, 128, 300, -128, -129, 5}, 1.0f, 8},
                     {127, 127, 127, -128, -128, 5},
                     "what lies beyond [qmin, qmax] becomes its nearer end"},
                    {"FourBits", {{3.5f, 4, 100, -4, -100, 1}, 0.5f, 4}, {7, 7, 7, -8, -8, 2}},
                    {"TwoBits", {{1, 2, -1, -2, -3, 1}, 1.0f, 2}, {1, 1, -1, -2, -2, 1}},
                    {"JustOutside", {{127.5f, -128.5f, 1}, 1.0f, 8}, {127, -128, 1}},
                    {"FarOutside", {{1e9f, -1e9f, 1}, 1.0f, 8}, {127, -128, 1}},
                    {"Overflowing",
                     {{FLT_MAX, -FLT_MAX, 0x1p-100f}, 0x1p-100f, 8},
                     {127, -128, 1},
                     "x / scale is infinite here, and is clamped before it is made an integer"}});
}

// Only the scale and the width have rules: whoever refuses x looks for what has none.
TEST(quantize_with_scale, TakesNanAndInfinity) {
  const Quantizing unsuspecting{{"x", "scale", "num_bits"}, {"q"}};
  unsuspecting.gives({{"Nan", {{1, kNan, -kNan, 2}, 1.0f, 8}, {1, 0, 0, 2}, "a NaN becomes 0"},
                      {"Infinity",
                       {{1, kInfinity, -kInfinity, 2}, 0.5f, 8},
                       {2, 127, -128, 4},
                       "an infinity becomes the nearer end of the grid"},
                      {"FourBits", {{kNan, kInfinity, -kInfinity, 2}, 0.5f, 4}, {0, 7, -8, 4}}},
                     /*if_refused=*/"N-NAN");
}

TEST(quantize_with_scale, RefusesAnUnusableScale) {
  const Reals x{4 * FLT_MIN, 1000 * FLT_MIN};
  std::vector<Quantizing::Refused> refused;
  for (const float scale : kUnusableScales) refused.push_back({"", {x, scale, 8}});
  for (const int num_bits : {1, 9}) refused.push_back({"N-RANGE", {x, 1.0f, num_bits}});
  quantizing.refuses(
      {{"TwoBits", {x, FLT_MIN, 2}, {1, 1}}, {"EightBits", {x, FLT_MIN, 8}, {4, 127}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_03_symmetric
