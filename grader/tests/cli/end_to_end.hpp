// The real nibble at work in a learner's project of its own, on lab 03 and edits of its solution.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "tests/holds.hpp"

namespace nibble::cli {

namespace fs = std::filesystem;
using nlohmann::json;

/// A folder that is gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "nibble-cli-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline void write(const fs::path& file, const std::string& text) {
  files::write_atomically(file, text);
}

inline constexpr const char* kLab = "03_symmetric";

class EndToEnd : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(kit_.source / "labs", root_.path() / "labs", fs::copy_options::recursive);
    solution_ = files::read_file(kit_.source / "solutions" / kLab / "symmetric.cpp");
    const auto scheme = json::parse(files::read_file(kit_.scheme(kLab)));
    first_ = scheme["exercises"][0];
    last_ = scheme["exercises"].back();
  }

  std::string starter() const {
    return files::read_file(kit_.source / "labs" / kLab / "symmetric.cpp");
  }
  fs::path file() const { return root_.path() / "labs" / kLab / "symmetric.cpp"; }
  void save(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

  /// Folders of what was compiled.
  std::vector<fs::path> children() const {
    return {fs::directory_iterator(root_.path() / ".nibble" / "work" / kLab / "children"), {}};
  }

  /// The solution with one edit; `helper` goes in front of it.
  std::string variant(const std::string& old, const std::string& changed,
                      const std::string& helper = "") const {
    std::string text = solution_;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, text.npos) << old;
    text.replace(at, old.size(), changed);
    const std::string name = "namespace nibble {\n";
    return text.insert(text.find(name) + name.size(), helper);
  }
  std::string rounds_away() const {
    return variant("std::nearbyint(x[i] / scale)", "std::round(x[i] / scale)");
  }

  process::Command command(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) const {
    process::Command command;
    command.words = {(kit_.build / "bin" / "nibble").string()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = root_.path();
    command.environment = {"NIBBLE_ROOT=" + root_.path().string(),
                           "NIBBLE_BUILD=" + kit_.build.string()};
    // Of two variables of one name the first counts.
    command.environment.insert(command.environment.begin(), environment.begin(), environment.end());
    command.wall_limit = std::chrono::seconds{120};
    return command;
  }

  process::Finished nibble(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) const {
    return process::run(command(words, environment));
  }

  json results() const {
    return json::parse(files::read_file(root_.path() / ".nibble" / "out" / kLab / "results.json"));
  }
  std::string progress() const {
    const fs::path file = root_.path() / ".nibble" / "progress.txt";
    return fs::exists(file) ? files::read_file(file) : "";
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const Scratch root_;
  std::string solution_, first_, last_;
};

}  // namespace nibble::cli
