// What a comparison accepts. This file is compiled twice, the second time with -ffast-math, where
// `x != x` is false for every x: the only place in the kit that ever is.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "judge/expect.hpp"
#include "judge/kit_error.hpp"
#include "judge/tolerance.hpp"

namespace nibble::judge {
namespace {

// Made of bits, since -ffast-math may assume that these do not exist.
double from_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }
float from_bits32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
volatile std::uint64_t nan_bits = 0x7FF8'0000'0000'0001, inf_bits = 0x7FF0'0000'0000'0000;
volatile std::uint32_t nan_bits32 = 0x7FC0'0001, inf_bits32 = 0x7F80'0000;
double nan() { return from_bits(nan_bits); }
double inf() { return from_bits(inf_bits); }

TEST(IsNear, AcceptsWhatIsWithinTheTolerance) {
  EXPECT_TRUE(is_near(1.0, 1.0, {}));
  EXPECT_TRUE(is_near(1.5, 1.0, {0.5, 0, ""}));
  EXPECT_FALSE(is_near(1.5000001, 1.0, {0.5, 0, ""}));
  EXPECT_TRUE(is_near(101, 100, {0, 0.01, ""}));
  EXPECT_FALSE(is_near(101.1, 100, {0, 0.01, ""}));
  EXPECT_TRUE(is_near(-101, -100, {0, 0.01, ""}));
}

TEST(IsNear, NeverAcceptsNanInAnyPlace) {
  const Tolerance wide{1e300, 1, ""};
  EXPECT_FALSE(is_near(nan(), 1, wide));
  EXPECT_FALSE(is_near(1, nan(), wide));
  EXPECT_FALSE(is_near(nan(), nan(), wide));
  EXPECT_FALSE(is_near(1, 1.5, {nan(), 0, ""}));
  EXPECT_FALSE(is_near(1, 1.5, {1, nan(), ""}));
}

TEST(IsNear, AcceptsInfinityForTheSameInfinityOnly) {
  const Tolerance wide{1e300, 1, ""};
  EXPECT_TRUE(is_near(inf(), inf(), {}));
  EXPECT_FALSE(is_near(inf(), 1, wide));
  EXPECT_FALSE(is_near(1, inf(), wide));
  EXPECT_FALSE(is_near(1, 2, {inf(), 0, ""}));
  EXPECT_FALSE(is_near(from_bits(inf_bits | std::uint64_t{1} << 63), inf(), wide));
}

TEST(IsNonFinite, LooksAtTheBits) {
  EXPECT_TRUE(is_non_finite(nan()));
  EXPECT_TRUE(is_non_finite(inf()));
  EXPECT_FALSE(is_non_finite(std::numeric_limits<double>::max()));
  EXPECT_FALSE(is_non_finite(0.0));
}

using Floats = std::vector<float>;
using Codes = std::vector<int>;

TEST(ExpectNear, FindsNanInEachPlace) {
  const Floats want{1, 2, 3};
  for (std::size_t i = 0; i < want.size(); ++i) {
    Floats got = want;
    got[i] = from_bits32(nan_bits32);
    Expect expect;
    EXPECT_FALSE(expect.near("x", got, want, {1e30, 1, ""})) << i;
    EXPECT_EQ(expect.failure()->index, std::vector<std::size_t>{i});
    Expect other;
    EXPECT_FALSE(other.near("x", want, got, {1e30, 1, ""})) << "a NaN of ours is no pass either";
    Expect exact;
    EXPECT_FALSE(exact.equal("x", got, got)) << "NaN is equal to nothing";
  }
}

TEST(ExpectNear, FindsInfinityInEachPlace) {
  const Floats want{1, 2, 3};
  for (std::size_t i = 0; i < want.size(); ++i) {
    Floats got = want;
    got[i] = from_bits32(inf_bits32);
    Expect expect;
    EXPECT_FALSE(expect.near("x", got, want, {1e30, 1, ""})) << i;
  }
}

TEST(ExpectEqual, FindsADroppedAndAnAddedElement) {
  const Codes want{1, 2, 3};
  for (const Codes& got : {Codes{1, 2}, Codes{2, 3}, Codes{}, Codes{1, 2, 3, 3}}) {
    Expect expect;
    EXPECT_FALSE(expect.equal("q", got, want));
    EXPECT_EQ(expect.failure()->code, "N-SIZE");
    EXPECT_EQ(expect.failure()->want, "3");
    Expect every;
    EXPECT_FALSE(every.every("q", got, want, [](std::size_t) { return true; }));
    Expect near;
    EXPECT_FALSE(near.near("q", got, want, {1e30, 1, ""}));
  }
}

TEST(ExpectEqual, KeepsSmallTensorsWholeAndLargeOnesNot) {
  Expect expect;
  EXPECT_FALSE(expect.equal("q", Codes{1, 5, 3, 7}, Codes{1, 2, 3, 4}, {2, 2}));
  const Compared& compared = expect.failure()->compared;
  EXPECT_EQ(compared.shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(compared.got, (std::vector<std::string>{"1", "5", "3", "7"}));
  EXPECT_EQ(compared.want, (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(compared.wrong, (std::vector<std::size_t>{1, 3}));
  Expect large;
  EXPECT_FALSE(large.equal("q", Codes(65, 1), Codes(65, 2)));
  EXPECT_TRUE(large.failure()->compared.got.empty());
}

TEST(ExpectEqual, NamesTheFirstWrongElementAndCountsThem) {
  Expect expect;
  EXPECT_FALSE(expect.equal("q", Codes{1, 0, 3, 0}, Codes{1, 2, 3, 4}, {2, 2}));
  EXPECT_EQ(expect.failure()->index, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(expect.failure()->got, "0");
  EXPECT_EQ(expect.failure()->want, "2");
  EXPECT_EQ(expect.failure()->message, "2 of 4 elements of q are wrong");
}

TEST(ExpectEqual, KeepsTheFirstFailure) {
  Expect expect;
  expect.that(false, "first");
  EXPECT_FALSE(expect.equal("q", 1, 1)) << "after a failure nothing is right any more";
  expect.that(false, "second");
  EXPECT_EQ(expect.failure()->message, "first");
}

TEST(ExpectEqual, ComparesByValueAcrossTypes) {
  Expect expect;
  EXPECT_TRUE(expect.equal("q", std::vector<std::int8_t>{-1, 127}, Codes{-1, 127}));
  EXPECT_TRUE(expect.equal("x", 0.0f, -0.0f));
  EXPECT_TRUE(expect.equal("b", true, true));
  Expect wraps;
  EXPECT_FALSE(wraps.equal("u", std::vector<std::uint64_t>{~std::uint64_t{0}},
                           std::vector<std::int64_t>{-1}))
      << "2^64 - 1 is not -1";
  Expect truncates;
  EXPECT_FALSE(truncates.equal("q", Codes{2}, std::vector<double>{2.7})) << "2 is not 2.7";
}

TEST(ExpectSuspect, NamesTheMistakeWhoseAnswerThisIs) {
  Expect expect;
  expect.suspect("N-TRUNC", "q", Codes{1, 1});
  expect.suspect("N-ROUND", "q", Codes{2, 1});
  expect.suspect("N-AXIS", "other", Codes{2, 1});
  EXPECT_FALSE(expect.equal("q", Codes{2, 1}, Codes{2, 2}));
  EXPECT_EQ(expect.failure()->code, "N-ROUND");
}

TEST(ExpectSuspect, TellsWhatItDidInThePlaceOfTheRowsRule) {
  Expect expect;
  expect.suspect("N-FORMULA", "q", Codes{2, 1}, "as if they were exchanged");
  EXPECT_FALSE(expect.equal("q", Codes{2, 1}, Codes{2, 2}));
  expect.recall("q[1] is that of the second");
  EXPECT_EQ(expect.failure()->message, "1 of 2 elements of q is wrong: as if they were exchanged");
  Expect unknown;
  unknown.suspect("N-FORMULA", "q", Codes{1, 1}, "as if they were exchanged");
  EXPECT_FALSE(unknown.equal("q", Codes{2, 1}, Codes{2, 2}));
  unknown.recall("q[1] is that of the second");
  EXPECT_EQ(unknown.failure()->message,
            "1 of 2 elements of q is wrong: q[1] is that of the second");
}

TEST(ExpectSuspect, AlsoByASizeThatIsWrong) {
  Expect expect;
  expect.suspect("N-AXIS", "scale", Codes{1, 2, 3});
  EXPECT_FALSE(expect.equal("scale", Codes{1, 2, 3}, Codes{1, 2}));
  EXPECT_EQ(expect.failure()->code, "N-AXIS");
}

TEST(ExpectSuspect, AnEmptyAnswerIsNobodysMistake) {
  Expect expect;
  expect.suspect("N-AXIS", "q", Codes{});
  EXPECT_FALSE(expect.equal("q", Codes{}, Codes{1}));
  EXPECT_EQ(expect.failure()->code, "N-SIZE");
}

TEST(ExpectSuspect, WithWordsIsMetWithinTheToleranceAndSaysThem) {
  Expect expect;
  expect.suspect("N-DENOM", "mse", 2.0);
  expect.suspect("N-FORMULA", "mse", 2.0, "the sum, not the mean");
  EXPECT_FALSE(expect.near("mse", 2.0000001, 1.0, metric_tolerance()));
  EXPECT_EQ(expect.failure()->code, "N-FORMULA");
  expect.recall("a rule of the row");
  EXPECT_TRUE(expect.failure()->message.ends_with("the sum, not the mean"));
}

TEST(ExpectHealthy, APoorInputIsAFaultOfTheKit) {
  EXPECT_NO_THROW(Expect::healthy(true, ""));
  EXPECT_THROW(Expect::healthy(false, "few values"), KitError);
}

TEST(ExpectScalars, HaveNoIndex) {
  Expect expect;
  EXPECT_FALSE(expect.near("mse", 2.0, 1.0, metric_tolerance()));
  EXPECT_TRUE(expect.failure()->index.empty());
  EXPECT_EQ(expect.failure()->message, "mse is wrong: it is 2 times what it should be");
  EXPECT_FALSE(expect.failure()->tolerance.empty());
}

// Beside cancellation, where the sum is far less than what was added: there the two differ by any
// number of the sum's own ulp.
TEST(FusedTolerance, AcceptsOneRoundingForTwoAndNoMore) {
  for (int acc = 1; acc < 20000; ++acc) {
    const float scale = 0.0517f, bias = -0.0517f * static_cast<float>(acc / 7 * 7);
    const volatile float product = static_cast<float>(acc) * scale;  // no compiler joins the lines
    const double two = product + bias, one = std::fma(static_cast<float>(acc), scale, bias);
    const Tolerance tolerance = fused_tolerance(product, bias);
    EXPECT_TRUE(is_near(one, two, tolerance)) << acc;
    EXPECT_FALSE(is_near(two + 0x1p-20 * product, two, tolerance)) << acc;
  }
}

TEST(NearTie, IsBesideATieButNotOnIt) {
  EXPECT_FALSE(is_near_tie(0.5f, 1.0f)) << "an exact tie is a question of rounding alone";
  EXPECT_TRUE(is_near_tie(std::nextafter(0.5f, 1.0f), 1.0f));
  EXPECT_FALSE(is_near_tie(0.51f, 1.0f));
}

}  // namespace
}  // namespace nibble::judge
