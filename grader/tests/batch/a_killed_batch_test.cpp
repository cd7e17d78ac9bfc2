// A batch that is killed, or whose disk or compiler fails: nothing is lost or left half written,
// what it started ends with it, and nobody has a zero for it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "a_batch.hpp"
#include "batch/compare.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "process/command.hpp"

namespace nibble::batch {
namespace {

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

}  // namespace
}  // namespace nibble::batch
