// Lab 09, fake_linear: the checks.
#include "checks/09_fake_quant/fake_linear.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

constexpr const char* kEndsOfX = "a is clamped to [-128, 127] - input_zero_point";
constexpr const char* kEndsOfY = "v is clamped to [-128, 127] - output_zero_point";

TEST(fake_linear, FollowsTheFormula) {
  running.gives({{"One", {{3}, one_weight(2, 1, 1)}, {7}},
                 {"RowsAndColumns", {{1, 2, 3, 4}, two_by_two}, {26, 73, 48, 127}},
                 {"Scales", {{1.5f}, one_weight(-0.75f, 0.25f, 2, 0.5f, 0, 0.25f, 0)}, {1}},
                 {"ScaleOfEachOutput",
                  {{1}, {{1, 0.5f}, {1, 0.5f}, {0, 0}, 1, 0, 0.5f, 0}},
                  {1, 0.5f},
                  "weight_scales[j] is that of output j"},
                 {"ThreeInputs", {{1, -1, 2, 0, 0.5f, 0}, three_by_two}, {5.5f, -12, 1.5f, 5}},
                 {"ClampsX", {{1000, -1000}, one_weight(1, 1, 0, 1, 0, 2, 0)}, {128, -128}},
                 {"ClampsWeights", {{1}, {{1000, -1000}, {1, 1}, {0, 0}, 1, 0, 1, 0}}, {127, -128}},
                 {"ClampsY", {{100, -100}, one_weight(2, 1, 0)}, {127, -128}},
                 {"ZeroIsExact",
                  {{0}, one_weight(5, 1, 0, 1, 100, 0.5f, -9)},
                  {0},
                  "a and y are codes less their zero points, so that 0 gives 0"},
                 {"InputZeroPoint",
                  {{-200, 200, 27, 28}, one_weight(1, 1, 0, 1, 100, 4, 0)},
                  {-200, 28, 28, 28},
                  kEndsOfX},
                 {"OtherZeroPoint",
                  {{-200, 200, -29, -28}, one_weight(1, 1, 0, 1, -100, 4, 0)},
                  {-28, 200, -28, -28},
                  kEndsOfX},
                 {"OutputZeroPoint",
                  {{127, -128, 1}, one_weight(2, 1, 0, 1, 0, 1, 5)},
                  {122, -133, 2},
                  kEndsOfY},
                 {"OutputBelow",
                  {{127, -128, 1}, one_weight(2, 1, 0, 1, 0, 1, -5)},
                  {132, -123, 2},
                  kEndsOfY},
                 {"HugeX", {{3e38f, -3e38f}, one_weight(1, 1, 0)}, {127, -128}},
                 {"InfiniteX",
                  {{3e38f, -3e38f}, one_weight(1, 1, 0, FLT_MIN, 0, FLT_MIN, 0)},
                  {127 * FLT_MIN, -128 * FLT_MIN}},
                 {"HugeWeights", {{1}, {{3e38f, -3e38f}, {1, 1}, {0, 0}, 1, 0, 1, 0}}, {127, -128}},
                 {"OutputZeroPointAtTheEnd",
                  {{5, -100, -128}, one_weight(1, 1, 0, 1, 0, 1, 127)},
                  {0, -100, -128}},
                 {"AtTheOther", {{5, -5, 127}, one_weight(1, 1, 0, 1, 0, 1, -128)}, {5, 0, 127}},
                 {"InfiniteV",
                  {{100, -100}, one_weight(1e30f, 1e30f, 0, 1, 0, 1e-8f, 0)},
                  {1e-8f * 127, 1e-8f * -128}},
                 {"InfiniteY",
                  {{1e20f, -1e20f}, one_weight(1e19f, 1e19f, 0, 1e19f, 0, 3e38f, 0)},
                  {kInfinity, -kInfinity}},
                 {"LongestLayer",
                  {Reals(32'768, 255), {Reals(32'768, -128), {1}, {0}, 1, -128, 0x1p24f, 0}},
                  {-64 * 0x1p24f}},
                 {"NoRows", {{}, one_weight(2, 1, 1)}, {}}});
}

/// As many products of 127 and 127 as inputs, and a bias that leaves `rest` of their sum.
Running::Arguments far_sum(std::size_t inputs, std::int32_t rest) {
  const auto bias = static_cast<float>(rest - static_cast<std::int32_t>(inputs) * 127 * 127);
  return {Reals(inputs, 127), {Reals(inputs, 127), {1}, {bias}, 1, 0, 1, 0}};
}

// 1045 * 127 * 127 - 13 is 16854792, which float32 holds: the sum is 13 when nothing is lost on the
// way. "RoundedOnce": 2^24 + 1 becomes 2^24, and its product with 5 * 2^-25 is the tie 2.5.
TEST(fake_linear, SumIsExact) {
  running.gives({{"Beyond2To24", far_sum(1045, 13), {13}},
                 {"Longer", far_sum(1055, 25), {25}},
                 {"RoundedOnce", {{5}, one_weight(0x1p-25f, 0x1p-25f, 2.5f, 5, 0, 1, 0)}, {2}},
                 {"LargestBias", {{1}, one_weight(1, 1, 0x1p30f, 1, 0, 0x1p24f, 0)}, {0x1p30f}}});
}

/// The product of the codes a and w, and nothing else.
Running::Arguments one_product(float a, float w, float x_scale, float w_scale, float y_scale) {
  return {{a * x_scale}, one_weight(w * w_scale, w_scale, 0, x_scale, 0, y_scale, 0)};
}

// In the rows of one product, and in that of a bias, the contract's order gives a tie in float32;
// any other order, and double, gives a little more or less.
TEST(fake_linear, RoundsWhereIntegersDo) {
  running.gives(
      {{"TieOfV", {{1, 3, 5, -1}, one_weight(1, 1, 0, 1, 0, 2, 0)}, {0, 4, 4, 0}},
       {"TieOfVOddZeroPoint",
        {{1, 3, 5, -1}, one_weight(1, 1, 0, 1, 0, 2, 1)},
        {0, 4, 4, 0},
        "v is rounded without output_zero_point"},
       {"TieOfX", {{0.5f, 1.5f, 2.5f, -1.5f}, one_weight(1, 1, 0)}, {0, 2, 2, -2}},
       {"TieOfXOddZeroPoint",
        {{0.5f, 1.5f, 2.5f}, one_weight(1, 1, 0, 1, 1, 1, 0)},
        {0, 2, 2},
        "x / input_scale is rounded without input_zero_point"},
       {"TieOfWeight", {{1}, {{0.5f, 1.5f, 2.5f}, {1, 1, 1}, {0, 0, 0}, 1, 0, 1, 0}}, {0, 2, 2}},
       {"TieOfBias", {{0}, {{1, 1, 1}, {1, 1, 1}, {0.5f, 1.5f, 2.5f}, 1, 0, 1, 0}}, {0, 2, 2}},
       {"RoundsTheBias",
        {{2}, one_weight(1.25f, 1.25f, 0.5f)},
        {2},
        "b[j] is a whole number: bias[j] in units of the sum, rounded"},
       {"OneFactor",
        one_product(8, 93, 0.334322572f, 0.0794149563f, 0.415860206f),
        {0.415860206f * 48},
        kOneFactor},
       {"OneFactorAgain",
        one_product(117, 38, 0.200991228f, 0.0474600457f, 0.473861814f),
        {0.473861814f * 90},
        kOneFactor},
       {"OneUnit",
        {{0}, one_weight(1, 0.0954451486f, 1.41870844f, 0.249817207f, 0, 0.0238438398f, 0)},
        {0.0238438398f * 60},
        kOneUnit},
       {"OneDivision",
        {{0.75000006f, 3.75000024f}, one_weight(1, 1, 0, 0.3f, 0, 0.3f, 0)},
        {0.3f * 2, 0.3f * 12}}});
  running.agrees_with([](const auto& in) { return run_layer(in); }, layers(seed, 1009));
}

TEST(fake_linear, RefusesWhatIsNoLayer) {
  std::vector<Running::Refused> refused{{"N-SIZE", {{1, 2, 3}, two_by_two}},
                                        {"N-SIZE", {{1}, two_by_two}},
                                        {"N-NAN", {{1, kNan}, two_by_two}},
                                        {"N-NAN", {{1, 2, kInfinity, 4}, two_by_two}},
                                        {"N-NAN", {{1, 2, 3, -kInfinity}, two_by_two}}};
  for (const auto& [code, layer] : broken_layers()) {
    refused.push_back({code, {Reals(layer.weight.size() > 4 ? layer.weight.size() : 2, 1), layer}});
    refused.push_back({code, {{}, layer}});
  }
  running.refuses({{"Layer", {{1, 2, 3, 4}, two_by_two}, {26, 73, 48, 127}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
