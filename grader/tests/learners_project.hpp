// A learner's project in a folder of its own, and the real nibble at work in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "holds.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace nibble::cli {

class LearnersProject : public testing::Test {
 protected:
  LearnersProject() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nibble-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    std::filesystem::copy(kit_.source / "labs", root_ / "labs",
                          std::filesystem::copy_options::recursive);
  }
  ~LearnersProject() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  /// What the published solution of 03 is, saved as the learner's.
  void save_solution() const {
    std::filesystem::copy_file(kit_.source / "solutions" / "03_symmetric" / "symmetric.cpp",
                               root_ / "labs" / "03_symmetric" / "symmetric.cpp",
                               std::filesystem::copy_options::overwrite_existing);
  }

  process::Finished nibble(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) const {
    process::Command command;
    command.words = {"env", "NIBBLE_ROOT=" + root_.string(), "NIBBLE_BUILD=" + kit_.build.string()};
    for (const std::string& variable : environment) command.words.push_back(variable);
    command.words.push_back((kit_.build / "bin" / "nibble").string());
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = root_;
    command.wall_limit = std::chrono::seconds{120};
    return process::run(command);
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  std::filesystem::path root_;
};

}  // namespace nibble::cli
