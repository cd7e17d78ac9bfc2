// A folder of grades that is graded into again: what is new or changed counts, all else stays, and
// what somebody should know is said once.
#include "a_batch.hpp"
#include "batch/compare.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "batch/reception.hpp"
#include "export/class.hpp"

namespace nibble::batch {
namespace {

/// What is taken of kim's folder, as of that day.
class ReceptionTest : public BatchTest {
 protected:
  Strings receive_kim(const Strings& labs, const std::string& refusal = "") const {
    const Delivery kim{"kim", refusal.empty() ? (here_ / "in/kim").string() : "", labs, refusal};
    make_folders(here_ / "grades", {kim});
    return receive(kit_, kim, kit_.choose(labs), here_ / "grades", here_ / "work");
  }

  void grade(const std::string& lab) const {
    keep_result(here_ / "grades", "kim", result_of(lab, "sha256:1"));
  }

  gradebook::Class results() const { return gradebook::read_class(here_ / "grades"); }
};

TEST_F(ReceptionTest, AGradeDoesNotOutliveItsFile) {
  put("in/kim/symmetric.cpp");
  EXPECT_TRUE(receive_kim({"03_symmetric"}).empty());
  grade("03_symmetric");
  EXPECT_EQ(results().graded.size(), 1u);
  put("in/kim/symmetric.cpp", std::string("\0", 1));
  EXPECT_EQ(receive_kim({"03_symmetric"}).size(), 2u) << "refused, and the grade counts no more";
  EXPECT_TRUE(results().graded.empty());
  EXPECT_EQ(results().ungraded.size(), 1u);
  EXPECT_TRUE(fs::exists(here_ / "grades/kim/earlier/03_symmetric.json"));
  put("in/kim/symmetric.cpp");
  EXPECT_TRUE(receive_kim({"03_symmetric"}).empty());
  grade("03_symmetric");
  EXPECT_EQ(receive_kim({"03_symmetric"}, "two are called kim").size(), 2u);
  EXPECT_TRUE(results().graded.empty());
}

TEST_F(ReceptionTest, WhatWasRefusedInBetweenTakesNoAttemptAway) {
  put("in/kim/symmetric.cpp");
  receive_kim({"03_symmetric"});
  grade("03_symmetric");
  put("in/kim/symmetric.cpp", std::string("\0", 1));
  receive_kim({"03_symmetric"});
  put("in/kim/symmetric.cpp");
  receive_kim({"03_symmetric"});
  EXPECT_EQ(results().graded.size(), 1u) << "the same text: its grade is there again";
  EXPECT_TRUE(results().attempts.empty());
  put("in/kim/symmetric.cpp", std::string("\0", 1));
  receive_kim({"03_symmetric"});
  put("in/kim/symmetric.cpp", "int another;\n");
  receive_kim({"03_symmetric"});
  grade("03_symmetric");
  EXPECT_EQ(results().attempts.size(), 1u) << "another text: the one before is an attempt";
}

TEST_F(ReceptionTest, OtherLabsStayAsTheyAre) {
  put("in/kim/symmetric.cpp");
  receive_kim({"03_symmetric"});
  grade("03_symmetric");
  fs::remove_all(here_ / "in/kim");
  put("in/kim/grid.cpp", std::string("\0", 1));
  receive_kim({"01_grid"});
  EXPECT_EQ(results().graded.size(), 1u);
  EXPECT_EQ(results().ungraded.size(), 1u);
  put("in/kim/grid.cpp");
  receive_kim({"01_grid"});
  grade("01_grid");
  EXPECT_EQ(results().graded.size(), 2u);
  EXPECT_TRUE(results().ungraded.empty());
  fs::remove_all(here_ / "in/kim");
  EXPECT_TRUE(receive_kim({"03_symmetric", "01_grid"}).empty()) << "a download that is gone";
  EXPECT_EQ(results().graded.size(), 2u);
}

TEST_F(GradeTest, ResumingGradesOnlyWhatIsMissingOrChanged) {
  EXPECT_EQ(teach::grade(kit_, order("a")), 0);
  EXPECT_THROW(teach::grade(kit_, order("a")), std::invalid_argument) << "results are there";
  const std::string right = result("a", "right");
  fs::remove(result_file(here_ / "a", "same", "03_symmetric"));
  put("all/starter/symmetric.cpp", text("solutions"));
  teach::Grade again = order("a");
  again.resume = true;
  EXPECT_EQ(teach::grade(kit_, again), 0);
  EXPECT_EQ(result("a", "right"), right) << "byte by byte, times too";
  EXPECT_EQ(Json::parse(result("a", "same")).at("points"), 100);
  EXPECT_EQ(Json::parse(result("a", "starter")).at("points"), 100);
  again.terms.salt = "another";
  EXPECT_THROW(teach::grade(kit_, again), std::invalid_argument);
}

TEST_F(GradeTest, WhoeverWasTakenAwayKeepsTheGradeAloud) {
  const auto said = [&](teach::Grade grade) {
    grade.resume = true;
    testing::internal::CaptureStdout();
    EXPECT_EQ(teach::grade(kit_, grade), 0);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(said(order("a")).find("no longer"), std::string::npos);
  fs::remove_all(here_ / "all/same");
  const std::string gone = said(order("a"));
  EXPECT_NE(gone.find("  same: is no longer where it lay, and 03_symmetric keeps its grade of "),
            std::string::npos)
      << gone;
  EXPECT_NE(gone.find(" UTC; to withdraw that, grade an empty folder called same\n"),
            std::string::npos)
      << gone;
  EXPECT_EQ(Json::parse(result("a", "same")).at("points"), 100);
  fs::rename(here_ / "all", here_ / "elsewhere");
  teach::Grade without = order("a");
  without.paths.clear();
  EXPECT_EQ(said(without).find("no longer"), std::string::npos) << "a class whose folder is gone";
  fs::rename(here_ / "elsewhere", here_ / "all");
  fs::create_directories(here_ / "all/same");
  const std::string withdrawn = said(order("a"));
  EXPECT_NE(withdrawn.find("same: 03_symmetric was graded before, and counts no more"),
            std::string::npos)
      << withdrawn;
  EXPECT_FALSE(fs::exists(result_file(here_ / "a", "same", "03_symmetric")));
}

/// Next week's labs come into the same folder.
TEST_F(GradeTest, AnotherLabForgetsNoneOfBefore) {
  EXPECT_EQ(teach::grade(kit_, order("a")), 0);
  fs::remove_all(here_ / "all");
  const fs::path grid = kit_.source / "solutions" / "01_grid" / "grid.cpp";
  put("week2/right/grid.cpp", files::read_file(grid));
  teach::Grade next = order("a");
  next.paths = {here_ / "week2"};
  next.labs = {"01"};
  next.resume = true;
  EXPECT_EQ(teach::grade(kit_, next), 0);
  const Overview overview = look_over(here_ / "a", *read_order(kit_, here_ / "a"));
  EXPECT_EQ(overview.graded, 5u);
  EXPECT_EQ(overview.missing, 0u);
  teach::Grade again;
  again.out = here_ / "b";
  again.terms.salt = "a salt for this test";
  EXPECT_EQ(teach::regrade(kit_, here_ / "a", again), 0);
  EXPECT_TRUE(compare(here_ / "a", here_ / "b").empty());
}

/// What was said in the week before is not said again.
TEST_F(GradeTest, OfOtherLabsNothingIsSaidTwice) {
  put("all/kim/readme.txt", "nothing");
  teach::Grade first = order("a");
  first.legs.hidden = false;
  testing::internal::CaptureStdout();
  EXPECT_EQ(teach::grade(kit_, first), 0);
  const std::string week1 = testing::internal::GetCapturedStdout();
  EXPECT_NE(week1.find("  kim: "), std::string::npos) << week1;
  EXPECT_NE(week1.find("needs a look: 1\n"), std::string::npos) << week1;
  put("week2/right/grid.cpp", files::read_file(kit_.source / "solutions" / "01_grid" / "grid.cpp"));
  put("week2/lee/readme.txt", "nothing");
  first.paths = {here_ / "week2"};
  first.labs = {"01"};
  first.resume = true;
  testing::internal::CaptureStdout();
  EXPECT_EQ(teach::grade(kit_, first), 0);
  const std::string week2 = testing::internal::GetCapturedStdout();
  EXPECT_EQ(week2.find("kim"), std::string::npos) << week2;
  EXPECT_NE(week2.find("  lee: "), std::string::npos) << week2;
  EXPECT_NE(week2.find("needs a look: 1\n"), std::string::npos) << week2;
  EXPECT_NE(week2.find("and of other labs 1: `./nibble teach status` shows them\n"),
            std::string::npos)
      << week2;
}

}  // namespace
}  // namespace nibble::batch
