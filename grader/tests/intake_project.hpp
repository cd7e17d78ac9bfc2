// A folder for submissions, and what the intake takes of them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "files/files.hpp"
#include "intake/take.hpp"
#include "lab/kit.hpp"

namespace nibble::intake {

inline const std::string kGood = "// mine\nint answer() { return 42; }\n";

class IntakeProject : public testing::Test {
 protected:
  IntakeProject() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nibble-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    alice_ = root_ / "alice";
    std::filesystem::create_directories(alice_);
    write(root_ / "secret" / "symmetric.cpp", "the solution\n");
    write(root_ / "secret" / "03_symmetric" / "symmetric.cpp", "the solution\n");
  }
  ~IntakeProject() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  static void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  /// What is taken of `submission`, each time into an empty folder.
  Taken take(const std::filesystem::path& submission,
             const std::vector<std::string>& labs = {"03_symmetric"}) {
    clean_ = root_ / ("clean-" + std::to_string(++count_));
    return intake::take(kit_, submission, kit_.choose(labs), clean_);
  }

  /// The one line that says why nothing was taken.
  std::string refusal(const std::filesystem::path& submission) {
    const Taken taken = take(submission);
    EXPECT_TRUE(taken.files.empty()) << submission;
    EXPECT_FALSE(std::filesystem::exists(clean_)) << "refused, and yet written";
    if (taken.refusals.size() != 1) return "(" + std::to_string(taken.refusals.size()) + " lines)";
    const std::string why = taken.refusals.front().why;
    EXPECT_TRUE(std::ranges::none_of(why, [](char c) { return 0 <= c && c < ' '; })) << why;
    return why;
  }

  /// True when the good file was taken, and nothing else.
  testing::AssertionResult takes_the_good_one(const std::filesystem::path& submission) {
    const Taken taken = take(submission);
    for (const Refusal& one : taken.refusals) return testing::AssertionFailure() << one.why;
    if (taken.files.size() != 1) return testing::AssertionFailure() << "not one file";
    if (files::read_file(taken.files.front().path) != kGood) {
      return testing::AssertionFailure() << "another text";
    }
    return testing::AssertionSuccess();
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  std::filesystem::path root_, alice_, clean_;

 private:
  int count_ = 0;
};

}  // namespace nibble::intake
