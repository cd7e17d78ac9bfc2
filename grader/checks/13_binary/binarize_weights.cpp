// Lab 13, binarize_weights: the checks.
#include "checks/13_binary/binarize_weights.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

BinaryWeights binary_by_definition(const Matrix& in) {
  return {words_from(bits_where(in, is_below_zero)), of_rows(in, mean_magnitude)};
}

// One row: means that are exact.
TEST(binarize_weights, MeanMagnitude) {
  binarizing.gives({{"One", {{-3}, 1, 1}, {{1}, {3}}},
                    {"Positive", {{1, 2, 6}, 1, 3}, {{0}, {3}}},
                    {"BothSigns", {{-1, 1, -4, 2}, 1, 4}, {{5}, {2}}},
                    {"SomeZeros", {{0, -5, 0, 0, 5}, 1, 5}, {{2}, {2}}},
                    {"OneLarge", {{-32, 0.5f, -0.5f, 1}, 1, 4}, {{5}, {8.5f}}}},
                   exact_alphas);
}

TEST(binarize_weights, OneScaleARow) {
  binarizing.gives({{"TwoRows", {{1, -3, 5, 7}, 2, 2}, {{}, {2, 6}}},
                    {"ThreeRows", {{1, -1, -8, 8, 3, 0}, 3, 2}, {{}, {1, 8, 1.5f}}},
                    {"ThreeColumns", {{1, 2, 3, -4, -5, -6}, 2, 3}, {{}, {2, 5}}},
                    {"NoRows", {{}, 0, 3}, {{}, {}}}},
                   exact_alphas);
}

// The mean is not subtracted, and the words are those of pack_signs.
TEST(binarize_weights, SignsAsBits) {
  const auto bits_alone = [](Expect& expect, const auto& in, const auto& got, const auto& want) {
    same_bits(expect, in, got.bits, want.bits);
  };
  binarizing.gives({{"AllAbove", {{1, 2, 3, 10}, 1, 4}, {{0}, {}}},
                    {"AllBelow", {{-1, -2, -3, -10}, 1, 4}, {{15}, {}}},
                    {"Zeros", {{0, -0.0f, -1, 3}, 1, 4}, {{4}, {}}}},
                   bits_alone);
  binarizing.agrees_with(binary_by_definition, random_weights<&binarize_weights>(seed, 1031),
                         bits_alone);
}

// In float32 the sums are 2^24 + 4, infinity and 2^25, and a mean made of them is another float.
// The last mean is half-way between two floats, and 1.0 / 49 times its sum is less.
TEST(binarize_weights, RoundsOnce) {
  Reals many(64, 1.0f), between{1273808768, 83};
  many[0] = 0x1p25f;
  between.resize(49);
  binarizing.gives({{"LargeAndSmall", {{0x1p24f, 5, 0}, 1, 3}, {{}, {5592407}}},
                    {"Overflowing", {{FLT_MAX, -FLT_MAX, FLT_MAX}, 1, 3}, {{}, {FLT_MAX}}},
                    {"ManySmall", {many, 1, 64}, {{}, {524289}}},
                    {"BetweenTwo", {between, 1, 49}, {{}, {25996100}}}},
                   exact_alphas);
  binarizing.agrees_with(binary_by_definition, random_weights<&binarize_weights>(seed, 1031),
                         same_alphas);
}

TEST(binarize_weights, ZerosComeBack) {
  binarizing.gives({{"Zeros", {{0, -0.0f, 0}, 1, 3}, {{}, {0}}},
                    {"Subnormal", {{FLT_TRUE_MIN, -FLT_TRUE_MIN}, 1, 2}, {{}, {FLT_TRUE_MIN}}},
                    {"Small", {{0x1p-140f, 0x1p-140f, 0, 0, 1, 1}, 3, 2}, {{}, {0x1p-140f, 0, 1}}}},
                   exact_alphas);
}

TEST(binarize_weights, RefusesWhatHasNoMean) {
  binarizing.refuses({{"Fits", {{1, -2, 3, 4}, 2, 2}, {{2, 0}, {1.5f, 3.5f}}}},
                     without_a_mean<&binarize_weights>());
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
