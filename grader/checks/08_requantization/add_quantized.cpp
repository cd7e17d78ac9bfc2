// Lab 08, add_quantized: the checks.
#include "checks/08_requantization/add_quantized.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

TEST(add_quantized, AddsSteps) {
  const Codes one{2, 4, -6, 10}, other{8, -8, -16, 40};
  adding.gives(
      {{"SameScales", sum({2, 4, -6, 40}, 0.5f, {4, -8, -10, 30}, 0.5f, 0.5f), {6, -4, -16, 70}},
       {"FourTimes",
        sum(one, 1.0f, other, 0.25f, 0.5f),
        {8, 4, -20, 40},
        "the factor of a is a.scale / unit, that of b is b.scale / unit"},
       {"TheOther", sum(other, 0.25f, one, 1.0f, 0.5f), {8, 4, -20, 40}},
       {"ZeroPoints",
        {{{1, 3, -3, 5}, 1.0f, 5}, {{9, -15, -7, 1}, 0.25f, -7}, 0.5f, 0, kAny},
        {0, -8, -16, 4},
        "the zero points of a and b are subtracted from their codes"},
       {"ZeroPointOfC",
        sum(one, 1.0f, other, 0.25f, 0.5f, 11),
        {19, 15, -9, 51},
        "the zero point of c is added last"},
       {"Empty", sum({}, 1.0f, {}, 0.25f, 0.5f), {}}});
}

// All units of AddsSteps are whole. In steps of 2 an odd number of ones is a half. The last of 20
// bits decides, and half of it not.
TEST(add_quantized, KeepsTwentyBits) {
  constexpr Rounding twice = Rounding::kDouble;
  const Codes a{1, -1, 3, -3, 5, -5, 1, -1}, b{0, 0, 0, 0, 0, 0, -4, 4};
  const Codes ones{1, 1, -1, -1, 1}, signs{1, -1, 1, -1, 0};
  adding.gives({{"HalvesOfUnits",
                 sum({1, -1, 3}, 1.0f, {1, -1, 1}, 1.0f, 2.0f),
                 {1, -1, 2},
                 "each term has 20 bits behind its point: 2^20 comes before the product"},
                {"SingleHalves",
                 sum(a, 1.0f, b, 0.25f, 2.0f),
                 {1, 0, 2, -1, 3, -2, 0, 0},
                 "the last product is rounded as asked: kSingle sends its half up"},
                {"DoubleHalves",
                 sum(a, 1.0f, b, 0.25f, 2.0f, 0, twice),
                 {1, -1, 2, -2, 3, -3, 0, 0},
                 "the last product is rounded as asked: kDouble sends its half away from 0"},
                {"DoubleHalvesMoved",
                 sum(a, 1.0f, b, 0.25f, 2.0f, -30, twice),
                 {-29, -31, -28, -32, -27, -33, -30, -30}},
                {"Tipping", sum(ones, 1.0f, signs, 0x1p-19f, 2.0f), {1, 0, 0, -1, 1}},
                {"TheOtherTipping", sum(signs, 0x1p-19f, ones, 1.0f, 2.0f), {1, 0, 0, -1, 1}},
                {"HalfOfTheLastBit",
                 sum(signs, 0x1p-20f, ones, 1.0f, 2.0f),
                 {1, 1, 0, 0, 1},
                 "in units of 2 * max(a.scale, b.scale) one term is half of a last bit, and "
                 "kSingle sends it up"}});
}

/// Every code of a with every code of b.
Adding::Arguments all_pairs(float a_scale, int za, float b_scale, int zb, float c_scale, int zc,
                            Rounding rounding) {
  Codes a, b;
  for (int i = -128; i < 128; ++i) {
    for (int j = -128; j < 128; ++j) {
      a.push_back(static_cast<std::int8_t>(i));
      b.push_back(static_cast<std::int8_t>(j));
    }
  }
  return {{a, a_scale, za}, {b, b_scale, zb}, c_scale, zc, rounding};
}

// Of 0.3, 0.1 and 0.2 half of the sums are next to a half, which the last bit of a factor decides,
// and that of the last factor in "LastFactor", whose sum is 82.5;
// 1e-11 vanishes beside 0.5, and its factor is 0. All pairs have no suspects, for time.
TEST(add_quantized, EveryPairOfCodes) {
  adding.gives({{"LastBits",
                 {{{-28, -12}, 0.3f, 3}, {{125, 39}, 0.1f, -7}, 0.2f, -1, Rounding::kDouble},
                 {19, 0}},
                {"LastFactor", sum({-125}, 0.09f, {-120}, 0.14f, 0.34f), {-83}},
                {"Huge", sum({1, 2, -3}, FLT_MAX, {3, -4, -2}, FLT_MAX, FLT_MAX), {4, -2, -5}}});
  Adding(kAddends, {"c"})
      .agrees_with(Addition{},
                   {{"Alike", {all_pairs(0.3f, 3, 0.1f, -7, 0.2f, -1, Rounding::kDouble)}},
                    {"Apart", {all_pairs(1e-11f, -128, 0.5f, 127, 0.7f, 100, Rounding::kSingle)}}});
}

TEST(add_quantized, RefusesWhatDoesNotFit) {
  const QuantizedTensor one{{1, 2}, 1.0f, 0}, none{{}, 1.0f, 0};
  const auto with = [](float scale, std::int32_t zero_point) {
    return QuantizedTensor{{1, 2}, scale, zero_point};
  };
  std::vector<Adding::Refused> refused{{"N-SIZE", {one, {{1, 2, 3}, 1.0f, 0}, 1.0f, 0, kAny}},
                                       {"N-SIZE", {{{1}, 1.0f, 0}, one, 1.0f, 0, kAny}},
                                       {"N-SHIFT", {{{}, 1e30f, 0}, none, 1e-30f, 0, kAny}}};
  for (const std::int32_t zero_point : {-129, 128}) {
    refused.push_back({"N-RANGE", {with(1.0f, zero_point), one, 1.0f, 0, kAny}});
    refused.push_back({"N-RANGE", {one, with(1.0f, zero_point), 1.0f, 0, kAny}});
    refused.push_back({"N-RANGE", {none, none, 1.0f, zero_point, kAny}});
  }
  for (const float scale : kUnusableScales) {
    refused.push_back({"N-DIV0", {with(scale, 0), one, 1.0f, 0, kAny}});
    refused.push_back({"N-DIV0", {one, with(scale, 0), 1.0f, 0, kAny}});
    refused.push_back({"N-DIV0", {none, none, scale, 0, kAny}});
  }
  adding.refuses(
      {{"Ends", {with(FLT_MIN, -128), with(FLT_MIN, 127), FLT_MIN, 127, kAny}, {127, 127}},
       {"LargeFactor", {with(4.0f, 1), with(4.0f, 1), 0x1p-20f, -128, kAny}, {-128, 127}}},
      refused);
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
