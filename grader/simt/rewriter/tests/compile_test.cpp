// What the rewriter writes compiles with every compiler here, and errors are told at the learner's
// own lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "compilers.hpp"
#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(REWRITER_TESTS "/corpus")) {
    files.push_back(entry.path().string());
  }
  return files;
}

std::string stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

/// The corpus says itself what it is: a file with a main holds host code.
Rewritten rewrite_file(const std::string& source, const std::string& name) {
  const bool has_host_code = source.find("main(") != std::string::npos;
  return rewrite(source, name, has_host_code ? Dialect::kHostAndKernels : Dialect::kKernels);
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, CompilesEverywhere) {
  const std::string source = read(GetParam());
  const Rewritten result = rewrite_file(source, "learner.cu");
  for (const Complaint& complaint : result.complaints) {
    ADD_FAILURE() << complaint.line << ":" << complaint.column << ": " << complaint.message;
  }
  const Scratch scratch;
  const std::string file = scratch.write("learner.cpp", result.text);
  for (const Compiler& compiler : compilers()) {
    const Outcome outcome =
        run(compiler.path + compiler.check_flags +
            " -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-variable -fsyntax-only " + file);
    EXPECT_EQ(outcome.status, 0) << compiler.path << "\n" << outcome.said;
    EXPECT_EQ(outcome.said, "") << compiler.path;
  }
}

/// An error planted behind each line: the first that a compiler stops at says whether lines still
/// count as they did.
TEST_P(Corpus, KeepsItsLineNumbers) {
  const std::string source = read(GetParam());
  std::istringstream lines(source);
  std::string line, planted;
  int number = 0;
  while (std::getline(lines, line)) {
    planted += line + "\n";
    number++;
  }
  planted += "#error planted\n";
  const Scratch scratch;
  const std::string file = scratch.write("learner.cpp", rewrite_file(planted, "learner.cu").text);
  const std::string wanted = "learner.cu:" + std::to_string(number + 1) + ":";
  for (const Compiler& compiler : compilers()) {
    const Outcome outcome = run(compiler.path + compiler.check_flags + " -E -o /dev/null " + file);
    EXPECT_NE(outcome.status, 0);
    EXPECT_NE(outcome.said.find(wanted), std::string::npos) << outcome.said;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(corpus()),
                         [](const auto& info) { return stem(info.param); });

TEST(CorpusOfTheTest, IsThere) { EXPECT_GE(corpus().size(), 6u); }

}  // namespace
}  // namespace nibble::simt
