// A mark scheme that does not fit its checks stops the judge, as a fault of the kit: exit 6.
#include <gtest/gtest.h>

#include <string>

#include "process/command.hpp"
#include "protocol/terms.hpp"

namespace nibble::run {
namespace {

const std::string kLab = "98_bad";

process::Finished asked(int scheme, const std::string& order) {
  return process::run(
      {.words = {std::string(BAD_SCHEMES) + "/bad_scheme." + std::to_string(scheme)},
       .input = order});
}

process::Finished judge(int scheme, protocol::Terms terms = {}) {
  terms.lab = kLab;
  terms.child = "/dev/null";
  return asked(scheme, text_of(terms));
}

void refuses(int scheme, const std::string& words) {
  const process::Finished finished = judge(scheme);
  EXPECT_EQ(finished.exit_status, 6);
  EXPECT_EQ(finished.out, "") << "no verdict";
  EXPECT_NE(finished.err.find(words), std::string::npos) << finished.err;
}

TEST(MarkScheme, MustAddUpTo100) { refuses(1, "adds up to 90"); }
TEST(MarkScheme, MayHaveNoRowWithoutACheck) { refuses(2, "f.Missing"); }
TEST(MarkScheme, MayHaveNoCheckWithoutARow) { refuses(3, "f.A"); }
TEST(MarkScheme, ACheckThatRanNothingIsNoPass) { refuses(4, "ran no case"); }

TEST(MarkScheme, ThatFitsGivesAVerdict) {
  const process::Finished finished = judge(0);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_NE(finished.out.find("\"points\":100"), std::string::npos) << finished.out;
}

TEST(JudgeTerms, OfAnUnknownCheckOrCaseAreUsageErrors) {
  EXPECT_EQ(judge(0, {.check = "Nothing"}).exit_status, 2);
  EXPECT_EQ(judge(0, {.only_case = "nothing"}).exit_status, 2);
}

TEST(JudgeTerms, ThatCannotBeReadAreAFaultOfTheKit) {
  const process::Finished finished = asked(0, "{}");
  EXPECT_EQ(finished.exit_status, 6);
  EXPECT_NE(finished.err.find("\"task\" is missing"), std::string::npos) << finished.err;
}

TEST(JudgeTerms, OfAnotherLabAreAFaultOfTheKit) {
  const process::Finished finished = asked(0, text_of(protocol::Terms{.lab = "99_other"}));
  EXPECT_EQ(finished.exit_status, 6);
  EXPECT_NE(finished.err.find("is asked for 99_other"), std::string::npos) << finished.err;
}

TEST(JudgeTerms, ThatAreNoneRunNothing) {
  EXPECT_EQ(asked(0, "").exit_status, 0);
  EXPECT_EQ(asked(0, "").out, "");
  EXPECT_EQ(asked(1, "").exit_status, 6);
}

}  // namespace
}  // namespace nibble::run
