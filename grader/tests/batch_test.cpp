// A batch loses nothing, grades nothing twice, and says what it could not do.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "batch/compare.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "batch/plan.hpp"
#include "batch/progress_bar.hpp"
#include "batch/reception.hpp"
#include "batch/store.hpp"
#include "batch/submissions.hpp"
#include "batch/turn.hpp"
#include "export/class.hpp"
#include "files/files.hpp"
#include "files/submission_folder.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "run/salt.hpp"
#include "teach/grade.hpp"
#include "teach/own_notes.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::vector<lab::Lab> kLabs = {{"03_symmetric"}, {"05_per_channel"}};

class BatchTest : public testing::Test {
 protected:
  BatchTest() {
    std::string pattern = (fs::temp_directory_path() / "nibble-batch-XXXXXX").string();
    here_ = mkdtemp(pattern.data());
  }
  ~BatchTest() override {
    std::error_code ignored;
    fs::remove_all(here_, ignored);
  }

  void put(const fs::path& file, const std::string& text = "int x;\n") const {
    files::write_atomically(here_ / file, text);
  }

  std::vector<std::string> ids(const std::vector<fs::path>& paths) const {
    std::vector<std::string> ids;
    for (const Delivery& one : find_submissions(paths, kLabs)) ids.push_back(one.id);
    return ids;
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  fs::path here_;
};

using Strings = std::vector<std::string>;

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

// --- What is started dies with us ----------------------------------------------------------------

/// As when a cluster cancels a job: nobody has time to end anything. The box must not be left.
TEST_F(BatchTest, WhatAKilledProcessStartedDiesWithIt) {
  const fs::path said = here_ / "pid";
  const pid_t job = fork();
  if (job == 0) {
    process::run({.words = {"sh", "-c", "echo $$ >" + said.string() + "; exec sleep 600"}});
    _exit(0);
  }
  const auto reads = [&] { return fs::exists(said) ? files::read_file(said) : ""; };
  while (!reads().ends_with('\n')) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const pid_t started = std::stoi(reads());
  EXPECT_EQ(kill(started, 0), 0);
  kill(job, SIGKILL);
  waitpid(job, nullptr, 0);
  const auto is_gone = [&] {  // or a zombie, where nobody collects orphans
    std::ifstream stat("/proc/" + std::to_string(started) + "/stat");
    std::string pid, name, state;
    return !(stat >> pid >> name >> state) || state == "Z";
  };
  for (int i = 0; i < 500 && !is_gone(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_gone());
}

// --- The order and the store --------------------------------------------------------------------

TEST_F(BatchTest, AnOrderIsReadAsItWasWritten) {
  BatchOrder order;
  order.labs = kit_.choose({"03", "19"});
  order.legs.hidden = true;
  order.terms.seed = "0x7";
  order.salt_hash = "sha256:0";
  order.started = "2026-10-01T14:02:11Z";
  order.submissions = {{"kim", "/a/kim", {"03_symmetric"}},
                       {"lee", "", {"03_symmetric"}, "two are called lee"}};
  write_order(here_, order);
  const std::optional<BatchOrder> read = read_order(kit_, here_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->labs, order.labs);
  EXPECT_TRUE(read->legs.hidden);
  EXPECT_EQ(read->terms.seed, "0x7");
  EXPECT_EQ(read->salt_hash, "sha256:0");
  EXPECT_FALSE(read->salt_is_lost);
  ASSERT_EQ(read->submissions.size(), 2u);
  EXPECT_EQ(read->submissions[0].path, "/a/kim");
  EXPECT_EQ(read->submissions[0].labs, Strings{"03_symmetric"});
  EXPECT_EQ(read->submissions[1].refusal, "two are called lee");
}

TEST_F(BatchTest, AnOrderOfAnotherVersionIsRefusedByName) {
  EXPECT_FALSE(read_order(kit_, here_));
  for (const char* const text :
       {"{\"grades\": 7}", "{\"grades\": 1}", "{\"grades\": \"x\"}", "{", "[]"}) {
    put("grades.json", text);
    EXPECT_THROW(read_order(kit_, here_), std::invalid_argument) << text;
  }
}

record::Result result_of(const std::string& lab, const std::string& key) {
  record::Result result;
  result.lab = lab;
  result.points = result.max_points = 75;
  result.manifest.key = key;
  result.checks = {{{"A", "f"}, record::CheckStatus::kPass, 75}};
  result.checks[0].max_points = 75;
  return result;
}

TEST_F(BatchTest, WhatAKilledProcessLeftIsSweptAndWhatALivingOneWritesIsNot) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const std::string name = "kim/03_symmetric.json.new-" + std::string(host.data()) + "-by-";
  put(name + std::to_string(gone));
  put(name + std::to_string(getpid()));
  put("kim/03_symmetric.json.new-elsewhere-by-1");
  sweep(here_);
  EXPECT_FALSE(fs::exists(here_ / (name + std::to_string(gone))));
  EXPECT_TRUE(fs::exists(here_ / (name + std::to_string(getpid()))));
  EXPECT_TRUE(fs::exists(here_ / "kim/03_symmetric.json.new-elsewhere-by-1"));
}

TEST_F(BatchTest, AFaultIsNoResultAndIsForgottenWhenThereIsOne) {
  keep_fault(here_, "kim", "03_symmetric", "the disk is full");
  EXPECT_FALSE(fs::exists(result_file(here_, "kim", "03_symmetric")));
  BatchOrder order;
  order.labs = {{"03_symmetric"}};
  order.submissions = {{"kim", ""}};
  put("kim/submitted/03_symmetric/symmetric.cpp");
  Overview overview = look_over(here_, order);
  EXPECT_EQ(overview.faults, 1u);
  EXPECT_EQ(overview.graded, 0u);
  EXPECT_NE(overview_text(overview).find("the disk is full"), std::string::npos);
  keep_result(here_, "kim", result_of("03_symmetric", "sha256:1"));
  overview = look_over(here_, order);
  EXPECT_EQ(overview.faults, 0u);
  EXPECT_EQ(overview.passed, 1u);
}

TEST_F(BatchTest, WhatIsUnreadableIsGradedAgain) {
  Batch batch{here_, {{"03_symmetric", {{"03_symmetric"}, {.seed = "0x1"}, {}, "sha256:t"}}}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  const std::vector<Grading> all = handed_in(batch, {{"kim", ""}, {"absent", ""}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(plan(batch, all).missing.size(), 1u);
  const std::string key = key_of(batch.orders["03_symmetric"], "text");
  keep_result(here_, "kim", result_of("03_symmetric", key));
  EXPECT_EQ(plan(batch, all).done, 1u);
  for (const char* const damaged : {"", "{", "[]", "{\"manifest\": 3}"}) {
    put("kim/03_symmetric.json", damaged);
    EXPECT_EQ(plan(batch, all).missing.size(), 1u) << damaged;
  }
  keep_result(here_, "kim", result_of("03_symmetric", "sha256:other"));
  EXPECT_EQ(plan(batch, all).of_another_key, 1u);
}

TEST_F(BatchTest, AnEditedResultIsGradedAgain) {
  Batch batch{here_, {{"03_symmetric", {{"03_symmetric"}, {.seed = "0x1"}, {}, "sha256:t"}}}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  record::Result edited = result_of("03_symmetric", key_of(batch.orders["03_symmetric"], "text"));
  edited.points = 76;
  keep_result(here_, "kim", edited);
  EXPECT_EQ(plan(batch, handed_in(batch, {{"kim", ""}})).missing.size(), 1u);
}

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

TEST_F(BatchTest, FilesThatSomebodyHasBeenAtStopNothing) {
  BatchOrder order;
  order.labs = {{"03_symmetric"}};
  order.submissions = {{"kim", ""}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  const std::string key = "sha256:1";
  const Json with_key_alone = {{"manifest", {{"key", key}}}};
  for (const std::string& text : {std::string("[]"), std::string("7"), with_key_alone.dump()}) {
    for (const char* const name : {"03_symmetric.json", "03_symmetric.fault.json", "intake.json"}) {
      put(fs::path("kim") / name, text);
    }
    EXPECT_EQ(look_over(here_, order).graded, 0u) << text;
    EXPECT_THROW(compare(here_, here_), std::invalid_argument) << "there is no result";
  }
  keep_result(here_, "kim", result_of("03_symmetric", key));
  EXPECT_EQ(read_result(result_file(here_, "kim", "03_symmetric"))->manifest.key, key);
}

TEST_F(BatchTest, OneBatchAtATimeWorksOnAFolder) {
  {
    const Turn turn(here_);
    EXPECT_THROW(Turn{here_}, std::invalid_argument);
    EXPECT_NO_THROW(Turn{here_ / "another"});
  }
  EXPECT_NO_THROW(Turn{here_}) << "the first has ended";
}

TEST(BatchKey, ChangesWithAllThatDecidesAVerdict) {
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  const LabOrder order{{"03_symmetric"}, {.seed = "0x1", .salt = "salt"}, {.hidden = true}};
  const auto key = [&](const lab::Kit& of, const LabOrder& changed) {
    return key_of(settled(of, changed), "text");
  };
  const std::string first = key(kit, order);
  EXPECT_EQ(first, key(kit, order));
  EXPECT_NE(first, key_of(settled(kit, order), "text "));
  LabOrder other = order;
  other.legs.hidden = false;
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.seed = "0x2";
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.salt = "pepper";
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.legs.sanitizers = false;
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.budget = std::chrono::seconds(60);
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.legs.gpu = true;
  EXPECT_NE(first, key(kit, other));
  lab::Kit patched = kit;
  patched.cxx_name += " patched";
  EXPECT_NE(first, key(patched, order));
  EXPECT_EQ(first.find("salt"), std::string::npos);
}

// --- Comparing ----------------------------------------------------------------------------------

TEST_F(BatchTest, ComparesWhatMustNotDifferAndNothingElse) {
  const record::Result one = result_of("03_symmetric", "k");
  record::Result other = one;
  other.started = "later";
  other.checks[0].seconds = 7.0;
  keep_result(here_ / "a", "kim", one);
  keep_result(here_ / "b", "kim", other);
  EXPECT_TRUE(compare(here_ / "a", here_ / "b").empty());
  record::Result fast = one, faster = one;
  fast.checks[0].speed.emplace();
  faster.checks[0].speed.emplace();
  faster.checks[0].points += 2;
  faster.points += 2;
  keep_result(here_ / "fast", "kim", fast);
  keep_result(here_ / "faster", "kim", faster);
  EXPECT_TRUE(compare(here_ / "fast", here_ / "faster").empty()) << "a speed that was measured";
  other.checks[0].status = record::CheckStatus::kFail;
  keep_result(here_ / "b", "kim", other);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[0].what,
            "the same points, another check: f.A: pass -> fail");
  other.points = 70;
  keep_result(here_ / "b", "kim", other);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[0].what, "75 -> 70 points  f.A: pass -> fail");
  keep_result(here_ / "b", "lee", one);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[1].id, "lee");
  fs::create_directory(here_ / "c");
  EXPECT_THROW(compare(here_ / "a", here_ / "c"), std::invalid_argument);
}

TEST(Progress, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_text(0, 500, 0.0), "[--------------------]   0/500");
  EXPECT_EQ(progress_text(250, 500, 100.0),
            "[##########----------] 250/500  2.5/s  1 min 40 s left");
  EXPECT_EQ(progress_text(500, 500, 200.0), "[####################] 500/500  2.5/s");
  EXPECT_EQ(progress_text(1, 10'000, 1.0),
            "[--------------------]     1/10000  1.0/s  2 h 46 min left");
}

// --- The whole of it ----------------------------------------------------------------------------

class GradeTest : public BatchTest {
 protected:
  GradeTest() {
    put("all/right/symmetric.cpp", text("solutions"));
    put("all/starter/symmetric.cpp", text("labs"));
    put("all/broken/symmetric.cpp", "int main( {\n");
    put("all/same/symmetric.cpp", text("solutions"));
  }

  std::string text(const char* folder) const {
    return files::read_file(kit_.source / folder / "03_symmetric/symmetric.cpp");
  }

  teach::Grade order(const char* out) const {
    teach::Grade grade;
    grade.paths = {here_ / "all"};
    grade.labs = {"03"};
    grade.out = here_ / out;
    grade.terms.seed = "0x5";
    grade.legs.hidden = true;
    grade.terms.salt = "a salt for this test";
    grade.workers = 2;
    return grade;
  }

  std::string result(const char* out, const char* id) const {
    return files::read_file(result_file(here_ / out, id, "03_symmetric"));
  }

  static bool run(const std::string& command) {
    return std::system((command + " 2>/dev/null").c_str()) == 0;
  }
};

TEST_F(GradeTest, TheSameOrderGivesTheSameGrades) {
  EXPECT_EQ(teach::grade(kit_, order("a")), 0);
  teach::Grade other = order("b");
  other.workers = 1;
  other.paths = {here_ / "all/starter", here_ / "all/same", here_ / "all/broken",
                 here_ / "all/right"};
  EXPECT_EQ(teach::grade(kit_, other), 0);
  EXPECT_TRUE(compare(here_ / "a", here_ / "b").empty());
  EXPECT_EQ(Json::parse(result("a", "right")).at("points"), 100);
  EXPECT_EQ(Json::parse(result("a", "starter")).at("points"), 0);
  EXPECT_EQ(Json::parse(result("a", "broken")).at("verdict"), "no_compile");
}

/// The solution, which makes a folder when it is asked what only hidden checks ask, and no longer
/// refuses what public checks ask when it finds that folder.
std::string that_leaves_a_mark(std::string solution, const fs::path& mark) {
  const std::string name = "\"" + mark.string() + "\"";
  const std::string body = "  const float scale = symmetric_scale(x, num_bits);\n";
  solution.insert(solution.find(body),
                  "  struct stat found;\n  if (num_bits > 8 && stat(" + name +
                      ", &found) == 0) return {};\n  if (x.size() > 8000) mkdir(" + name +
                      ", 0700);\n");
  return "#include <sys/stat.h>\n" + solution;
}

TEST_F(GradeTest, EveryPublicCheckOfEveryLegComesBeforeTheFirstHiddenOne) {
  put("all/marks/symmetric.cpp", that_leaves_a_mark(text("solutions"), here_ / "open" / "mark"));
  fs::create_directory(here_ / "open");
  for (const fs::path& folder : {here_, here_ / "open"}) fs::permissions(folder, fs::perms::all);
  teach::Grade one = order("a");
  one.paths = {here_ / "all/marks"};
  one.legs.sanitizers = true;
  EXPECT_EQ(teach::grade(kit_, one), 0);
  EXPECT_TRUE(fs::exists(here_ / "open" / "mark"))
      << "a hidden check ran, where nothing confines it";
  const Json results = Json::parse(result("a", "marks"));
  EXPECT_EQ(results.at("points"), 100);
  EXPECT_EQ(results.at("legs").at("sanitizers"), "ran");
  EXPECT_FALSE(results.contains("finding")) << results.at("finding").dump();
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

TEST_F(GradeTest, WhatHidesFromTheSanitizersNeedsALook) {
  fs::remove_all(here_ / "all");
  put("all/hides/symmetric.cpp",
      text("solutions") + "#ifdef __SANITIZE_ADDRESS__\n#error not here\n#endif\n");
  EXPECT_EQ(teach::grade(kit_, order("a")), 0);
  const Json hidden = Json::parse(result("a", "hides"));
  EXPECT_EQ(hidden.at("legs").at("sanitizers"), "no_compile");
  EXPECT_EQ(hidden.at("needs_look"), Json::array({"leg"}));
  BatchOrder order;
  order.labs = {{"03_symmetric"}};
  order.submissions = {{"hides", ""}};
  EXPECT_EQ(look_over(here_ / "a", order).looks.size(), 1u);
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

TEST_F(GradeTest, AfterKillNothingIsLostAndNothingIsHalf) {
  EXPECT_EQ(teach::grade(kit_, order("whole")), 0);
  for (const int milliseconds : {150, 600, 1500}) {
    const pid_t batch = fork();
    if (batch == 0) {
      setpgid(0, 0);
      teach::Grade grade = order("killed");
      grade.resume = true;
      teach::grade(kit_, grade);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(batch, SIGKILL);
    waitpid(batch, nullptr, 0);
    if (!fs::exists(here_ / "killed")) continue;
    for (const auto& file : fs::recursive_directory_iterator(here_ / "killed")) {
      if (file.path().filename() == "03_symmetric.json") {
        EXPECT_TRUE(read_json(file.path())) << "half a result";
      }
    }
  }
  teach::Grade grade = order("killed");
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  EXPECT_TRUE(compare(here_ / "whole", here_ / "killed").empty());
}

TEST_F(GradeTest, AFullDiskIsNobodysZero) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can mount a small file system";
  const fs::path small = here_ / "small";
  fs::create_directory(small);
  if (!run("mount -t tmpfs -o size=400k none " + small.string())) {
    GTEST_SKIP() << "no file system can be mounted here";
  }
  teach::Grade grade = order("small/grades");
  EXPECT_NE(teach::grade(kit_, grade), 0);
  EXPECT_FALSE(fs::exists(result_file(small / "grades", "broken", "03_symmetric")));
  for (const char* const id : {"right", "same"}) {
    const auto result = read_result(result_file(small / "grades", id, "03_symmetric"));
    EXPECT_TRUE(!result || result->points == 100) << id;
  }
  run("mount -o remount,size=300m " + small.string());
  grade.resume = true;
  EXPECT_EQ(teach::grade(kit_, grade), 0);
  EXPECT_EQ(Json::parse(result("small/grades", "right")).at("points"), 100);
  run("umount " + small.string());
}

TEST_F(GradeTest, ACompilerThatSaysNothingIsNobodysZero) {
  lab::Kit kit = kit_;
  kit.cxx = (here_ / "compiler").string();
  put("compiler", "#!/bin/sh\nexit 1\n");
  fs::permissions(kit.cxx, fs::perms::owner_all);
  EXPECT_NE(teach::grade(kit, order("a")), 0);
  EXPECT_FALSE(fs::exists(result_file(here_ / "a", "right", "03_symmetric")));
  const auto fault = read_json(fault_file(here_ / "a", "right", "03_symmetric"));
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->at("message").get<std::string>().find("said nothing"), std::string::npos);
}

/// Where there is a GPU this launches kernels; elsewhere it is said that nothing was launched.
TEST_F(GradeTest, KernelsThatPassAreLaunchedOnAGpuWhereThereIsOne) {
  const std::string lab = "19_cuda_quantize";
  put("kernels/right/cuda_quantize.cu",
      files::read_file(kit_.source / "solutions" / lab / "cuda_quantize.cu"));
  teach::Grade what;
  what.paths = {here_ / "kernels"};
  what.labs = {"19"};
  what.out = here_ / "a";
  what.legs.gpu = true;
  EXPECT_EQ(teach::grade(kit_, what), 0);
  const auto result = read_result(result_file(here_ / "a", "right", lab));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->points, 75);
  if (result->legs.gpu != record::LegState::kRan) {
    EXPECT_EQ(result->legs.gpu, record::LegState::kNotHere);
    EXPECT_NE(result->not_here.gpu, "");
  }
  EXPECT_TRUE(read_order(kit_, here_ / "a")->legs.gpu);
}

/// As if it were on a read-only disk: what stands in the way stops root too.
TEST_F(GradeTest, KernelsAreGradedByAKitThatCannotBeWritten) {
  const std::string lab = "19_cuda_quantize";
  lab::Kit kit = kit_;
  kit.root = here_ / "kit";
  put("kit/.nibble", "no folder\n");
  put("kernels/right/cuda_quantize.cu",
      files::read_file(kit.source / "solutions" / lab / "cuda_quantize.cu"));
  teach::Grade what;
  what.paths = {here_ / "kernels"};
  what.labs = {"19"};
  what.out = here_ / "a";
  fs::path own;
  {
    const teach::OwnNotes notes(kit);
    own = kit.notes();
    EXPECT_EQ(teach::grade(kit, what), 0);
    EXPECT_TRUE(fs::exists(own / "published" / lab));
  }
  EXPECT_FALSE(fs::exists(own));
  EXPECT_EQ(Json::parse(files::read_file(result_file(here_ / "a", "right", lab))).at("points"), 75);
}

TEST_F(GradeTest, AFolderOfSomebodyElseIsNotOurs) {
  EXPECT_TRUE(teach::can_write_in(here_ / "not" / "there" / "yet"));
  fs::permissions(here_, fs::perms::owner_read | fs::perms::owner_exec);
  const bool as_owner = teach::can_write_in(here_ / "notes");
  fs::permissions(here_, fs::perms::owner_all);
  EXPECT_EQ(as_owner, geteuid() == 0) << "root may write anywhere";
}

TEST_F(GradeTest, RegradingComparesWithWhatIsThere) {
  EXPECT_EQ(teach::grade(kit_, order("a")), 0);
  teach::Grade again;
  again.out = here_ / "b";
  again.terms.salt = "a salt for this test";
  EXPECT_EQ(teach::regrade(kit_, here_ / "a", again), 0);
  auto result = *read_result(result_file(here_ / "a", "right", "03_symmetric"));
  result.points = 99;
  keep_result(here_ / "a", "right", result);
  EXPECT_EQ(teach::diff_grades(here_ / "a", here_ / "b"), 1);
}

// --- As it is typed -----------------------------------------------------------------------------

class GradeCommand : public GradeTest {
 protected:
  process::Finished teach(std::vector<std::string> words) const {
    words.insert(words.begin(), (kit_.build / "bin" / "nibble-teach").string());
    return process::run({.words = std::move(words),
                         .directory = here_,
                         .environment = {"NIBBLE_SALT=a salt for this test"},
                         .wall_limit = std::chrono::seconds{300}});
  }
};

TEST_F(GradeCommand, GradesResumesLooksAndCompares) {
  const std::vector<std::string> grade = {
      "grade", "all", "-o", "a", "--lab", "03", "--hidden", "--seed", "0x5", "--i-trust-this-code"};
  const process::Finished first = teach(grade);
  EXPECT_EQ(first.exit_status, 0) << first.err;
  EXPECT_NE(first.out.find("4 of 4 graded, 2 of them pass"), std::string::npos) << first.out;
  EXPECT_EQ(teach(grade).exit_status, 2) << "results are there";
  const process::Finished again =
      teach({"grade", "-o", "a", "--resume", "--legs", "all", "--i-trust-this-code"});
  EXPECT_NE(again.out.find("4 are graded already"), std::string::npos) << again.out << again.err;
  EXPECT_EQ(teach({"status", "a"}).exit_status, 0);
  EXPECT_EQ(teach({"regrade", "a", "-o", "b", "--i-trust-this-code"}).exit_status, 0);
  EXPECT_EQ(teach({"diff-grades", "a", "b"}).exit_status, 0);
}

TEST_F(GradeCommand, ASecretThatCanBeTriedIsRefused) {
  put("salt", "abc\n");
  const process::Finished refused =
      teach({"grade", "all", "-o", "a", "--lab", "03", "--hidden", "--salt-from", "salt"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_NE(refused.err.find("the course's secret has 3 bytes, and fewer than 16 can be tried"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(fs::exists(here_ / "a")) << "nothing is written";
  EXPECT_THROW(run::must_be_long_enough("15 bytes: a few"), std::invalid_argument);
  EXPECT_NO_THROW(run::must_be_long_enough("16 bytes, enough"));
  EXPECT_NO_THROW(run::must_be_long_enough(run::draw_salt()));
}

TEST_F(GradeCommand, SaysWhatIsMissing) {
  EXPECT_EQ(teach({"status", "nothing"}).exit_status, 2);
  EXPECT_EQ(teach({"grade", "--i-trust-this-code"}).exit_status, 2);
  const process::Finished lost = teach({"grade", "nobody", "--i-trust-this-code"});
  EXPECT_EQ(lost.exit_status, 2);
  EXPECT_NE(lost.err.find("there is no nobody"), std::string::npos) << lost.err;
  put("file", "a file, not a folder");
  const process::Finished nowhere = teach({"grade", "all", "-o", "file", "--i-trust-this-code"});
  EXPECT_EQ(nowhere.exit_status, 2) << nowhere.err;
  EXPECT_NE(nowhere.err.find("no folder can be made in file"), std::string::npos) << nowhere.err;
  EXPECT_EQ(teach({"grade", "all", "--require-level", "L9"}).exit_status == 0, false);
  const process::Finished cluster =
      teach({"grade", "all", "--engine", "slurm", "--i-trust-this-code"});
  EXPECT_EQ(cluster.exit_status, 2) << "without a box, or without a cluster";
}

}  // namespace
}  // namespace nibble::batch
