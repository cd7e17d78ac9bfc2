// Lab 33, smoothing_scales: the checks.
#include "checks/33_smoothquant_awq/smoothing_scales.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(smoothing_scales, FollowsTheFormula) {
  smoothing.gives({{"Half", {{0.5, 64, 1, 1, 3, 4}, {4, 0, 1, 1, 1, 0.25}, 3, 0.5}, {0.5, 8, 2}},
                   {"BelowZero",
                    {{1, -64, 4, 0.5, 3, -1}, {4, 1, -1, 1, 0, 0.25}, 3, 0.5},
                    {0.5, 8, 2},
                    "the largest |x| and |w|: -64 is as large as 64"},
                   {"Inputs", {{2, -8}, {4, 16}, 2, 1}, {2, 8}},
                   {"Weights", {{2, -8}, {4, -16}, 2, 0}, {0.25, 0.0625}},
                   {"Quarter", {{16, 81}, {16, 1}, 2, 0.25}, {0.25, 3}},
                   {"Negative", {{-9, -4, -1, -1}, {1, 4}, 2, 0.5}, {3, 1}}},
                  kSameScales);
}

TEST(smoothing_scales, AnyShape) {
  smoothing.agrees_with(smoothing_by_definition, smoothings(seed, {1, 2, 7, 12}), kSameScales);
  tames_nets({2, 2000, 10}, this_run().seed, kSmoothed);
}

TEST(smoothing_scales, ZeroColumns) {
  smoothing.gives({{"Inputs", {{0, 4, 0, 1}, {4, 1}, 2, 0.5}, {1, 2}},
                   {"Weights", {{4, 9}, {1, 0}, 2, 0.5}, {2, 1}},
                   {"Neither", {{0, 9}, {4, 1}, 2, 0}, {1, 1}},
                   {"TinyInputs", {{0x1p-1000}, {4}, 1, 0.5}, {0x1p-501}, kTinyIsNoZero},
                   {"TinyWeights", {{4}, {0x1p-1000}, 1, 0.5}, {0x1p501}, kTinyIsNoZero}},
                  kSameScales);
}

TEST(smoothing_scales, RefusesWhatIsNoLayer) {
  const std::string rule = "numbers are finite one by one: a sum or a square of them need not be";
  const Doubles huge(5, 0x1p1022), one = {1};
  smoothing.gives({{"HugeInputs", {huge, one, 1, 0.5}, {0x1p511}, rule},
                   {"HugeWeights", {one, huge, 1, 0.5}, {0x1p-511}, rule}},
                  kSameScales);
  smoothing.refuses({{"Fine", {{4}, {1}, 1, 1}, {4}}},
                    {{"", {{4}, {1}, 1, -0.25}},
                     {"", {{4}, {1}, 1, 1.25}},
                     {"", {{4}, {1}, 0, 1}},
                     {"N-NAN", {{4}, {1}, 1, double{kNan}}},
                     {"N-NAN", {{double{kNan}}, {1}, 1, 1}},
                     {"N-NAN", {{4}, {double{kInfinity}}, 1, 1}},
                     {"N-SIZE", {{4, 4}, {1, 1, 1}, 2, 1}},
                     {"N-SIZE", {{4, 4, 4}, {1, 1}, 2, 1}},
                     {"N-SIZE", {Doubles{}, {1}, 1, 1}}},
                    kSameScales);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
