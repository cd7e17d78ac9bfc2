// The two pages: well-formed, complete, with the figures of a class that was counted by hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "a_learner.hpp"
#include "class_of_fifty.hpp"
#include "export/class_figures.hpp"
#include "export/class_page.hpp"
#include "export/given_back.hpp"
#include "files/files.hpp"
#include "language/page_text.hpp"
#include "report/bars.hpp"
#include "report/base64.hpp"
#include "report/error_picture.hpp"
#include "report/html.hpp"
#include "report/learner_page.hpp"
#include "report/number_line.hpp"

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (part)
#define EXPECT_HOLDS_NO(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (part)

namespace nibble {
namespace {

namespace fs = std::filesystem;
using test::class_of_fifty;

report::Diagnoses pages() {
  return report::Diagnoses::parse(
      "## N-AXIS: rows taken for columns\n\n**Why.** `axis` keeps\na & b.\n\n**Find it.** "
      "The *last* of `a * b`, a * b.\n");
}

std::string page_of_fifty() {
  return gradebook::class_page(class_of_fifty(), "Quantization, autumn", "2026-10-03T00:00:00Z",
                               pages());
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

/// What is wrong with the elements of a page: one that is not closed, or closed by another. Pages
/// are written so that they are XML too.
std::string misnested(const std::string& page) {
  std::vector<std::string> open;
  int elements = 0;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos;) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = page.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with('!') || tag.ends_with('/')) continue;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (!name.starts_with('/')) {
      open.push_back(name);
      ++elements;
    } else if (open.empty() || open.back() != name.substr(1)) {
      return "</" + name.substr(1) + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  if (!open.empty()) return open.back() + " is never closed";
  return elements > 10 ? "" : "there is next to nothing";
}

/// Ids stand once, links within the page lead somewhere, and nothing is fetched.
void expect_self_contained(const std::string& page) {
  std::set<std::string> ids;
  for (std::size_t at = 0; (at = page.find(" id=\"", at)) != std::string::npos;) {
    at += 5;
    EXPECT_TRUE(ids.insert(page.substr(at, page.find('"', at) - at)).second) << page.substr(at, 30);
  }
  int links = 0;
  for (std::size_t at = 0; (at = page.find(" href=\"", at)) != std::string::npos; ++links) {
    at += 7;
    ASSERT_EQ(page[at], '#');
    EXPECT_TRUE(ids.contains(page.substr(at + 1, page.find('"', at) - at - 1)));
  }
  EXPECT_GT(links, 1);
  for (const char* const word :
       {"<script", "http://", "https://", "url(", "@import", "javascript:"}) {
    std::string rest = page;  // the name of a language is no address
    while (rest.find("http://www.w3.org/2000/svg") != std::string::npos) {
      rest.erase(rest.find("http://www.w3.org/2000/svg"), 26);
    }
    EXPECT_HOLDS_NO(rest, word);
  }
}

/// What a screen reader needs: a language, landmarks, one h1, captions, words for each picture.
void expect_readable_aloud(const std::string& page) {
  EXPECT_HOLDS(page, "<html lang=\"en\">");
  EXPECT_EQ(count_of(page, "<h1"), 1);
  for (const char* const landmark :
       {"<header id=\"top\">", "<nav aria-label", "<main id=\"main\"", "<footer>"}) {
    EXPECT_EQ(count_of(page, landmark), 1) << landmark;
  }
  EXPECT_EQ(count_of(page, "<table"), count_of(page, "<caption"));
  const int bars = count_of(page, "<svg viewBox=\"0 0 160 14\" aria-hidden=\"true\">");
  EXPECT_EQ(bars, count_of(page, "</svg><span class=\"soft\">")) << "the words stand below a bar";
  EXPECT_EQ(count_of(page, "<svg"), bars + count_of(page, "role=\"img\" aria-label=\""));
  EXPECT_EQ(count_of(page, "<img "), count_of(page, "<img alt=\""));
  EXPECT_EQ(count_of(page, "aria-label=\"\""), 0);
}

std::string row_with(const std::string& page, const std::string& words) {
  const std::size_t at = page.find(words);
  if (at == std::string::npos) return "";
  const std::size_t begin = page.rfind("<tr ", at);
  return page.substr(begin, page.find("</tr>", at) - begin);
}

// --- Figures of a class --------------------------------------------------------------------------

TEST(ClassFigures, OfAKnownClass) {
  const gradebook::LabFigures figures = figures_of(class_of_fifty(), "05_per_channel");
  EXPECT_EQ(figures.graded, 50);
  EXPECT_EQ(figures.no_compile, 2);
  EXPECT_EQ(figures.full_marks, 24);
  EXPECT_EQ(figures.possible, 100);
  EXPECT_EQ(figures.distribution(), (std::vector<int>{2, 0, 0, 0, 8, 0, 16, 0, 0, 24}));
  EXPECT_EQ(figures.quantile(0.5), 60.0);
  EXPECT_EQ(figures.quantile(0.25), 60.0);
  EXPECT_EQ(figures.quantile(0.75), 100.0);
  EXPECT_EQ(figures.mean(), (8 * 45 + 16 * 60 + 24 * 100) / 50.0);
  ASSERT_EQ(figures.diagnoses.size(), 2u);
  EXPECT_EQ(figures.diagnoses[0].code, "N-AXIS");
  EXPECT_EQ(figures.diagnoses[0].students, 24);
  EXPECT_EQ(figures.diagnoses[1].code, "N-ROUND");
  EXPECT_EQ(figures.diagnoses[1].students, 8);
  const auto hardest = figures.hardest();
  ASSERT_EQ(hardest.size(), 3u);
  EXPECT_EQ(hardest[0].id, "ScalesOverColumns");
  EXPECT_EQ(hardest[0].passed, 24);
  EXPECT_EQ(hardest[0].failed, 24);
  EXPECT_EQ(hardest[2].id, "ShapeAndRange");
  EXPECT_EQ(hardest[2].passing(), 1.0);
}

TEST(ClassFigures, NobodyIsForgotten) {
  const gradebook::Class all = class_of_fifty();
  EXPECT_EQ(needs_look(all).size(), 3u);  // one without a grade, one rule, one within noise
  gradebook::Class nobody;
  nobody.ungraded.push_back({"a", "05_per_channel", "x"});
  nobody.ungraded.push_back({"b", "05_per_channel", "refused: x", true});
  EXPECT_EQ(needs_look(nobody)[0].why, "no grade: x");
  EXPECT_EQ(needs_look(nobody)[1].why, "refused: x");
  EXPECT_EQ(figures_of(nobody, "05_per_channel").graded, 0);
  EXPECT_EQ(figures_of(nobody, "05_per_channel").mean(), 0.0);
  EXPECT_EQ(misnested(gradebook::class_page(nobody, "", "now", pages())), "");
}

// --- The class page ------------------------------------------------------------------------------

TEST(ClassPage, IsWellFormedAndComplete) {
  const std::string page = page_of_fifty();
  EXPECT_EQ(misnested(page), "");
  expect_self_contained(page);
  expect_readable_aloud(page);
}

TEST(ClassPage, HasARowForWhoeverIsExpected) {
  gradebook::Class all = class_of_fifty();
  const std::string first = all.graded.front().student;
  all.expected = {{first, "Ab, C (" + first + ")"}, {"nix", "Nix, N (s4)"}};
  const std::string page = gradebook::class_page(all, "", "now", pages());
  EXPECT_EQ(misnested(page), "");
  EXPECT_HOLDS(row_with(page, ">Nix, N (s4)<"), "none came");
  EXPECT_HOLDS(page, ">Ab, C (" + first + ")<");
  all.ungraded[0].submission = "nix";
  EXPECT_HOLDS(row_with(gradebook::class_page(all, "", "now", pages()), "the file is not JSON"),
               ">Nix, N (s4)<");
  EXPECT_HOLDS(page, std::to_string(all.submissions().size() + 1) + " people, by name");
}

TEST(ClassPage, SaysWhatWasCounted) {
  const std::string page = page_of_fifty();
  EXPECT_HOLDS(row_with(page, ">40 to 49<"), ">8</td>");
  EXPECT_HOLDS(row_with(page, ">90 to 100<"), ">24</td>");
  EXPECT_HOLDS(row_with(page, ">ScalesOverColumns "), "24 passed, 24 failed");
  EXPECT_HOLDS(row_with(page, "<code>N-AXIS</code>"), "rows taken for columns");
  EXPECT_HOLDS(row_with(page, "<code>N-AXIS</code>"), "24 of 50 students");
  EXPECT_HOLDS(page, "Points on 05_per_channel, in ten bins from 0 to 100: 2 0 0 0 8 0 16 0 0 24.");
  EXPECT_EQ(count_of(page.substr(page.find("id=\"everybody\"")), "<tr "),
            53);  // header, 50, one without, the mean
}

TEST(ClassPage, EverybodyHasASumAndAReason) {
  gradebook::Class all = class_of_fifty();
  all.graded[30].student = "B9";
  all.graded[31].student = "b10";
  all.graded[32].late = {"", "1 d late", 20};
  const std::string whole = gradebook::class_page(all, "", "now", pages());
  const std::string page = whole.substr(whole.find("id=\"everybody\""));
  EXPECT_HOLDS(row_with(page, ">s1001<"), "<strong>100</strong>");
  EXPECT_HOLDS(row_with(page, ">s1050<"), "0 <span class=\"soft\">does not compile</span>");
  EXPECT_HOLDS(row_with(page, ">s2000<"), "– <span class=\"soft\">no grade</span>");
  EXPECT_HOLDS(row_with(page, ">s1033<"), "40 <span class=\"soft\">20 off: late</span>");
  EXPECT_HOLDS(row_with(page, "mean of the grades"), ">74.0<");
  EXPECT_LT(page.find(">B9<"), page.find(">b10<")) << "as people count";
  EXPECT_LT(page.find(">b10<"), page.find(">s1001<")) << "small and large letters are the same";
}

TEST(ClassPage, SaysWhoseItIsAndWhatGradedIt) {
  gradebook::Class all = class_of_fifty();
  for (gradebook::Graded& one : all.graded) {
    one.results.version = "1.0.0";
    one.results.seed = "0x71c3";
  }
  const auto page = [&] {
    return gradebook::class_page(all, "A & B, autumn", "2026-10-03T00:00:00Z", {});
  };
  EXPECT_HOLDS(page(), "<p class=\"course\">A &amp; B, autumn</p>");
  EXPECT_HOLDS(page(), "3 Oct 2026, 00:00 UTC · graded by Nibble, version 1.0.0, seed 0x71c3.");
  all.graded[0].results.seed = "0x1";
  EXPECT_HOLDS(page(), "version 1.0.0, 2 seeds.");
}

TEST(ClassPage, IsShortAndUnfoldsForThoseWhoAsk) {
  gradebook::Class all = class_of_fifty();
  for (int i = 0; i < 20; ++i) all.graded[static_cast<std::size_t>(i)].results.needs_look = {"odd"};
  const std::string page = gradebook::class_page(all, "", "now", pages());
  EXPECT_HOLDS(page, "<summary>51 people, by name</summary>");
  EXPECT_HOLDS(page, "<summary>The spread as a table</summary>");
  EXPECT_HOLDS(page, "<summary>13 more</summary>");  // 8 of 21 are in sight
  EXPECT_EQ(count_of(page, "<section "), count_of(page, "<a href=\"#top\">"));
  EXPECT_LT(page.size(), 1'000'000u);
}

TEST(ClassPage, ACodeLeadsToItsPage) {
  const std::string page = page_of_fifty();
  EXPECT_HOLDS(page, "<a class=\"code\" href=\"#N-AXIS\"><code>N-AXIS</code></a>");
  EXPECT_HOLDS(page, "<details id=\"N-AXIS\">");
  EXPECT_HOLDS(page, "<p><strong>Why.</strong> <code>axis</code> keeps\na &amp; b.\n</p>");
  EXPECT_HOLDS(page, "The <em>last</em> of <code>a * b</code>, a * b.") << "a product is no mark";
  EXPECT_HOLDS_NO(page, "href=\"#N-ROUND\"");  // which has no page here
}

TEST(ClassPage, TextOfSubmissionsIsText) {
  gradebook::Class all = class_of_fifty();
  const std::string bad = "<script>alert(1)</script>\" onload='x' &amp; \x1b[31m\xff";
  all.graded[3].student = bad;
  all.graded[4].results.checks[0].title = bad;
  all.graded[5].results.checks[1].diagnosis = bad;
  all.ungraded.push_back({bad, bad, bad});
  const std::string page = gradebook::class_page(all, bad, bad, pages());
  EXPECT_EQ(misnested(page), "");
  EXPECT_HOLDS_NO(page, "<script");
  EXPECT_HOLDS_NO(page, "\x1b");
}

// --- The learner's page --------------------------------------------------------------------------

report::LearnerReport a_learner() { return test::a_learner(EXPORT_SAMPLES); }

TEST(LearnerPage, IsWellFormedAndComplete) {
  const std::string page = report::learner_page(a_learner(), pages());
  EXPECT_EQ(misnested(page), "");
  expect_self_contained(page);
  expect_readable_aloud(page);
}

TEST(LearnerPage, SaysWhatWasDone) {
  const std::string page = report::learner_page(a_learner(), pages());
  EXPECT_HOLDS(page, "<dd>97 of 172</dd>");
  EXPECT_HOLDS(page, "<dd>2 of 4</dd>");
  EXPECT_HOLDS(page, "<dd>1 h 3 min</dd>");
  EXPECT_HOLDS(page, "A number line: got -31, want -127.");
  EXPECT_HOLDS(page, "A number line: got 3, want 2.");
  EXPECT_HOLDS(page, "<p>From the last <code>./nibble show</code>.</p>");
  EXPECT_HOLDS(page, "9 values up to 6, and who cuts where: max |x| at 6; 99 % at 2.");
  EXPECT_HOLDS(page, "at each half of x / scale from -4 on: by x 0.");
  EXPECT_HOLDS(page, "0.60 times the speed of the published solution, give or take 0.01.");
  EXPECT_HOLDS(page,
               "data:image/svg+xml;base64," + report::base64(a_learner().labs[2].roofline_svg));
  EXPECT_HOLDS(row_with(page, ">05_per_channel<"), "begun");
  EXPECT_HOLDS(row_with(page, ">14_cpu_int8_gemm<"),
               ">75 of 75 <span class=\"soft\">up to 13 for speed are judged by your instructor; "
               "estimate 9</span>");
  EXPECT_HOLDS(page, "rows taken for columns");
  EXPECT_HOLDS(page, "Last run 1 Oct 2026, 14:02 UTC, seed 0x71c3.");
}

TEST(LearnerPage, WhatIsWrongComesFirst) {
  const std::string page = report::learner_page(a_learner(), pages());
  const std::size_t lab = page.find("id=\"lab-05_per_channel\""),
                    fold = page.find("<details>", lab);
  EXPECT_LT(page.find(">ScalesOverColumns ", lab), fold);
  EXPECT_GT(page.find(">ShapeAndRange ", lab), fold);
  EXPECT_GT(page.find(">TiesGoToEven ", lab), fold);
  EXPECT_HOLDS(page,
               "<summary>More that failed, probably for the same reason: 1, with 0 of 8 points<");
  EXPECT_HOLDS(page, "<summary>5 other checks: passed, in part, or not run</summary>");
  EXPECT_HOLDS(page, "2 of 8 elements are wrong: [0, 3] got 3 want 2; [1, 2] got 5 want 4.");
  EXPECT_HOLDS(page, "What was wanted: 0 1 2 2 -2 -1 4 7.");
}

TEST(LearnerPage, ACaseSaysWhatWasAskedAndHowToSeeIt) {
  report::LearnerReport learner = a_learner();
  record::Check& check = learner.labs[1].results->checks[2];
  const auto page = [&] { return report::learner_page(learner, pages()); };
  EXPECT_HOLDS(page(), "<p>The contract says: <strong>one scale per column</strong></p>");
  EXPECT_HOLDS(page(), " <span>--check</span> <span>ScalesOverColumns</span> ");
  EXPECT_EQ(count_of(page(), "<p>" + check.message + "</p>"), 0) << "got and want say it";
  check.first->got = check.first->want = "";
  EXPECT_EQ(count_of(page(), "<p>" + check.message + "</p>"), 1);
}

TEST(LearnerPage, WhatWaitsForAFunctionHasNotFailed) {
  report::LearnerReport learner = a_learner();
  for (record::Check& check : learner.labs[1].results->checks) {
    if (check.exercise != "quantize_per_channel") continue;
    check.status = record::CheckStatus::kFail;
    check.diagnosis = "N-STUB";
    check.first.emplace();
    if (check.id == "ShapeAndRange") check.first->name = "Small";  // this one was run
  }
  const std::string page = report::learner_page(learner, pages());
  const std::string lab = page.substr(page.find("id=\"lab-05_per_channel\""));
  EXPECT_HOLDS(row_with(lab, ">ShapeAndRange "), "failed");
  EXPECT_HOLDS(lab,
               "<summary>Checks that wait for a function that is not written yet: 5</summary>");
  EXPECT_HOLDS(row_with(lab, ">TiesGoToEven "), "not run");
  EXPECT_HOLDS_NO(row_with(lab, ">TiesGoToEven "), "failed");
}

TEST(LearnerPage, LabsThatNobodyTouchedAreNames) {
  report::LearnerReport learner = a_learner();
  for (const char* const name : {"01_grid", "04_asymmetric"}) {
    learner.labs.push_back({name, name, {{"one", 22, "untouched", 0, 0, 0, 0}}, {}, ""});
  }
  EXPECT_HOLDS(report::learner_page(learner, pages()),
               "<summary>2 labs are not begun</summary>\n<p>01_grid, 04_asymmetric</p>");
}

TEST(Table, RowsBecomeCardsWhereItIsNarrow) {
  report::Table table(
      "A",
      {{"who"}, {"points", report::ColumnKind::kNumber}, {"why", report::ColumnKind::kSentence}});
  EXPECT_EQ(table.str(), "");
  table.row({"kim", "7", "late"});
  EXPECT_HOLDS(table.str(), "<td role=\"cell\" data-label=\"points\">7</td>");
  EXPECT_HOLDS(table.str(), "<td role=\"cell\" class=\"sentence\">late</td>");
  EXPECT_HOLDS_NO(table.str(), "<tfoot");
}

TEST(LearnerPage, TextOfSubmissionsIsText) {
  report::LearnerReport learner = a_learner();
  record::Result& results = *learner.labs[1].results;
  const std::string bad = "</pre><script>alert('1')</script>\x1b\xff";
  record::Check& check = results.checks[2];
  check.message = check.replay = bad;
  check.first.emplace();
  check.first->name = check.first->input = check.first->got = check.first->want = bad;
  results.finding.emplace();
  results.finding->message = bad;
  learner.labs[2].roofline_svg = bad;
  record::Picture& picture = *learner.labs[1].picture;
  picture.clips->clips[0].name = picture.staircase[0].name = bad;
  picture.ruler[0].name = picture.notes[0] = bad;
  const std::string page = report::learner_page(learner, pages());
  EXPECT_EQ(misnested(page), "");
  EXPECT_HOLDS_NO(page, "<script");
  EXPECT_HOLDS_NO(page, "\x1b");
}

// --- Drawings ------------------------------------------------------------------------------------

TEST(NumberLine, DrawsNumbersAndNothingElse) {
  for (const auto& [got, want] : {std::pair{"1", "2"},
                                  {"-31", "-127"},
                                  {"0.5", "0.25"},
                                  {"1e30", "-1e30"},
                                  {"0", "1e-38"},
                                  {"1048385", "919353"}}) {
    const std::string line = report::number_line(got, want);
    EXPECT_EQ(count_of(line, "<circle"), 2) << got << " " << want;
    EXPECT_HOLDS_NO(line, "nan");
    EXPECT_LT(line.size(), 10'000u);
  }
  const std::string close = report::number_line("16790272", "16790273");
  EXPECT_HOLDS(close, ">16790272</text>") << "a tick";
  EXPECT_HOLDS(close, ">16790270</text>") << "and another";
  const std::string long_words = report::number_line("2147483647", "-2147483648");
  EXPECT_HOLDS(long_words, "y=\"14.0\" text-anchor=\"end\">got 2147483647<") << "above the other";
  for (const auto& [got, want] : {std::pair{"nan", "1"},
                                  {"1", "inf"},
                                  {"", ""},
                                  {"3", "3"},
                                  {"a", "b"},
                                  {"1e308", "-1e308"},
                                  {"1 2", "3"}}) {
    EXPECT_EQ(report::number_line(got, want), "") << got << " " << want;
  }
}

using record::Compared;

TEST(ErrorMap, MarksTheWrongElements) {
  const std::string map = report::error_map(
      {{2, 3}, {"1", "2", "3", "4", "5", "6"}, {"1", "2", "3", "4", "9", "6"}, {4}});
  EXPECT_EQ(count_of(map, "class=\"right\""), 5);
  EXPECT_EQ(count_of(map, "class=\"wrong\""), 1);
  EXPECT_HOLDS(map, "1 of 6 elements is wrong: [1, 1] got 5 want 9.");
  EXPECT_HOLDS(map, ">5</text>");
}

/// As wide as they have to be; where that is too wide, words take their place.
TEST(ErrorMap, ValuesHaveRoomOrWords) {
  const Compared wide{{1, 2}, {"-0.25", "1.234567"}, {"63.75", "1"}, {0, 1}};
  EXPECT_HOLDS(report::error_map(wide), ">1.234567</text>");
  EXPECT_HOLDS(report::wanted_map(wide), ">63.75</text>");
  const Compared wider{
      {1, 17}, std::vector<std::string>(17, "0"), std::vector<std::string>(17, "-7040"), {16}};
  EXPECT_HOLDS_NO(report::error_map(wider), ">-7040<");
  EXPECT_EQ(report::wanted_map(wider), "");
  EXPECT_EQ(report::wrong_elements(wider), "1 of 17 elements is wrong: [0, 16] got 0 want -7040.");
}

TEST(ErrorMap, AListIsFoldedWhereItsValuesHaveRoom) {
  const Compared list{
      {}, std::vector<std::string>(12, "1234567"), std::vector<std::string>(12, "1"), {10}};
  const std::string map = report::error_map(list);
  EXPECT_EQ(count_of(map, ">1234567</text>"), 12);
  EXPECT_HOLDS(map, ">10</text>") << "a row begins with the number of its first element";
  EXPECT_HOLDS(map, "[10] got 1234567 want 1.");
}

TEST(ErrorMap, DrawsNothingFromNothing) {
  EXPECT_EQ(report::error_map({}), "");
  EXPECT_EQ(report::error_map({{}, {"1"}, {}, {}}), "");
  EXPECT_EQ(report::error_histogram({{}, {"1"}, {"2"}, {0}}), "");
}

TEST(ErrorHistogram, CountsDifferences) {
  const Compared eight{{},
                       {"0", "0", "0", "0", "0", "0", "4", "-4"},
                       {"0", "0", "0", "0", "0", "0", "0", "0"},
                       {6, 7}};
  const std::string picture = report::error_histogram(eight);
  EXPECT_EQ(count_of(picture, "<rect"), 3);
  EXPECT_HOLDS(picture, ">6</text>");
  EXPECT_HOLDS(picture, "8 differences got - want are spread from -4 to 4");
  Compared with_nan = eight;
  with_nan.got[0] = "nan";
  EXPECT_EQ(report::error_histogram(with_nan), "");
  EXPECT_EQ(count_of(report::error_map(with_nan), "<rect"), 8);
}

TEST(Bars, PartsAreAsLongAsTheirShare) {
  const std::string bar = report::stacked_bar({{"good", 3}, {"bad", 1}}, 4, "3 of 4");
  EXPECT_HOLDS(bar, "<rect class=\"good\" x=\"0\" width=\"120\" height=\"14\"/>");
  EXPECT_HOLDS(bar, "<rect class=\"bad\" x=\"120\" width=\"40\" height=\"14\"/>");
  EXPECT_HOLDS(bar, ">3 of 4</span>") << "said once, below it";
  EXPECT_HOLDS_NO(bar, "idle") << "nothing is left";
  EXPECT_HOLDS(report::stacked_bar({{"good", 1}}, 3, "1 of 3"),
               "<rect class=\"idle\" x=\"53.3\" width=\"106.7\" height=\"14\"/>");
  EXPECT_HOLDS_NO(report::stacked_bar({{"good", 0}}, 0, "nothing"), "nan");
}

TEST(Bars, AHistogramHasAColumnForEachCount) {
  const std::string picture = report::histogram({0, 4, 2}, 0, 30, "points", "0 4 2");
  EXPECT_EQ(count_of(picture, "<rect"), 2);
  EXPECT_HOLDS(picture, ">4</text>");
  EXPECT_HOLDS_NO(report::histogram({0, 0}, 0, 0, "points", "none"), "nan");
}

TEST(Base64, AsTheStandardHasIt) {
  EXPECT_EQ(report::base64(""), "");
  EXPECT_EQ(report::base64("f"), "Zg==");
  EXPECT_EQ(report::base64("fo"), "Zm8=");
  EXPECT_EQ(report::base64("foo"), "Zm9v");
  EXPECT_EQ(report::base64("foobar"), "Zm9vYmFy");
}

// What is left in English are titles and messages of a lab that never was.
TEST(Pages, HaveWordsInEveryLanguage) {
  const std::set<std::string> made_up = {
      "05 per channel",
      "3 of 40 codes differ, each exactly on a tie: you round half away from zero, this lab rounds "
      "half to even",
      "a constant channel, a zero channel",
      "extreme values",
      "one scale per column",
      "one scale per row",
      "other shapes",
      "shape and range of the codes",
      "shape of the codes, range of the codes",
      "the file is not JSON",
      "ties go to even",
      "want 8 scales (axis 1 of 4x8), got 4: they equal the scales of axis 0"};
  const language::Catalog german = language::catalog_of(CATALOGS, "de");
  gradebook::Class all = class_of_fifty();
  for (gradebook::Graded& one : all.graded) {
    one.results.version = "1.0.0";
    one.results.seed = "0x71c3";
  }
  const std::string of_class = gradebook::class_page(all, "", "2026-10-03T00:00:00Z", {});
  const std::string of_learner = report::learner_page(a_learner(), {});
  all.graded[40].late = {"", "1 d late", 20};
  all.graded[40].results = *a_learner().labs[1].results;
  const std::string of_one =
      feedback_page(all, given_back(all, {})[40], "", "2026-10-03T00:00:00Z", {});
  for (const std::string& page : {of_class, of_learner, of_one}) {
    const language::Translation translated = language::page_text(german, page);
    for (const std::string& missing : translated.missing) {
      EXPECT_TRUE(made_up.contains(missing)) << missing;
    }
    EXPECT_EQ(misnested(translated.text), "");
    EXPECT_HOLDS(translated.text, "<html lang=\"de\">");
  }
}

TEST(Pages, SayWhatIsEnglishAlone) {
  const std::string german =
      language::page_text(language::catalog_of(CATALOGS, "de"), page_of_fifty()).text;
  const std::size_t codes = german.find("id=\"codes\"");
  EXPECT_LT(codes, german.find("diese Seiten gibt es nur auf Englisch."));
  EXPECT_LT(codes, german.find("<div lang=\"en\">\n<p><strong>Why.</strong>"));
}

TEST(Misnested, FindsWhatIsWrong) {
  EXPECT_NE(misnested("<p><b></p></b>"), "");
  EXPECT_NE(misnested("<p>"), "");
  EXPECT_NE(misnested("</p>"), "");
}

}  // namespace
}  // namespace nibble
