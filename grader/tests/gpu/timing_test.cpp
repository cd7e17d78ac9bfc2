// The statistics of a measurement, on times that nobody measured.
#include "gpu/timing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace nibble::gpu {
namespace {

/// Pairs whose learner takes `times` as long as the reference, both off by up to `noise`.
std::vector<Pair> pairs_of(double reference_us, double times, double noise, int count = 40) {
  std::mt19937_64 bits(5);
  const auto off = [&] {
    return 1 + noise * (2 * static_cast<double>(bits() >> 11) / 9007199254740992.0 - 1);
  };
  std::vector<Pair> pairs;
  for (int i = 0; i < count; ++i) {
    const double weather = off();  // both feel it
    pairs.push_back({reference_us * weather * off(), reference_us * times * weather * off()});
  }
  return pairs;
}

Conditions fit() {
  Conditions conditions;
  conditions.event_overhead_us = 1.5;
  conditions.first_half_mhz = conditions.second_half_mhz = 1980;
  conditions.reference_share = conditions.stored_reference_share = 0.9;
  return conditions;
}

TEST(Quantile, LiesBetweenSamples) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_EQ(quantile({1, 2}, 0), 1);
  EXPECT_EQ(quantile({1, 2}, 1), 2);
  EXPECT_EQ(quantile({7}, 0.9), 7);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(PairedRatio, IsThatOfTheNeighbours) {
  // The machine slows down by half on the way: the ratio does not move.
  std::vector<Pair> pairs;
  for (int i = 0; i < 50; ++i) pairs.push_back({100.0 + i, 2 * (100.0 + i)});
  const Ratio ratio = paired_ratio(pairs, 1);
  EXPECT_NEAR(ratio.median, 0.5, 1e-12);
  EXPECT_NEAR(ratio.low, 0.5, 1e-12);
  EXPECT_NEAR(ratio.high, 0.5, 1e-12);
}

TEST(PairedRatio, HasAnIntervalAroundIt) {
  const std::vector<Pair> pairs = pairs_of(100, 1.25, 0.05);
  const Ratio ratio = paired_ratio(pairs, 1);
  EXPECT_LT(ratio.low, ratio.median);
  EXPECT_GT(ratio.high, ratio.median);
  EXPECT_LT(ratio.low, 0.8);
  EXPECT_GT(ratio.high, 0.8);
  EXPECT_LT(ratio.high - ratio.low, 0.05);
  const Ratio again = paired_ratio(pairs, 1);
  EXPECT_EQ(again.low, ratio.low);  // the same seed, the same interval
}

TEST(PairedRatio, OfMoreSamplesIsNarrower) {
  const Ratio few = paired_ratio(pairs_of(100, 1, 0.1, 10), 1);
  const Ratio many = paired_ratio(pairs_of(100, 1, 0.1, 400), 1);
  EXPECT_LT(many.high - many.low, (few.high - few.low) / 2);
}

TEST(PairedRatio, HoldsTheTruthAboutAsOftenAsItSays) {
  int holds = 0;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    std::mt19937_64 bits(trial);
    std::vector<Pair> pairs;
    for (int i = 0; i < 30; ++i) {
      const double r = 1 + 0.1 * (2 * static_cast<double>(bits() >> 11) / 9007199254740992.0 - 1);
      pairs.push_back({100 * r, 100});
    }
    const Ratio ratio = paired_ratio(pairs, trial);
    holds += ratio.low <= 1 && 1 <= ratio.high ? 1 : 0;
  }
  EXPECT_GE(holds, 85);
}

TEST(Floor, IsTheSlowerOfMemoryAndArithmetic) {
  Floor floor{
      .bytes = 4.2e9, .operations = 1e12, .bytes_per_second = 4e12, .operations_per_second = 1e14};
  EXPECT_NEAR(floor.microseconds(), 1e4 / 1.05, 1e-6);
  floor.operations = 0;
  EXPECT_NEAR(floor.microseconds(), 1050 / 1.05, 1e-6);
  EXPECT_EQ(Floor{}.microseconds(), 0);
}

TEST(Decision, PassesAndFails) {
  EXPECT_EQ(judge(pairs_of(100, 1.0, 0.02), fit(), 0.7, 1).ruling, Ruling::kPasses);
  EXPECT_EQ(judge(pairs_of(100, 2.0, 0.02), fit(), 0.7, 1).ruling, Ruling::kFails);
}

TEST(Decision, ThatStraddlesIsMeasuredAgainAndThenKind) {
  const Decision decision = judge(pairs_of(100, 1.25, 0.05), fit(), 0.8, 1);
  EXPECT_EQ(decision.ruling, Ruling::kUnclear);
  const Decision settled = settle(decision);
  EXPECT_EQ(settled.ruling, Ruling::kPasses);
  EXPECT_EQ(settled.sentence, "too close to call, twice: decided in your favour");
  EXPECT_EQ(settle(judge(pairs_of(100, 2, 0.02), fit(), 0.7, 1)).ruling, Ruling::kFails);
}

TEST(Decision, FasterThanTheGpuIsNotBelievable) {
  Conditions conditions = fit();
  conditions.floor = {
      .bytes = 4e8, .operations = 0, .bytes_per_second = 4e12, .operations_per_second = 0};
  const Decision decision = judge(pairs_of(110, 0.5, 0.02), conditions, 0.7, 1);
  EXPECT_EQ(decision.ruling, Ruling::kNotBelievable);
  EXPECT_NE(decision.sentence.find("no kernel that does the work takes less than 95.2"),
            std::string::npos)
      << decision.sentence;
}

TEST(Decision, MuchFasterThanOursIsForAHuman) {
  EXPECT_TRUE(judge(pairs_of(100, 0.8, 0.02), fit(), 0.7, 1).for_a_human);
  EXPECT_FALSE(judge(pairs_of(100, 0.95, 0.02), fit(), 0.7, 1).for_a_human);
}

TEST(Decision, OfAShortKernelIsNone) {
  EXPECT_EQ(judge(pairs_of(12, 1, 0.02), fit(), 0.7, 1).ruling, Ruling::kTooShort);
}

TEST(Decision, OfATinyTimeIsNotAPass) {
  // One time of zero once won a contest.
  std::vector<Pair> pairs = pairs_of(100, 1, 0.02);
  pairs[3].learner_us = 0;
  EXPECT_EQ(judge(pairs, fit(), 0.7, 1).ruling, Ruling::kUnfit);
}

TEST(Decision, OfNoNumberIsNotAPass) {
  for (const double no_time :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -5.0}) {
    std::vector<Pair> pairs = pairs_of(100, 1, 0.02);
    pairs[0].reference_us = no_time;
    EXPECT_EQ(judge(pairs, fit(), 0.7, 1).ruling, Ruling::kUnfit) << no_time;
    pairs = pairs_of(100, 1, 0.02);
    pairs[39].learner_us = no_time;
    EXPECT_EQ(judge(pairs, fit(), 0.7, 1).ruling, Ruling::kUnfit) << no_time;
  }
  EXPECT_EQ(judge({}, fit(), 0.7, 1).ruling, Ruling::kUnfit);
}

TEST(UnfitMachine, WhoseReferenceDriftsJudgesNobody) {
  Conditions conditions = fit();
  conditions.reference_share = 0.78;
  const Decision decision = judge(pairs_of(100, 1, 0.02), conditions, 0.7, 1);
  EXPECT_EQ(decision.ruling, Ruling::kUnfit);
  EXPECT_EQ(decision.sentence,
            "the GPU is busy or throttled (our own kernel reached 78 % of the limit, and 90 % "
            "before): try again");
  conditions.stored_reference_share = 0;  // never looked at: nothing to compare with
  EXPECT_EQ(judge(pairs_of(100, 1, 0.02), conditions, 0.7, 1).ruling, Ruling::kPasses);
}

TEST(UnfitMachine, WhoseTimesSpreadJudgesNobody) {
  EXPECT_EQ(judge(pairs_of(100, 1, 0.3), fit(), 0.7, 1).ruling, Ruling::kUnfit);
}

TEST(UnfitMachine, WhoseClockMovesJudgesNobody) {
  Conditions conditions = fit();
  conditions.second_half_mhz = 1760;
  EXPECT_EQ(judge(pairs_of(100, 1, 0.02), conditions, 0.7, 1).ruling, Ruling::kUnfit);
  conditions.second_half_mhz = 1800;
  EXPECT_EQ(judge(pairs_of(100, 1, 0.02), conditions, 0.7, 1).ruling, Ruling::kPasses);
}

}  // namespace
}  // namespace nibble::gpu
