// What the speed leg makes of rounds that are known in advance.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "judge/ceiling.hpp"
#include "judge/failure.hpp"
#include "judge/marks.hpp"
#include "judge/measure.hpp"
#include "judge/quartile.hpp"
#include "judge/record.hpp"

namespace nibble::judge {
namespace {

constexpr Mark marks[] = {
    {"measured", "PaysInFull", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "PaysInPart", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "PaysNothing", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "DoesNotBelieve", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "ToleratesOneReadingOfZero", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "MeasuresAgainWhenInDoubt", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "NamesAStaleAnswer", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "NamesAWrongAnswer", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "StartsFiveSessions", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "BeginsASessionAnewWhoseProcessWasKilled", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "BelievesInAProcessThatAlwaysEnds", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "GivesUpWhereItIsHopeless", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "ShowsWhatPaysNothing", 0, "N-SLOW", "", When::kSpeed},
};
[[maybe_unused]] const bool registered = register_marks("00_measured", marks);

using detail::Round;

constexpr double kMillisecond = 1e6;
const SpeedGoal kGoal{.zero_at = 0.2, .full_at = 0.6, .operations = 1e6};

/// Every round the same.
detail::SetUp always(Round round) {
  return [round](int) { return [round](std::uint64_t, bool) { return round; }; };
}

/// The verdict on rounds; the failure is ours to look at, not GoogleTest's.
const Record& measured(const SpeedGoal& goal, const detail::SetUp& set_up) {
  this_record() = {};
  testing::TestPartResultArray failures;
  testing::ScopedFakeTestPartResultReporter quiet(
      testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
  detail::measure_speed(goal, set_up);
  return this_record();
}

TEST(measured, PaysInFull) {
  const Record& record = measured(kGoal, always({kMillisecond, kMillisecond}));
  ASSERT_TRUE(record.speed.has_value());
  EXPECT_DOUBLE_EQ(record.speed->ratio, 1.0);
  EXPECT_DOUBLE_EQ(record.speed->margin, 0.0);
  EXPECT_EQ(record.speed->points, 10);
  EXPECT_FALSE(record.failed);
}

TEST(measured, PaysInPart) {
  const Record& record = measured(kGoal, always({2.5 * kMillisecond, kMillisecond}));
  EXPECT_EQ(record.speed->points, 5);  // 0.4 is half way
  EXPECT_FALSE(record.failed);
}

TEST(measured, PaysNothing) {
  const Record& record = measured(kGoal, always({10 * kMillisecond, kMillisecond}));
  EXPECT_EQ(record.speed->points, 0);
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.status, Status::kFail);
  EXPECT_EQ(record.failed->failure.got, "0.10x");
}

TEST(measured, DoesNotBelieve) {
  SpeedGoal huge = kGoal;
  huge.operations = 1e15;  // in a millisecond
  const Record& record = measured(huge, always({kMillisecond, kMillisecond}));
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.status, Status::kOdd);
  EXPECT_EQ(record.failed->failure.code, "N-ODD");
  EXPECT_EQ(record.speed->points, 0);
}

TEST(measured, ToleratesOneReadingOfZero) {
  int round = 0;
  const Record& record = measured(kGoal, [&](int) {
    return [&](std::uint64_t, bool) {
      return Round{++round % 20 == 0 ? 0.0 : kMillisecond, kMillisecond};
    };
  });
  EXPECT_FALSE(record.failed);
  EXPECT_DOUBLE_EQ(record.speed->ratio, 1.0);
}

TEST(measured, MeasuresAgainWhenInDoubt) {
  std::uint64_t noise = 0;
  const Record& record = measured(kGoal, [&](int) {
    return [&](std::uint64_t draw, bool) {
      noise = noise * 31 + draw;
      const double jitter = 1.0 + 0.5 * static_cast<double>(noise % 1000) / 1000.0;
      return Round{2.6 * kMillisecond * jitter, kMillisecond};
    };
  });
  EXPECT_EQ(record.speed->measurements, 3);
  EXPECT_EQ(record.speed->pairs, 3 * 5 * 15);
  EXPECT_TRUE(record.speed->in_doubt);
  const int lower = points_for(record.speed->ratio - record.speed->margin, kGoal, 10);
  EXPECT_GT(record.speed->points, lower);  // the higher mark
}

TEST(measured, NamesAStaleAnswer) {
  const Record& record =
      measured(kGoal, always({kMillisecond, kMillisecond, Round::Answer::kStale}));
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.code, "N-STALE");
  EXPECT_FALSE(record.speed.has_value());
}

TEST(measured, NamesAWrongAnswer) {
  const Record& record =
      measured(kGoal, always({kMillisecond, kMillisecond, Round::Answer::kDifferent}));
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.code, "N-WRONG");
}

TEST(measured, StartsFiveSessions) {
  int sessions = 0, first = 0;
  measured(kGoal, [&](int) {
    ++sessions;
    return [&](std::uint64_t, bool submission_first) {
      first += submission_first ? 1 : 0;
      return Round{kMillisecond, kMillisecond};
    };
  });
  EXPECT_EQ(sessions, 5);
  EXPECT_NEAR(first, 5 * 17 / 2, 6);  // either side begins about half of the rounds
}

/// Rounds of which some end with a signal from outside.
detail::SetUp killed_at(const std::set<int>& rounds, int& round) {
  return [&rounds, &round](int) {
    return [&rounds, &round](std::uint64_t, bool) -> Round {
      if (rounds.contains(round++))
        throw CallKilled({Status::kCrash, "N-CRASH", "signal 9", {}, {}, {}, {}});
      return {kMillisecond, kMillisecond};
    };
  };
}

TEST(measured, BeginsASessionAnewWhoseProcessWasKilled) {
  int round = 0;
  const Record& record = measured(kGoal, killed_at({20, 60}, round));
  EXPECT_FALSE(record.failed);
  ASSERT_TRUE(record.speed.has_value());
  EXPECT_EQ(record.speed->points, 10);
}

TEST(measured, BelievesInAProcessThatAlwaysEnds) {
  int round = 0;
  const Record& record = measured(kGoal, killed_at({20, 21}, round));
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.code, "N-CRASH");
}

TEST(measured, GivesUpWhereItIsHopeless) {
  const Record& record = measured(kGoal, always({200 * kMillisecond, kMillisecond}));
  EXPECT_EQ(record.speed->pairs, 15);  // one session
  EXPECT_EQ(record.speed->points, 0);
}

TEST(measured, ShowsWhatPaysNothing) {
  const Record& record = measured(kGoal, always({100 * kMillisecond, kMillisecond}));
  EXPECT_FALSE(record.failed);
  EXPECT_TRUE(record.speed.has_value());
}

TEST(Points, RiseInAStraightLine) {
  EXPECT_EQ(points_for(0.0, kGoal, 8), 0);
  EXPECT_EQ(points_for(0.2, kGoal, 8), 0);
  EXPECT_EQ(points_for(0.4, kGoal, 8), 4);
  EXPECT_EQ(points_for(0.6, kGoal, 8), 8);
  EXPECT_EQ(points_for(9.0, kGoal, 8), 8);
}

TEST(Quartile, IsTheValueThatAQuarterLieBelow) {
  EXPECT_DOUBLE_EQ(lower_quartile({8, 7, 6, 5, 4, 3, 2, 1}), 3);
  EXPECT_DOUBLE_EQ(lower_quartile({5}), 5);
  EXPECT_DOUBLE_EQ(lower_quartile({}), 0);
}

TEST(Margin, IsNothingWithoutNoiseAndTheSameForTheSameSamples) {
  const std::vector<double> flat(40, 10.0);
  EXPECT_DOUBLE_EQ(ratio_margin(flat, flat), 0.0);
  std::vector<double> noisy;
  for (int i = 0; i < 40; ++i) noisy.push_back(10.0 + i % 7);
  EXPECT_GT(ratio_margin(noisy, flat), 0.0);
  EXPECT_DOUBLE_EQ(ratio_margin(noisy, flat), ratio_margin(noisy, flat));
}

TEST(Ceiling, IsSomething) {
  EXPECT_GT(peak_gops(), 1.0);
  EXPECT_GE(peak_gops(), peak_gops(Isa::kScalar));
  EXPECT_GT(read_gbytes(std::size_t{1} << 16), 0.5);
  for (const Isa isa : kEveryIsa) EXPECT_EQ(peak_gops(isa) > 0.0, cpu_has(isa)) << name_of(isa);
}

}  // namespace
}  // namespace nibble::judge
