// The pages in a real browser, on screens and on paper: nothing on the console, nothing fetched,
// the right figures, and an audit of contrast, names and keyboard. Without a browser that runs,
// nothing of this was looked at.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "a_learner.hpp"
#include "class_of_fifty.hpp"
#include "export/class_page.hpp"
#include "export/given_back.hpp"
#include "files/files.hpp"
#include "language/page_text.hpp"
#include "process/command.hpp"
#include "report/learner_page.hpp"

namespace nibble {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_here(const std::string& program) {
  process::Command command;
  command.words = {"sh", "-c", "command -v " + program};
  return process::run(command).ok();
}

std::string browser_here() {
  for (const char* const name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (is_here(name)) return name;
  }
  return "";
}

/// One person's page.
std::string page_of(const gradebook::Class& all) {
  const report::Diagnoses diagnoses = report::Diagnoses::parse(
      "## N-AXIS: rows taken for columns\n\n**Why.** The *last* axis keeps a scale.\n");
  return gradebook::feedback_page(all, given_back(all, {}).front(), "Quantization, autumn",
                                  "2026-10-03T00:00:00Z", diagnoses);
}

/// A lab that fails and came late, one that was refused.
std::string feedback_page() {
  gradebook::Class all;
  all.graded = {{"s1001", "s1001", *test::a_learner(EXPORT_SAMPLES).labs[1].results}};
  all.graded[0].late = {"", "1 d late", 20};
  all.ungraded = {{"s1001", "01_grid", "refused: grid.cpp is empty", true}};
  return page_of(all);
}

/// Five labs of twenty checks, and all is well.
std::string feedback_of_who_passes() {
  gradebook::Class all;
  for (const char* const lab : {"01_a", "02_b", "03_c", "04_d", "05_e"}) {
    gradebook::Graded one{"s1001", "s1001", test::one_result(true, true)};
    one.results.lab = lab;
    one.results.checks.resize(20, one.results.checks.back());
    all.graded.push_back(one);
  }
  return page_of(all);
}

std::string in_german(const std::string& page) {
  return language::page_text(language::catalog_of(CATALOGS, "de"), page).text;
}

/// Lines end where there is no more room, which tells nothing.
std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

class Browser : public testing::Test {
 protected:
  Browser() {
    std::string pattern = (fs::temp_directory_path() / "nibble-browser-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~Browser() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void SetUp() override {
    if (program_.empty())
      GTEST_SKIP() << "no Chromium is here, so no page was looked at in a browser";
    if (open("<p id=\"a\">alive</p>", false).out.find("alive") == std::string::npos) {
      GTEST_SKIP() << "the Chromium that is here does not run, so no page was looked at";
    }
  }

  /// Opens `page`, for what the words of `wanted` ask.
  process::Finished browse(const std::string& page, const std::vector<std::string>& wanted) const {
    files::write_atomically(root_ / "page.html", page);
    process::Command command;
    command.words = {program_,
                     "--headless",
                     "--disable-gpu",
                     "--disable-dev-shm-usage",
                     "--enable-logging=stderr",
                     "--user-data-dir=" + (root_ / "profile").string(),
                     "--window-size=1300,1000",
                     "--virtual-time-budget=5000"};
    if (geteuid() == 0) command.words.emplace_back("--no-sandbox");
    command.words.insert(command.words.end(), wanted.begin(), wanted.end());
    command.words.push_back("file://" + (root_ / "page.html").string());
    command.wall_limit = std::chrono::seconds{300};
    command.kept_bytes = std::size_t{4} << 20;
    return process::run(command);
  }

  /// The elements of the page after its scripts ran; what the console said is in `err`.
  process::Finished open(const std::string& page, bool dark) const {
    std::vector<std::string> wanted = {"--dump-dom"};
    if (dark) wanted.emplace_back("--blink-settings=preferredColorScheme=0");
    return browse(page, wanted);
  }

  /// What stands on each sheet of paper.
  std::vector<std::string> printed(const std::string& page) const {
    const std::string pdf = (root_ / "page.pdf").string();
    browse(page, {"--no-pdf-header-footer", "--print-to-pdf=" + pdf});
    process::Command command;
    command.words = {"pdftotext", pdf, "-"};
    command.kept_bytes = std::size_t{4} << 20;
    std::istringstream text(process::run(command).out);
    std::vector<std::string> sheets;
    for (std::string sheet; std::getline(text, sheet, '\f');) {
      sheets.push_back(on_one_line(sheet));
    }
    return sheets;
  }

  /// As many sheets, give or take one since fonts differ, none of them empty, with these words.
  void expect_paper(const std::string& page, std::size_t count,
                    const std::vector<std::string>& words) const {
    const std::vector<std::string> sheets = printed(page);
    EXPECT_GE(sheets.size() + 1, count);
    EXPECT_LE(sheets.size(), count + 1);
    std::string all;
    for (const std::string& sheet : sheets) {
      EXPECT_GT(sheet.size(), 80u) << "next to nothing on a sheet: " << sheet;
      all += sheet;
    }
    for (const std::string& word : words) EXPECT_NE(all.find(word), std::string::npos) << word;
  }

  /// What the audit says of `page` in a frame of each width.
  Json look_at(const std::string& page, const std::vector<int>& widths, bool dark) const {
    std::string text = Json(page).dump();
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;) {
      text.replace(at, 2, "<\\/");  // the end of a script would be found in a string too
    }
    std::string frames;
    for (const int width : widths) {
      frames +=
          "<iframe style=\"border:0;width:" + std::to_string(width) + "px;height:900px\"></iframe>";
    }
    const process::Finished finished =
        open("<!DOCTYPE html><meta charset=\"utf-8\">" + frames +
                 "<pre id=\"found\"></pre><script>" + files::read_file(PAGE_AUDIT) +
                 "\nconst frames = [...document.querySelectorAll('iframe')];\n"
                 "Promise.all(frames.map((frame) => new Promise((loaded) => {\n"
                 "  frame.onload = loaded;\n  frame.srcdoc = " +
                 text +
                 ";\n}))).then(() => document.getElementById('found').textContent = 'AUDIT' + "
                 "btoa(encodeURIComponent(JSON.stringify(frames.map(audit)))) + 'END');\n</script>",
             dark);
    EXPECT_EQ(finished.err.find("CONSOLE"), std::string::npos) << finished.err;
    return decoded(finished.out);
  }

  /// base64 of percent-encoded JSON: nothing in it is an element.
  static Json decoded(const std::string& dom) {
    const std::size_t begin = dom.find(">AUDIT") + 6, end = dom.find("END<", begin);
    if (begin == std::string::npos + 6 || end == std::string::npos) return {};
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string percent, text;
    unsigned bits = 0, count = 0;
    for (std::size_t i = begin; i < end && dom[i] != '='; ++i) {
      bits = bits << 6 | static_cast<unsigned>(digits.find(dom[i]));
      if ((count += 6) >= 8) percent += static_cast<char>(bits >> (count -= 8));
    }
    for (std::size_t i = 0; i < percent.size(); ++i) {
      if (percent[i] != '%') {
        text += percent[i];
        continue;
      }
      text += static_cast<char>(std::stoi(percent.substr(i + 1, 2), nullptr, 16));
      i += 2;
    }
    return Json::parse(text);
  }

  /// On a phone, on a tablet and on a desk, by light and in the dark.
  void expect_good(const std::string& page, std::size_t rows, const Json& figures) const {
    const std::vector<int> widths = {390, 820, 1280};
    for (const bool dark : {false, true}) {
      const Json all = look_at(page, widths, dark);
      ASSERT_EQ(all.size(), widths.size()) << "the audit did not end";
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const Json& found = all[i];
        EXPECT_EQ(found["complaints"], Json::array()) << widths[i] << (dark ? " dark" : " light");
        EXPECT_EQ(found["dark"], dark);
        EXPECT_EQ(found["width"], widths[i]);
        EXPECT_EQ(found["rows"], rows);
        EXPECT_EQ(found["figures"], figures);
        EXPECT_GT(found["texts"], 30);
        EXPECT_GT(found["stops"], 4);
        EXPECT_GT(found["pictures"], 2);
      }
    }
  }

  const std::string program_ = browser_here();
  fs::path root_;
};

TEST_F(Browser, TheClassPage) {
  const std::string page =
      gradebook::class_page(test::class_of_fifty(), "Quantization", "2026-10-03T00:00:00Z", {});
  // 3 to look at, 10 bins, 3 checks, 2 diagnoses, 51 students.
  for (const std::string& one : {page, in_german(page)}) {
    expect_good(one, 3 + 10 + 3 + 2 + 51, {"51", "1", "50", "1", "3"});
  }
}

TEST_F(Browser, TheLearnersPage) {
  const std::string page = report::learner_page(test::a_learner(EXPORT_SAMPLES), {});
  expect_good(page, 3 + 7 + 7, {"97 of 172", "2 of 4", "2 of 3", "1 h 3 min", "3"});
  expect_good(in_german(page), 3 + 7 + 7, {"97 von 172", "2 von 4", "2 von 3", "1 h 3 min", "3"});
}

TEST_F(Browser, TheFeedbackPages) {
  const std::string page = feedback_page();
  for (const std::string& one : {page, in_german(page)}) expect_good(one, 7, Json::array());
}

TEST_F(Browser, Paper) {
  if (!is_here("pdftotext")) {
    GTEST_SKIP() << "no pdftotext is here (poppler-utils), so no printed page was read";
  }
  std::vector<std::string> everybody = {"s2000", "ScalesOverColumns", "does not compile"};
  for (int i = 0; i < 50; ++i) everybody.push_back("s" + std::to_string(1001 + i));
  expect_paper(
      gradebook::class_page(test::class_of_fifty(), "Quantization", "2026-10-03T00:00:00Z", {}), 4,
      everybody);
  const std::vector<std::string> failing = {
      "ScalesOverColumns", "want 8 scales (axis 1 of 4x8), got 4: they equal the scales of axis 0",
      "ShapeAndRange"};  // the last of them is folded on a screen
  expect_paper(report::learner_page(test::a_learner(EXPORT_SAMPLES), {}), 5, failing);
  expect_paper(feedback_page(), 2, failing);
  // What is well needs no paper: folded, and not printed.
  const std::vector<std::string> sheets = printed(feedback_of_who_passes());
  ASSERT_FALSE(sheets.empty());
  EXPECT_LE(sheets.size(), 2u);
  EXPECT_NE(sheets[0].find("20 checks: passed"), std::string::npos);
  EXPECT_EQ(sheets[0].find("TiesGoToEven"), std::string::npos);
}

/// More columns than a sheet has room for that stands upright.
TEST_F(Browser, PaperHasAColumnForEachOfManyLabs) {
  if (!is_here("pdftotext")) {
    GTEST_SKIP() << "no pdftotext is here (poppler-utils), so no printed page was read";
  }
  gradebook::Class all;
  for (int lab = 1; lab <= 34; ++lab) {
    gradebook::Graded one{"s1001", "s1001", test::one_result(true, true)};
    one.results.lab = std::to_string(100 + lab).substr(1) + "_lab";
    one.late = {"", "1 d late", lab};
    all.graded.push_back(one);
  }
  std::string text;
  for (const std::string& sheet :
       printed(gradebook::class_page(all, "", "2026-10-03T00:00:00Z", {}))) {
    text += sheet;
  }
  const std::size_t mean = text.find(" 66.0 ");  // with its lab; then in the last column
  ASSERT_NE(mean, std::string::npos);
  EXPECT_NE(text.find(" 66.0 ", mean + 1), std::string::npos);
}

/// The audit itself: a page with every fault is not passed.
TEST_F(Browser, TheAuditFindsFaults) {
  const Json found = look_at(
      "<html><head><title></title></head><body><h1>a</h1><h3>b</h3><p style=\"color:#aaa\">grey</p>"
      "<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></"
      "table>"
      "<svg></svg><a href=\"#nowhere\" tabindex=\"3\" style=\"outline:none\">c</a>"
      "<div class=\"scroll\" style=\"overflow:auto\"><p style=\"width:900px\">far</p></div>"
      "<div style=\"width:3000px\">wide</div></body></html>",
      {360}, false);
  ASSERT_EQ(found.size(), 1U) << "the audit did not end";
  const std::string all = found[0]["complaints"].dump();
  for (const char* const fault :
       {"contrast", "language", "title", "main", "skips a level", "caption", "scope", "ragged",
        "picture without words", "tab order", "focus is not seen", "too small", "not there",
        "wider", "is cut"}) {
    EXPECT_NE(all.find(fault), std::string::npos) << fault << " in " << all;
  }
}

}  // namespace
}  // namespace nibble
