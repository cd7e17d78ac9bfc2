// What is cut from a handout, and what is refused.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "handout/copied_lines.hpp"
#include "handout/handout_cut.hpp"
#include "handout/handout_list.hpp"
#include "handout_tree.hpp"
#include "lab/cut.hpp"
#include "language/catalog.hpp"
#include "teach/teach.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

namespace fs = std::filesystem;

TEST(HandoutList, PatternsNameFiles) {
  EXPECT_TRUE(fits("grader/judge/call.hpp", "grader/judge/*"));
  EXPECT_TRUE(fits("common/nibble/net/a.hpp", "common/**"));
  EXPECT_TRUE(fits("docs/examples/03_steps.cpp", "docs/examples/03_*.cpp"));
  EXPECT_FALSE(fits("grader/gpu/bench/main.cpp", "grader/gpu/*"));
  EXPECT_FALSE(fits("LICENSE.bak", "LICENSE"));
  EXPECT_FALSE(fits("", "*.hpp"));
}

TEST(HandoutCut, HiddenPartsAreGone) {
  EXPECT_EQ(without_hidden_parts("a\n// NIBBLE-BEGIN-HIDDEN\nsecret\n// NIBBLE-END\nb\n"),
            "a\nb\n");
  EXPECT_EQ(without_hidden_parts("  # NIBBLE-BEGIN-INSTRUCTOR: why\nx\n  # NIBBLE-END\n"), "");
  EXPECT_EQ(without_hidden_parts("<!-- NIBBLE-BEGIN-INSTRUCTOR -->\nx\n<!-- NIBBLE-END -->\n"), "");
  EXPECT_EQ(without_hidden_parts("f(\"NIBBLE-BEGIN-HIDDEN\");\n"), "f(\"NIBBLE-BEGIN-HIDDEN\");\n");
  EXPECT_THROW(without_hidden_parts("// NIBBLE-BEGIN-HIDDEN\nsecret\n"), text::FormatError);
  EXPECT_THROW(without_hidden_parts("// NIBBLE-BEGIN-HIDDEN\n// NIBBLE-BEGIN-HIDDEN\n"),
               text::FormatError);
}

TEST(HandoutCut, OtherLabsAreGone) {
  const std::string list = "nibble_lab(01_grid)\nnibble_lab(14_cpu_int8_gemm KERNELS)\n";
  EXPECT_EQ(without_other_labs(list, {"14_cpu_int8_gemm"}),
            "nibble_lab(14_cpu_int8_gemm KERNELS)\n");
  const std::string rows =
      "| lab |\n| [01 grid](labs/01_grid) | a |\n| [x](book/03_symmetric.md) |\n";
  EXPECT_EQ(without_other_labs(rows, {"01_grid"}), "| lab |\n| [01 grid](labs/01_grid) | a |\n");
}

TEST(HandoutCut, DeadLinksAreWords) {
  const auto exists = [](const fs::path& path) { return path == "docs/book/01_grid.md"; };
  EXPECT_EQ(without_dead_links("[a](01_grid.md#x) [b](../gone.md) [c](https://x.org) `[](int x)`",
                               "docs/book/03_symmetric.md", exists),
            "[a](01_grid.md#x) b [c](https://x.org) `[](int x)`");
}

TEST(CopiedLines, ARunOfLinesIsACopyAndALineIsNot) {
  SolutionLines solutions;
  solutions.add(
      "03_symmetric",
      "for (float x : values) {\n  // why\n  largest = std::max(largest, x);\n}\n"
      "const float given_line = 0;\nfloat scale = largest / steps;\nreturn scale_of(x);\n",
      "const float given_line = 0;\n");
  EXPECT_EQ(solutions.copy_in("return scale_of(x);\nfloat scale = largest / steps;\n"), "");
  const std::string copy =
      "int a;\n    for (float x : values) {\n\n  largest  = std::max(largest, x);  // mine\n"
      "float scale = largest / steps;\n return scale_of(x);\n";
  EXPECT_EQ(solutions.copy_in(copy), "03_symmetric: from `for (float x : values) {` on, 4 lines");
}

TEST(CopiedLines, IncludesGiveNothingAway) {
  SolutionLines solutions;
  solutions.add("34_onnx_export", "#include <map>\n#include <string_view>\n", "");
  EXPECT_EQ(solutions.copy_in("#include <map>\n#include <string_view>\n"), "");
}

TEST_F(HandoutTree, WhatGivesASolutionAwayIsRefused) {
  std::string whole;
  for (const lab::SolutionPart& region : lab::solution_regions(solution("03_symmetric"))) {
    whole += text::text_of(region.lines);
  }
  EXPECT_TRUE(leaks_in(kit_, {{"docs/book/x.md", "nothing"}}).empty());
  for (const char* const file : {"docs/book/x.md", "grader/judge/x.hpp", "nibble"}) {
    const auto found = leaks_in(kit_, {{file, "text\n" + whole}});
    ASSERT_EQ(found.size(), 1u) << file;
    EXPECT_EQ(found[0].find(std::string(file) + ": 03_symmetric: from `"), 0u) << found[0];
  }
  setenv("NIBBLE_SALT", "a-course-secret", 1);
  const auto found = leaks_in(kit_, {{"a.txt", "salt = a-course-secret"}});
  unsetenv("NIBBLE_SALT");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "a.txt: holds the course's secret");
}

TEST_F(HandoutTree, HintsOfItsLabsAreCarriedAndSaid) {
  const lab::HintBudget hints = {{"03_symmetric", 3}, {"05_per_channel", 2}};
  ASSERT_EQ(hand_out(kit_, {.out = out(), .labs = {"03"}, .counts = false, .hints = hints}), 0);
  EXPECT_EQ(files::read_file(out() / lab::kHintBudget), "03_symmetric 3\n");
  lab::Kit given = kit_;
  given.source = out();
  EXPECT_EQ(lab::hint_budget_of(given, "03_symmetric"), 3);
  EXPECT_FALSE(lab::hint_budget_of(given, "05_per_channel"));
  EXPECT_FALSE(lab::hint_budget_of(kit_, "03_symmetric")) << "the whole kit says nothing";
  EXPECT_EQ(lab::hints_left("03_symmetric", 3, 1), "2 of 3 hints for 03_symmetric left\n");
  EXPECT_EQ(lab::hints_left("03_symmetric", 3, 3), "0 of 3 hints for 03_symmetric left\n");
  EXPECT_NE(lab::hints_left("03_symmetric", 3, 5).find("2 more than the 3"), std::string::npos);
  // A course that gives more of them sends that as an update, and no points change.
  ASSERT_EQ(hand_out(kit_, {.out = root_ / "more",
                            .labs = {"03"},
                            .update = out(),
                            .counts = false,
                            .hints = {{"03_symmetric", 5}}}),
            0);
  EXPECT_EQ(files::read_file(root_ / "more" / lab::kHintBudget), "03_symmetric 5\n");
  EXPECT_NE(files::read_file(root_ / "more/UPDATE.md").find("your points stay"), std::string::npos);
}

TEST_F(HandoutTree, SpeaksTheLanguageOfItsCourse) {
  ASSERT_EQ(hand_out(kit_, {.out = out(), .labs = {"03"}, .counts = false, .language = "de"}), 0);
  unsetenv("NIBBLE_LANGUAGE");
  const language::Catalog german = language::catalog_of_reader(out() / "grader" / "language");
  EXPECT_EQ(german.translate("ties go to the even neighbour").text,
            "genau in der Mitte gewinnt der gerade Nachbar");
  const std::string po = files::read_file(out() / "grader" / "language" / "de.po");
  const char* const hidden = "-x gives -q, 2^20 x gives q, and twice gives once";
  EXPECT_EQ(po.find(hidden), std::string::npos) << "what hidden checks say is not in it";
  EXPECT_NE(files::read_file(kit_.catalogs() / "de.po").find(hidden), std::string::npos);
}

TEST_F(HandoutTree, OnlyAnEmptyFolderIsFilled) {
  fs::create_directories(out());
  std::ofstream(out() / "old.txt") << "old";
  EXPECT_THROW(hand_out(kit_, {out(), {"03"}}), std::invalid_argument);
  EXPECT_THROW(hand_out(kit_, {root_ / "new", {"no_such_lab"}}), std::invalid_argument);
  EXPECT_FALSE(fs::exists(root_ / "new"));
}

TEST_F(HandoutTree, AnUpdateHoldsWhatDiffersAndNothingThatLearnersWrite) {
  ASSERT_EQ(hand_out(kit_, {.out = out(), .labs = {"03", "05"}, .counts = false}), 0);
  const std::string id = files::read_file(out() / lab::kHandoutId);
  const auto update = [&](const char* to) {
    return hand_out(kit_,
                    {.out = root_ / to, .labs = {"03", "05"}, .update = out(), .counts = false});
  };
  EXPECT_EQ(update("same"), 0);
  EXPECT_FALSE(std::filesystem::exists(root_ / "same")) << "nothing differs";
  files::write_atomically(out() / "grader/checks/03_symmetric/symmetric_scale.cpp", "older");
  files::write_atomically(out() / "docs/book/05_per_channel.md", "older");
  files::write_atomically(out() / "labs/03_symmetric/symmetric.cpp", "// mine");
  files::write_atomically(out() / "grader/checks/05_per_channel/gone.hpp", "");
  files::write_atomically(out() / "build/anything", "");
  ASSERT_EQ(update("new"), 0);
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ / "new")) {
    if (entry.is_regular_file())
      files.insert(entry.path().lexically_relative(root_ / "new").string());
  }
  EXPECT_EQ(files, (std::set<std::string>{"UPDATE.md", "docs/book/05_per_channel.md",
                                          "grader/checks/03_symmetric/symmetric_scale.cpp"}));
  const std::string page = files::read_file(root_ / "new/UPDATE.md");
  EXPECT_NE(page.find("handout " + id.substr(0, id.size() - 1)), std::string::npos) << page;
  EXPECT_NE(page.find("Yours stays"), std::string::npos) << page;
  EXPECT_NE(page.find("- `labs/03_symmetric/symmetric.cpp`"), std::string::npos) << page;
  EXPECT_NE(page.find("delete them:\n\n- `grader/checks/05_per_channel/gone.hpp`"),
            std::string::npos)
      << page;
  std::filesystem::remove(out() / "grader/checks/05_per_channel/gone.hpp");
  ASSERT_EQ(update("newer"), 0);
  const std::string later = files::read_file(root_ / "newer/UPDATE.md");
  EXPECT_NE(later.find("Points may change in: 03_symmetric."), std::string::npos) << later;
  ASSERT_EQ(
      hand_out(kit_, {.out = root_ / "fewer", .labs = {"03"}, .update = out(), .counts = false}),
      0);
  const std::string fewer = files::read_file(root_ / "fewer/UPDATE.md");
  EXPECT_NE(fewer.find("- `labs/05_per_channel/per_channel.hpp`"), std::string::npos) << fewer;
  EXPECT_EQ(fewer.find("- `labs/05_per_channel/per_channel.cpp`"), std::string::npos)
      << "nobody is told to delete what they wrote";
  EXPECT_THROW(
      hand_out(kit_, {.out = root_ / "x", .labs = {"03"}, .update = root_, .counts = false}),
      std::invalid_argument);
}

TEST_F(HandoutTree, LabsAreNamedAfterTheFolder) {
  int exit_code = -1;
  CLI::App app;
  teach::add_teach_commands(app, kit_, exit_code);
  app.parse("handout " + out().string() + " 03 grid");
  EXPECT_EQ(exit_code, 0);
  EXPECT_TRUE(fs::exists(out() / "labs/03_symmetric"));
  EXPECT_TRUE(fs::exists(out() / "labs/01_grid"));
  EXPECT_FALSE(fs::exists(out() / "labs/14_cpu_int8_gemm"));
  EXPECT_TRUE(fs::exists(out() / "AGENTS.md"));
}

// Checks of one lab may hold what another asks for.
TEST_F(HandoutTree, AllLabsTogetherGiveNothingAway) {
  ASSERT_EQ(hand_out(kit_, {.out = out(), .labs = {}, .counts = false}), 0);
  EXPECT_EQ(fs::exists(out() / "labs/14_cpu_int8_gemm"), true);
}

/// Every file of a handout of two labs is looked through.
TEST_F(HandoutTree, HoldsNothingOfASolution) {
  ASSERT_EQ(hand_out(kit_, {out(), {"03", "19"}}), 0);

  // Lines of every solution that are long enough to be nobody else's.
  std::set<std::string> secret;
  for (const std::string& lab : names_of(lab::labs_with_solution(kit_))) {
    for (const lab::SolutionPart& region : lab::solution_regions(solution(lab))) {
      const std::vector<std::string> lines = telling_lines(text::text_of(region.lines));
      for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        if (lines[i].size() + lines[i + 1].size() >= 90) secret.insert(lines[i] + lines[i + 1]);
      }
    }
  }
  ASSERT_GT(secret.size(), 100u);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out())) {
    const std::string name = entry.path().lexically_relative(out()).string();
    for (const char* const part :
         {"solutions", "mistakes", "attacks", ".git/", "tests", "fuzz", "/hidden.cpp", "clauses"}) {
      EXPECT_EQ(name.find(part), name.npos) << name;
    }
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string text = files::read_file(entry.path());
    for (const char* const word : {"Mark hidden_marks", "hidden_seed(1", "\nNIBBLE-BEGIN-HIDDEN"}) {
      EXPECT_EQ(text.find(word), text.npos) << name << " holds " << word;
    }
    const std::vector<std::string> lines = telling_lines(text);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      EXPECT_FALSE(secret.contains(lines[i] + lines[i + 1])) << name << ": " << lines[i];
    }
  }
  EXPECT_GT(files, 200);
}

}  // namespace
}  // namespace nibble::handout
