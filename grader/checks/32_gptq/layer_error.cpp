// Lab 32, layer_error: the checks.
#include "checks/32_gptq/layer_error.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

TEST(layer_error, SquaresOfSums) {
  erring.gives({{"One", {{1, 2}, {1, 1}, {3, 4}, 2}, 16},
                {"Both",
                 {{1, 2}, {0, 1}, {3, 4}, 2},
                 49,
                 "the sum over i is squared, not each of its terms"},
                {"TheyMakeUp", {{1, 1}, {0, 2}, {5, 5}, 2}, 0},
                {"Tenth", {{0.1}, {0}, {1}, 1}, 0.01, "all of it is double"},
                {"LargeWeights",
                 {{1e9 + 0.5}, {1e9}, {3.3}, 1},
                 1.65 * 1.65,
                 "weights are subtracted before they are multiplied: large outputs cancel"},
                {"Equal", {{1, 2}, {1, 2}, {3, 4}, 2}, 0}},
               kSameError);
}

TEST(layer_error, MeanOfAll) {
  erring.gives({{"Two", {{1, 0, 2, 1}, {0, 0, 0, 0}, {1, 2, 3, 4}, 2}, 31.5},
                {"Samples", {{1}, {0}, {1, 3}, 1}, 5},
                {"Outputs", {{1, 3}, {0, 0}, {1}, 1}, 5}},
               kSameError);
}

TEST(layer_error, RefusesOtherSizes) {
  erring.refuses({{"Fine", {{1, 2}, {1, 1}, {3, 4}, 2}, 16}},
                 {{"", {{1, 2}, {1, 1, 1, 1}, {3, 4}, 2}},
                  {"", {{1, 2}, {1, 1}, {3, 4, 5}, 2}},
                  {"", {{1, 2}, {1, 1}, Doubles{}, 2}},
                  {"N-NAN", {{1, 2}, {1, double{kNan}}, {3, 4}, 2}},
                  {"N-NAN", {{1, 2}, {1, 1}, {double{kInfinity}, 4}, 2}}},
                 kSameError);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
