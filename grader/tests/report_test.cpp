// What people and programs read of a verdict: the screen, results.json, JUnit XML, the diagnoses.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include "files/files.hpp"
#include "holds.hpp"
#include "json_schema.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "record/codec.hpp"
#include "report/diagnoses.hpp"
#include "report/junit.hpp"
#include "report/machine.hpp"
#include "report/results.hpp"
#include "report/sanitizer.hpp"
#include "report/screen.hpp"
#include "run/judging.hpp"
#include "text/plain_text.hpp"

namespace nibble::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A lab of two exercises: one check passes, one fails with everything there is to say, one fails
/// by the way, and one waits.
Result a_failure() {
  return record::read_result(R"json({
    "nibble": "1.0.0", "schema": 1, "lab": "05_per_channel", "verdict": "fail", "exit": 1,
    "points": 15, "max_points": 75, "not_counted": 0, "hidden": {"run": false, "max_points": 25},
    "legs": {"plain": "ran", "sanitizers": "not_run", "speed": "none", "simt": "none", "gpu": "none"},
    "seed": "0x71c3", "started": "2026-10-01T14:02:11Z", "seconds": 0.74,
    "env": {"cxx": "g++ 12.2.0", "flags": "-O2", "cpu": "x86-64, 2 cores", "isa": [], "gpu": null,
            "sandbox": 0, "load": 0.4},
    "manifest": {"source": {"per_channel.cpp": "sha256:9f2c"}, "kit": "sha256:4f1c", "checks": "sha256:77aa"},
    "needs_look": [],
    "checks": [
      {"id": "ScalesOverRows", "exercise": "quantize_per_channel", "title": "one scale per row",
       "visibility": "public", "detail": "full", "status": "pass", "points": 15, "max_points": 15,
       "leg": "plain", "seconds": 0.004},
      {"id": "ScalesOverColumns", "exercise": "quantize_per_channel", "title": "one scale per column",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 20,
       "leg": "plain", "seconds": 0.004, "diagnosis": "N-AXIS", "sure": false,
       "message": "want 8 scales, got 4 <of \"axis 0\">",
       "first": {"case": "4x8", "shrunk": "1x2", "steps": 6, "input": "x = [-0.978, 4]",
                 "index": [0, 3], "got": "-31", "want": "-127"},
       "tolerance": "1/2 + 2 * qmax * eps",
       "replay": "nibble run 05.quantize_per_channel --check ScalesOverColumns --case 4x8 --seed 0x71c3"},
      {"id": "TiesGoToEven", "exercise": "quantize_per_channel", "title": "ties go to the even neighbour",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 25,
       "leg": "plain", "seconds": 0.001, "diagnosis": "N-ROUND", "message": "3 of 40 codes differ",
       "first": {"case": "ties"}, "replay": "nibble run 05"},
      {"id": "Multiplies", "exercise": "dequantize_per_channel", "title": "real = scale * q",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 10,
       "leg": "plain", "seconds": 0.0, "diagnosis": "N-STUB", "message": "this function is not written yet",
       "first": {"case": "Whole"}, "replay": "nibble run 05"},
      {"id": "EveryShape", "exercise": "dequantize_per_channel", "title": "any shape",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 5,
       "leg": "plain", "seconds": 0.0, "diagnosis": "N-STUB",
       "message": "not run: it builds on a function that is not written yet", "first": {"case": ""},
       "replay": "nibble run 05"}]})json");
}

Result a_pass() {
  Result results = a_failure();
  results.end = record::End::kPass;
  results.points = results.max_points = 15;
  results.checks.resize(1);
  return results;
}

Result a_crash() {
  Result results = a_failure();
  results.end = record::End::kStopped;
  Check check = results.checks[1];
  check.status = CheckStatus::kCrash;
  check.diagnosis = "N-OOB";
  check.sure = true;
  check.message = "read element 32 of argument 1, which has 32 elements";
  check.location = {"labs/05_per_channel/per_channel.cpp", 27};
  check.first.emplace();
  check.first->name = "32";
  check.tolerance.clear();
  check.output = "one\ntwo\n";
  results.checks = {check};
  return results;
}

Diagnoses some_pages() {
  return Diagnoses::parse(
      "# Title\n\nIntroduction.\n\n## N-AXIS: rows taken for columns\n\nA page.\n\nMore.\n\n"
      "## Not a code\n\n## N-OOB: outside\nText\n");
}

View plain_view() {
  View view;
  view.subject = "05_per_channel";
  view.compile_seconds = 0.31;
  view.link_seconds = 0.07;
  view.run_seconds = 0.03;
  return view;
}

// --- Diagnoses ----------------------------------------------------------------------------------

TEST(Diagnoses, SectionsArePages) {
  const Diagnoses pages = some_pages();
  ASSERT_EQ(pages.all().size(), 2u);
  EXPECT_EQ(pages.find("N-AXIS")->page, "A page.\n\nMore.\n\n## Not a code\n");
  EXPECT_EQ(pages.find("axis"), pages.find("N-AXIS"));
  EXPECT_EQ(pages.title("n-oob"), "outside");
  EXPECT_EQ(pages.title("N-NOTHING"), "");
  EXPECT_TRUE(Diagnoses::read("/nonexistent").all().empty());
}

TEST(Diagnoses, EveryCodeOfAMarkSchemeHasAPage) {
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  const Diagnoses pages = Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  std::size_t codes = 0;
  for (const std::string& lab : names_of(kit.labs)) {
    for (const record::Row& row : record::read_scheme(files::read_file(kit.scheme(lab))).checks) {
      if (row.diagnosis.empty()) continue;
      ++codes;
      EXPECT_NE(pages.find(row.diagnosis), nullptr) << lab << " names " << row.diagnosis;
    }
  }
  EXPECT_GT(codes, 0u);
  for (const char* const own :
       {"N-STUB", "N-CRASH", "N-OOB", "N-INPUT", "N-UNWRITTEN", "N-SIZE", "N-REFUSED", "N-THROW",
        "N-EXIT", "N-TIME", "N-MEMORY", "N-PROTOCOL"}) {
    EXPECT_NE(pages.find(own), nullptr) << own;
  }
  for (const Diagnosis& one : pages.all()) EXPECT_GT(one.page.size(), 100u) << one.code;
}

// --- The screen ---------------------------------------------------------------------------------

TEST(Screen, AFailure) {
  EXPECT_EQ(verdict_text(a_failure(), some_pages(), plain_view()),
            "FAIL  05_per_channel   1 of 5 checks     15 of 75 public points     0.74 s  "
            "(compile 0.31, link 0.07, run 0.03)\n"
            " quantize_per_channel\n"
            "  pass  ScalesOverRows         15/15\n"
            "  fail  ScalesOverColumns       0/20   looks like N-AXIS: rows taken for columns\n"
            "        the contract says: one scale per column\n"
            "        want 8 scales, got 4 <of \"axis 0\">\n"
            "        smallest failing input: 1x2 (from 4x8 in 6 steps)\n"
            "        input  x = [-0.978, 4]\n"
            "        at [0,3]   got -31   want -127   tolerance 1/2 + 2 * qmax * eps\n"
            "  fail  1 more                  0/25   probably for the same reason: TiesGoToEven\n"
            " dequantize_per_channel\n"
            "  fail  Multiplies              0/10   N-STUB\n"
            "        this function is not written yet\n"
            "  not run: 1 check that builds on dequantize_per_channel\n"
            "legs    plain 1 of 5 · sanitizers run when plain is green\n"
            "replay  ./nibble run 05.quantize_per_channel --check ScalesOverColumns --case 4x8 "
            "--seed 0x71c3\n"
            "next    ./nibble explain N-AXIS     or     ./nibble hint\n");
  EXPECT_EQ(closing_text(a_failure(), plain_view()),
            "public checks only: hidden checks are worth 25 more points and are run by your"
            " instructor\n");
}

// Values fit the mistakes of others by chance; memory does not.
TEST(Screen, BehindTheFirstFailureTellsWhatWasSeen) {
  Result results = a_failure();
  const auto tells = [&](const char* code) {
    results.checks[2].diagnosis = code;
    return verdict_text(results, some_pages(), plain_view()).find("3 of 40 codes differ") !=
           std::string::npos;
  };
  for (const char* const code : {"N-OOB", "N-RACE", "N-UNWRITTEN"})
    EXPECT_TRUE(tells(code)) << code;
  for (const char* const code : {"N-ROUND", "N-FORMULA", "N-WRONG"})
    EXPECT_FALSE(tells(code)) << code;
}

TEST(Screen, APass) {
  View view = plain_view();
  view.compiled_before = true;
  view.hidden_here = true;
  view.next = "./nibble   goes on";
  EXPECT_EQ(verdict_text(a_pass(), some_pages(), view),
            "PASS  05_per_channel   1 of 1 check     15 of 15 public points     0.74 s  "
            "(compiled before, run 0.03)\n"
            "  pass  ScalesOverRows         15/15\n"
            "legs    plain 1 of 1\n");
  EXPECT_EQ(leg_text(protocol::Leg::kSanitizers, a_pass(), 1.25, view),
            "sanitizers  found nothing     1.25 s\n");
  EXPECT_EQ(closing_text(a_pass(), view),
            "next    ./nibble   goes on\n"
            "public checks only: hidden checks are worth 25 more points and are run by your"
            " instructor, or here with --hidden\n");
}

TEST(Screen, ACrash) {
  EXPECT_EQ(verdict_text(a_crash(), some_pages(), plain_view()),
            "STOP  05_per_channel   0 of 1 check     15 of 75 public points     0.74 s  "
            "(compile 0.31, link 0.07, run 0.03)\n"
            "  stop  ScalesOverColumns       0/20   N-OOB: outside\n"
            "        the contract says: one scale per column\n"
            "        crashed: read element 32 of argument 1, which has 32 elements   "
            "labs/05_per_channel/per_channel.cpp:27\n"
            "        your program printed:\n"
            "          one\n"
            "          two\n"
            "legs    plain 0 of 1\n"
            "replay  ./nibble run 05.quantize_per_channel --check ScalesOverColumns --case 4x8"
            " --seed 0x71c3\n"
            "next    ./nibble explain N-OOB     or     ./nibble hint\n");
}

TEST(Screen, AnUntouchedStarter) {
  Result results = a_failure();
  const Check stub = results.checks[3], waiting = results.checks[4];
  results.checks = {stub, waiting, waiting};
  const std::string text = verdict_text(results, some_pages(), plain_view());
  EXPECT_HOLDS(text, "this function is not written yet");
  EXPECT_HOLDS(text, "  not run: 2 checks that build on dequantize_per_channel\n");
  EXPECT_HOLDS(text, "hint    ./nibble hint\n");
}

TEST(Screen, AHiddenCheckTellsItsKind) {
  Result results = a_failure();
  results.hidden.run = true;
  Check hidden{results.checks[1]};
  hidden = Check{static_cast<const record::CheckHead&>(hidden)};
  hidden.status = CheckStatus::kFail;
  hidden.diagnosis = "N-AXIS";
  hidden.hidden = true;
  hidden.detail = record::Detail::kKind;
  results.checks = {hidden};
  const std::string text = verdict_text(results, some_pages(), plain_view());
  EXPECT_HOLDS(text, "N-AXIS: rows taken for columns   (hidden: its values are not shown)");
  EXPECT_HOLDS(text, "15 of 75 points");
  EXPECT_EQ(closing_text(results, plain_view()), "");
}

TEST(Screen, CompileErrors) {
  Result results = a_pass();
  results.end = record::End::kNoCompile;
  results.checks.clear();
  results.compile_message =
      "In file included from a:1,\n                 from b:2:\nlabs/x.cpp:2:9: error: expected\n"
      "    2 | int x = ;\n      |         ^\n";
  EXPECT_EQ(verdict_text(results, some_pages(), plain_view()),
            "STOP  05_per_channel   does not compile     0.74 s\n"
            "  labs/x.cpp:2:9: error: expected\n"
            "      2 | int x = ;\n"
            "        |         ^\n"
            "the first error is the one to look at: later ones often follow from it\n");
  EXPECT_EQ(one_line(results, plain_view()),
            "STOP does not compile   0.74 s   labs/x.cpp:2:9: error: expected");
}

TEST(Screen, WhatTheSanitizersFound) {
  Result results = a_pass();
  results.end = record::End::kStopped;
  results.finding = {protocol::Leg::kSanitizers,
                     "ScalesOverRows",
                     "quantize_per_channel",
                     "heap-buffer-overflow: a read of 4 bytes",
                     record::Location{"labs/05_per_channel/per_channel.cpp", 9},
                     "4x8",
                     "nibble run 05 --leg sanitizers"};
  EXPECT_EQ(leg_text(protocol::Leg::kSanitizers, results, 1.0, plain_view()),
            "STOP  05_per_channel   sanitizers: heap-buffer-overflow: a read of 4 bytes   "
            "labs/05_per_channel/per_channel.cpp:9\n"
            "        in ScalesOverRows, case 4x8; it costs no points, and the exercise stays open"
            " until it is gone\n"
            "replay  ./nibble run 05 --leg sanitizers\n");
  EXPECT_EQ(one_line_finding(results, plain_view()),
            "STOP sanitizers: heap-buffer-overflow: a read of 4 bytes   "
            "labs/05_per_channel/per_channel.cpp:9");
  results.legs.sanitizers = LegState::kNotHere;
  EXPECT_HOLDS(leg_text(protocol::Leg::kSanitizers, results, 1.0, plain_view()),
               "not counted against you");
}

TEST(Screen, WhatALegFoundInAHiddenCheckIsToldWithIt) {
  Result results = a_pass();
  results.checks[0].hidden = true;
  results.end = record::End::kStopped;
  results.finding = {protocol::Leg::kSanitizers, results.checks[0].id, results.checks[0].exercise,
                     "a read past the end"};
  EXPECT_HOLDS(hidden_text(results, some_pages(), plain_view()), "sanitizers: a read past the end");
  results.finding->check = "APublicOne";  // which was told before
  EXPECT_EQ(hidden_text(results, some_pages(), plain_view()).find("past the end"),
            std::string::npos);
}

TEST(Screen, OneLineForWatch) {
  EXPECT_EQ(one_line(a_failure(), plain_view()),
            "FAIL 1/5   0.74 s   ScalesOverColumns: want 8 scales, got 4 <of \"axis 0\">: got -31,"
            " want -127   looks like N-AXIS");
  EXPECT_EQ(one_line(a_pass(), plain_view()), "PASS 1/1   0.74 s");
}

TEST(Screen, ColourOnlyDecorates) {
  View colourful = plain_view();
  colourful.paint.on = true;
  Result results = a_failure();
  results.odd_imports = {"fork", "socket"};
  const std::string text = verdict_text(results, some_pages(), colourful);
  EXPECT_HOLDS(text, "\033[31m");
  EXPECT_EQ(std::regex_replace(text, std::regex("\033\\[[0-9]+m"), ""),
            verdict_text(results, some_pages(), plain_view()));
  EXPECT_HOLDS(verdict_text(results, some_pages(), plain_view()),
               "RULE  calls fork, socket, which no lab needs: your instructor will look at it\n");
}

TEST(Screen, WarningsAreShownWhereTheyAreFew) {
  Result results = a_pass();
  results.compile_message =
      "a.cpp: In function f:\na.cpp:1:2: warning: one\n  1 | x\na.cpp:2:2: warning: "
      "two\na.cpp:3:2: warning: three\na.cpp:4:2: warning: four\n";
  const std::string text = verdict_text(results, some_pages(), plain_view());
  EXPECT_HOLDS(text,
               "warns   a.cpp:1:2: warning: one\nwarns   a.cpp:2:2: warning: two\n"
               "warns   a.cpp:3:2: warning: three\nwarns   and 1 more\n");
}

TEST(Screen, AVariableWithoutAValueIsTheFirstLineOfAFailure) {
  Result results = a_failure();
  results.compile_message =
      "a.cpp:1:2: warning: one\na.cpp:7:3: warning: 'sum' may be used uninitialized\n";
  const std::string line = "unset   a.cpp:7:3: warning: 'sum' may be used uninitialized\n";
  const std::string text = verdict_text(results, some_pages(), plain_view());
  EXPECT_EQ(text.find(line), text.find('\n') + 1) << text;
  EXPECT_HOLDS(text, "warns   a.cpp:1:2: warning: one\n");
  EXPECT_EQ(text.find("warns   a.cpp:7:3"), std::string::npos) << "said once";
  results = a_pass();
  results.compile_message = "a.cpp:7:3: warning: 'sum' may be used uninitialized\n";
  EXPECT_EQ(verdict_text(results, some_pages(), plain_view()).find("unset"), std::string::npos);
}

TEST(Screen, OutputOfAPassIsKept) {
  Result results = a_pass();
  results.checks[0].output = "debugging\n";
  EXPECT_HOLDS(verdict_text(results, some_pages(), plain_view()),
               "kept in .nibble/out/05_per_channel/results.json");
}

// --- Sanitizers ---------------------------------------------------------------------------------

TEST(Sanitizer, TheLearnersLineIsTheFirstOfAnyLab) {
  const auto place = learners_line(
      "#0 0x4 in f /usr/include/c++/12/span:278\n"
      "#1 0x5 in f /kit/.nibble/work/x/labs/03_symmetric/symmetric.cpp:44\n"
      "#2 0x6 in main labs/03_symmetric/symmetric.cpp:99\n");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "labs/03_symmetric/symmetric.cpp");
  EXPECT_EQ(place->line, 44);
  EXPECT_FALSE(learners_line("nothing here").has_value());
  EXPECT_EQ(learners_line("labs/21_cuda/x.cu:0")->line, 1);
}

TEST(Sanitizer, ReportsBecomeSentences) {
  EXPECT_EQ(
      summary(
          "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD of size 4 at"),
      "heap-buffer-overflow: a read of 4 bytes outside a vector or an allocated block");
  EXPECT_EQ(summary("AddressSanitizer: stack-use-after-scope on\nWRITE of size 1 at"),
            "stack-use-after-scope: a write of 1 byte of a variable that no longer exists");
  EXPECT_EQ(summary("AddressSanitizer: SEGV on unknown"),
            "SEGV: an access at an address that is not the program's");
  EXPECT_EQ(summary("AddressSanitizer: alloc-dealloc-mismatch (x)"), "alloc-dealloc-mismatch");
  EXPECT_EQ(summary("a.cpp:3:4: runtime error: signed integer overflow: 1 + 2\n"),
            "undefined behaviour: signed integer overflow: 1 + 2");
  EXPECT_EQ(summary("Assertion '__n < this->size()' failed."),
            "a check of the standard library failed: __n < this->size()");
  EXPECT_EQ(summary("hello"), "");
}

TEST(Sanitizer, AddressesDoNotTellTwoRunsApart) {
  EXPECT_EQ(without_addresses("==123==ERROR at 0x7ffd00001234, seed 0x71"),
            "====ERROR at 0x..., seed 0x71");
}

// --- The machine --------------------------------------------------------------------------------

TEST(Machine, VectorUnitsAreReadFromTheKernelsList) {
  EXPECT_EQ(
      vector_units(
          "model name : x\nflags\t\t: fpu avx2 sse amx_int8 avx512_vnni\nbugs : y\nflags : f16c\n"),
      (std::vector<std::string>{"amx_int8", "avx2", "avx512_vnni"}));
  EXPECT_EQ(vector_units("a : b\nFeatures\t: fp asimd i8mm\n"),
            (std::vector<std::string>{"asimd", "i8mm"}));
  EXPECT_TRUE(vector_units("").empty());
}

TEST(Machine, ThisOneHasAProcessor) {
  const Machine machine = this_machine();
  EXPECT_HOLDS(machine.cpu, " core");
  EXPECT_GE(machine.load, 0.0);
  EXPECT_TRUE(
      std::regex_match(utc_now(), std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")));
}

// --- results.json -------------------------------------------------------------------------------

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

// --- JUnit --------------------------------------------------------------------------------------

/// What xmllint has against it; nothing when it is well-formed, or xmllint is not here.
std::string complaints(const std::string& xml) {
  const fs::path file =
      fs::temp_directory_path() / ("nibble-junit-" + std::to_string(getpid()) + ".xml");
  files::write_atomically(file, xml);
  std::string text;
  try {
    const process::Finished lint = process::run({.words = {"xmllint", "--noout", file.string()}});
    if (!lint.ok()) text = lint.err;
  } catch (const std::system_error&) {
  }
  fs::remove(file);
  return text;
}

TEST(Junit, AFailure) {
  const std::string xml = junit_xml({a_failure()}, "runner-7");
  EXPECT_EQ(complaints(xml), "");
  EXPECT_HOLDS(
      xml, "<testsuites name=\"nibble\" tests=\"5\" failures=\"4\" errors=\"0\" time=\"0.740\">");
  EXPECT_HOLDS(
      xml,
      "<testsuite name=\"05_per_channel\" tests=\"5\" failures=\"4\" errors=\"0\" "
      "skipped=\"0\" time=\"0.740\" timestamp=\"2026-10-01T14:02:11\" hostname=\"runner-7\">");
  EXPECT_HOLDS(xml, "<property name=\"nibble.points\" value=\"15\"/>");
  EXPECT_HOLDS(
      xml,
      "<testcase classname=\"05_per_channel.quantize_per_channel\" name=\"ScalesOverRows\" "
      "time=\"0.004\"/>");
  EXPECT_HOLDS(xml,
               "<failure type=\"N-AXIS\" message=\"want 8 scales, got 4 &lt;of &quot;axis "
               "0&quot;&gt;\">at [0,3]: got -31, want -127\nreplay: nibble run 05.");
}

TEST(Junit, EveryStatus) {
  Result results = a_crash();
  const Check crash = results.checks[0];
  for (const CheckStatus status : {CheckStatus::kPart, CheckStatus::kSkip, CheckStatus::kTimeout,
                                   CheckStatus::kRule, CheckStatus::kOdd, CheckStatus::kError}) {
    results.checks.push_back(crash);
    results.checks.back().status = status;
  }
  results.checks[0].output = "\x1b[2J <tag> & \xEF\xBF\xBF";
  const std::string xml = junit_xml({results, a_pass()}, "h");
  EXPECT_EQ(complaints(xml), "");
  EXPECT_HOLDS(
      xml, "<testsuites name=\"nibble\" tests=\"8\" failures=\"0\" errors=\"5\" time=\"1.480\">");
  EXPECT_HOLDS(xml, "<error type=\"crash\" message=\"read element 32");
  EXPECT_HOLDS(xml, "labs/05_per_channel/per_channel.cpp:27\nreplay: ");
  EXPECT_HOLDS(xml, "<error type=\"kit\"");
  EXPECT_HOLDS(xml, "<skipped message=");
  EXPECT_HOLDS(xml, "<system-out>0 of 20 points</system-out>");
  EXPECT_HOLDS(xml, "?[2J &lt;tag&gt; &amp; ?");
}

TEST(Junit, WhatBelongsToNoCheckIsACaseOfItsOwn) {
  Result broken = a_pass();
  broken.end = record::End::kNoCompile;
  broken.checks.clear();
  broken.compile_message = "error: x";
  EXPECT_HOLDS(junit_xml({broken}, "h"), "name=\"Compiles\"");
  Result found = a_pass();
  found.finding = {protocol::Leg::kSanitizers, "A", "f", "overflow"};
  const std::string xml = junit_xml({found}, "h");
  EXPECT_HOLDS(xml, "name=\"Sanitizers\"");
  EXPECT_HOLDS(xml, "errors=\"1\"");
  EXPECT_EQ(complaints(xml), "");
}

}  // namespace
}  // namespace nibble::report
