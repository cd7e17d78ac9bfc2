// What a learner reads of a verdict on the screen, and which page explains it.
#include "a_verdict.hpp"

#include "lab/kit.hpp"

namespace nibble::report {
namespace {

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

}  // namespace
}  // namespace nibble::report
