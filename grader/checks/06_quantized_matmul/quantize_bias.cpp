// Lab 06, quantize_bias: the checks.
#include "checks/06_quantized_matmul/quantize_bias.hpp"

#include "checks/06_quantized_matmul/product_with_scales.hpp"
#include "judge/near_ties.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

TEST(quantize_bias, DividesByBothScales) {
  biasing.gives({{"ByHand", {{1, -3, 100}, 0.5f, {0.25f, 2, 0.5f}}, {8, -3, 400}},
                 {"PastInt16", {{1024, -1024}, 0.25f, {0.0625f, 0.125f}}, {65536, -32768}},
                 {"PastFloat32", {{67108872, 1}, 0.25f, {1, 4}}, {268435488, 1}},
                 {"Empty", {{}, 0.5f, {}}, {}}});
}

TEST(quantize_bias, TiesGoToEven) {
  biasing.gives({{"Nearest", {{1.75f, -1.75f, 2.75f, 0}, 0.5f, {2, 2, 2, 2}}, {2, -2, 3, 0}},
                 {"Ties", {{0.5f, 1.5f, 2.5f, 3}, 1, {1, 1, 1, 1}}, {0, 2, 2, 3}},
                 {"Below", {{-0.5f, -1.5f, -2.5f, 3}, 1, {1, 1, 1, 1}}, {0, -2, -2, 3}},
                 // 1 / 7.0f is rounded: 45.5f times it lies beyond 6.5.
                 {"OneDivision", {{45.5f, -45.5f, 21}, 7, {1, 1, 1}}, {6, -6, 3}},
                 {"BesideTies",
                  {{0.50000006f, 1.4999999f, -2.5000002f, 3}, 1, {1, 1, 1, 1}},
                  {1, 1, -3, 3},
                  kNoTies},
                 {"OneProduct",
                  {{0.07f, 0.35f, 0.255000025f}, 0.1f, {0.2f, 0.2f, 0.3f}},
                  {3, 17, 9},
                  "one product of float32 and one division: two divisions round once more"}});
}

// 2^31 is a float, 2^31 - 1 is not: a clamp in float lets 2^31 through. 2147483520 is the last
// float that fits.
TEST(quantize_bias, Saturates) {
  const Reals ones{1, 1, 1};
  biasing.gives(
      {{"TheLastThatFit", {{2147483520.0f, -2147483648.0f, 5}, 1, ones}, {2147483520, kBottom, 5}},
       {"TheFirstThatDoesNot",
        {{2147483648.0f, -2147483904.0f, 5}, 1, ones},
        {kTop, kBottom, 5},
        "2^31 - 1 is no float: what is clamped to it in float32 is 2^31, which fits no int32"},
       {"Huge",
        {{1e30f, -1e30f, 5}, 1, ones},
        {kTop, kBottom, 5},
        "it is clamped before it is made an integer: 1e30 fits no int64"},
       {"Infinite", {{kInfinity, -kInfinity, 5}, 1, ones}, {kTop, kBottom, 5}}});
  biasing.gives({{"NoNumber", {{5, kNan, 7}, 1, ones}, {5, 0, 7}}},
                [](Expect& expect, const auto&, const Sums& got, const Sums& want) {
                  expect.that(got == want, "a bias of NaN gave q = " + show_values(got), "N-NAN");
                });
}

TEST(quantize_bias, RefusesBadScales) {
  std::vector<Biasing::Refused> refused{{"N-SIZE", {{1, 2}, 1, {1, 2, 3}}},
                                        {"N-SIZE", {{1, 2}, 1, {1}}}};
  for (const auto& [a, b, other] : kBadScales)
    refused.push_back({"N-DIV0", {{1, 2}, a, {other, b}}});
  biasing.refuses({{"Fine", {{3, 8}, 0.5f, {2, 4}}, {3, 4}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
