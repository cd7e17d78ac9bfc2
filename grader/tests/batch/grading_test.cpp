// A whole batch, graded by each of its legs and once more; then as an instructor types it.
#include <unistd.h>

#include "a_batch.hpp"
#include "batch/compare.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "process/command.hpp"
#include "run/salt.hpp"
#include "teach/own_notes.hpp"

namespace nibble::batch {
namespace {

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
