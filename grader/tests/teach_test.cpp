// The readers of the kit's hand-written files, each with what people get wrong in them.
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "handout/leaks.hpp"
#include "lab/cut.hpp"
#include "lab/hints.hpp"
#include "lab/kit.hpp"
#include "lab/lab_files.hpp"
#include "proofs/course.hpp"
#include "proofs/diagnoses.hpp"
#include "proofs/includes.hpp"
#include "proofs/lints.hpp"
#include "proofs/listings.hpp"
#include "proofs/map.hpp"
#include "proofs/mistakes.hpp"
#include "proofs/nouns.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proof.hpp"
#include "proofs/proofs.hpp"
#include "proofs/verdicts.hpp"
#include "teach/grade.hpp"
#include "teach/guarded.hpp"
#include "text/cpp_text.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// What `body` throws as a FormatError; empty when it does not.
template <class Body>
std::string format_error(Body body) {
  try {
    body();
  } catch (const text::FormatError& error) {
    return error.what();
  }
  return "";
}

/// Words, not a whole message: the test should outlive a better sentence.
void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << "no `" << part << "` in `" << text << "`";
}

// --- text ---------------------------------------------------------------------------------------

TEST(Text, LinesWithAndWithoutTheLastEnd) {
  EXPECT_EQ(text::lines_of("a\n\nb"), (Strings{"a", "", "b"}));
  EXPECT_EQ(text::lines_of("a\n\nb\n"), (Strings{"a", "", "b"}));
  EXPECT_EQ(text::lines_of(""), Strings{});
  EXPECT_EQ(text::lines_of("\n"), Strings{""});
}

TEST(Text, BlanksAreSqueezed) {
  EXPECT_EQ(text::squeeze("  a \t b\r\n"), "a b");
  EXPECT_EQ(text::squeeze(" \n"), "");
}

TEST(Text, PlacesAreCountedEvenWhereTheyOverlap) {
  EXPECT_EQ(text::count_of("aa", "aaa"), 2);
  EXPECT_EQ(text::count_of("", "aaa"), 0);
}

TEST(CppText, CommentsGoAndLinesStay) {
  EXPECT_EQ(text::without_comments("a // b\nc /* d\ne */ f"), "a     \nc     \n     f");
  EXPECT_EQ(text::without_comments("\"// no comment\" 'x'"), "\"// no comment\" 'x'");
  EXPECT_EQ(text::without_comments("'\"' // yes"), "'\"'       ");
  EXPECT_EQ(text::without_comments("1'000 // yes"), "1'000       ");
  EXPECT_EQ(text::without_comments("R\"(// kept \" too)\" // gone"),
            "R\"(// kept \" too)\"        ");
  EXPECT_EQ(text::without_comments("\"a\\\"// b\""), "\"a\\\"// b\"");
}

TEST(CppText, StringsAreEmptiedWhenAsked) {
  EXPECT_EQ(text::without_comments_and_strings("f(\"ab\", 'c') // d"), "f(\"  \", ' ')     ");
}

TEST(CppText, TokensAreNamesNumbersAndSigns) {
  EXPECT_EQ(text::tokens_of("a_1 += 2.5f;"), (Strings{"a_1", "+", "=", "2", ".", "5f", ";"}));
}

// --- cut ----------------------------------------------------------------------------------------

TEST(Cut, DropsMarkedPartsAndPrintsStubs) {
  EXPECT_EQ(lab::cut_starter("int f() {\n"
                             "  // NIBBLE-BEGIN-SOLUTION\n"
                             "  return 42;\n"
                             "  // NIBBLE-STUB: // think\n"
                             "  // NIBBLE-STUB:   NIBBLE_TODO(\"f\");\n"
                             "  // NIBBLE-END\n"
                             "}"),
            "int f() {\n  // think\n    NIBBLE_TODO(\"f\");\n}\n");
}

TEST(Cut, RegionsHoldNoStubs) {
  const auto regions = lab::solution_regions(
      "a\n// NIBBLE-BEGIN-SOLUTION\nb\n// NIBBLE-STUB: c\nd\n// NIBBLE-END\n");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].lines, (Strings{"b", "d"}));
  EXPECT_EQ(regions[0].line, 3);
}

TEST(Cut, MalformedMarksAreErrorsWithLines) {
  const auto error = [](const char* text) { return format_error([&] { lab::cut_starter(text); }); };
  const std::string begin = "// NIBBLE-BEGIN-SOLUTION\n";
  expect_contains(error((begin + "a\n" + begin).c_str()), "line 3");  // nested
  expect_contains(error(("a\n" + begin + "b\n").c_str()), "line 2");  // unclosed
  expect_contains(error("a\n// NIBBLE-END\n"), "line 2");
  expect_contains(error("a\n// NIBBLE-STUB: b\n"), "line 2: outside");
  expect_contains(error("a; // NIBBLE-BEGIN-SOLUTION\n"), "line 1: this is not a mark");
  expect_contains(error("// NIBBLE-BEGIN\n"), "not a mark");
  expect_contains(error((begin + "// NIBBLE-STUB b\n// NIBBLE-END\n").c_str()), "line 2");
  EXPECT_EQ(error("int plain;\n"), "");
}

// --- mistakes -----------------------------------------------------------------------------------

constexpr const char* kTwoMistakes =
    "# a comment\n"
    "[f]\n"
    "truncates: N-TRUNC drops the fraction\n<<<\nround(x)\n===\ntrunc(x)\n>>>\n"
    "\n"
    "[g]\n"
    "forgets: N-NAN does not look\n<<<\n  check(x);\n  # not a comment\n===\n>>>\n";

TEST(Mistakes, AreReadInOrder) {
  const auto all = parse_mistakes(kTwoMistakes);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].exercise, "f");
  EXPECT_EQ(all[0].name, "truncates");
  EXPECT_EQ(all[0].code, "N-TRUNC");
  EXPECT_EQ(all[0].sentence, "drops the fraction");
  ASSERT_EQ(all[0].edits.size(), 1u);
  EXPECT_EQ(all[0].edits[0].old_text, "round(x)");
  EXPECT_EQ(all[0].edits[0].new_text, "trunc(x)");
  EXPECT_EQ(all[0].line, 3);
  EXPECT_EQ(all[1].exercise, "g");
  EXPECT_EQ(all[1].edits.at(0).old_text, "  check(x);\n  # not a comment");
  EXPECT_EQ(all[1].edits.at(0).new_text, "");
  EXPECT_EQ(count_edits(kTwoMistakes), 2);
}

TEST(Mistakes, MalformedFilesAreErrorsWithLines) {
  const auto error = [](const std::string& text) {
    return format_error([&] { parse_mistakes(text); });
  };
  const std::string head = "[f]\na: N-X b\n", edit = "<<<\nold\n===\nnew\n>>>\n";
  EXPECT_EQ(error(head + edit), "");
  expect_contains(error(""), "no mistake");
  expect_contains(error("# only a comment\n[f]\n"), "no mistake");
  expect_contains(error("a: N-X b\n" + edit), "before the first [exercise]");
  expect_contains(error("[f g]\n"), "line 1");
  expect_contains(error("[f]\na N-X b\n" + edit), "line 2");
  expect_contains(error("[f]\na: X-1 b\n" + edit), "line 2");
  expect_contains(error("[f]\na: N-X\n" + edit), "line 2");
  expect_contains(error(head + "old\n===\nnew\n>>>\n"), "line 3: a: want <<<");
  expect_contains(error(head + "<<<\nold\n>>>\n"), "line 5: a: want ===, got >>>");
  expect_contains(error(head + "<<<\nold\n===\nnew\n===\n>>>\n"), "line 7");
  expect_contains(error(head + "<<<\nold\n===\nnew\n"), "has no >>>");
  expect_contains(error(head + "<<<\n===\nnew\n>>>\n"), "replaces nothing");
  expect_contains(error(head + "<<<\nold\n===\nold\n>>>\n"), "changes nothing");
  expect_contains(error(head + edit + "a: N-Y c\n" + edit), "twice");
  expect_contains(error(head + edit + "\n" + edit), "line 9");  // an edit without a name
  expect_contains(error(head + "<<< \nold\n===\nnew\n>>>\n"), "0 edits are opened, but 1");
}

TEST(Mistakes, ApplyExactlyOnce) {
  const Mistake mistake = parse_mistakes(kTwoMistakes)[0];
  EXPECT_EQ(apply_mistake(mistake, "y = round(x);"), "y = trunc(x);");
  expect_contains(format_error([&] { apply_mistake(mistake, "y = x;"); }), "applies 0 times");
  expect_contains(format_error([&] { apply_mistake(mistake, "round(x) round(x)"); }),
                  "applies 2 times");
}

TEST(Mistakes, MayBeSeveralEdits) {
  const auto applied = [](const std::string& second) {
    const auto all = parse_mistakes("[f]\na: N-X b\n<<<\none\n===\n1\n>>>\n<<<\n" + second +
                                    ">>>\nb: N-Y c\n<<<\none\n===\n3\n>>>\n");
    EXPECT_EQ(all.size(), 2u);
    EXPECT_EQ(apply_mistake(all[1], "one two"), "3 two");
    return apply_mistake(all[0], "one two");
  };
  EXPECT_EQ(applied("two\n===\n2\n"), "1 2");
  EXPECT_EQ(applied("1 two\n===\n12\n"), "12");
  expect_contains(format_error([&] { applied("one\n===\n2\n"); }), "a applies 0 times");
  expect_contains(format_error([&] { applied("two\n===\ntwo\n"); }), "changes nothing");
}

TEST(Mistakes, LinesAreMarked) {
  const auto shown = [](const std::string& edits) {
    const Mistake mistake = parse_mistakes("[f]\na: N-RACE b\n" + edits)[0];
    const std::string solution = "one;\ntwo; three;\nfour;\n";
    std::string text = apply_mistake(mistake, solution);
    for (const int line : marked_lines(mistake, solution)) text += std::to_string(line) + ' ';
    return text;
  };
  EXPECT_EQ(shown("<<<\nfour;\n===\n4;\n>>>\n"), "one;\ntwo; three;\n4;\n");
  EXPECT_EQ(shown("<<<\nfour;\n===\n4;// <- here\n>>>\n"), "one;\ntwo; three;\n4;\n3 ");
  EXPECT_EQ(shown("<<<\ntwo;\n===\n2// <- here\n+0;// <- here\n>>>\n"),  // the line goes on
            "one;\n2\n+0; three;\nfour;\n2 3 ");
  EXPECT_EQ(shown("<<<\none;\n===\n1\n;\n>>>\n<<<\nfour;\n===\nfour;// <- here\n>>>\n"),
            "1\n;\ntwo; three;\nfour;\n4 ");
}

TEST(Mistakes, TheLineThatIsToldIsCompared) {
  record::Check failed;
  failed.exercise = "f", failed.id = "RunsClean", failed.diagnosis = "N-RACE";
  EXPECT_EQ(wrong_line(failed, {}), "");
  EXPECT_EQ(wrong_line(failed, {7}), "got N-RACE from f.RunsClean at no line, want it at line 7");
  failed.location = record::Location{"labs/20_x/x.cu", 9};
  EXPECT_EQ(wrong_line(failed, {}), "");
  EXPECT_EQ(wrong_line(failed, {9}), "");
  EXPECT_EQ(wrong_line(failed, {7, 9}), "");
  EXPECT_EQ(wrong_line(failed, {7, 8}),
            "got N-RACE from f.RunsClean at line 9, want it at line 7 or 8");
}

// --- hints --------------------------------------------------------------------------------------

TEST(Hints, LevelsAndDiagnosesAreRead) {
  const auto hints = lab::parse_hints(
      "# Hints\n\n## f\n\n### 1 where to look\nwhen: N-ROUND\n\nWhat of 2.5?\n\n### 2 the idea\n\n"
      "Think.\n\n### 3 nearly\nwhen it rains: code.\n");
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].when, "N-ROUND");
  EXPECT_EQ(text::trim(hints[0].text), "What of 2.5?");
  EXPECT_EQ(hints[2].when, "");
  EXPECT_EQ(hints[2].level, 3);
  EXPECT_TRUE(lab::gaps_in_hints(hints, {"f"}).empty());
  EXPECT_EQ(lab::gaps_in_hints(hints, {"f", "g"}).size(), 3u);  // g has no level at all
  EXPECT_EQ(lab::gaps_in_hints(hints, {}).size(), 3u);          // nobody is called f
}

TEST(Hints, MalformedOnesAreErrorsWithLines) {
  const auto error = [](const char* text) { return format_error([&] { lab::parse_hints(text); }); };
  expect_contains(error("### 1 early\nwords\n"), "line 1");
  expect_contains(error("## f\n### 4 too much\nwords\n"), "line 2");
  expect_contains(error("## f\n### idea\nwords\n"), "line 2");
  expect_contains(error("## f\n### 1 where\n\n### 2 idea\nwords\n"), "line 2: this hint has no");
  expect_contains(error("## f\n### 1 where\nwhen: ROUND\nwords\n"), "line 3");
  expect_contains(error("## f\n### 1 where\nwhen: N-A\nwhen: N-B\nwords\n"), "line 4");
}

TEST(Leaks, LinesAndRunsOfTheSolutionAreFound) {
  const std::vector<lab::SolutionPart> regions{
      {1,
       {"  // the trap is here", "  const float amax = max_abs(x) / static_cast<float>(qmax);",
        "  return y;"}}};
  EXPECT_EQ(handout::leaks(regions, "const  float amax = max_abs(x) / static_cast<float>(qmax);\n")
                .size(),
            1u);
  EXPECT_EQ(
      handout::leaks(regions, "Say `float amax = max_abs(x) / static_cast<float>(qmax` and so")
          .size(),
      1u);
  EXPECT_TRUE(handout::leaks(regions, "Say `max_abs(x) / qmax`, perhaps. return y;").empty());
  EXPECT_TRUE(handout::leaks(regions, "  // the trap is here").empty());
  const char* const line = "const float amax = max_abs(x) / static_cast<float>(qmax);\n";
  EXPECT_TRUE(handout::leaks(regions, line, line).empty());
}

// --- includes -----------------------------------------------------------------------------------

TEST(Includes, AreReadFromCodeOnly) {
  const auto all = includes_of(
      "#include <vector>\n// #include <a>\n/* #include <b>\n*/\n#  include \"c.hpp\"  // why\n"
      "const char* s = \"#include <d>\";\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].target, "vector");
  EXPECT_FALSE(all[0].quoted);
  EXPECT_EQ(all[1].target, "c.hpp");
  EXPECT_TRUE(all[1].quoted);
  EXPECT_EQ(all[1].line, 5);
  expect_contains(format_error([] { includes_of("\n#include HEADER\n"); }), "line 2");
}

TEST(Layers, MalformedTablesAreErrorsWithLines) {
  const auto error = [](const char* text) { return format_error([&] { parse_layers(text); }); };
  EXPECT_EQ(error("# c\ncommon std common\nlabs common  # and no more\n"), "");
  expect_contains(error("# nothing\n"), "no row");
  expect_contains(error("common std\ncommon std\n"), "line 2: common has two rows");
  expect_contains(error("common std\nlabs comon\n"), "line 2: no row is called comon");
}

TEST(Layers, PlacesFollowFromPaths) {
  EXPECT_EQ(place_of("common/nibble/lab.hpp"), "common");
  EXPECT_EQ(place_of("labs/03_symmetric/symmetric.cpp"), "labs");
  EXPECT_EQ(place_of("solutions/03_symmetric/symmetric.cpp"), "solutions");
  EXPECT_EQ(place_of("grader/alternatives/03_symmetric/with_eigen.cpp"), "grader/alternatives");
  EXPECT_EQ(place_of("grader/judge/main.cpp"), "grader/judge");
  EXPECT_EQ(place_of("docs/examples/03_steps.cpp"), "docs/examples");
}

// --- the map ------------------------------------------------------------------------------------

TEST(Map, RoomsStandOnFloors) {
  const std::string drawn = draw_rooms(
      "# What all\n# include.\ncommon std\n# A leaf.\ngrader/text std common\n"
      "  grader/text/one.cpp std common docs/examples\n# Shown.\ndocs/examples gtest\n");
  EXPECT_EQ(drawn,
            "```\n 1   text\n 0   common   docs/examples\n```\n\n"
            "No room stands on itself by way of another.\n\n"
            "| room | what it is | stands on |\n| --- | --- | --- |\n"
            "| common | What all include. | nothing |\n"
            "| grader/text | A leaf. | common; `one.cpp` alone: docs/examples |\n"
            "| docs/examples | Shown. | nothing |\n");
  expect_contains(format_error([] { draw_rooms("# One.\n\ncommon std\n"); }),
                  "line 3: no sentence stands above common");
  expect_contains(format_error([] {
                    draw_rooms("# One.\ncommon docs\n# Two.\nlabs common\n# Three.\ndocs labs\n");
                  }),
                  "rooms that stand on each other: common <-> docs <-> labs");
}

TEST(Map, ThePageIsDrawnBetweenItsMarks) {
  const std::string begin = "a\n<!-- rooms: drawn from grader/layers.txt -->\n",
                    end = "<!-- /rooms -->\nb\n", layers = "# One.\ncommon std\n";
  EXPECT_EQ(with_rooms(begin + "old\n" + end, layers), begin + draw_rooms(layers) + end);
  expect_contains(format_error([&] { with_rooms("a\n" + end, layers); }), "marks");
}

TEST(Map, WhatItNamesMustBeThere) {
  const fs::path top = fs::temp_directory_path() / ("map-" + std::to_string(getpid()));
  fs::create_directories(top / "grader/judge");
  std::ofstream(top / "grader/judge/run.cpp") << "void Judge::run(int) {}\n";
  EXPECT_EQ(what_is_not_there("`grader/judge/`: `grader/judge/run.cpp` `run()` `Judge::run()`\n"
                              "`stop()`, `a word`, `labs/NN_name/x.hpp`\n`grader/none.cpp`: `f()`",
                              top),
            (Strings{"line 2: no stop() in grader/judge/run.cpp",
                     "line 3: there is no grader/none.cpp", "line 3: no f() in grader/none.cpp"}));
  fs::remove_all(top);
}

TEST(Map, TheMapShowsTheHouse) {
  const Proof proof = prove_map(lab::this_kit().source);
  EXPECT_TRUE(proof.holds()) << show(proof);
}

// --- the course ---------------------------------------------------------------------------------

TEST(Course, AReadmeNamesTheLabsBeforeIt) {
  EXPECT_EQ(
      known_already("# Lab 19\n| You know already | lab 03, blocks (labs 18 and 03), int32 |\n"),
      (Strings{"03", "18"}));
  expect_contains(format_error([] { known_already("# Lab 19\n"); }), "you know already");
}

TEST(Course, ALineJoinsLabsOfAPartAndAWordThoseOfOthers) {
  const std::string drawn =
      draw_course({{"03_one", "A", {}}, {"04_two", "A", {"03"}}, {"14_three", "D", {"04"}}});
  const std::size_t end_of_line = drawn.find("<circle");
  EXPECT_NE(end_of_line, drawn.npos);
  EXPECT_EQ(drawn.find("<circle", end_of_line + 1), drawn.npos) << drawn;
  expect_contains(drawn, ">04 two<");
  expect_contains(drawn, ">after 04<");
  EXPECT_EQ(drawn.find("after 03"), drawn.npos);
}

/// The numbers that `pattern` catches in each of its places.
std::vector<std::array<double, 4>> shapes_in(const std::string& drawn, const char* pattern) {
  const std::regex shape(pattern);
  std::vector<std::array<double, 4>> found;
  for (std::sregex_iterator at(drawn.begin(), drawn.end(), shape), none; at != none; ++at) {
    found.push_back({std::stod(at->str(1)), std::stod(at->str(2)), std::stod(at->str(3)),
                     std::stod(at->str(4))});
  }
  return found;
}

/// Lines that run behind a box: those between labs begin and end at an edge.
int lines_behind_boxes(const std::string& drawn) {
  const auto lines =
      shapes_in(drawn, R"re(<line x1="(\S+)" y1="(\S+)" x2="(\S+)" y2="(\S+)" stroke="#7a8ba8")re");
  const auto boxes = shapes_in(
      drawn, R"re(<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" fill="#eef2f8")re");
  EXPECT_FALSE(lines.empty() || boxes.empty()) << drawn;
  int behind = 0;
  for (const auto& [x1, y1, x2, y2] : lines) {
    for (const auto& [left, top, width, height] : boxes) {
      bool is_behind = false;
      for (double along = 0; along <= 1; along += 1.0 / 1024) {
        const double x = x1 + along * (x2 - x1), y = y1 + along * (y2 - y1);
        is_behind |= left < x && x < left + width && top < y && y < top + height;
      }
      behind += is_behind ? 1 : 0;
    }
  }
  return behind;
}

TEST(Course, NoLineRunsBehindABox) {
  EXPECT_EQ(lines_behind_boxes(draw_course({{"18_a", "E", {}},
                                            {"19_b", "E", {}},
                                            {"20_c", "E", {"18"}},
                                            {"21_d", "E", {"18"}},
                                            {"22_e", "E", {"20"}},
                                            {"23_f", "E", {"21"}},
                                            {"24_upwards", "E", {"21", "22"}},
                                            {"25_level", "E", {"19", "22"}},
                                            {"26_downwards", "E", {"20", "23"}},
                                            {"27_far_upwards", "E", {"19", "24"}}})),
            0);
}

TEST(Course, ALabStandsOnOnesBeforeIt) {
  const fs::path top = fs::temp_directory_path() / ("course-" + std::to_string(getpid()));
  for (const char* const lab : {"03_one", "04_two"}) fs::create_directories(top / "labs" / lab);
  std::ofstream(top / "labs/03_one/README.md") << "| You know already | lab 04 |\n";
  std::ofstream(top / "labs/04_two/README.md") << "| You know already | nothing |\n";
  EXPECT_THROW(read_course(top), std::runtime_error);
  fs::remove_all(top);
}

// --- nouns --------------------------------------------------------------------------------------

TEST(Nouns, AreClassesThatStandInNoOther) {
  EXPECT_EQ(classes_in("struct Row {\n  enum class Kind { kA };\n};\n"),
            std::set<std::string>{"Row"});
  EXPECT_EQ(classes_in("class Wide : public First,\n             public Second {\n"),
            std::set<std::string>{"Wide"});
  EXPECT_EQ(classes_in("struct A final : B {};\nenum class C : int { kA };\nunion D { int a; };\n"),
            (std::set<std::string>{"A", "C", "D"}));
  EXPECT_TRUE(
      classes_in("class A;\nenum class B : int;\nstruct C<int> {\n// struct D {\n").empty());
}

TEST(Nouns, AreLookedForInTheKitItself) {
  EXPECT_TRUE(has_nouns("grader/judge/marks.hpp"));
  EXPECT_TRUE(has_nouns("common/nibble/launch.hpp"));
  EXPECT_FALSE(has_nouns("grader/tests/trial.hpp"));
  EXPECT_FALSE(has_nouns("grader/checks/03_symmetric/symmetric_scale.cpp"));
  EXPECT_FALSE(has_nouns("grader/bench/ordinary/judge/call.hpp"));
  EXPECT_FALSE(has_nouns("labs/03_symmetric/symmetric.hpp"));
}

TEST(Nouns, ASecondClassOfANameIsAFault) {
  const files::ScratchFolder top(fs::temp_directory_path());
  files::write_atomically(top.path() / "grader/one.hpp", "struct Row {};\n");
  files::write_atomically(top.path() / "grader/other.cpp", "class Row {\n};\nstruct Mark {\n};\n");
  const Proof proof = prove_nouns(top.path(), {"grader/one.hpp", "grader/other.cpp"});
  EXPECT_EQ(proof.failures, Strings{"grader/other.cpp: Row is a class of grader/one.hpp already"});
  EXPECT_EQ(proof.passed, 2);
}

// --- lints --------------------------------------------------------------------------------------

TEST(Lints, BansAreFoundWhereTheyHold) {
  const std::string fast =
                        "-ffast"
                        "-math",
                    task =
                        "TO"
                        "DO",
                    skip =
                        "GTEST_"
                        "SKIP()";
  const fs::path check = "grader/checks/03_symmetric/symmetric_scale.cpp",
                 judge = "grader/judge/run.cpp";
  EXPECT_EQ(
      lint("grader/CMakeLists.txt", "a\nadd(" + fast + ")\n"),
      Strings{"grader/CMakeLists.txt:2: " + fast + ": with fast-math a comparison accepts NaN"});
  EXPECT_EQ(lint(judge, "// " + task + ": later\n").size(), 1u);
  EXPECT_EQ(lint("labs/03_symmetric/symmetric.hpp", "// " + task + "\n").size(), 1u);
  EXPECT_TRUE(lint("labs/03_symmetric/symmetric.cpp", "// " + task + "(lab03)\n").empty());
  EXPECT_TRUE(lint(judge, "NIBBLE_" + task + "(\"x\");\n").empty());
  EXPECT_EQ(lint(check, "near(a, b, 1e-6f);\n").size(), 1u);
  EXPECT_EQ(lint(check, "near(a, b, .5E-3);\n").size(), 1u);
  EXPECT_TRUE(lint(check, "x = 1e30f - 3; y = 0x1p-20f; // 1e-6\n").empty());
  EXPECT_EQ(lint(check, "if (std::fabs(a - b) < 0.001f) return;\n").size(), 1u);
  EXPECT_TRUE(lint(check, "if (x < 10.0f || scale <= 0.0f) return;\n").empty());
  EXPECT_TRUE(lint(check, "Expect::healthy(0.01 < share, \"share\");\n").empty());
  EXPECT_TRUE(lint(check, "const Case c{\"Small\", 1e-30f, 0.05f};\n").empty());
  EXPECT_TRUE(lint(check, "near(1e-3f, x);  // lint-ok: an input, not a tolerance\n").empty());
  EXPECT_EQ(lint(check, "near(1e-3f, x);  // lint-ok:\n").size(), 1u);
  EXPECT_TRUE(lint(judge, "x = 1e-6;\n").empty());
  EXPECT_EQ(lint(judge, "std::normal_distribution<float> d;\n").size(), 1u);
  EXPECT_EQ(lint(judge, "std::cout << verdict.dump();\n").size(), 1u);
  EXPECT_TRUE(lint("grader/tests/a_test.cpp", "verdict.dump();\n").empty());
  EXPECT_EQ(lint("grader/tests/a_test.cpp", skip + ";\n").size(), 1u);
  EXPECT_TRUE(lint("grader/tests/a_test.cpp", skip + " << \"no compiler\";\n").empty());
  EXPECT_EQ(lint("grader/tests/a_test.cpp", "TEST(A, DISABLED_B)\n").size(), 1u);
}

TEST(Lints, CommentsKeepToAHundredColumns) {
  const fs::path source = "grader/judge/run.cpp", build = "grader/CMakeLists.txt";
  const std::string wide(97, 'x'), umlauts = "ää" + std::string(95, 'x');
  const auto count = [](const fs::path& file, const std::string& text) {
    return lint(file, text).size();
  };
  EXPECT_EQ(count(source, "// " + wide + "\n"), 0u);
  EXPECT_EQ(count(source, "// " + umlauts + "\n"), 0u) << "columns, not bytes";
  EXPECT_EQ(lint(source, "\n  // " + wide + "\n"),
            Strings{"grader/judge/run.cpp:2: a comment beyond column 100"});
  EXPECT_EQ(count(source, "/* \n " + wide + " a word\n*/\n"), 1u);
  EXPECT_EQ(count(source, "// https://a.place/" + wide + "\n"), 0u) << "it cannot be broken";
  EXPECT_EQ(count(source, "// row    " + wide + "\n"), 0u) << "a drawing";
  EXPECT_EQ(count("solutions/03_symmetric/symmetric.cpp", "// NIBBLE-STUB: // " + wide + "\n"), 0u);
  EXPECT_EQ(count(source, "f(\"" + wide + "\");\n"), 0u) << "code is clang-format's";
  EXPECT_EQ(count(source, "f(R\"(\n  // " + wide + "\n)\");\n"), 0u) << "a string";
  EXPECT_EQ(count(build, "  # " + wide + "\n"), 1u);
  EXPECT_EQ(count(build, "set(a " + wide + ")\n"), 0u);
  EXPECT_EQ(count("nibble", "  # " + wide + "\n"), 1u);
}

TEST(Lints, ALongFileOpensWithASentence) {
  std::string code;
  for (int i = 0; i < 100; ++i) code += "int a;\n";
  EXPECT_TRUE(lint("grader/judge/run.cpp", code).empty()) << "it is not long";
  EXPECT_EQ(lint("grader/judge/run.cpp", code + "\n").size(), 1u);
  EXPECT_TRUE(lint("grader/judge/run.cpp", "// What it holds.\n" + code).empty());
  EXPECT_TRUE(lint("solutions/03_symmetric/symmetric.cpp", code + "\n").empty());
  EXPECT_TRUE(lint("grader/CMakeLists.txt", code + "\n").empty());
}

// --- listings, diagnoses, labs, grades ----------------------------------------------------------

TEST(Listings, BlocksAndRegionsAreRead) {
  const auto all = listings_of(
      "Text\n<!-- listing: examples/a.cpp step -->\n```cpp\nint x;\n```\n"
      "<!-- output: examples/a.cpp -->\n```\n1\n2\n```\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].file, "examples/a.cpp");
  EXPECT_EQ(all[0].region, "step");
  EXPECT_EQ(all[0].text, "int x;\n");
  EXPECT_EQ(all[0].line, 2);
  EXPECT_TRUE(all[1].output);
  EXPECT_EQ(all[1].text, "1\n2\n");
  EXPECT_EQ(region_of("a\n  // [step]\n  b\n  // [in]\n  c\n  // [/in]\n// [/step]\n", "step"),
            "  b\n  c\n");
  EXPECT_EQ(moved_left("    a\n\n      b\n"), "a\n\n  b\n");
}

TEST(Listings, MalformedOnesAreErrorsWithLines) {
  const auto error = [](const char* text) { return format_error([&] { listings_of(text); }); };
  expect_contains(error("<!-- listing: examples/a.cpp -->\n```\n```\n"), "line 1");
  expect_contains(error("x\n<!-- listing: a.cpp b -->\ntext\n"), "line 2: want a block");
  expect_contains(error("<!-- output: a.cpp -->\n```\n1\n"), "no end");
  const auto region_error = [](const char* text) {
    return format_error([&] { region_of(text, "a"); });
  };
  expect_contains(region_error("b\n"), "0 times");
  expect_contains(region_error("// [a]\n// [a]\n// [/a]\n"), "line 2");
  expect_contains(region_error("// [/a]\n// [a]\n"), "before it begins");
}

TEST(Diagnoses, AreCodesInStringLiterals) {
  EXPECT_EQ(named_codes("f(\"N-AXIS\"); // \"N-GONE\"\n g(\"N-A is not one\");"),
            std::set<std::string>{"N-AXIS"});
}

TEST(Proofs, NothingLookedAtProvesNothing) {
  Proof proof{"a thing"};
  EXPECT_FALSE(proof.holds());
  expect_contains(show(proof), "nothing was looked at");
  proof.count(true, "");
  EXPECT_TRUE(proof.holds());
  proof.count(false, "this one");
  EXPECT_FALSE(proof.holds());
  expect_contains(show(proof), "1/2");
  expect_contains(show(proof), "FAIL this one");
}

TEST(Parallel, DoesEachOnceAndThrowsWhatIsThrown) {
  std::vector<std::atomic<int>> done(100);
  parallel("", done.size(), 3, [&](std::size_t i) { ++done[i]; });
  for (const auto& count : done) EXPECT_EQ(count, 1);
  EXPECT_THROW(parallel("", 5, 2,
                        [](std::size_t i) {
                          if (i == 3) throw std::out_of_range("x");
                        }),
               std::out_of_range);
}

// --- Whose fault it is ---------------------------------------------------------------------------

TEST(Guarded, APathThatIsNotThereIsTheCallers) {
  const auto thrown = [](std::errc code) {
    return teach::guarded([&]() -> int {
      throw std::filesystem::filesystem_error("x", "/here", std::make_error_code(code));
    });
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(thrown(std::errc::no_such_file_or_directory), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "nibble: /here is not there: is the path right?\n");
  EXPECT_EQ(thrown(std::errc::permission_denied), 2);
  EXPECT_EQ(thrown(std::errc::not_a_directory), 2);
  EXPECT_EQ(thrown(std::errc::io_error), 6);
}

}  // namespace
}  // namespace nibble::proofs
