// What the engine computes and answers is what a GPU has computed and answered: NAME.h100.txt holds
// the lines that NAME.cu printed there, and here the engine prints its own.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace nibble::simt {
namespace {

std::vector<std::string> lines_of(std::istream& text) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The engine prints what it found behind the program's own lines.
void expect_a_gpus_lines(const std::string& name, std::size_t at_least) {
  std::ifstream file(std::string(SIMT_KERNELS) + "/" + name + ".h100.txt");
  const std::vector<std::string> theirs = lines_of(file);
  std::istringstream printed(
      run_program(std::string(SIMT_PROGRAMS) + "/" + name + ".engine", "hashes host_code=1").all);
  const std::vector<std::string> ours = lines_of(printed);
  ASSERT_GE(theirs.size(), at_least);
  ASSERT_GE(ours.size(), theirs.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) EXPECT_EQ(ours[i], theirs[i]);
  EXPECT_EQ(ours[theirs.size()], "values right");
}

TEST(AGpusAnswers, ToEveryFunctionOfNumbers) { expect_a_gpus_lines("numbers", 500); }
TEST(AGpusAnswers, ToCallsThatCannotBe) { expect_a_gpus_lines("answers", 50); }

}  // namespace
}  // namespace nibble::simt
