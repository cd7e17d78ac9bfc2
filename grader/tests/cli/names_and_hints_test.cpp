// What a learner asks for by name: labs and exercises, hints, solutions, the starter again.
#include <algorithm>
#include <set>
#include <utility>

#include "cli/hint_choice.hpp"
#include "cli/labs.hpp"
#include "cli/learner.hpp"
#include "cli/solution_text.hpp"
#include "end_to_end.hpp"

namespace nibble::cli {
namespace {

std::vector<MarkedLab> two_labs() {
  MarkedLab first{{"03_symmetric"},
                  "symmetric",
                  {{"quantize_symmetric", 60, 6}, {"dequantize_symmetric", 15, 1}},
                  75,
                  25,
                  {}};
  MarkedLab second{{"31_qat"}, "training", {{"fake_quantize", 75, 3}}, 75, 0, {}};
  return {first, second};
}

TEST(Names, AllTheUsualOnesAreUnderstood) {
  const std::vector<MarkedLab> labs = two_labs();
  for (const char* const word : {"03_symmetric", "03", "3", "symmetric"}) {
    EXPECT_EQ(find_target(labs, word).subject(), "03_symmetric") << word;
  }
  for (const char* const word : {"03.dequantize_symmetric", "symmetric.dequantize_symmetric",
                                 "03_symmetric.dequantize_symmetric", "dequantize_symmetric"}) {
    EXPECT_EQ(find_target(labs, word).subject(), "03.dequantize_symmetric") << word;
  }
  EXPECT_EQ(find_exercise(labs, "31").subject(), "31.fake_quantize");
  for (const char* const path :
       {"labs/03_symmetric/symmetric.cpp", "symmetric.cpp", "./03_symmetric/",
        "/home/kim/kit/labs/03_symmetric/symmetric.hpp"}) {
    EXPECT_EQ(find_target(labs, path).subject(), "03_symmetric") << path;
  }
}

std::string trouble_with(const std::vector<MarkedLab>& labs, const std::string& word) {
  try {
    find_exercise(labs, word);
  } catch (const Trouble& trouble) {
    EXPECT_EQ(trouble.exit_code, kUsage);
    return trouble.what();
  }
  return "";
}

TEST(Names, TheNearestIsSuggested) {
  const std::vector<MarkedLab> labs = two_labs();
  EXPECT_NE(trouble_with(labs, "symetric").find("did you mean symmetric?"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "03.quantise_symmetric").find("did you mean quantize_symmetric?"),
            std::string::npos);
  EXPECT_EQ(trouble_with(labs, "something_else_entirely").find("did you mean"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "99.f").find("no lab is called 99"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "03").find("which exercise"), std::string::npos);
}

TEST(Names, EditsAreCounted) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Names, EveryLabHasAPart) {
  for (const auto& [number, part] :
       std::vector<std::pair<std::string, std::string>>{{"01", "A Foundations"},
                                                        {"07", "B Schemes"},
                                                        {"13", "C Formats"},
                                                        {"14", "D CPU kernels"},
                                                        {"28", "E CUDA kernels"},
                                                        {"35", "F Models"},
                                                        {"77", "More"}}) {
    EXPECT_EQ(lab::Lab{number + "_x"}.part(), part);
  }
}

TEST_F(EndToEnd, WordsThatAreWrong) {
  const auto err = [&](const std::vector<std::string>& words) {
    const process::Finished run = nibble(words);
    EXPECT_EQ(run.exit_status, kUsage) << run.out;
    EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 70);
    return run.err;
  };
  EXPECT_HOLDS(err({"run", "symetric"}), "did you mean symmetric?");
  EXPECT_HOLDS(err({"03"}), "03 is no command; to judge 03_symmetric: ./nibble run 03");
  EXPECT_HOLDS(err({"wacth"}), "no command is called wacth: did you mean watch?");
  EXPECT_HOLDS(err({"run", "03", "--check", "Nothing"}), "no check of 03_symmetric");
  EXPECT_HOLDS(err({"run", "03", "--seed", "zz"}), "a seed is written as");
  EXPECT_HOLDS(err({"run", "03", "--case", "Nothing"}), "no case");
  EXPECT_HOLDS(err({"explain", "N-NOTHING"}), "./nibble explain lists them");
  err({"run"});
  err({"frobnicate"});
  err({"run", "03", "--leg", "telepathy"});
  EXPECT_EQ(nibble({"--help"}).exit_status, kPassed);
  EXPECT_HOLDS(nibble({"--version"}).out, "1.0.0");
  const std::string page = nibble({"explain", "axis"}).out;
  EXPECT_HOLDS(page, "N-AXIS: rows taken for columns");
  EXPECT_EQ(page.find_first_of("*`"), std::string::npos) << page;
  EXPECT_HOLDS(nibble({"explain"}).out, "N-ROUND       wrong half-way rule");
}

TEST(LearnersFile, DefinitionsAreFound) {
  const std::string source =
      "// f(x)\n\nint g(int x) {\n  return f(x);\n}\nfloat f(int x) { return x; }\n";
  EXPECT_EQ(line_of(source, "f"), 6);
  EXPECT_EQ(line_of(source, "g"), 3);
  EXPECT_EQ(line_of(source, "h"), 0);
}

TEST(Solution, ShowsTheFunctionAndTheHelpersItCalls) {
  const std::string solution =
      "// NIBBLE-BEGIN-SOLUTION\n// About the file.\n// NIBBLE-END\n"
      "namespace nibble {\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int inner(int x) { return x; }\n// NIBBLE-END\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int helper(int x) { return inner(x); }\n// NIBBLE-END\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int unused(int x) { return x; }\n// NIBBLE-END\n"
      "int f(int x) {\n  // NIBBLE-BEGIN-SOLUTION\n  return helper(x);\n"
      "  // NIBBLE-STUB: NIBBLE_TODO(\"f\");\n  // NIBBLE-END\n}\n"
      "int g(int x) {\n  // NIBBLE-BEGIN-SOLUTION\n  return x;\n  // NIBBLE-END\n}\n}\n";
  EXPECT_EQ(
      solution_of(solution, "f"),
      "static int inner(int x) { return x; }\n\nstatic int helper(int x) { return inner(x); }\n"
      "\nint f(int x) {\n  return helper(x);\n}\n");
  EXPECT_EQ(solution_of(solution, "g"), "int g(int x) {\n  return x;\n}\n");
  EXPECT_EQ(solution_of(solution, "h"), "");
}

TEST_F(EndToEnd, SolutionsWaitForAPassOrAWord) {
  const process::Finished refused = nibble({"solution", "03." + last_});
  EXPECT_EQ(refused.exit_status, kFailed);
  EXPECT_HOLDS(refused.out, "is not passed yet");
  const process::Finished given = nibble({"solution", "03." + last_, "--give-up"});
  EXPECT_EQ(given.exit_status, kPassed);
  EXPECT_HOLDS(given.out, last_ + "(");
  EXPECT_HOLDS(progress(), "gave-up=");
}

TEST(Hints, TheLastDiagnosisChoosesTheFirst) {
  const std::vector<lab::Hint> hints = {{"f", 1, "N-ROUND", "round", 1},
                                        {"f", 1, "N-DIV0", "zero", 2},
                                        {"f", 2, "", "idea", 3},
                                        {"f", 3, "", "code", 4}};
  const auto text = [&](const std::string& diagnosis, const std::set<std::string>& shown,
                        int level = 0) {
    const lab::Hint* const hint = choose_hint(hints, diagnosis, shown, level);
    return hint == nullptr ? "" : hint->text;
  };
  EXPECT_EQ(text("N-DIV0", {}), "zero");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0"}), "idea");
  EXPECT_EQ(text("N-ROUND", {"1:N-DIV0", "2"}), "round");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0", "2"}), "code");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0", "2", "3"}), "");
  EXPECT_EQ(text("", {}), "round");
  EXPECT_EQ(text("N-AXIS", {}), "idea");
  EXPECT_EQ(text("N-AXIS", {}, 1), "round");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0"}, 1), "zero");
  EXPECT_EQ(text("", {}, 3), "code");
  EXPECT_EQ(text("", {}, 9), "");
}

TEST_F(EndToEnd, HintsGoOnAndAreCounted) {
  const process::Finished one = nibble({"hint", "03." + last_});
  ASSERT_EQ(one.exit_status, kPassed) << one.err;
  EXPECT_HOLDS(one.out, "hint of level 1 of 3");
  EXPECT_EQ(one.out.find("left"), std::string::npos) << "only a course says how many";
  EXPECT_HOLDS(progress(), "hints=1");
  EXPECT_NE(nibble({"hint"}).out, one.out);
  nibble({"hint", "03." + last_, "--level", "1"});
  EXPECT_HOLDS(progress(), "hints=2");  // one that was shown before is free
  for (int i = 0; i < 9; ++i) nibble({"hint", "03." + last_});
  EXPECT_HOLDS(nibble({"hint", "03." + last_}).out, "that was the last hint");
  EXPECT_EQ(nibble({"hint", "03." + last_, "--level", "4"}).exit_status, kUsage);
}

TEST_F(EndToEnd, ResetKeepsWhatWasThere) {
  save("mine");
  const process::Finished reset = nibble({"reset", "03." + last_});
  EXPECT_EQ(reset.exit_status, kPassed) << reset.err;
  EXPECT_HOLDS(reset.out, "symmetric.cpp.bak-1");
  EXPECT_HOLDS(reset.out, "the whole file");
  EXPECT_EQ(files::read_file(file()), starter());
  EXPECT_EQ(files::read_file(file().string() + ".bak-1"), "mine");
  EXPECT_HOLDS(nibble({"reset", "03"}).out, "is the starter already");
  save("mine again");
  nibble({"reset", "03"});
  EXPECT_EQ(files::read_file(file().string() + ".bak-2"), "mine again");
}

}  // namespace
}  // namespace nibble::cli
