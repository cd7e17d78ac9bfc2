// Lab 08, requantize_relu: the checks.
#include "checks/08_requantization/requantize_relu.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

/// Sums whose halves are the steps -60, -1, 0, 1, 11, 12, 13, 24, 60.
const Sums kSteps{-120, -2, 0, 2, 22, 24, 26, 48, 120};
const Factors kByHalf{{kHalf}, {0}};

Activating::Arguments relu(const Sums& acc, std::int32_t zero_point, const Sums& bias = {}) {
  return {acc, bias, kByHalf, 0.5f, zero_point, Activation::kRelu, kAny};
}
Activating::Arguments relu6(const Sums& acc, float c_scale, std::int32_t zero_point) {
  return {acc, {}, kByHalf, c_scale, zero_point, Activation::kRelu6, kAny};
}

TEST(requantize_relu, ReluEndsAtTheZeroPoint) {
  activating.gives(
      {{"AtZero", relu(kSteps, 0), {0, 0, 0, 1, 11, 12, 13, 24, 60}},
       {"Above", relu(kSteps, 20), {20, 20, 20, 21, 31, 32, 33, 44, 80}},
       {"Below", relu(kSteps, -100), {-100, -100, -100, -99, -89, -88, -87, -76, -40}},
       {"Lowest", relu({-600, 2, 600}, -128, {-2}), {-128, -128, 127}},
       {"Highest", relu({-600, 2, 600}, 127, {-2}), {127, 127, 127}},
       {"Halves",
        {{2, -2, 6, 5}, {}, {{kHalf}, {-1}}, 0.5f, -3, Activation::kRelu, Rounding::kDouble},
        {-2, -3, -1, -1}},
       {"EachChannel",
        {{8, 8, 8, -16, -16, 160}, {4, -4, 100}, kThree, 0.5f, -4, Activation::kRelu, kAny},
        {2, 0, 37, -4, -4, 94}},
       {"Empty", relu({}, 0), {}}});
}

// 6 is 12 steps of 0.5, 3/2 steps of 4, and half a step of 12; of the next float it is so little
// less that adding one half makes 1. The float next to 0.8 is a little more: 6 / 0.8 is 7.5 in
// float, not in double.
TEST(requantize_relu, SixHasACode) {
  activating.gives(
      {{"TwelveSteps", relu6(kSteps, 0.5f, 0), {0, 0, 0, 1, 11, 12, 12, 12, 12}},
       {"Above", relu6(kSteps, 0.5f, 8), {8, 8, 8, 9, 19, 20, 20, 20, 20}},
       {"Below", relu6(kSteps, 0.25f, -100), {-100, -100, -100, -99, -89, -88, -87, -76, -76}},
       {"Rounded", relu6(kSteps, 0.52f, 0), {0, 0, 0, 1, 11, 12, 12, 12, 12}},
       {"Half", relu6({-2, 0, 2, 4, 24}, 12.0f, -5), {-5, -5, -4, -4, -4}},
       {"HalfMore", relu6({-2, 0, 2, 4, 24}, 4.0f, -10), {-10, -10, -9, -8, -8}},
       {"HalfInFloat",
        relu6({2, 14, 16, 18}, 0.8f, -1),
        {0, 6, 7, 7},
        "6 / c_scale is one float32 division"},
       {"NoStep", relu6({2, 4, -6, 8}, 12.000001f, 2), {2, 2, 2, 2}}});
}

TEST(requantize_relu, SixMayLieOffTheGrid) {
  const Sums acc{-600, 240, 254, 600};
  activating.gives({{"LastCode", relu6(acc, 6.0f / 127, 0), {0, 120, 127, 127}},
                    {"OneMore", relu6(acc, 6.0f / 128, 0), {0, 120, 127, 127}},
                    {"Moved", relu6(acc, 0.05f, 100), {100, 127, 127, 127}},
                    {"Wrapping", relu6(acc, 0.03f, 0), {0, 120, 127, 127}},
                    {"MovedDown",
                     relu6(acc, 0.03f, -128),
                     {-128, -8, -1, 72},
                     "the zero point is added before 127 is the limit"},
                    {"PastInt", relu6(acc, 1e-12f, -128), {-128, -8, -1, 127}},
                    {"Smallest", relu6(acc, FLT_MIN, 0), {0, 120, 127, 127}}});
}

TEST(requantize_relu, RefusesAnUnusableScale) {
  std::vector<Activating::Refused> refused = refused_layers<Activating::Refused>(0.5f);
  for (const float scale : kUnusableScales) {
    for (const Activation activation : {Activation::kRelu, Activation::kRelu6}) {
      refused.push_back({"N-DIV0", {{}, {}, kByHalf, scale, 0, activation, kAny}});
    }
  }
  activating.refuses(
      {{"Relu", {{4, -4}, {2}, kByHalf, FLT_MAX, -128, Activation::kRelu, kAny}, {-125, -128}},
       {"Relu6", {{4, -4}, {2}, kByHalf, FLT_MIN, 3, Activation::kRelu6, kAny}, {6, 3}}},
      refused);
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
