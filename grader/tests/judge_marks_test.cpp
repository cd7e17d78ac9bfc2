// A mark scheme that does not fit its checks stops the judge, as a fault of the kit: exit 6.
#include <gtest/gtest.h>

#include <string>

#include "build/command.hpp"

namespace nibble::build {
namespace {

Finished judge(int scheme, std::vector<std::string> more = {"--child", "/dev/null"}) {
  std::vector<std::string> words{std::string(BAD_SCHEMES) + "/bad_scheme." +
                                 std::to_string(scheme)};
  words.insert(words.end(), more.begin(), more.end());
  return run({.words = words});
}

void refuses(int scheme, const std::string& words) {
  const Finished finished = judge(scheme);
  EXPECT_EQ(finished.exit_status, 6);
  EXPECT_EQ(finished.out, "") << "no verdict";
  EXPECT_NE(finished.err.find(words), std::string::npos) << finished.err;
}

TEST(MarkScheme, MustAddUpTo100) { refuses(1, "adds up to 90"); }
TEST(MarkScheme, MayHaveNoRowWithoutACheck) { refuses(2, "f.Missing"); }
TEST(MarkScheme, MayHaveNoCheckWithoutARow) { refuses(3, "f.A"); }
TEST(MarkScheme, ACheckThatRanNothingIsNoPass) { refuses(4, "ran no case"); }

TEST(MarkScheme, ThatFitsGivesAVerdict) {
  const Finished finished = judge(0);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_NE(finished.out.find("\"points\":100"), std::string::npos) << finished.out;
}

TEST(JudgeOptions, OfAnUnknownCheckOrCaseAreUsageErrors) {
  EXPECT_EQ(judge(0, {"--child", "x", "--check", "Nothing"}).exit_status, 2);
  EXPECT_EQ(judge(0, {"--child", "x", "--case", "nothing"}).exit_status, 2);
}

TEST(JudgeOptions, ValidateRunsNothing) {
  EXPECT_EQ(judge(0, {"--validate"}).exit_status, 0);
  EXPECT_EQ(judge(0, {"--validate"}).out, "");
  EXPECT_EQ(judge(1, {"--validate"}).exit_status, 6);
}

}  // namespace
}  // namespace nibble::build
