// Lab 31, observe_scales: the checks.
#include "checks/31_qat/observe_scales.hpp"

#include "checks/31_qat/scale_gradients.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

TEST(observe_scales, FollowsTheWeights) {
  observing.gives({{"First", {{3}, layer_of({1, -6, 2}, {0, 0, 0}), 0, 9}, {2, 1}},
                   {"Later", {{3}, layer_of({1, 1.5, 0}, {0, 0, 0}), 5, 9}, {0.5, 1}},
                   {"WhenFrozen",
                    {{3}, layer_of({12, 1, 0}, {0, 0, 0}), 9, 9},
                    {4, 1},
                    "inputs are frozen, weights are not"},
                   {"TwoBits", {{3}, layer_of({1, -6, 2}, {0, 0, 0}, {1, 1}, 2), 0, 9}, {6, 1}}},
                  kSameScales);
}

TEST(observe_scales, AveragesInputs) {
  observing.gives({{"First", {{1, 12, 3}, layer_of({3}, {0}, {1, 50}), 0, 9}, {1, 4}},
                   {"Second", {{1, 33, 3}, layer_of({3}, {0}, {1, 1}), 1, 9}, {1, 2}},
                   {"Falls", {{1, 2, 3}, layer_of({3}, {0}, {1, 11}), 4, 9}, {1, 10}},
                   {"FarBelowZero",
                    {{1, -60, 3}, layer_of({3}, {0}, {1, 11}), 4, 9},
                    {1, 10},
                    "max x, not max |x|: what is below 0 has the code 0"},
                   {"FourBits", {{15, 30, 3}, layer_of({3}, {0}, {1, 12}, 3, 4), 0, 9}, {1, 2}}},
                  kSameScales);
}

TEST(observe_scales, FreezesInTime) {
  observing.gives({{"Before", {{33}, layer_of({3}, {0}, {1, 1}), 8, 9}, {1, 2}},
                   {"Then", {{33}, layer_of({3}, {0}, {1, 1}), 9, 9}, {1, 1}},
                   {"After", {{33}, layer_of({3}, {0}, {1, 1}), 100, 9}, {1, 1}},
                   {"Never", {{33}, layer_of({3}, {0}, {1, 1}), 1, 0}, {1, 1}},
                   {"First",
                    {{33}, layer_of({3}, {0}, {1, 1}), 0, 0},
                    {1, 11},
                    "step 0 is observed, even if frozen_from is 0"}},
                  kSameScales);
}

TEST(observe_scales, NothingSeen) {
  observing.gives({{"Inputs", {{0, 0}, layer_of({3}, {0}, {1, 5}), 0, 9}, {1, 5}},
                   {"Later",
                    {{0, -3}, layer_of({3}, {0}, {1, 5}), 1, 9},
                    {1, 5},
                    "nothing above 0 is no observation, in later steps neither"},
                   {"Weights", {{3}, layer_of({0}, {0}, {7, 5}), 0, 9}, {7, 1}}},
                  kSameScales);
}

TEST(observe_scales, RefusesWhatIsNoStep) {
  observing.refuses({{"Fine", {{33}, layer_of({3}, {0}), 0, 0}, {1, 11}}},
                    {{"", {{33}, layer_of({3}, {0}), -1, 0}},
                     {"", {{33}, layer_of({3}, {0}), 0, -1}},
                     {"", {{33}, layer_of({3}, {0}, {1, 0}), 0, 0}},
                     {"N-NAN", {{33, double{kNan}}, layer_of({3}, {0}), 0, 0}}},
                    kSameScales);
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
