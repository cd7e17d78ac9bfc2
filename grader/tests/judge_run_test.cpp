// Seeds, the course's secret, the mark scheme, and the verdict that is written.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "judge/marks.hpp"
#include "judge/mix.hpp"
#include "judge/run.hpp"
#include "judge/tensors.hpp"
#include "judge/verdict.hpp"
#include "record/codec.hpp"

namespace nibble::judge {
namespace {

record::Verdict verdict_of(const Outcomes& outcomes) {
  return record::read_verdict(verdict_text(outcomes, Leg::kPlain));
}

TEST(Mix, DependsOnBothNumbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 100; ++a) {
    for (std::uint64_t b = 0; b < 100; ++b) seen.insert(mix(a, b));
  }
  EXPECT_EQ(seen.size(), 10'000u);
}

TEST(Seeds, AreTheSameForTheSameRunAndOtherForOtherCases) {
  this_run().seed = 7;
  const std::uint64_t first = seed(1);
  EXPECT_EQ(seed(1), first);
  EXPECT_NE(seed(2), first);
  this_run().seed = 8;
  EXPECT_NE(seed(1), first);
  this_run().hidden_key = derive_key("secret", "03_symmetric");
  const std::uint64_t hidden = hidden_seed(1);
  EXPECT_EQ(hidden_seed(1), hidden);
  EXPECT_NE(hidden_seed(2), hidden);
  this_run().hidden_key = derive_key("other", "03_symmetric");
  EXPECT_NE(hidden_seed(1), hidden);
}

std::set<std::uint64_t>& seeds_of_checks() {
  static std::set<std::uint64_t> seeds;
  return seeds;
}

void add_the_seeds_of_this_check() {
  this_run().seed = 7;
  this_run().hidden_key = derive_key("secret", "03_symmetric");
  for (std::uint64_t salt = 0; salt < 100; ++salt) {
    EXPECT_TRUE(seeds_of_checks().insert(seed(salt)).second);
    EXPECT_TRUE(seeds_of_checks().insert(hidden_seed(salt)).second);
  }
}

// What one check gives as an input, another must not ask for.
TEST(SeedsOfACheck, AreNoOthers) { add_the_seeds_of_this_check(); }
TEST(SeedsOfACheck, AreNoOthersInTheSameExercise) { add_the_seeds_of_this_check(); }
TEST(SeedsOfAnotherExercise, AreNoOthers) { add_the_seeds_of_this_check(); }

// Of this exercise, whichever check asks: each test may be a process of its own.
constexpr std::uint64_t kCountedInThisExercise = 11851968506734364767u;

TEST(SeedsOfWhatIsCounted, DifferFromThoseOfChecks) {
  this_run().seed = 7;
  EXPECT_EQ(counted_seed(1), kCountedInThisExercise);
  EXPECT_NE(counted_seed(1), seed(1));
  EXPECT_NE(counted_seed(1), counted_seed(2));
}
TEST(SeedsOfWhatIsCounted, AreSharedByTheChecksOfAnExercise) {
  this_run().seed = 7;
  EXPECT_EQ(counted_seed(1), kCountedInThisExercise);
}
TEST(SeedsOfAnotherExercise, AreNoOthersWhereItIsCounted) {
  this_run().seed = 7;
  EXPECT_NE(counted_seed(1), kCountedInThisExercise);
}

/// The a of which mix(a, b) is `mixed`: every step of it can be undone.
std::uint64_t unmix(std::uint64_t mixed, std::uint64_t b) {
  const auto unshift = [](std::uint64_t z, int by) {
    std::uint64_t x = z;
    for (int known = by; known < 64; known += by) x = z ^ (x >> by);
    return x;
  };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int round = 0; round < 6; ++round) x *= 2 - odd * x;
    return x;
  };
  std::uint64_t z = unshift(mixed, 31) * inverse(0x94D0'49BB'1331'11EBu);
  z = unshift(z, 27) * inverse(0xBF58'476D'1CE4'E5B9u);
  z = unshift(z, 30) - 0x9E37'79B9'7F4A'7C15u - b;
  return z * inverse(0x9E37'79B9'7F4A'7C15u);
}

TEST(Seeds, TellNothingOfTheRunOrOfOtherCases) {
  ASSERT_EQ(unmix(mix(123456789, 42), 42), 123456789u) << "what is mixed is no secret";
  this_run().seed = 7;
  this_run().hidden_key = derive_key("secret", "03_symmetric");
  for (std::uint64_t salt = 0; salt < 1000; ++salt) {
    const std::uint64_t known = unmix(seed(salt), salt);
    EXPECT_NE(known, this_run().seed);
    EXPECT_NE(mix(known, salt + 1), seed(salt + 1));
    EXPECT_NE(mix(unmix(hidden_seed(salt), salt), salt + 1), hidden_seed(salt + 1));
  }
}

TEST(Salt, BecomesAnHmacOf256Bits) {
  // echo -n 03_symmetric | openssl dgst -sha256 -hmac secret
  const Key key = derive_key("secret", "03_symmetric");
  EXPECT_EQ(std::vector<unsigned char>(key.begin(), key.begin() + 8),
            (std::vector<unsigned char>{0xee, 0xf1, 0x84, 0xc1, 0x62, 0xb1, 0xd4, 0x84}));
  EXPECT_NE(key, derive_key("secret", "04_asymmetric"));
  EXPECT_NE(key, derive_key("other", "03_symmetric"));
}

TEST(Poison, IsAnotherWhereHiddenChecksRun) {
  judge::Run run;
  run.seed = 7;
  run.hidden_key = derive_key("secret", "03_symmetric");
  EXPECT_EQ(poison_seed(run, true), poison_seed(run, true)) << "a repetition says the same";
  EXPECT_NE(poison_seed(run, true), poison_seed(run, false));
  const std::uint64_t in_public = poison_seed(run, false);
  run.hidden_key = derive_key("other", "03_symmetric");
  EXPECT_EQ(poison_seed(run, false), in_public) << "a public check is repeated without the secret";
}

TEST(Tensors, AreTheSameOnEveryMachine) {
  const std::vector<float> x = normal_tensor(4096, 1);
  EXPECT_EQ(x, normal_tensor(4096, 1));
  EXPECT_NE(x, normal_tensor(4096, 2));
  EXPECT_GT(max_abs(x), 2.0f);
  EXPECT_LT(max_abs(x), 6.0f);
  for (const float value : uniform_tensor(1000, 3, -1, 2)) {
    EXPECT_LE(-1.0f, value);
    EXPECT_LT(value, 2.0f);
  }
  const auto codes = code_tensor<std::int8_t>(4096, 4, -8, 7);
  EXPECT_EQ(distinct(codes), 16u);
  EXPECT_NEAR(saturated_share(codes, -8, 7), 2.0 / 16, 0.03);
}

// --- The verdict ---------------------------------------------------------------------------------

constexpr Mark kMarks[] = {{"f", "First", 60, "N-ONE", "f is right"},
                           {"f", "Second", 15, "N-TWO", "f is right again"}};
constexpr Mark kHidden[] = {{"f", "Third", 25, "N-THREE", "f is right on other data"}};

class Verdict : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    register_marks("99_test", kMarks);
    register_hidden_marks(kHidden);
  }
  static Outcome passed() {
    Outcome outcome;
    outcome.record.cases = 1;
    return outcome;
  }
  static Outcome failed(Failure failure) {
    Outcome outcome = passed();
    outcome.record.failed = ShrunkCase{"case", "", "x = 1", 0, std::move(failure)};
    return outcome;
  }
};

TEST_F(Verdict, AddsThePointsOfWhatPassed) {
  const auto verdict = verdict_of({{"f.First", passed()}, {"f.Second", passed()}});
  EXPECT_EQ(verdict.points, 75);
  EXPECT_TRUE(verdict.passes());
  EXPECT_FALSE(verdict.hidden.run);
  EXPECT_EQ(verdict.hidden.max_points, 25);
}

TEST_F(Verdict, AFailureEarnsNothingAndIsTold) {
  const Failure failure{CheckStatus::kFail, "", "q is wrong", {2}, "1", "3", "1 ulp"};
  const auto verdict = verdict_of({{"f.First", failed(failure)}, {"f.Second", passed()}});
  EXPECT_EQ(verdict.points, 15);
  EXPECT_EQ(verdict.end, record::End::kFail);
  const record::Check& check = verdict.checks[0];
  EXPECT_EQ(check.diagnosis, "N-ONE") << "the row's own, when a failure has none";
  EXPECT_EQ(check.message, "q is wrong");
  EXPECT_EQ(check.first->got, "1");
  EXPECT_NE(check.replay.find("--case case"), std::string::npos);
}

TEST_F(Verdict, ACrashStopsTheVerdictButNotThePoints) {
  const Failure crash{CheckStatus::kCrash, "N-CRASH", "signal 11", {}, "", "", ""};
  const auto verdict = verdict_of({{"f.First", failed(crash)}, {"f.Second", passed()}});
  EXPECT_EQ(verdict.end, record::End::kStopped);
  EXPECT_EQ(exit_of(verdict.end), 4);
  EXPECT_EQ(verdict.points, 15);
}

TEST_F(Verdict, AHiddenCheckTellsItsDiagnosisAndNoValue) {
  Outcome outcome = failed({CheckStatus::kFail, "N-AXIS", "secret value", {1}, "17", "18", ""});
  outcome.output = "secret output";
  const auto verdict = verdict_of({{"f.Third", outcome}});
  EXPECT_EQ(verdict.checks[0].diagnosis, "N-AXIS");
  const std::string text = record::text_of(verdict);
  for (const char* const secret : {"secret", "17", "18", "x = 1"}) {
    EXPECT_EQ(text.find(secret), std::string::npos) << secret;
  }
}

TEST_F(Verdict, AHiddenCheckTellsNoTime) {
  Outcome slow = passed();
  slow.seconds = 7.1234;  // a call can wait for as long as its input says
  EXPECT_EQ(verdict_of({{"f.Third", slow}}).checks[0].seconds, 0);
  EXPECT_EQ(verdict_of({{"f.First", slow}}).checks[0].seconds, 7.1234);
}

TEST_F(Verdict, WhatASubmissionPrintedCannotHarm) {
  Outcome outcome = failed({CheckStatus::kFail, "", "\x1b[2J \xff", {}, "\x1b", "\xc3", ""});
  outcome.output = "\x1b[31m\x07\xfe ok";
  const std::string text = verdict_text({{"f.First", outcome}}, Leg::kPlain);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\\u001b"), std::string::npos);
  EXPECT_NE(text.find("?[31m"), std::string::npos);
}

TEST_F(Verdict, AFailureOutsideACaseIsToldToo) {
  Outcome outcome = passed();
  outcome.unexplained = "EXPECT_EQ failed";
  const auto verdict = verdict_of({{"f.First", outcome}});
  EXPECT_EQ(verdict.points, 0);
  EXPECT_EQ(verdict.checks[0].message, "EXPECT_EQ failed");
}

TEST_F(Verdict, ALabCanBeDescribedWithoutARun) {
  const record::Scheme lab = record::read_scheme(record::text_of(all_schemes().back()));
  EXPECT_EQ(lab.lab, "99_test");
  EXPECT_EQ(lab.exercises.size(), 1u);
  EXPECT_EQ(lab.checks.size(), 3u);
}

}  // namespace
}  // namespace nibble::judge
