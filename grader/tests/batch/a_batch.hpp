// A batch in a folder of its own, which goes with the test, and one of four people who hand in lab
// 03: right, as it was handed out, broken, and the same as the first.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "batch/store.hpp"
#include "batch/submissions.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "teach/grade.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

inline const std::vector<lab::Lab> kLabs = {{"03_symmetric"}, {"05_per_channel"}};

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

inline record::Result result_of(const std::string& lab, const std::string& key) {
  record::Result result;
  result.lab = lab;
  result.points = result.max_points = 75;
  result.manifest.key = key;
  result.checks = {{{"A", "f"}, record::CheckStatus::kPass, 75}};
  result.checks[0].max_points = 75;
  return result;
}

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

}  // namespace nibble::batch
