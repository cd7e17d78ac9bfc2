// How a check runs its cases: in order, to the first failure, which is made as small as it gets.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "judge/cases.hpp"
#include "judge/kit_error.hpp"
#include "judge/law.hpp"
#include "judge/record.hpp"
#include "judge/show.hpp"
#include "judge/shrink.hpp"

namespace nibble::judge {
namespace {

struct Numbers {
  std::string name;
  std::vector<int> x;
};
std::string show(const Numbers& c) { return show_values(c.x); }
std::vector<Numbers> smaller(const Numbers& c) {
  std::vector<Numbers> all;
  for (auto& x : smaller_lists(c.x)) all.push_back({std::to_string(x.size()), std::move(x)});
  return all;
}

/// Right while no element is larger than 5.
void no_large_element(const Numbers& c, Expect& expect) {
  for (const int x : c.x) expect.that(x <= 5, "an element is too large", "N-TEST");
}

const std::vector<Numbers> kCases{
    {"small", {1, 2}}, {"large", {1, 9, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 7}}, {"never", {9}}};

ShrunkCase fail_once() {
  this_record() = {};
  EXPECT_NONFATAL_FAILURE(each_case(kCases, no_large_element), "large: an element is too large");
  return *this_record().failed;
}

TEST(EachCase, StopsAtTheFirstThatFails) {
  const ShrunkCase failed = fail_once();
  EXPECT_EQ(failed.name, "large") << "the original, which a replay names";
  EXPECT_EQ(this_record().cases, 2u);
  EXPECT_EQ(failed.failure.code, "N-TEST");
}

TEST(EachCase, RunsNothingMoreInACheckThatHasFailed) {
  const ShrunkCase failed = fail_once();
  each_case<Numbers>({{"later", {8}}}, no_large_element);
  EXPECT_EQ(this_record().failed->name, failed.name);
  EXPECT_EQ(this_record().cases, 2u);
}

TEST(EachCase, ShrinksWhatFails) {
  const ShrunkCase failed = fail_once();
  EXPECT_EQ(failed.shrunk, "1");
  EXPECT_TRUE(failed.input == "[9]" || failed.input == "[7]") << failed.input;
  EXPECT_GT(failed.steps, 2);
}

TEST(EachCase, ShrinksTheSameWayEveryTime) {
  const ShrunkCase one = fail_once(), other = fail_once();
  EXPECT_EQ(one.input, other.input);
  EXPECT_EQ(one.steps, other.steps);
}

TEST(EachCase, DoesNotShrinkToAnotherFailure) {
  this_record() = {};
  const auto body = [](const Numbers& c, Expect& expect) {
    expect.that(c.x.size() > 2, "too short", "N-OTHER");
    no_large_element(c, expect);
  };
  EXPECT_NONFATAL_FAILURE(each_case<Numbers>({{"large", {1, 9, 2, 3, 4}}}, body), "large");
  EXPECT_EQ(this_record().failed->failure.code, "N-TEST");
  EXPECT_EQ(this_record().failed->shrunk, "3");
}

// 2 is as much doubled as squared: an input of 2 alone would tell the wrong one.
TEST(EachCase, DoesNotShrinkToAnotherCause) {
  this_record() = {};
  const auto body = [](const Numbers& c, Expect& expect) {
    std::vector<int> doubled, squared;
    for (const int x : c.x) doubled.push_back(2 * x), squared.push_back(x * x);
    expect.suspect("N-TEST", "y", doubled, "as if it were doubled");
    expect.suspect("N-TEST", "y", squared, "as if it were squared");
    expect.equal("y", squared, c.x);
  };
  EXPECT_NONFATAL_FAILURE(each_case<Numbers>({{"two", {2, 3}}}, body), "squared");
  EXPECT_EQ(this_record().failed->failure.told, "as if it were squared");
  EXPECT_EQ(this_record().failed->input, "[3]");
}

/// What is told where `answer` stands for x, and x is right. Both suspects answer 4 for 2.
std::string told(const std::vector<Numbers>& cases, int (*answer)(int), int guesses = 1) {
  this_record() = {};
  const auto body = [&](const Numbers& c, Expect& expect) {
    std::vector<int> got, doubled, squared;
    for (const int x : c.x) {
      got.push_back(answer(x)), doubled.push_back(2 * x), squared.push_back(x * x);
    }
    for (int guess = 0; guess < guesses; ++guess) {
      expect.suspect("N-TEST", "y", doubled, "as if it were doubled");
      for (int& one : doubled) ++one;
    }
    expect.suspect("N-TEST", "y", squared, "as if it were squared");
    expect.equal("y", got, c.x);
  };
  EXPECT_NONFATAL_FAILURE(each_case(cases, body), "y is wrong");
  return this_record().failed->failure.told;
}

TEST(Suspects, AreBothToldWhereNothingTellsThemFromEachOther) {
  EXPECT_EQ(told({{"two", {2}}}, [](int x) { return 2 * x; }),
            "as if it were doubled, or else as if it were squared");
  EXPECT_EQ(told({{"two", {2}}, {"nought", {0}}}, [](int x) { return 2 * x; }),
            "as if it were doubled, or else as if it were squared");
}

TEST(Suspects, OfThreeWhoAreAlikeNoneIsTold) {
  this_record() = {};
  const auto body = [](const Numbers& c, Expect& expect) {
    const int x = c.x[0];
    expect.suspect("N-TEST", "y", 2 * x, "as if it were doubled");
    expect.suspect("N-OTHER", "y", x * x, "as if it were squared");
    expect.suspect("N-OTHER", "y", x + 2, "as if 2 were added");
    expect.equal("y", 4, x);
  };
  EXPECT_NONFATAL_FAILURE(each_case<Numbers>({{"two", {2}}}, body), "y is wrong");
  EXPECT_EQ(this_record().failed->failure.told, "");
  EXPECT_EQ(this_record().failed->failure.code, "N-TEST") << "a code is a topic";
}

TEST(Suspects, GiveWayToOneWhoFitsOtherCasesToo) {
  EXPECT_EQ(told({{"two", {2}}, {"three", {3}}}, [](int x) { return x * x; }),
            "as if it were squared");
  EXPECT_EQ(told({{"one", {1}}, {"two", {2}}}, [](int x) { return x * x; }),
            "as if it were squared")
      << "1 is right as it is, and who doubles would not have been";
}

TEST(Suspects, AreNotNamedWhereNothingElseIsTheirs) {
  EXPECT_EQ(told({{"two", {2}}, {"three", {3}}}, [](int x) { return x == 2 ? 4 : x; }), "");
}

// Nobody's mistake is known in every case: a sum may overflow there, or end at a clamp.
TEST(Suspects, MayDifferWhereOtherAnswersAreTheirs) {
  const auto ends_at_8 = [](int x) { return std::min(2 * x, 8); };
  EXPECT_EQ(told({{"three", {3}}, {"two", {2}}, {"five", {5}}}, ends_at_8),
            "as if it were doubled");
}

TEST(Suspects, OfOneNameAreGuessesAndClearedByNothing) {
  EXPECT_EQ(told(
                {{"two", {2}}, {"six", {6}}}, [](int x) { return x == 2 ? 4 : x; }, 2),
            "as if it were doubled");
}

// Suites of their own: silence is noted of an exercise.
TEST(SilentWitness, IsHeardOnceInAnExercise) {
  static int heard = 0;
  const auto body = [](const Numbers& c, Expect& expect) {
    if (c.name == "hangs") {
      ++heard;
      throw CallFailed({CheckStatus::kTimeout, "N-TIME", "stopped", {}, "", "", ""});
    }
    expect.suspect("N-TEST", "y", std::vector<int>{4}, "as if it were doubled");
    expect.equal("y", std::vector<int>{4}, c.x);
  };
  for (int check = 0; check < 3; ++check) {
    this_record() = {};
    const std::vector<Numbers> cases{{"two", {2}}, {"hangs", {3}}};
    EXPECT_NONFATAL_FAILURE(each_case(cases, body), "as if it were doubled");
  }
  EXPECT_EQ(heard, 1);
  EXPECT_FALSE(exercise_times_out()) << "it has cost no point";
}

TEST(ThrowingWitness, LetsOthersBeHeard) {
  this_record() = {};
  const auto body = [](const Numbers& c, Expect& expect) {
    if (c.name == "throws")
      throw CallFailed({CheckStatus::kFail, "N-THROW", "thrown", {}, "", "", ""});
    const std::vector<int> got{c.x[0] == 2 ? 4 : c.x[0]};
    expect.suspect("N-TEST", "y", std::vector<int>{2 * c.x[0]}, "as if it were doubled");
    expect.equal("y", got, c.x);
  };
  const std::vector<Numbers> cases{{"two", {2}}, {"throws", {3}}, {"five", {5}}};
  EXPECT_NONFATAL_FAILURE(each_case(cases, body), "y is wrong");
  EXPECT_EQ(this_record().failed->failure.told, "") << "5 was right";
}

TEST(EachCase, DoesNotShrinkWhatTookTooLong) {
  static int calls = 0;
  this_record() = {};
  const auto body = [](const Numbers&, Expect&) {
    ++calls;
    throw CallFailed({CheckStatus::kTimeout, "N-TIME", "stopped", {}, "", "", ""});
  };
  EXPECT_NONFATAL_FAILURE(each_case(kCases, body), "stopped");
  EXPECT_EQ(calls, 1);
}

// A suite of its own: what is noted here is of one exercise, which is what a suite is called by.
TEST(EndlessExercise, IsNotAskedAThirdTime) {
  static int calls = 0;
  const auto body = [](const Numbers&, Expect&) {
    ++calls;
    throw CallFailed({CheckStatus::kFail, "N-TIME", "a loop that never stops", {}, "", "", ""});
  };
  for (int check = 0; check < 2; ++check) {
    this_record() = {};
    EXPECT_NONFATAL_FAILURE(each_case(kCases, body), "never stops");
  }
  this_record() = {};
  EXPECT_NONFATAL_FAILURE(each_case(kCases, body), "not run: two checks");
  EXPECT_EQ(this_record().failed->failure.status, CheckStatus::kTimeout);
  EXPECT_EQ(calls, 2);
}

TEST(EachCase, EndsShrinkingAfterSoManyTries) {
  static int calls = 0;
  this_record() = {};
  std::vector<int> x(1 << 10);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
  const auto body = [](const Numbers& c, Expect& expect) {
    ++calls;
    expect.that(c.x.size() < 7, "long", "N-TEST");
  };
  EXPECT_NONFATAL_FAILURE(each_case<Numbers>({{"long", x}}, body), "long");
  EXPECT_LE(calls, detail::kMostTries + 2);
}

TEST(EachCase, DoesNotShrinkToAnInputThatTheContractRefuses) {
  this_record() = {};
  const auto body = [](const Numbers& c, Expect& expect) {
    if (c.x.size() < 2) throw std::invalid_argument("the reference refuses short lists");
    Expect::healthy(c.x.size() > 2, "a list of two proves nothing");
    no_large_element(c, expect);
  };
  EXPECT_NONFATAL_FAILURE(each_case<Numbers>({{"large", {1, 9, 2, 3, 4}}}, body), "large");
  EXPECT_EQ(this_record().failed->shrunk, "3");
}

TEST(EachCase, WithoutCasesIsAFaultOfTheKit) {
  EXPECT_THROW(each_case<Numbers>({}, no_large_element), KitError);
}

TEST(EachCase, RunsOnlyTheCaseThatIsAskedFor) {
  this_record() = {};
  this_run().only_case = "small";
  each_case(kCases, no_large_element);
  this_run().only_case = "";
  EXPECT_EQ(this_record().cases, 1u);
  EXPECT_EQ(this_record().cases_passed_over, 2u);
  EXPECT_FALSE(this_record().failed);
}

TEST(EachCase, DescribesEveryCaseWhenAsked) {
  this_record() = {};
  this_run().show = true;
  EXPECT_NONFATAL_FAILURE(each_case(kCases, no_large_element), "large");
  this_run().show = false;
  ASSERT_EQ(this_record().shown.size(), 2u);
  EXPECT_EQ(this_record().shown[0].input, "[1, 2]");
  EXPECT_EQ(this_record().shown[0].outcome, "pass");
  EXPECT_EQ(this_record().shown[1].outcome, "an element is too large");
}

TEST(Once, HasOneUnnamedCase) {
  this_record() = {};
  once([](Expect& expect) { expect.that(true, ""); });
  EXPECT_EQ(this_record().cases, 1u);
}

// A suite of its own: what is not written yet is remembered for the whole suite.
TEST(Stub, KeepsTheOtherChecksFromRunning) {
  this_record() = {};
  EXPECT_NONFATAL_FAILURE(
      once([](Expect&) {
        throw CallFailed({CheckStatus::kFail, "N-STUB", "not written", {}, "", "", ""});
      }),
      "not written");
  static bool ran = false;
  this_record() = {};
  EXPECT_NONFATAL_FAILURE(once([](Expect&) { ran = true; }), "not run");
  EXPECT_FALSE(ran);
  EXPECT_EQ(this_record().failed->failure.code, "N-STUB");
}

TEST(SmallerLists, AreSmallerOrSimpler) {
  EXPECT_TRUE(smaller_lists(std::vector<int>{}).empty());
  EXPECT_EQ(smaller_lists(std::vector<int>{5}), (std::vector<std::vector<int>>{{}, {0}}));
  const auto floats = smaller_lists(std::vector<float>{1.239f});
  EXPECT_EQ(floats, (std::vector<std::vector<float>>{{}, {0.0f}, {1.0f}, {1.23f}}));
  EXPECT_EQ(smaller_lists(std::vector<int>(100, 1)).size(), 2u) << "long lists are only halved";
}

TEST(Expect, IsToldOtherwiseWhereNothingSaidMore) {
  const auto code = [](const char* suspected) {
    Expect expect;
    expect.suspect(suspected, "q", 3);
    expect.otherwise("N-FORMULA");
    expect.equal("q", 3, 2);
    expect.otherwise("N-FORMULA");
    return expect.failure()->code;
  };
  EXPECT_EQ(code("N-ROUND"), "N-ROUND");
  EXPECT_EQ(code(""), "N-FORMULA");
}

TEST(ShowValues, IsShortAndReadsBack) {
  EXPECT_EQ(show_values(std::vector<float>{0.1f, 1.0f}), "[0.1, 1]");
  EXPECT_EQ(show_value(std::bit_cast<float>(0x7f800001u)), "nan 0x7f800001");
  EXPECT_EQ(show_value(std::numeric_limits<float>::quiet_NaN()), "nan");
  EXPECT_EQ(show_values(std::vector<int>(20, 7), 2), "[7, 7, … 20 in all]");
  std::vector<float> late(20, 0.5f);
  late[18] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(show_values(late, 1), "[0.5, … inf at [18] … 20 in all]");
  EXPECT_EQ(show_value(true), "true");
  EXPECT_EQ(show_value(std::int8_t{-3}), "-3");
  EXPECT_EQ(show_value(~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(show_value(std::uint16_t{0x3c0f}), "0x3c0f");
  EXPECT_EQ(show_value(char8_t{0x7e}), "0x7e");
}

// --- What wrong values have in common ------------------------------------------------------------

std::string law_of_reals(const std::vector<WrongValue>& wrong) { return law_of(wrong, false); }
std::string law_of_integers(const std::vector<WrongValue>& wrong) { return law_of(wrong, true); }

TEST(Law, IsTold) {
  EXPECT_EQ(law_of_reals({{6, 3}}), ": it is 2 times what it should be");
  EXPECT_EQ(law_of_reals({{std::log(7.0), std::log10(7.0)}}),
            ": it is ln 10 times what it should be");
  EXPECT_EQ(law_of_reals({{0.7, 1}, {1.4, 2}, {2.1, 3}}), ": each is 0.7 times what it should be");
  EXPECT_EQ(law_of_reals({{-3, 3}}), ": it is of the other sign");
  EXPECT_EQ(law_of_integers({{3, 2}, {7, 6}}), ": each is 1 too large");
  EXPECT_EQ(law_of_integers({{3, 2}, {7, 3}, {2, 7}}),
            ": they are the right numbers, at each other's places");
  EXPECT_EQ(law_of_integers({{3, 2}, {2, 3}}), "");
  EXPECT_EQ(law_of_integers({{-2, 2}, {-7, 7}}), ": each is of the other sign");
  EXPECT_EQ(law_of_integers({{44, 300}}), ": it is wrapped around, a multiple of 2^8 away");
  EXPECT_EQ(law_of_integers({{0, -520192}}), "");  // stopped, as like as not
  EXPECT_EQ(law_of_integers({{0, 65536}, {1, 131073}}),
            ": each is wrapped around, a multiple of 2^16 away");
}

/// As the compiler fills locals: 0xFE in every byte.
TEST(Law, KnowsAVariableThatNobodySet) {
  EXPECT_EQ(law_of_integers({{-16843010, 3}}), ": it is what a variable holds that nobody has set");
  EXPECT_EQ(law_of_integers({{-16843007, 3}}),
            ": it is a sum that began with a variable that nobody has set");
  EXPECT_EQ(law_of_reals({{std::bit_cast<float>(0xFEFEFEFEu), 1}}),
            ": it is what a variable holds that nobody has set");
  EXPECT_EQ(law_of_integers({{-2, 0}, {-2, 1}, {-2, 5}}),
            ": each is what a variable holds that nobody has set");
  EXPECT_EQ(law_of_integers({{-2, 0}, {-2, 1}}), "") << "any code may be -2";
}

TEST(Law, IsNotMadeOfChance) {
  EXPECT_EQ(law_of_reals({}), "");
  EXPECT_EQ(law_of_reals({{0.7, 1}}), "");
  EXPECT_EQ(law_of_reals({{0.7, 1}, {1.4, 2}}), "") << "two points are always on a line";
  EXPECT_EQ(law_of_reals({{1, 0}, {2, 1}, {5, 1}}), "");
  EXPECT_EQ(law_of_reals({{0, 1}}), "");
  EXPECT_EQ(law_of_integers({{2, 1}}), "");
  EXPECT_EQ(law_of_integers({{12041, -503}}), "") << "49 * 256 apart, and no byte";
  EXPECT_EQ(law_of_integers({{2, 1}, {2, 1}}), "");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(law_of_reals({{infinity, 1}, {infinity, 2}}), "");
  EXPECT_EQ(law_of_reals({{std::nan(""), 1}}), "");
  EXPECT_EQ(law_of_reals({{1, std::nan("")}}), "");
}

}  // namespace
}  // namespace nibble::judge
