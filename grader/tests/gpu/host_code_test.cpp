// nvcc takes every right solution of lab 18 as it is, host code and kernels, without a word.
// Skipped where nvcc is missing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "process/command.hpp"

namespace nibble {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> solutions() {
  std::vector<fs::path> files;
  for (const char* folder : {"/solutions/18_cuda_host", "/grader/alternatives/18_cuda_host"}) {
    for (const auto& entry : fs::directory_iterator(NIBBLE_TEST_TOP + std::string(folder))) {
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
  }
  return files;
}

TEST(HostCode, CompilesWithNvcc) {
  if (std::string(NIBBLE_TEST_NVCC).empty()) GTEST_SKIP() << "nvcc is not found on this machine";
  ASSERT_GE(solutions().size(), 3u);
  std::string folder = (fs::temp_directory_path() / "nibble.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (const fs::path& file : solutions()) {
    process::Command command;
    command.words = {NIBBLE_TEST_NVCC,
                     "-std=c++20",
                     "-arch=sm_80",
                     "-c",
                     file.string(),
                     "-I" NIBBLE_TEST_TOP "/labs/18_cuda_host",
                     "-I" NIBBLE_TEST_TOP "/common",
                     "-I" NIBBLE_TEST_TOP "/common/simt/include",
                     "-o",
                     folder + "/solution.o"};
    command.wall_limit = std::chrono::minutes(10);
    const process::Finished finished = process::run(command);
    EXPECT_TRUE(finished.ok()) << file << ": " << finished.err;
    EXPECT_EQ(finished.out + finished.err, "") << file;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nibble
