// Tables of clauses: how a contract is cut, what a table may say, and what check-kit finds in one.
#include "proofs/clauses.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "proofs/proofs.hpp"
#include "text/format_error.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

constexpr const char* kContract = R"(// Lab 03: scales. This header is the contract: read it.
#pragma once

namespace nibble {

/// Codes and their step.
struct Tensor {
  std::vector<std::int8_t> q;  ///< one code per element
  float scale = 1.0f;          ///< of a step; normal, and
                               ///< never 0
};

// --- A heading ----------------------------------------------------------------------------------

/// Returns the scale (of x; see below) of 2.5 steps. round() goes to the even one. Ties:
///
///     amax  = max |x[i]|
///     scale = amax / qmax
///
/// Requires: x is finite; some
/// width. Otherwise throws
/// std::invalid_argument.
float f(std::span<const float> x);
}
)";

TEST(Clauses, AreSentencesFormulasAndMembers) {
  const Strings clauses = clauses_of(kContract);
  ASSERT_EQ(clauses.size(), 10u);
  EXPECT_EQ((Strings{clauses.begin(), clauses.begin() + 7}),
            (Strings{"Codes and their step.", "q: one code per element", "scale: of a step;",
                     "normal, and never 0", "Returns the scale (of x; see below) of 2.5 steps.",
                     "round() goes to the even one.", "Ties:"}));
  EXPECT_TRUE(clauses[7].starts_with("amax = max |x[i]| [2 lines, ")) << clauses[7];
  EXPECT_EQ(clauses[8], "Requires: x is finite;");
  EXPECT_EQ(clauses[9], "some width.");
}

TEST(Clauses, AnyLineOfAFormulaIsInItsNumber) {
  std::string other = kContract;
  other.replace(other.find("amax / qmax"), 4, "amin");
  EXPECT_NE(clauses_of(other), clauses_of(kContract));
}

TEST(Clauses, ATableIsReadAsItWasWritten) {
  const std::vector<Clause> known = {
      {"some width.", {{"f.Refuses", {"takes_any", "takes_none"}}, {"f.Gives", {"none"}}}, ""},
      {"Ties:", {}, std::string("a heading") + std::string(120, 'y') + " and more words"},
      {"gone", {{"f.Gives", {"none"}}}, ""}};
  const std::string text = write_clauses("03_scales", clauses_of(kContract), known);
  const std::vector<Clause> read = parse_clauses(text);
  ASSERT_EQ(read.size(), 10u);
  EXPECT_EQ(read[6].excuse, known[1].excuse);
  EXPECT_TRUE(is_open(read[0]));
  ASSERT_EQ(read[9].holders.size(), 2u);
  EXPECT_EQ(read[9].holders[0].check, "f.Refuses");
  EXPECT_EQ(read[9].holders[0].mistakes, known[0].holders[0].mistakes);
  EXPECT_EQ(write_clauses("03_scales", clauses_of(kContract), read), text);
}

std::string format_error(const std::string& table) {
  try {
    parse_clauses(table);
  } catch (const text::FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(Clauses, MalformedTablesAreErrorsWithLines) {
  EXPECT_NE(format_error("# a\n\n    f.G: m\n").find("3: stands before"), std::string::npos);
  EXPECT_NE(format_error("A.\n    f.G\n").find("2: want `exercise.Check"), std::string::npos);
  EXPECT_NE(format_error("A.\n    f.G: m,\n").find("want"), std::string::npos);
  EXPECT_EQ(format_error("A.\n    f.G: m,\n        n\n"), "");
}

/// A lab of one check and one mistake, with a table.
class ProveClauses : public testing::Test {
 protected:
  ProveClauses() {
    std::string pattern = (fs::temp_directory_path() / "nibble-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    lab_.files.lab.name = "03_scales";
    lab_.files.contract = folder_ / "scales.hpp";
    lab_.files.clauses = folder_ / "clauses.txt";
    lab_.files.mistakes = folder_ / "mistakes.txt";
    record::Row row;
    row.exercise = "f", row.id = "Gives";
    lab_.scheme.checks = {row};
    files::write_atomically(lab_.files.contract, "/// Returns 1.\nint f();\n");
    files::write_atomically(lab_.files.mistakes, "[f]\nm: N-WRONG not 1\n<<<\n1\n===\n2\n>>>\n");
  }
  ~ProveClauses() override { fs::remove_all(folder_); }

  /// What check-kit says of the table.
  std::string of(const std::string& table) {
    files::write_atomically(lab_.files.clauses, table);
    return show(prove_clauses({lab_}));
  }

  std::string held(const std::string& table, const Strings& failed) {
    files::write_atomically(lab_.files.clauses, table);
    TriedMistake tried;
    tried.lab = &labs_.emplace_back(lab_);
    tried.mistake.name = "m";
    for (const std::string& id : failed) {
      tried.failed.emplace_back();
      tried.failed.back().exercise = "f", tried.failed.back().id = id;
    }
    return show(prove_clauses_held(labs_, {tried}));
  }

  void finds(const std::string& shown, const std::string& fault) {
    EXPECT_NE(shown.find(fault), std::string::npos) << shown;
    EXPECT_NE(shown.find("FAIL"), std::string::npos) << shown;
  }

  fs::path folder_;
  ProvenLab lab_;
  std::vector<ProvenLab> labs_;
};

TEST_F(ProveClauses, AFullTableHolds) {
  const std::string shown = of("Returns 1.\n    f.Gives: m\n");
  EXPECT_EQ(shown.find("FAIL"), std::string::npos) << shown;
}

TEST_F(ProveClauses, EachFaultIsNamed) {
  finds(of("Returns 1.\n"), "nothing holds it");
  finds(of("Returns 1.\n    - nothing\n"), "f.Gives holds no clause");
  finds(of("Returns 1.\n    f.Gives: n\n"), "no mistake is called n");
  finds(of("Returns 1.\n    f.Gives: m\n    f.Takes: m\n"), "no check is called f.Takes");
  finds(of("    f.Gives: m\n"), "1: stands before the first clause");
  finds(held("    f.Gives: m\n", {"Gives"}), "1: stands before the first clause");
  labs_.clear();
  finds(of("Returns 2.\n    f.Gives: m\n"), "the contract says \"Returns 1.\"");
  finds(of("Returns 1.\n    f.Gives: m\n\nMore.\n    - why\n"), "its table \"More.\"");
}

TEST_F(ProveClauses, AMistakeHasToBeRejectedByTheCheckThatItIsNamedWith) {
  const std::string table = "Returns 1.\n    f.Gives: m\n";
  EXPECT_EQ(held(table, {"Gives"}).find("FAIL"), std::string::npos);
  labs_.clear();
  finds(held(table, {"Takes"}), "f.Gives does not reject m");
}

}  // namespace
}  // namespace nibble::proofs
