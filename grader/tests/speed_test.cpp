// What the speed leg makes of rounds that are known in advance.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "judge/ceiling.hpp"
#include "judge/failure.hpp"
#include "judge/fresh_data.hpp"
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
    {"measured", "PaysNoMarginForNoiseOfTheSubmissionsOwn", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "PaysForNoMoreNoiseThanThereCanBe", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "SeesTheSlowCallsBetweenTheFastOnes", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "SeesWhatTheCallsBeforeTheCountedOnesCost", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "LetsTheWeatherPass", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "BelievesNoneWhereSomeCannotBe", 10, "N-SLOW", "", When::kSpeed},
    {"measured", "BelievesWhatThePublishedSolutionDoesToo", 10, "N-SLOW", "", When::kSpeed},
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
  return [round](int) { return [round](bool) { return round; }; };
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
  EXPECT_EQ(record.failed->failure.status, CheckStatus::kFail);
  EXPECT_EQ(record.failed->failure.got, "0.10x");
}

TEST(measured, DoesNotBelieve) {
  SpeedGoal huge = kGoal;
  huge.operations = 1e15;  // in a millisecond
  const Record& record = measured(huge, always({kMillisecond, 1e9 * kMillisecond}));
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.status, CheckStatus::kOdd);
  EXPECT_EQ(record.failed->failure.code, "N-ODD");
  EXPECT_EQ(record.speed->points, 0);
}

TEST(measured, ToleratesOneReadingOfZero) {
  int round = 0;
  const Record& record = measured(kGoal, [&](int) {
    return [&](bool) { return Round{++round == 20 ? 0.0 : kMillisecond, kMillisecond}; };
  });
  EXPECT_FALSE(record.failed);
  EXPECT_DOUBLE_EQ(record.speed->ratio, 1.0);
}

/// Between 1 and 1.5, other ones every time.
double jitter() {
  static std::mt19937 bits(1);
  return 1.0 + 0.5 * static_cast<double>(bits() % 1000) / 1000.0;
}

TEST(measured, MeasuresAgainWhenInDoubt) {
  const Record& record = measured(kGoal, [&](int) {
    return [&](bool) { return Round{2.68 * kMillisecond, kMillisecond * jitter()}; };
  });
  EXPECT_EQ(record.speed->measurements, 3);
  EXPECT_EQ(record.speed->pairs, 3 * 5 * 15);
  EXPECT_TRUE(record.speed->in_doubt);
  const int lower = points_for(record.speed->ratio - record.speed->margin, kGoal, 10);
  EXPECT_GT(record.speed->points, lower);  // the higher mark
}

// What a submission's own times do is up to the submission.
TEST(measured, PaysNoMarginForNoiseOfTheSubmissionsOwn) {
  const Record& record = measured(kGoal, [&](int) {
    return [&](bool) { return Round{2.6 * kMillisecond * jitter(), kMillisecond}; };
  });
  EXPECT_DOUBLE_EQ(record.speed->margin, 0.0);
  EXPECT_EQ(record.speed->points, points_for(record.speed->ratio, kGoal, 10));
}

TEST(measured, PaysForNoMoreNoiseThanThereCanBe) {
  const Record& record = measured(kGoal, [&](int) {
    return [&](bool) { return Round{3 * kMillisecond, kMillisecond * std::pow(jitter(), 20)}; };
  });
  EXPECT_GT(record.speed->margin, 0.0);
  EXPECT_LE(record.speed->margin, 0.1 * record.speed->ratio);
}

/// A session in which call number i takes times(i),
/// and the published solution always a millisecond.
template <class Times>
detail::SetUp taking(const Times& times) {
  return [times](int) {
    return [times, i = 0](bool) mutable { return Round{times(i++) * kMillisecond, kMillisecond}; };
  };
}

// Every third call is fast: a lower quartile sees no others.
TEST(measured, SeesTheSlowCallsBetweenTheFastOnes) {
  const Record& record = measured(kGoal, taking([](int i) { return i % 3 == 0 ? 1.0 : 4.0; }));
  EXPECT_NEAR(record.speed->ratio, 1.25 / 3, 0.02);
  EXPECT_LT(record.speed->points, 10);
}

TEST(measured, SeesWhatTheCallsBeforeTheCountedOnesCost) {
  const Record& record = measured(kGoal, taking([](int i) { return i < 2 ? 60.0 : 1.0; }));
  EXPECT_LT(record.speed->ratio, 0.2);
}

// First calls that touch pages, and a neighbour that comes for two sessions of five.
TEST(measured, LetsTheWeatherPass) {
  int session = 0;
  const Record& record = measured(kGoal, [&](int) {
    const double slow = ++session == 2 || session == 4 ? 3.0 : 1.0;
    return [slow, i = 0](bool) mutable {
      return Round{(++i == 1 ? 4.0 : slow) * kMillisecond, kMillisecond};
    };
  });
  EXPECT_DOUBLE_EQ(record.speed->ratio, 1.0);
  EXPECT_EQ(record.speed->points, 10);
}

// One call of eight that no machine can do: a quarter of them would be too many to ask for.
TEST(measured, BelievesNoneWhereSomeCannotBe) {
  SpeedGoal huge = kGoal;
  huge.operations = 1e12;
  const Record& record = measured(huge, [](int) {
    return [i = 0](bool) mutable {
      return Round{++i % 8 == 0 ? kMillisecond : 1e6 * kMillisecond, 1e6 * kMillisecond};
    };
  });
  ASSERT_TRUE(record.failed);
  EXPECT_EQ(record.failed->failure.code, "N-ODD");
}

// Then it is the clock, or the floor, that cannot be.
TEST(measured, BelievesWhatThePublishedSolutionDoesToo) {
  SpeedGoal huge = kGoal;
  huge.operations = 1e15;
  EXPECT_FALSE(measured(huge, always({kMillisecond, kMillisecond})).failed);
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
    return [&](bool submission_first) {
      first += submission_first ? 1 : 0;
      return Round{kMillisecond, kMillisecond};
    };
  });
  EXPECT_EQ(sessions, 5);
  EXPECT_NEAR(first, 5 * 18 / 2, 6);  // either side begins about half of the rounds
}

/// Rounds of which some end with a signal from outside.
detail::SetUp killed_at(const std::set<int>& rounds, int& round) {
  return [&rounds, &round](int) {
    return [&rounds, &round](bool) -> Round {
      if (rounds.contains(round++))
        throw CallKilled({CheckStatus::kCrash, "N-CRASH", "signal 9", {}, {}, {}, {}});
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
  EXPECT_DOUBLE_EQ(relative_margin(std::vector<double>(40, 10.0)), 0.0);
  std::vector<double> noisy;
  for (int i = 0; i < 40; ++i) noisy.push_back(10.0 + i % 7);
  EXPECT_GT(relative_margin(noisy), 0.0);
  EXPECT_DOUBLE_EQ(relative_margin(noisy), relative_margin(noisy));
}

TEST(FreshData, IsOtherDataEveryTime) {
  std::set<std::vector<std::byte>> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(FreshData().bytes(16));
  EXPECT_EQ(seen.size(), 1000u);
  FreshData one;
  EXPECT_NE(one.bytes(16), one.bytes(16));
}

TEST(FreshData, FillsTheRangeThatIsAskedFor) {
  FreshData fresh;
  const auto all = fresh.codes<std::int8_t>(100000, -128, 127);
  EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 256u);
  const auto some = fresh.codes<std::int8_t>(10000, -7, 8);
  EXPECT_EQ(std::set<int>(some.begin(), some.end()).size(), 16u);
  EXPECT_EQ(std::ranges::minmax(some).min, -7);
  double sum = 0.0;
  for (const float value : fresh.uniform(100000, -3, 5)) {
    ASSERT_TRUE(-3 <= value && value < 5);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 1.0, 0.1);
}

TEST(Ceiling, IsSomething) {
  EXPECT_GT(peak_gops(), 1.0);
  EXPECT_GE(peak_gops(), peak_gops(Isa::kScalar));
  EXPECT_GT(read_gbytes(std::size_t{1} << 16), 0.5);
  for (const Isa isa : kEveryIsa) EXPECT_EQ(peak_gops(isa) > 0.0, cpu_has(isa)) << name_of(isa);
}

}  // namespace
}  // namespace nibble::judge
