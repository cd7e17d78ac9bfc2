// results.json: what programs read of a verdict.
#include "a_verdict.hpp"

#include "lab/kit.hpp"
#include "report/machine.hpp"
#include "run/judging.hpp"
#include "tests/json_schema.hpp"
#include "text/plain_text.hpp"

namespace nibble::report {
namespace {

class Results : public testing::Test {
 protected:
  Account account() const {
    Account account;
    account.terms.lab = "03_symmetric";
    account.source = "int x;\n";
    account.started = "2026-10-01T14:02:11Z";
    account.machine = {"x86-64, 2 cores", {"avx2"}, {}, 0, 0.5};
    return account;
  }

  /// A verdict of the lab's judge in which `status` happened to the first check.
  record::Verdict verdict(CheckStatus status, const std::string& code) const {
    Check check{scheme_.checks[0]};
    check.status = status;
    if (status == CheckStatus::kPass) check.points = check.max_points;
    if (status != CheckStatus::kPass) {
      check.diagnosis = code;
      check.message = "words";
      check.first.emplace();
      check.first->name = "One";
      check.replay = "nibble run 03 --seed 0x1";
    }
    const auto end = status == CheckStatus::kPass   ? record::End::kPass
                     : status == CheckStatus::kFail ? record::End::kFail
                                                    : record::End::kStopped;
    return {"03_symmetric", end, check.points, check.max_points, 0, {false, 25}, "0x1", {check}};
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const record::Scheme scheme_ = record::read_scheme(files::read_file(kit_.scheme("03_symmetric")));
  const test::JsonSchema schema_{
      Json::parse(files::read_file(kit_.source / "docs/schema/nibble.results.schema.json"))};

  void expect_valid(const Result& results) const {
    for (const std::string& complaint : schema_.complaints(Json::parse(text_of(results)))) {
      ADD_FAILURE() << complaint;
    }
  }
};

TEST_F(Results, ThePublishedSampleFollowsTheSchema) {
  expect_valid(a_failure());
  expect_valid(a_crash());
}

TEST_F(Results, APassHasEverythingAndNothingElse) {
  Account pass = account();
  pass.verdict = verdict(CheckStatus::kPass, "");
  pass.terms.salt = "secret";
  const Result results = results_of(kit_, scheme_, pass);
  expect_valid(results);
  EXPECT_TRUE(results.passes());
  EXPECT_EQ(results.environment.cxx, kit_.cxx_name);
  EXPECT_TRUE(results.manifest.source.contains("symmetric.cpp"));
  EXPECT_EQ(text_of(results).find("secret"), std::string::npos);
  EXPECT_EQ(text_of(results_of(kit_, scheme_, pass)), text_of(results));
}

TEST_F(Results, NoCompileIsAVerdict) {
  Account broken = account();
  broken.compile_message = "error: \x1b[31m\xff";
  broken.odd_imports = {"fork"};
  const Result results = results_of(kit_, scheme_, broken);
  expect_valid(results);
  EXPECT_EQ(exit_of(results.end), 3);
  EXPECT_EQ(results.max_points, 75);
  EXPECT_EQ(results.compile_message, "error: ?[31m?");
  EXPECT_EQ(results.needs_look, std::vector<std::string>{"rule"});
  broken.terms.salt = "secret";
  const Result graded = results_of(kit_, scheme_, broken);
  expect_valid(graded);
  EXPECT_TRUE(graded.hidden.run) << "nothing is worth more than all";
  EXPECT_EQ(graded.max_points, 100);
}

TEST(PlainText, HasNoMarks) {
  EXPECT_EQ(text::plain_text("**Why.** *Axis 0* and 2*3, `a[i] * b`, [here](a.md).\n"),
            "Why. Axis 0 and 2*3, a[i] * b, here.\n");
  EXPECT_EQ(text::plain_text("see x[i] and `*p`\n```cpp\n*q = **r;\n```\n* end\n"),
            "see x[i] and *p\n    *q = **r;\n* end\n");
}

TEST_F(Results, AnotherDiagnosisThanTheUsualIsASuspect) {
  Account wrong = account();
  wrong.verdict = verdict(CheckStatus::kFail, "N-AXIS");
  EXPECT_FALSE(results_of(kit_, scheme_, wrong).checks[0].sure);
  for (const std::string& code : {scheme_.checks[0].diagnosis, std::string("N-REFUSED")}) {
    wrong.verdict = verdict(CheckStatus::kFail, code);
    EXPECT_TRUE(results_of(kit_, scheme_, wrong).checks[0].sure) << code;
  }
}

// A row that is about memory, and an answer that is another: nobody saw the memory.
TEST_F(Results, WhatARowUsuallyFindsWasNotSeenInValues) {
  Account wrong = account();
  wrong.verdict = verdict(CheckStatus::kFail, "N-OOB");
  Check& check = wrong.verdict->checks[0];
  check.usual = true;
  EXPECT_TRUE(results_of(kit_, scheme_, wrong).checks[0].sure);
  check.first = record::FailedCase{};
  check.first->got = "1";
  check.first->want = "2";
  EXPECT_FALSE(results_of(kit_, scheme_, wrong).checks[0].sure);
}

TEST_F(Results, SanitizersLocateACrash) {
  Account crash = account();
  crash.verdict = verdict(CheckStatus::kCrash, "N-CRASH");
  crash.sanitizers = verdict(CheckStatus::kCrash, "N-CRASH");
  crash.sanitizers->checks[0].leg = protocol::Leg::kSanitizers;
  crash.sanitizers->checks[0].output =
      "==9==ERROR: AddressSanitizer: SEGV on unknown address 0x123456\n"
      "    #0 0x55 in f labs/03_symmetric/symmetric.cpp:12\n";
  const Result results = results_of(kit_, scheme_, crash);
  expect_valid(results);
  EXPECT_EQ(results.checks[0].location->line, 12);
  EXPECT_EQ(results.finding->location->line, 12);
  EXPECT_EQ(results.finding->replay, "nibble run 03 --seed 0x1 --leg sanitizers");
}

TEST_F(Results, AFindingStopsButCostsNothing) {
  Account green = account();
  green.verdict = verdict(CheckStatus::kPass, "");
  green.sanitizers = verdict(CheckStatus::kFail, "N-RANGE");
  const Result results = results_of(kit_, scheme_, green);
  expect_valid(results);
  EXPECT_EQ(results.end, record::End::kStopped);
  EXPECT_EQ(results.points, results.max_points);
  EXPECT_HOLDS(results.finding->message, "never set");
  green.sanitizers =
      verdict(CheckStatus::kTimeout, "N-TIME");  // sanitized code is slow: no finding
  EXPECT_TRUE(results_of(kit_, scheme_, green).passes());
}

TEST_F(Results, WhatComputeSanitizerSawIsALegOfItsOwn) {
  Account kernels = account();
  kernels.terms.lab = "19_cuda_quantize";
  kernels.verdict = verdict(CheckStatus::kPass, "");
  kernels.gpu_not_here = "nvcc is not found";
  const Result without = results_of(kit_, scheme_, kernels);
  expect_valid(without);
  EXPECT_EQ(without.legs.gpu_sanitizer, LegState::kNotHere);
  EXPECT_EQ(without.not_here.gpu, "nvcc is not found");
  EXPECT_EQ(without.not_here.gpu_sanitizer, "nvcc is not found");
  EXPECT_FALSE(without.gpu_sanitizer);

  kernels.gpu_not_here = "";
  kernels.gpu = verdict(CheckStatus::kPass, "");
  kernels.gpu_sanitizer_not_here = "compute-sanitizer is not installed";
  Result results = results_of(kit_, scheme_, kernels);
  EXPECT_EQ(results.legs.gpu, LegState::kRan);
  EXPECT_EQ(results.legs.gpu_sanitizer, LegState::kNotHere);
  EXPECT_EQ(leg_text(protocol::Leg::kGpuSanitizer, results, 1.0, {}),
            "gpu         not looked into: compute-sanitizer is not installed\n");

  kernels.gpu_sanitizer_not_here = "";
  kernels.gpu_sanitizer = {{"memcheck"}, {}};
  results = results_of(kit_, scheme_, kernels);
  EXPECT_EQ(results.legs.gpu_sanitizer, LegState::kRan);
  EXPECT_TRUE(results.passes());
  EXPECT_HOLDS(leg_text(protocol::Leg::kGpuSanitizer, results, 1.0, {}),
               "compute-sanitizer found nothing");

  kernels.gpu_sanitizer->complaints = {
      {"memcheck", "quantize", "EveryLength", "Invalid __global__ read of size 4 bytes", 3,
       "quantize_kernel", "", record::Location{"labs/19_cuda_quantize/cuda_quantize.cu", 12}}};
  results = results_of(kit_, scheme_, kernels);
  expect_valid(results);
  EXPECT_EQ(results.end, record::End::kStopped);
  EXPECT_EQ(results.points, results.max_points);
  EXPECT_EQ(results.finding->location->line, 12);
  EXPECT_HOLDS(leg_text(protocol::Leg::kGpuSanitizer, results, 1.0, {}),
               "compute-sanitizer: memcheck: Invalid __global__ read of size 4 bytes in "
               "quantize_kernel   labs/19_cuda_quantize/cuda_quantize.cu:12\n");
}

TEST_F(Results, TheSanitizersAlone) {
  Account alone = account();
  alone.terms.leg = protocol::Leg::kSanitizers;
  alone.verdict = verdict(CheckStatus::kCrash, "N-CRASH");
  alone.verdict->checks[0].leg = protocol::Leg::kSanitizers;
  alone.verdict->checks[0].output = "==9== at 0x7fffff12345\n";
  const Result results = results_of(kit_, scheme_, alone);
  expect_valid(results);
  EXPECT_EQ(results.legs.plain, LegState::kNotRun);
  EXPECT_EQ(results.legs.sanitizers, LegState::kRan);
  EXPECT_EQ(results.checks[0].output, "==== at 0x...\n");
}

TEST_F(Results, AHandoutKnowsWhatItDoesNotHave) {
  Account pass = account();
  pass.verdict = verdict(CheckStatus::kPass, "");
  pass.verdict->hidden.max_points = 0;
  record::Scheme handout = scheme_;
  std::erase_if(handout.checks, [](const record::Row& row) { return row.hidden; });
  EXPECT_EQ(results_of(kit_, handout, pass).hidden.max_points, 25);
}

TEST(Status, HasWordsForPeople) {
  EXPECT_STREQ(word_of(CheckStatus::kCrash), "crashed");
  EXPECT_STREQ(word_of(CheckStatus::kTimeout), "too slow");
  EXPECT_STREQ(word_of(CheckStatus::kRule), "broke a rule");
  EXPECT_STREQ(word_of(CheckStatus::kOdd), "not believable");
  EXPECT_STREQ(word_of(CheckStatus::kError), "fault of the kit");
  EXPECT_STREQ(word_of(CheckStatus::kPass), "pass");
}

}  // namespace
}  // namespace nibble::report
