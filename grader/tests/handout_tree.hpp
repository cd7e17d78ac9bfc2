// A folder for a handout to be cut into, which goes with the test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "files/files.hpp"
#include "handout/handout.hpp"
#include "lab/kit.hpp"
#include "lab/lab_files.hpp"

namespace nibble::handout {

class HandoutTree : public testing::Test {
 protected:
  HandoutTree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nibble-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~HandoutTree() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  std::string solution(const std::string& lab) const {
    return files::read_file(lab::files_of(kit_.source, kit_.lab(lab)).solution);
  }

  std::filesystem::path out() const { return root_ / "handout"; }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  std::filesystem::path root_;
};

}  // namespace nibble::handout
