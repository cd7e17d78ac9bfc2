// compute-sanitizer's leg, with a real judge and a compute-sanitizer that is a script of the
// test's: what it prints becomes complaints, and a tool that cannot start is no finding.
#include "gpu/sanitizer_leg.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

const std::string kLab = "19_cuda_quantize";

class SanitizerLegTest : public testing::Test {
 protected:
  SanitizerLegTest() {
    std::string pattern = (fs::temp_directory_path() / "nibble-sanitizer-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::permissions(folder_, fs::perms::others_exec | fs::perms::others_read,
                    fs::perm_options::add);
    kit_.build = NIBBLE_TEST_BUILD;
    kit_.labs = {{kLab, lab::LabKind::kDevice}};
  }
  ~SanitizerLegTest() override { fs::remove_all(folder_); }

  /// The leg, with a tool that does what `script` says and leaves every call unanswered.
  SanitizerLeg run(const std::string& script) const {
    const fs::path tool = folder_ / "compute-sanitizer";
    std::ofstream(tool) << "#!/bin/sh\n" << script;
    fs::permissions(tool, fs::perms::all & ~(fs::perms::group_write | fs::perms::others_write));
    const run::Trial trial{{.lab = kLab,
                            .exercise = "quantize",
                            .check = "FollowsTheFormula",
                            .seed = "0x1",
                            .child = folder_ / "child"}};
    return run_sanitizer_leg(kit_, trial, tool, folder_);
  }

  lab::Kit kit_;
  fs::path folder_;
};

TEST_F(SanitizerLegTest, WhatAToolPrintsComesBackAsComplaints) {
  const SanitizerLeg leg =
      run("echo '========= COMPUTE-SANITIZER'\n"
          "echo '========= Invalid __global__ write of size 4 bytes'\n"
          "echo '=========     at quantize_kernel+0x1b0 in "
          "/x/labs/19_cuda_quantize/cuda_quantize.cu:12'\n"
          "echo '=========     by thread (32,0,0) in block (3,0,0)'\n"
          "echo '========='\n");
  EXPECT_EQ(leg.why_not, "");
  ASSERT_TRUE(leg.seen);
  ASSERT_EQ(leg.seen->tools, (std::vector<std::string>{"memcheck", "racecheck"}));
  ASSERT_EQ(leg.seen->complaints.size(), 2u);  // one of each tool
  const record::GpuComplaint& first = leg.seen->complaints[0];
  EXPECT_EQ(first.tool, "memcheck");
  EXPECT_EQ(first.exercise, "quantize");
  EXPECT_EQ(first.what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(first.kernel, "quantize_kernel");
  EXPECT_EQ(first.thread, "thread (32,0,0) in block (3,0,0)");
  EXPECT_EQ(text_of(*first.location), "labs/19_cuda_quantize/cuda_quantize.cu:12");
  EXPECT_EQ(leg.seen->complaints[1].tool, "racecheck");
}

TEST_F(SanitizerLegTest, AToolThatCannotStartIsNotRun) {
  const SanitizerLeg leg =
      run("echo '========= COMPUTE-SANITIZER'\n"
          "echo '========= Error: the driver is older than this tool'\n"
          "exit 1\n");
  EXPECT_FALSE(leg.seen);
  EXPECT_EQ(leg.why_not,
            "no check ends under compute-sanitizer: Error: the driver is older than this tool");
}

TEST_F(SanitizerLegTest, NoToolIsNotRun) {
  const SanitizerLeg leg = run_sanitizer_leg(kit_, {}, "", folder_);
  EXPECT_FALSE(leg.seen);
  EXPECT_EQ(leg.why_not, "compute-sanitizer is not installed");
}

TEST(Complaints, AreTakenFromEveryCheckThatPassedToo) {
  record::Verdict verdict;
  verdict.checks = {{{"A", "quantize"}, record::CheckStatus::kPass},
                    {{"B", "quantize"}, record::CheckStatus::kPass}};
  verdict.checks[1].output = "========= Invalid __global__ read of size 1 bytes\n=========\n";
  const auto found = complaints_in(verdict, Tool::kMemcheck, {kLab, lab::LabKind::kDevice});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].check, "B");
  EXPECT_FALSE(found[0].location);
}

}  // namespace
}  // namespace nibble::gpu
