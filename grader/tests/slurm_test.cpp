// Grading on a cluster gives what grading here gives,
// and a cluster that loses its daemons loses nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "batch/chunk.hpp"
#include "batch/compare.hpp"
#include "batch/store.hpp"
#include "cluster.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "run/probe.hpp"
#include "teach/grade.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;

TEST(Cut, PiecesHoldAllAndAreNeitherTooLargeNorTooMany) {
  std::vector<Grading> all;
  for (int i = 0; i < 10; ++i) all.push_back({std::to_string(i), "03_symmetric"});
  EXPECT_EQ(cut(all, 4, 100).size(), 3u);
  EXPECT_EQ(cut(all, 4, 100).back().size(), 2u);
  EXPECT_EQ(cut(all, 1, 3).size(), 3u) << "the controller's limit wins";
  EXPECT_EQ(cut({}, 4, 100).size(), 0u);
  std::size_t count = 0;
  for (const auto& piece : cut(all, 3, 2)) count += piece.size();
  EXPECT_EQ(count, 10u);
}

class SlurmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Cluster::why_not(); !why.empty()) GTEST_SKIP() << why;
    level_ = run::best_of(run::probe_all(kit_));
    if (level_ == sandbox::Level::kLimits) GTEST_SKIP() << "a cluster needs a sandbox";
    std::string pattern = (fs::temp_directory_path() / "nibble-slurm-XXXXXX").string();
    here_ = mkdtemp(pattern.data());
    fs::permissions(here_, fs::perms::owner_all | fs::perms::others_exec);
    hand_in();
    cluster_.emplace(here_ / "cluster");
    if (!cluster_->is_up()) GTEST_SKIP() << "Slurm's daemons do not come up here";
  }
  void TearDown() override {
    cluster_.reset();
    std::error_code ignored;
    if (!here_.empty()) fs::remove_all(here_, ignored);
  }

  /// Right, untouched and broken ones in turn, no two alike.
  void hand_in() const {
    const auto text = [&](const char* folder) {
      return files::read_file(kit_.source / folder / "03_symmetric/symmetric.cpp");
    };
    const std::array texts = {text("solutions"), text("labs"), std::string("int main( {\n")};
    for (int i = 0; i < 12; ++i) {
      files::write_atomically(here_ / "all" / std::to_string(100 + i) / "symmetric.cpp",
                              texts[static_cast<std::size_t>(i) % 3] + "// " + std::to_string(i));
    }
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
    grade.boxes = run::boxes_for(kit_, level_);
    return grade;
  }

  teach::Grade on_cluster(const char* out) const {
    teach::Grade grade = order(out);
    grade.slurm.emplace();
    grade.slurm->program = kit_.build / "bin" / "nibble-teach";
    grade.slurm->level = sandbox::name_of(level_);
    grade.slurm->salt = grade.terms.salt;
    grade.slurm->chunk = 4;
    grade.slurm->patience = std::chrono::seconds{20};
    return grade;
  }

  /// Where a batch has noted the number of its array; empty: nowhere.
  static fs::path array_in(const fs::path& grades) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(grades / ".batch", none)) {
      if (fs::exists(entry.path() / "array")) return entry.path() / "array";
    }
    return {};
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  sandbox::Level level_ = sandbox::Level::kLimits;
  fs::path here_;
  std::optional<Cluster> cluster_;
};

TEST_F(SlurmTest, GivesTheGradesThatThisMachineGives) {
  EXPECT_EQ(teach::grade(kit_, order("here")), 0);
  EXPECT_EQ(teach::grade(kit_, on_cluster("there")), 0);
  EXPECT_TRUE(compare(here_ / "here", here_ / "there").empty());
}

TEST_F(SlurmTest, DaemonsThatAreKilledCostNoGrade) {
  EXPECT_EQ(teach::grade(kit_, order("here")), 0);
  std::atomic<bool> over = false;
  std::jthread trouble([&] {
    using namespace std::chrono_literals;
    const auto pause = [&](auto time) {
      for (auto waited = 0ms; waited < time && !over; waited += 50ms) {
        std::this_thread::sleep_for(50ms);
      }
    };
    pause(2500ms);
    cluster_->kill_controller();
    pause(1500ms);
    cluster_->start_controller();
    pause(2000ms);
    cluster_->kill_node(1);
    pause(1000ms);
    cluster_->start_node(1);
    while (!over) {
      pause(1000ms);
      Cluster::resume_nodes();
    }
  });
  int graded = -1;
  for (int round = 0; round < 5 && graded != 0; ++round) {
    teach::Grade grade = on_cluster("there");
    grade.resume = round > 0;
    try {
      graded = teach::grade(kit_, grade);
    } catch (const std::exception& error) {  // the controller was away: handed in again
      std::this_thread::sleep_for(std::chrono::seconds(3));
    }
  }
  over = true;
  trouble.join();
  EXPECT_EQ(graded, 0);
  EXPECT_TRUE(compare(here_ / "here", here_ / "there").empty());
}

/// A node that ends a job as soon as it works on one submission: for want of memory, say, or
/// because that submission found a way to be ended with all that is around it.
TEST_F(SlurmTest, OneThatEndsItsJobCostsNobodyElseAGrade) {
  const fs::path program = here_ / "nibble-teach";
  files::write_atomically(program, "#!/bin/sh\ngrep -q '\"106\"' \"$3\" && kill -9 $$\nexec " +
                                       (kit_.build / "bin/nibble-teach").string() + " \"$@\"\n");
  fs::permissions(program, fs::perms(0755));
  teach::Grade grade = on_cluster("there");
  grade.slurm->program = program;
  try {
    teach::grade(kit_, grade);
    ADD_FAILURE() << "106 has no result";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("106"), std::string::npos) << error.what();
  }
  for (int i = 100; i < 112; ++i) {
    const fs::path result = result_file(here_ / "there", std::to_string(i), "03_symmetric");
    EXPECT_EQ(fs::exists(result), i != 106) << i;
  }
}

TEST_F(SlurmTest, JobsOfAKilledBatchAreTakenBack) {
  const pid_t batch = fork();
  if (batch == 0) {
    teach::Grade grade = on_cluster("there");
    grade.slurm->chunk = 1;
    teach::grade(kit_, grade);
    _exit(0);
  }
  fs::path array;
  for (int look = 0; array.empty() && look < 600; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    array = array_in(here_ / "there");
  }
  kill(batch, SIGKILL);
  waitpid(batch, nullptr, 0);
  ASSERT_FALSE(array.empty());
  const std::string job = files::read_file(array);
  teach::Grade again = on_cluster("there");
  again.resume = true;
  EXPECT_EQ(teach::grade(kit_, again), 0);
  EXPECT_EQ(array_in(here_ / "there"), fs::path());
  const process::Finished queue =
      process::run({.words = {"squeue", "--noheader", "--states=PENDING,RUNNING", "--job", job},
                    .environment = {std::string("SLURM_CONF=") + getenv("SLURM_CONF")}});
  EXPECT_EQ(queue.out, "") << queue.err;
}

}  // namespace
}  // namespace nibble::batch
