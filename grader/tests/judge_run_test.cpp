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

namespace nibble::judge {
namespace {

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
  this_run().hidden_salt = 7;
  EXPECT_EQ(hidden_seed(1), first) << "mixed alike, from another secret";
}

TEST(Salt, IsTheFirstBytesOfAnHmac) {
  // echo -n 03_symmetric | openssl dgst -sha256 -hmac secret
  EXPECT_EQ(derive_salt("secret", "03_symmetric"), 0xeef1'84c1'62b1'd484u);
  EXPECT_NE(derive_salt("secret", "03_symmetric"), derive_salt("secret", "04_asymmetric"));
  EXPECT_NE(derive_salt("secret", "03_symmetric"), derive_salt("other", "03_symmetric"));
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
    outcome.record.failed = FailedCase{"case", "", "x = 1", 0, std::move(failure)};
    return outcome;
  }
};

TEST_F(Verdict, AddsThePointsOfWhatPassed) {
  const auto verdict = verdict_of({{"f.First", passed()}, {"f.Second", passed()}}, "plain");
  EXPECT_EQ(verdict["points"], 75);
  EXPECT_EQ(verdict["verdict"], "pass");
  EXPECT_EQ(verdict["hidden"]["run"], false);
  EXPECT_EQ(verdict["hidden"]["max_points"], 25);
}

TEST_F(Verdict, AFailureEarnsNothingAndIsTold) {
  const Failure failure{Status::kFail, "", "q is wrong", {2}, "1", "3", "1 ulp"};
  const auto verdict = verdict_of({{"f.First", failed(failure)}, {"f.Second", passed()}}, "plain");
  EXPECT_EQ(verdict["points"], 15);
  EXPECT_EQ(verdict["verdict"], "fail");
  const auto& check = verdict["checks"][0];
  EXPECT_EQ(check["diagnosis"], "N-ONE") << "the row's own, when a failure has none";
  EXPECT_EQ(check["message"], "q is wrong");
  EXPECT_EQ(check["first"]["got"], "1");
  EXPECT_NE(check["replay"].get<std::string>().find("--case case"), std::string::npos);
}

TEST_F(Verdict, ACrashStopsTheVerdictButNotThePoints) {
  const Failure crash{Status::kCrash, "N-CRASH", "signal 11", {}, "", "", ""};
  const auto verdict = verdict_of({{"f.First", failed(crash)}, {"f.Second", passed()}}, "plain");
  EXPECT_EQ(verdict["verdict"], "stopped");
  EXPECT_EQ(verdict["exit"], 4);
  EXPECT_EQ(verdict["points"], 15);
}

TEST_F(Verdict, AHiddenCheckTellsItsDiagnosisAndNoValue) {
  Outcome outcome = failed({Status::kFail, "N-AXIS", "secret value", {1}, "17", "18", ""});
  outcome.output = "secret output";
  const auto verdict = verdict_of({{"f.Third", outcome}}, "plain");
  EXPECT_EQ(verdict["checks"][0]["diagnosis"], "N-AXIS");
  const std::string text = verdict.dump();
  for (const char* const secret : {"secret", "17", "18", "x = 1"}) {
    EXPECT_EQ(text.find(secret), std::string::npos) << secret;
  }
}

TEST_F(Verdict, WhatASubmissionPrintedCannotHarm) {
  Outcome outcome = failed({Status::kFail, "", "\x1b[2J \xff", {}, "\x1b", "\xc3", ""});
  outcome.output = "\x1b[31m\x07\xfe ok";
  const std::string text = verdict_of({{"f.First", outcome}}, "plain").dump();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\\u001b"), std::string::npos);
  EXPECT_NE(text.find("?[31m"), std::string::npos);
}

TEST_F(Verdict, AFailureOutsideACaseIsToldToo) {
  Outcome outcome = passed();
  outcome.unexplained = "EXPECT_EQ failed";
  const auto verdict = verdict_of({{"f.First", outcome}}, "plain");
  EXPECT_EQ(verdict["points"], 0);
  EXPECT_EQ(verdict["checks"][0]["message"], "EXPECT_EQ failed");
}

TEST_F(Verdict, ALabCanBeDescribedWithoutARun) {
  const auto lab = describe_lab();
  EXPECT_EQ(lab["lab"], "99_test");
  EXPECT_EQ(lab["exercises"].size(), 1u);
  EXPECT_EQ(lab["checks"].size(), 3u);
}

}  // namespace
}  // namespace nibble::judge
