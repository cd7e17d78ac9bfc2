// Whose a submission is: who is told apart, what their folders are called, and whom the roster
// knows by another name.
#include <set>

#include "a_batch.hpp"
#include "batch/reception.hpp"
#include "export/class.hpp"
#include "files/submission_folder.hpp"

namespace nibble::batch {
namespace {

// --- Who handed in ------------------------------------------------------------------------------

TEST_F(BatchTest, AFolderFullOfSubmissionsIsManyAndAnyOtherIsOne) {
  put("all/kim/03_symmetric/symmetric.cpp");
  put("all/lee/per_channel.cpp");
  put("all/ann.zip");
  put("all/bob/homework.tar.gz");
  put("all/zoe/symetric.cpp");
  put("all/.DS_Store");
  EXPECT_EQ(ids({here_ / "all"}), (Strings{"ann", "bob", "kim", "lee", "zoe"}));
  EXPECT_EQ(ids({here_ / "all/kim", here_ / "all/zoe/"}), (Strings{"kim", "zoe"}));
  EXPECT_EQ(find_submissions({here_ / "all"}, kLabs)[1].path, here_ / "all/bob/homework.tar.gz");
}

TEST_F(BatchTest, AFolderThatIsOnePersonsIsOneWhateverLiesInIt) {
  put("submission/symetric.cpp");
  put("submission/main.cpp");
  put("submission/old/symmetric.cpp");
  EXPECT_EQ(ids({here_ / "submission"}), (Strings{"main", "old", "symetric"}));
  const Delivery one = submission_at(here_ / "submission/", kLabs);
  EXPECT_EQ(one.id, "submission");
  EXPECT_EQ(one.path, here_ / "submission");
  EXPECT_THROW(submission_at(here_ / "nowhere", kLabs), std::invalid_argument);
}

TEST_F(BatchTest, SubmissionsThatCannotBeToldApartAreRefused) {
  put("a/kim/symmetric.cpp");
  put("b/kim.zip");
  EXPECT_THROW(ids({here_ / "a/kim", here_ / "b/kim.zip"}), std::invalid_argument);
  EXPECT_THROW(ids({here_ / "nobody"}), std::invalid_argument);
  EXPECT_THROW(ids({}), std::invalid_argument);
  put("d\xff/kim/symmetric.cpp");
  EXPECT_THROW(ids({here_ / "d\xff"}), std::invalid_argument) << "no order could hold the path";
}

TEST_F(BatchTest, OneThatCannotBeTakenStopsNobodyElse) {
  put("all/kim/symmetric.cpp");
  put("all/kim.zip");
  put("all/lee/symmetric.cpp");
  put("all/le\x1b[2Je/symmetric.cpp");
  put("all/grades/grades.json");
  put("all/grades/lee/symmetric.cpp");
  put("all/zoe_12_34_symmetric.cpp");
  Strings taken, refused;
  for (const Delivery& one : find_submissions({here_ / "all"}, kLabs)) {
    (one.refusal.empty() ? taken : refused).push_back(one.id);
    EXPECT_EQ(one.path.empty(), !one.refusal.empty());
  }
  EXPECT_EQ(taken, (Strings{"lee", "zoe_12_34_symmetric"}));
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused[0], "kim");
}

TEST_F(BatchTest, AStrayFileDoesNotMakeAClassOneSubmission) {
  put("all/kim/symmetric.cpp");
  put("all/lee/symmetric.cpp");
  put("all/symmetric.cpp");
  EXPECT_THROW(ids({here_ / "all"}), std::invalid_argument);
  fs::remove_all(here_ / "all/kim");
  EXPECT_EQ(ids({here_ / "all"}), Strings{"all"}) << "a folder of hers is no class";
}

TEST_F(BatchTest, AClassOfAnotherLabIsNotOnePersonWithNothing) {
  put("all/kim/quantized_matmul.cpp");
  EXPECT_EQ(ids({here_ / "all"}), Strings{"all"}) << "one folder may be a person's";
  put("all/lee/quantized_matmul.cpp");
  EXPECT_THROW(ids({here_ / "all"}), std::invalid_argument);
  put("all/symmetric.cpp");
  EXPECT_EQ(ids({here_ / "all"}), Strings{"all"});
}

/// As a shell's `grade all/*` names them: what kim calls a folder makes kim nobody else.
TEST_F(BatchTest, AFolderInASubmissionIsNobodyElsesSubmission) {
  put("all/kim/bob/symmetric.cpp");
  put("all/bob/symmetric.cpp");
  put("all/lee/symmetric.cpp");
  EXPECT_EQ(ids({here_ / "all/bob", here_ / "all/kim", here_ / "all/lee"}),
            (Strings{"bob", "kim", "lee"}));
  EXPECT_EQ(ids({here_ / "all/kim", here_ / "all/lee"}), (Strings{"kim", "lee"}));
  EXPECT_EQ(ids({here_ / "all"}), (Strings{"bob", "kim", "lee"}));
}

TEST_F(BatchTest, WhatCannotBeLookedAtStopsNobodyElse) {
  put("all/kim/symmetric.cpp");
  put("all/closed/symmetric.cpp");
  fs::create_directories(here_ / "all/round");
  fs::create_symlink("labs", here_ / "all/round/labs");  // a link to itself
  fs::create_symlink("loop.zip", here_ / "all/loop.zip");
  fs::create_symlink("inner.zip", here_ / "all/round/inner.zip");
  fs::permissions(here_ / "all/closed", fs::perms::none);  // which stops all but root
  const Strings all = ids({here_ / "all"});
  fs::permissions(here_ / "all/closed", fs::perms::owner_all);
  EXPECT_EQ(all, (Strings{"closed", "kim", "loop", "round"}));
}

TEST_F(BatchTest, ALinkLeadsToNobodyElsesArchive) {
  put("elsewhere/answers.zip");
  put("all/kim/symmetric.cpp");
  fs::create_directory_symlink("../elsewhere", here_ / "all/lee");
  EXPECT_EQ(find_submissions({here_ / "all"}, kLabs)[1].path, here_ / "all/lee");
}

// --- What their folders are called ---------------------------------------------------------------

const Strings kOurs = {"report.html", "index.html", "grades.json", "results.json", "status.json",
                       "junit.xml",   "moodle.csv", ".batch",      ".nibble",      ".status"};

TEST(SubmissionFolder, IsNeverAFileOfOurs) {
  std::set<std::string> folders;
  Strings names = kOurs;
  for (const std::string& name : kOurs) names.push_back("_" + name);
  for (const char* const name : {"kim", "_kim", "__kim", "a.b@c.org", "", "_"})
    names.emplace_back(name);
  for (const std::string& name : names) {
    const std::string folder = files::submission_folder(name);
    EXPECT_EQ(std::ranges::count(kOurs, folder), 0) << name;
    EXPECT_EQ(files::submission_in(folder), name);
    EXPECT_TRUE(folders.insert(folder).second) << name << " shares a folder";
  }
  EXPECT_EQ(files::submission_folder("kim"), "kim");
  EXPECT_EQ(files::submission_folder("a.b@c.org"), "a.b@c.org");
}

TEST_F(GradeTest, ASubmissionMayBeCalledAsAFileOfOurs) {
  fs::remove_all(here_ / "all");
  for (const std::string& name : kOurs) put("all/" + name + "/symmetric.cpp", text("labs"));
  teach::Grade called = order("a");
  called.paths.clear();
  for (const std::string& name : kOurs) called.paths.push_back(here_ / "all" / name);
  EXPECT_EQ(teach::grade(kit_, called), 0);
  const std::string teach = std::string(NIBBLE_TEST_BUILD) + "/bin/nibble-teach ";
  const std::string a = (here_ / "a").string();
  EXPECT_TRUE(run(teach + "report " + a + " >/dev/null"));
  EXPECT_TRUE(fs::is_regular_file(here_ / "a" / "report.html"));
  EXPECT_TRUE(run(teach + "export gradescope " + a + " -o " + a + "/out"));
  EXPECT_TRUE(run(teach + "export junit " + a + " -o " + a + "/out"));
  Strings found = gradebook::read_class(here_ / "a").submissions(), wanted = kOurs;
  std::ranges::sort(wanted);
  EXPECT_EQ(found, wanted);
  called.resume = true;
  EXPECT_EQ(teach::grade(kit_, called), 0);
}

/// A file system that does not tell Kim from kim is one where both names lead to one folder.
TEST_F(BatchTest, TwoWhoseNamesLeadToOneFolderAreRefused) {
  const std::vector<Delivery> two = {{"Kim", "/a/Kim"}, {"kim", "/a/kim"}};
  make_folders(here_ / "apart", two);
  EXPECT_TRUE(fs::is_directory(here_ / "apart/Kim") && fs::is_directory(here_ / "apart/kim"));
  put("folding/kim/03_symmetric.json");
  fs::create_directory_symlink("kim", here_ / "folding/Kim");
  try {
    make_folders(here_ / "folding", two);
    FAIL() << "they overwrite one another";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("Kim and kim"), std::string::npos) << refused.what();
  }
  EXPECT_TRUE(fs::exists(here_ / "folding/kim/03_symmetric.json"));
}

// --- Whom the roster knows ----------------------------------------------------------------------

/// In by a download once, by mail in the next week: the roster knows that it is one person.
TEST_F(GradeTest, SomebodyOfTwoNamesIsOnePerson) {
  put("week1/adlera_4701_9_symmetric.cpp", text("labs"));
  teach::Grade grade = order("a");
  grade.paths = {here_ / "week1"};
  grade.roster = {{"s1", "Adler", "A"}, {"s2", "Brandt", "B"}};
  grade.roster[0].user = "canvas 4701";
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  put("week2/s1/symmetric.cpp", text("solutions"));
  put("week2/s2/symmetric.cpp", text("solutions"));
  put("week2/nobody/symmetric.cpp", text("solutions"));
  grade.paths = {here_ / "week2"};
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  EXPECT_EQ(Json::parse(result("a", "adlera_4701")).at("points"), 100);
  EXPECT_FALSE(fs::exists(here_ / "a" / "s1"));
  EXPECT_TRUE(fs::exists(here_ / "a" / "s2")) << "goes by no other name";
  EXPECT_TRUE(fs::exists(here_ / "a" / "nobody")) << "is nobody of the roster";
}

/// Nobody knows which of them counts: neither is lost in the other, and nobody has two grades.
TEST_F(GradeTest, TwoNamesOfOnePersonAtOnceAreRefusedTogether) {
  fs::remove_all(here_ / "all");
  put("all/s1/symmetric.cpp", text("labs"));
  put("all/a@example.edu/symmetric.cpp", text("solutions"));
  put("all/s2/symmetric.cpp", text("solutions"));
  teach::Grade grade = order("a");
  grade.roster = {{"s1", "Adler", "A", "a@example.edu"}, {"s2", "Brandt", "B"}};
  testing::internal::CaptureStdout();
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_NE(said.find("a@example.edu and s1 are both Adler, A (s1): leave one, or put the files "
                      "of both into one folder\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(Json::parse(result("a", "s2")).at("points"), 100) << "nobody else is held up";
  const gradebook::Class refused = gradebook::read_class(here_ / "a");
  EXPECT_EQ(refused.graded.size(), 1u);
  EXPECT_EQ(refused.submissions(), (Strings{"a@example.edu", "s2"})) << "one of the two names";
  fs::remove_all(here_ / "all/a@example.edu");
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const gradebook::Class all = gradebook::read_class(here_ / "a");
  EXPECT_TRUE(all.ungraded.empty()) << "what was asked for was done";
  ASSERT_EQ(all.graded.size(), 2u);
  EXPECT_EQ(all.graded[0].points(), 0) << "of the one that was left";
}

/// Who is participant 71 in one assignment is 98 in the next: the roster knows the name.
TEST_F(GradeTest, MoodleNumbersPeopleAnewInEachAssignment) {
  put("week1/Ada Lovelace_71_assignsubmission_file/symmetric.cpp", text("labs"));
  put("week1/Zoe Hopper_72_assignsubmission_file/symmetric.cpp", text("labs"));
  teach::Grade grade = order("a");
  grade.paths = {here_ / "week1"};
  grade.roster = {{"s1", "Lovelace", "Ada"}, {"s2", "Hopper", "Zoe"}};
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const std::string grid = files::read_file(kit_.source / "labs" / "01_grid" / "grid.cpp");
  put("week2/Ada Lovelace_98_assignsubmission_file/grid.cpp", grid);
  put("week2/Zoe Hopper_97_assignsubmission_file/gird.cpp", grid);
  grade.paths = {here_ / "week2"};
  grade.labs = {"01"};
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const gradebook::Class all = gradebook::read_class(here_ / "a");
  EXPECT_EQ(all.submissions(), (Strings{"Ada Lovelace_71", "Zoe Hopper_72"}));
  ASSERT_EQ(all.graded.size(), 3u);
  EXPECT_EQ(all.graded[0].lab(), "01_grid");
  EXPECT_EQ(all.graded[0].user, "moodle 98");
  EXPECT_EQ(all.graded[1].user, "moodle 71") << "each assignment's own leads back to it";
  ASSERT_EQ(all.ungraded.size(), 1u);
  EXPECT_EQ(all.ungraded[0].user, "moodle 97");
  EXPECT_EQ(gradebook::find_by_any_name(grade.roster, "Ada Lovelace_98"), grade.roster.data());
}

TEST_F(GradeTest, ANameOfTwoPeopleIsRefusedAndForgottenOnceItIsRenamed) {
  fs::remove_all(here_ / "all");
  put("all/Ada Twin/symmetric.cpp", text("labs"));
  put("all/Zoe Hopper/symmetric.cpp", text("solutions"));
  teach::Grade grade = order("a");
  grade.roster = {{"s1", "Twin", "Ada"}, {"s2", "Twin", "Ada"}, {"s3", "Hopper", "Zoe"}};
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const gradebook::Class refused = gradebook::read_class(here_ / "a");
  ASSERT_EQ(refused.ungraded.size(), 1u);
  EXPECT_EQ(refused.ungraded[0].why,
            "refused: Ada Twin is several in the roster: s1, s2. Rename it to the one whose it is");
  ASSERT_EQ(refused.graded.size(), 1u) << "nobody else is held up";
  EXPECT_EQ(refused.graded[0].submission, "Zoe Hopper");
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  EXPECT_EQ(gradebook::read_class(here_ / "a").ungraded.size(), 1u) << "it is there still";
  fs::rename(here_ / "all/Ada Twin", here_ / "all/s1");
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  const gradebook::Class all = gradebook::read_class(here_ / "a");
  EXPECT_EQ(all.submissions(), (Strings{"Zoe Hopper", "s1"}));
  EXPECT_TRUE(all.ungraded.empty());
}

}  // namespace
}  // namespace nibble::batch
