// Lab 30, matmul_with_outliers: the checks.
#include "checks/30_mixed_precision/matmul_with_outliers.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

TEST(matmul_with_outliers, OutliersAreExact) {
  multiplying.gives(
      {{"AllOutliers", {{8.3, -7.1}, {0.3, 0.7}, 2, 6}, {8.3 * 0.3 - 7.1 * 0.7}},
       {"NoOutliers", {{127, 63.4}, {127, 63.4}, 2, 1000}, {127 * 127 + 63 * 63}},
       {"One",
        {{127, 1000.5, 3.25}, {127, 254.5, 64}, 3, 500},
        {127 * 127 + 1000.5 * 254.5 + 3 * 64}},
       {"TheirColumn", {{127, 1000.5, 0, 3.4}, {127, 0.5}, 2, 500}, {127 * 127 + 500.25, 1.7}},
       {"LargeWeights",
        {{127, 3.25}, {1270, 13.4}, 2, 500},
        {10 * (127 * 127 + 3)},
        "outliers are those of x: a weight is rounded, however large it is"}},
      kSameProduct);
}

TEST(matmul_with_outliers, ScalesOfTheRest) {
  multiplying.gives({{"Inputs", {{1000, 127, 3.25}, {0, 1, 127}, 3, 500}, {127 + 3 * 127}},
                     {"Weights", {{1000, 1, 127}, {500, 127, 3.25}, 3, 500}, {500'127 + 3 * 127}},
                     {"SmallBelowAnOutlier",
                      {{1000, 127, 1, 400, 127, 3.25}, {0, 1, 127}, 3, 500},
                      {127 + 127, 127 + 3 * 127},
                      "an input with an outlier widens no scale, in the other rows neither"},
                     {"Rows", {{127, 1, 254, 3.25}, {1, 127}, 2, 500}, {254, 254 + 4 * 127}},
                     {"Zeros", {{0, 0}, {1, 127}, 2, 500}, {0}},
                     {"Tie", {{127, 2.5}, {0, 127}, 2, 500}, {2 * 127}},
                     {"TinyInputs",
                      {{0x7fp-1000, 0x3.4p-1000}, {0x7fp1000, 0x7fp1000}, 2, double{kInfinity}},
                      {127 * 127 + 3 * 127},
                      kTinyIsNoZero},
                     {"TinyWeights",
                      {{0x7fp1000, 0x7fp1000}, {0x7fp-1000, 0x3.4p-1000}, 2, double{kInfinity}},
                      {127 * 127 + 3 * 127},
                      kTinyIsNoZero}},
                    kSameProduct);
}

const auto kProductByDefinition = [](const Multiplying::Arguments& in) {
  return product_by_definition(in);
};

TEST(matmul_with_outliers, AnyShape) {
  multiplying.gives({{"Long",
                      {Doubles(140'000, 127), Doubles(140'000, 127), 140'000, 500},
                      {140'000.0 * 127 * 127},
                      "a sum of many products of codes is more than 32 bits hold"}},
                    kSameProduct);
  multiplying.agrees_with(kProductByDefinition,
                          products(seed, {{1, 1, 1}, {3, 5, 2}, {2, 9, 7}, {8, 16, 5}}),
                          kSameProduct);
  tames_nets({2, 2000, 10}, this_run().seed);
}

TEST(matmul_with_outliers, RefusesWhatIsNoLayer) {
  multiplying.refuses({{"Fine", {{127}, {127}, 1, 500}, {127 * 127}}},
                      {{"", {{1, 2}, {1, 2, 3}, 2, 6}},
                       {"", {{1, 2, 3}, {1, 2}, 2, 6}},
                       {"", {{1, 2}, Doubles{}, 2, 6}},
                       {"N-RANGE", {{1, 2}, {1, 2}, 2, 0}},
                       {"N-NAN", {{1, 2}, {1, double{kNan}}, 2, 6}},
                       {"N-NAN", {{1, double{kInfinity}}, {1, 2}, 2, 6}}},
                      kSameProduct);
}

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
