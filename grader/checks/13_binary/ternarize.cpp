// Lab 13, ternarize: the checks.
#include "checks/13_binary/ternarize.hpp"

#include "checks/13_binary/binarize_weights.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

TernaryWeights ternary_by_definition(const Matrix& in) {
  return {trits_by(in, threshold_of), of_rows(in, [](auto row) { return kept_of(row).mean(); })};
}

/// 0 / 0 is told as what it is.
void same_of_zeros(Expect& expect, const Matrix& in, const TernaryWeights& got,
                   const TernaryWeights& want) {
  same_trits(expect, in, got, want);
  for (const float alpha : got.alpha) expect.that(!std::isnan(alpha), "alpha is NaN", "N-DIV0");
  exact_alphas(expect, in, got, want);
}

// All rows of five trits are their own: at most 0.7 is the threshold, and 1 is above it.
TEST(ternarize, AboveTheThreshold) {
  Reals w;
  for (int i = 0; i < 243; ++i) {
    for (const int place : {81, 27, 9, 3, 1}) w.push_back(float(i / place % 3 - 1));
  }
  ternarizing.gives(
      {{"One", {{-3}, 1, 1}, {{-1}, {}}},
       {"OfTheReadme", {{0.25f, -1.5f, 0.5f, -0.25f, 1}, 1, 5}, {{0, -1, 1, 0, 1}, {}}},
       {"SomeSmall", {{9, -2, 0, 2, -7}, 1, 5}, {{1, 0, 0, 0, -1}, {}}},
       {"SomeZeros", {{0, 0, 1, 1, -2, 4}, 1, 6}, {{0, 0, 1, 1, -1, 1}, {}}},
       {"OnlyZeros",
        {{0, 0}, 1, 2},
        {{0, 0}, {}},
        "a weight at the threshold is 0: a sign counts above the threshold alone"},
       {"NearIt", {{6.875f, -7.125f, 13, -13}, 1, 4}, {{0, -1, 1, -1}, {}}},
       {"Between", {{4, 3, 2, -2, -3, -4}, 1, 6}, {{1, 1, 0, 0, -1, -1}, {}}},
       {"BehindZeros",
        {{0, 0, 2, -2}, 2, 2},
        {{0, 0, 1, -1}, {}},
        "a row behind a row of zeros has trits of its own"}},
      same_trits);
  ternarizing.agrees_with(ternary_by_definition, {{"every row of 5", {w, 243, 5}}}, same_trits);
}

TEST(ternarize, OneThresholdARow) {
  ternarizing.gives({{"TwoRows", {{1, -3, 50, 70}, 2, 2}, {{0, -1, 1, 1}, {}}},
                     {"ThreeRows", {{1, 0, -8, 1, 0, 64}, 3, 2}, {{1, 0, -1, 0, 0, 1}, {}}},
                     {"NoRows", {{}, 0, 3}, {{}, {}}}},
                    same_trits);
  ternarizing.agrees_with(ternary_by_definition, random_weights<&ternarize>(seed, 1031),
                          same_trits);
}

TEST(ternarize, AlphaOfWhatIsKept) {
  ternarizing.gives({{"One", {{-3}, 1, 1}, {{-1}, {3}}},
                     {"AllKept", {{2, -3, 3, 2}, 1, 4}, {{1, -1, 1, 1}, {2.5f}}},
                     {"SomeKept", {{9, -2, 0, 2, -7}, 1, 5}, {{1, 0, 0, 0, -1}, {8}}},
                     {"TwoRows", {{1, -3, 50, 70}, 2, 2}, {{0, -1, 1, 1}, {3, 60}}}});
}

// Thresholds of 3.5, 7 and 42, each exact: the product of 0.7 and a mean of 5, 10 and 60. And one
// of 7000001.05: times 0.7f it would be less than 7000001.
TEST(ternarize, OnTheThreshold) {
  ternarizing.gives(
      {{"NoFloat32",
        {{7000001, 13000002}, 1, 2},
        {{0, 1}, {13000002}},
        "0.7 is a float64, not 0.7f"},
       {"Seven", {{7, -13, 7000001, 13000002}, 2, 2}, {{0, -1, 0, 1}, {13, 13000002}}},
       {"Both", {{8, -3.5f, 0, 3.5f, -8, 7}, 1, 6}, {{1, 0, 0, 0, -1, 1}, {23 / 3.0f}}},
       {"FortyTwo",
        {{69, 42, -69}, 1, 3},
        {{1, 0, -1}, {69}},
        "the sum is divided by cols, and the mean times 0.7: each is rounded"}});
}

// In float64, 0.7 * 90 is less than 63, and 63 / 90 is 0.7. A weight that is above the threshold,
// and not where that, the mean, or 0.7 is a float32; one that is not; sums beyond float32.
TEST(ternarize, ComputesInDouble) {
  const float close = 0x1.13b13cp-1f, closer = 0x1.8c4ec4p+3f;
  const auto mean_with_1 = static_cast<float>((double{close} + 1) / 2);
  ternarizing.gives(
      {{"Close",
        {{63, -117, 1, close, 23, closer}, 3, 2},
        {{1, -1, 1, 1, 1, 0}, {90, mean_with_1, 23}}},
       {"LargeSum", {{0x1p24f, -0x1p24f - 2, 0x1p24f + 8}, 1, 3}, {{1, -1, 1}, {0x1p24f + 4}}},
       {"Overflowing", {{FLT_MAX, -FLT_MAX, FLT_MAX}, 1, 3}, {{1, -1, 1}, {FLT_MAX}}}});
  ternarizing.agrees_with(ternary_by_definition, random_weights<&ternarize>(seed, 1031),
                          same_alphas);
}

TEST(ternarize, ZerosComeBack) {
  ternarizing.gives({{"Zeros", {{0, -0.0f, 0}, 1, 3}, {{0, 0, 0}, {0}}},
                     {"ARowOfThem", {{0, 0, 2, 2}, 2, 2}, {{0, 0, 1, 1}, {0, 2}}},
                     {"Small", {{0x1p-140f, -0x1p-140f}, 1, 2}, {{1, -1}, {0x1p-140f}}},
                     {"Smallest",
                      {{FLT_TRUE_MIN, 0, 0, 0, 0, -FLT_TRUE_MIN}, 2, 3},
                      {{1, 0, 0, 0, 0, -1}, {FLT_TRUE_MIN, FLT_TRUE_MIN}},
                      "this is no row of zeros: its mean is 0 in float32 alone"}},
                    same_of_zeros);
}

TEST(ternarize, RefusesWhatHasNoMean) {
  ternarizing.refuses({{"Fits", {{1, -3, 5, 5}, 2, 2}, {{0, -1, 1, 1}, {3, 5}}}},
                      without_a_mean<&ternarize>());
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
