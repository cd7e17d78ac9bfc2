// The pages in a real browser: nothing on the console, nothing fetched, the right figures, and an
// audit of contrast, names and keyboard. Without a browser that runs,
// nothing of this was looked at.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "a_learner.hpp"
#include "class_of_fifty.hpp"
#include "export/class_page.hpp"
#include "files/files.hpp"
#include "process/command.hpp"
#include "report/learner_page.hpp"

namespace nibble {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string browser_here() {
  for (const char* const name : {"chromium", "chromium-browser", "google-chrome"}) {
    process::Command command;
    command.words = {"sh", "-c", std::string("command -v ") + name};
    if (process::run(command).ok()) return name;
  }
  return "";
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

  /// The elements of the page after its scripts ran; what the console said is in `err`.
  process::Finished open(const std::string& page, bool dark) const {
    files::write_atomically(root_ / "page.html", page);
    process::Command command;
    command.words = {program_,
                     "--headless",
                     "--disable-gpu",
                     "--disable-dev-shm-usage",
                     "--enable-logging=stderr",
                     "--user-data-dir=" + (root_ / "profile").string(),
                     "--window-size=1300,1000",
                     "--virtual-time-budget=5000",
                     "--dump-dom"};
    if (geteuid() == 0) command.words.emplace_back("--no-sandbox");
    if (dark) command.words.emplace_back("--blink-settings=preferredColorScheme=0");
    command.words.push_back("file://" + (root_ / "page.html").string());
    command.wall_limit = std::chrono::seconds{300};
    command.kept_bytes = std::size_t{4} << 20;
    return process::run(command);
  }

  /// What the audit says of `page` in a frame of that width.
  Json look_at(const std::string& page, int width, bool dark) const {
    std::string text = Json(page).dump();
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;) {
      text.replace(at, 2, "<\\/");  // the end of a script would be found in a string too
    }
    const process::Finished finished = open(
        "<!DOCTYPE html><meta charset=\"utf-8\"><iframe id=\"frame\" style=\"border:0;width:" +
            std::to_string(width) + "px;height:900px\"></iframe><pre id=\"found\"></pre><script>" +
            files::read_file(PAGE_AUDIT) +
            "\nconst frame = document.getElementById('frame');\nframe.onload = () => { "
            "document.getElementById('found').textContent = "
            "'AUDIT' + btoa(encodeURIComponent(JSON.stringify(audit(frame)))) + 'END'; };\n"
            "frame.srcdoc = " +
            text + ";\n</script>",
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
    for (const int width : {390, 820, 1280}) {
      for (const bool dark : {false, true}) {
        const Json found = look_at(page, width, dark);
        ASSERT_FALSE(found.is_null()) << "the audit did not end";
        EXPECT_EQ(found["complaints"], Json::array()) << width << (dark ? " dark" : " light");
        EXPECT_EQ(found["dark"], dark);
        EXPECT_EQ(found["width"], width);
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
  expect_good(page, 3 + 10 + 3 + 2 + 51, {"51", "1", "50", "1", "3"});
}

TEST_F(Browser, TheLearnersPage) {
  const std::string page = report::learner_page(test::a_learner(EXPORT_SAMPLES), {});
  expect_good(page, 3 + 7 + 7, {"97 of 172", "2 of 4", "2 of 3", "1 h 3 min", "3"});
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
      360, false);
  ASSERT_FALSE(found.is_null());
  const std::string all = found["complaints"].dump();
  for (const char* const fault :
       {"contrast", "language", "title", "main", "skips a level", "caption", "scope", "ragged",
        "picture without words", "tab order", "focus is not seen", "too small", "not there",
        "wider", "is cut"}) {
    EXPECT_NE(all.find(fault), std::string::npos) << fault << " in " << all;
  }
}

}  // namespace
}  // namespace nibble
