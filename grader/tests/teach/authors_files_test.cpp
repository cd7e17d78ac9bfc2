// Readers of what authors write by hand, solutions to be cut, mistakes, hints and listings, each
// with what people get wrong in it.
#include <set>

#include "complaint.hpp"
#include "handout/leaks.hpp"
#include "lab/cut.hpp"
#include "lab/hints.hpp"
#include "proofs/diagnoses.hpp"
#include "proofs/listings.hpp"
#include "proofs/mistakes.hpp"
#include "proofs/verdicts.hpp"
#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

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

// --- listings, diagnoses ------------------------------------------------------------------------

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

}  // namespace
}  // namespace nibble::proofs
