// A lab made from the templates, in a copy of what it is written into.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "lab/cut.hpp"
#include "lab/kit.hpp"
#include "lab/lab_files.hpp"
#include "proofs/mistakes.hpp"
#include "teach/new_lab.hpp"
#include "text/pattern.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using files::read_file;

constexpr const char* kIndexes[] = {"labs/CMakeLists.txt", "docs/README.md", "README.md"};

class NewLabTest : public testing::Test {
 protected:
  NewLabTest() {
    std::string pattern = (fs::temp_directory_path() / "nibble-XXXXXX").string();
    top_ = mkdtemp(pattern.data());
    for (const char* const file : kIndexes) {
      files::write_atomically(top_ / file, read_file(kit_.source / file));
    }
    for (const char* const folder :
         {"labs/03_symmetric", "solutions/03_symmetric", "grader/alternatives/03_symmetric",
          "grader/mistakes", "grader/checks", "grader/teach", "docs/book", "docs/examples"}) {
      fs::create_directories(top_ / folder);
    }
    fs::copy(kit_.source / "grader/teach/new_lab", top_ / "grader/teach/new_lab",
             fs::copy_options::recursive);
  }
  ~NewLabTest() override {
    std::error_code ignored;
    fs::remove_all(top_, ignored);
  }

  /// What the kit's folder holds, file by file; folders with an empty text.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(top_)) {
      found[fs::relative(entry.path(), top_).string()] =
          entry.is_regular_file() ? read_file(entry.path()) : "";
    }
    return found;
  }

  /// What is said of a name that will not do; then nothing has changed.
  std::string refusal(const std::string& lab, const std::string& kind = "ordinary") {
    const auto before = tree();
    std::string said = "made";
    try {
      make_lab(top_, {lab, kind});
    } catch (const std::exception& error) {
      said = error.what();
    }
    EXPECT_EQ(tree(), before) << lab;
    return said;
  }

  const lab::Kit kit_ = lab::this_kit();
  fs::path top_;
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << "no `" << part << "` in `" << text << "`";
}

TEST_F(NewLabTest, EveryKindIsComplete) {
  const std::map<std::string, std::string> labs{
      {"ordinary", "36_clip_range"}, {"kernels", "37_cpu_clip"}, {"cuda", "38_kernel_clip"}};
  for (const std::string& kind : kKinds) {
    const std::string& lab = labs.at(kind);
    const auto written = make_lab(top_, {lab, kind});
    const lab::LabFiles files = lab::files_of(
        top_, {lab, kind == "cuda" ? lab::LabKind::kDevice : lab::LabKind::kOrdinary});
    EXPECT_EQ(files.missing(), std::vector<fs::path>{}) << kind;
    EXPECT_EQ(files.alternatives.size(), 2u) << kind;
    EXPECT_EQ(read_file(files.starter), lab::cut_starter(read_file(files.solution)));
    for (const fs::path& file : written) {
      for (const char* const mark : {"{number}", "{name}", "{Name}", "{header}", "{ending}"}) {
        EXPECT_EQ(read_file(top_ / file).find(mark), std::string::npos) << file << " " << mark;
      }
    }
    for (const proofs::Mistake& mistake : proofs::parse_mistakes(read_file(files.mistakes))) {
      EXPECT_NO_THROW(proofs::apply_mistake(mistake, read_file(files.solution))) << mistake.name;
    }
  }
}

TEST_F(NewLabTest, RowsStandInTheOrderOfTheirNumbers) {
  make_lab(top_, {"99_last_one", "kernels"});
  make_lab(top_, {"28_between", "ordinary"});
  make_lab(top_, {"00_first", "ordinary"});
  const std::string list = read_file(top_ / "labs/CMakeLists.txt");
  expect_contains(list, "of which kind it is.\nnibble_lab(00_first)\nnibble_lab(01_grid)\n");
  expect_contains(list, "nibble_lab(27_cuda_binary DEVICE)\nnibble_lab(28_between)\n");
  EXPECT_TRUE(list.ends_with("\nnibble_lab(99_last_one KERNELS)\n"));
  const std::string book = read_file(top_ / "docs/README.md");
  expect_contains(book, "\n| [28 Between](book/28_between.md) | ");
  expect_contains(book, "\n| [99 Last one](book/99_last_one.md) | ");
  EXPECT_LT(book.find("27_cuda_binary"), book.find("28_between"));
  EXPECT_LT(book.find("99_last_one"), book.find("Elsewhere:"));
  expect_contains(read_file(top_ / "README.md"), "\n| [99 last one](labs/99_last_one) | ");
}

TEST_F(NewLabTest, NamesThatWillNotDoAreRefused) {
  for (const char* const name : {"", "36", "36_", "6_clip", "clip", "36_Clip", "36_clip-range",
                                 "36_clip_", "36__clip", "36_2clip", "../36_clip", "36_clip\n"}) {
    expect_contains(refusal(name), "a lab is called by two digits");
  }
  expect_contains(refusal("03_clip"), "03_clip: the number 03 is taken by 03_symmetric");
  expect_contains(refusal("03_clip"), "the first that is free is 01");  // nothing else is here
  expect_contains(refusal("36_symmetric"), "the name symmetric is taken by 03_symmetric");
}

TEST_F(NewLabTest, NothingIsWrittenOver) {
  files::write_atomically(top_ / "docs/examples/36_steps.cpp", "somebody's");
  expect_contains(refusal("36_clip"), "docs/examples/36_steps.cpp is there already: remove it");
}

// Whatever cannot be written, the last file or one between:
// what was written before it is taken back.
TEST_F(NewLabTest, AllFilesOrNone) {
  fs::remove(top_ / "docs/book");
  files::write_atomically(top_ / "docs/book", "a file where a folder is to be");
  expect_contains(refusal("36_clip"), "docs/book");
  fs::remove(top_ / "docs/book");
  fs::create_directory(top_ / "docs/book");
  EXPECT_NO_THROW(make_lab(top_, {"36_clip", "ordinary"}));
}

/// Each place in `text` where the pattern fits: its first group.
std::set<std::string> found(const std::string& pattern, const std::string& text) {
  std::set<std::string> all;
  for (const text::Found& one : text::Pattern(pattern).all(text)) all.insert(one[1]);
  return all;
}

std::string all_of(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) text += read_file(entry.path());
  }
  return text;
}

// Its list of files, line by line, is what is written: no file more, none less.
TEST_F(NewLabTest, TheAuthoringPageListsTheFiles) {
  const std::string page = read_file(kit_.source / "docs/authoring.md");
  const std::size_t begin = page.find("\n```\n"),
                    end = page.find("\n```\n", page.find("```\nlabs/"));
  std::set<std::string> written;
  for (const fs::path& file : make_lab(top_, {"36_clip", "ordinary"})) {
    written.insert(file.string());
  }
  EXPECT_EQ(found("\\n([a-z]+/[^ ]+|README\\.md) ", page.substr(begin, end - begin)), written);
}

// Every mark and macro that stands in a lab or its checks, every header of the judge that checks
// include, every tolerance and measure.
TEST_F(NewLabTest, TheAuthoringPageNamesEveryWord) {
  const std::string page = read_file(kit_.source / "docs/authoring.md");
  const fs::path grader = kit_.source / "grader";
  const std::string labs = all_of(kit_.source / "labs") + all_of(kit_.source / "solutions");
  const std::string checks = all_of(grader / "checks");
  for (const auto& words :
       {found("\\b(NIBBLE[-_][A-Z][A-Z0-9_-]*[A-Z0-9])\\b", labs + checks),
        found("#include \"judge/(\\w+\\.hpp)\"", checks),
        found("inline Tolerance (\\w+)", read_file(grader / "judge/tolerance.hpp")),
        found("extern const Measure (\\w+)", read_file(grader / "judge/kernel_counts.hpp"))}) {
    EXPECT_GT(words.size(), 3u);
    for (const std::string& word : words) expect_contains(page, word);
  }
}

}  // namespace
}  // namespace nibble::teach
