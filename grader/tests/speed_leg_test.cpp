// The speed leg from end to end, on lab 14: as its learner, its instructor and its author meet it.
// Nothing here holds a time against a clock: only what is said, and that everything is counted.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "files/files.hpp"
#include "handout/handout.hpp"
#include "learners_project.hpp"
#include "proofs/proofs.hpp"
#include "teach/calibrate.hpp"
#include "teach/grade.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kLab = "14_cpu_int8_gemm";

class SpeedLeg : public LearnersProject {
 protected:
  fs::path solution() const { return kit_.source / "solutions" / kLab / "cpu_int8_gemm.cpp"; }

  void save(const std::string& text) const {
    files::write_atomically(root_ / "labs" / kLab / "cpu_int8_gemm.cpp", text);
  }

  /// A project of its own for commands that write beside the sources.
  lab::Kit own_kit() const {
    lab::Kit kit = kit_;
    kit.root = root_;
    return kit;
  }
};

const Json& check_of(const Json& results, const std::string& exercise) {
  for (const Json& check : results.at("checks")) {
    if (check.at("exercise") == exercise && check.at("id") == "Speed") return check;
  }
  throw std::runtime_error("no speed check of " + exercise);
}

TEST_F(SpeedLeg, FollowsWhenEveryValueIsRight) {
  save(files::read_file(solution()));
  const process::Finished run = nibble({"run", "14.multiply_rows", "--json", "results.json"});
  EXPECT_HOLDS(run.out, "speed is measured after them");
  EXPECT_HOLDS(run.out, "x the published solution (±");
  EXPECT_HOLDS(run.out, "points  ");
  const Json results = Json::parse(files::read_file(root_ / "results.json"));
  EXPECT_EQ(results.at("legs").at("speed"), "ran");
  const Json& check = check_of(results, "multiply_rows");
  EXPECT_GE(check.at("speed").at("pairs"), 15);
  EXPECT_EQ(check.at("speed").at("clock"), "child-cpu");
}

TEST_F(SpeedLeg, WaitsForTheValues) {
  const process::Finished run = nibble({"run", "14.multiply_rows", "--json", "results.json"});
  EXPECT_EQ(run.exit_status, 1);
  const Json results = Json::parse(files::read_file(root_ / "results.json"));
  EXPECT_EQ(results.at("legs").at("speed"), "not_run");
  EXPECT_EQ(check_of(results, "multiply_rows").at("status"), "skip");
  EXPECT_EQ(results.at("not_counted"), 0);
}

TEST_F(SpeedLeg, PaysNothingForTheStepBefore) {
  std::string text = files::read_file(solution());
  const std::string fast = "for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x * b[p * n + j];";
  ASSERT_NE(text.find(fast), std::string::npos);
  // Right, and for every element of c a walk down a column with a store at each step.
  text.replace(text.find(fast), fast.size(),
               "for (std::size_t j = 0; j < n; ++j) {\n"
               "  volatile std::int32_t sum = c[i * n + j];\n"
               "  for (int again = 0; again < 20; ++again) sum = sum + 0;\n"
               "  c[i * n + j] = sum + x * b[p * n + j];\n}");
  save(text);
  const process::Finished run =
      nibble({"run", "14.multiply_rows", "--leg", "plain,speed", "--json", "results.json"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_HOLDS(run.out, "fail  multiply_rows");
  EXPECT_HOLDS(run.out, "./nibble asm 14.multiply_rows     or     ./nibble explain N-SLOW");
  const Json results = Json::parse(files::read_file(root_ / "results.json"));
  const Json& check = check_of(results, "multiply_rows");
  EXPECT_EQ(check.at("points"), 0);
  EXPECT_EQ(check.at("diagnosis"), "N-SLOW");
}

TEST_F(SpeedLeg, ACheckOfSpeedCanBeAskedFor) {
  save(files::read_file(solution()));
  const process::Finished run = nibble({"run", "14.multiply_dots", "--check", "Speed"});
  EXPECT_HOLDS(run.out, "x the published solution (±");
}

TEST_F(SpeedLeg, IsGraded) {
  save(files::read_file(solution()));
  teach::Grade grade;
  grade.labs = {"14"};
  grade.paths = {root_ / "labs" / kLab};
  grade.out = root_ / "grades";
  EXPECT_EQ(teach::grade(own_kit(), grade), 0);
  const Json results =
      Json::parse(files::read_file(root_ / "grades" / kLab / (std::string(kLab) + ".json")));
  EXPECT_EQ(results.at("legs").at("speed"), "ran");
  EXPECT_EQ(results.at("max_points"), 75);
}

TEST_F(SpeedLeg, AHandoutEstimates) {
  const fs::path out = root_ / "handout", builds = root_ / "build";
  ASSERT_EQ(handout::hand_out(own_kit(), {out, {"14"}}), 0);
  fs::create_directories(builds);
  for (const auto& entry : fs::directory_iterator(kit_.build)) {
    if (entry.path().filename() == "kit.json") continue;
    fs::create_symlink(entry.path(), builds / entry.path().filename());
  }
  Json description = Json::parse(files::read_file(kit_.build / "kit.json"));
  description["source"] = out.string();
  description["headers"] = (out / "grader" / "headers").string();
  files::write_atomically(builds / "kit.json", description.dump());
  const std::vector<std::string> as_handout{"NIBBLE_ROOT=" + out.string(),
                                            "NIBBLE_BUILD=" + builds.string()};
  files::write_atomically(out / kit_.lab(kLab).file(), files::read_file(solution()));
  const process::Finished run = nibble(
      {"run", "14.multiply_rows", "--leg", "plain,speed", "--json", "results.json"}, as_handout);
  ASSERT_EQ(run.exit_status, 0) << run.out << run.err;
  EXPECT_HOLDS(run.out, "speed   an estimate: the published solution is not here");
  const Json results = Json::parse(files::read_file(root_ / "results.json"));
  EXPECT_EQ(results.at("legs").at("speed"), "not_here");
  const Json& check = check_of(results, "multiply_rows");
  EXPECT_EQ(check.at("points"), 0);
  const int most = check.at("max_points"), estimate = check.at("estimate").at("points");
  const int here = results.at("points");
  const std::string said = std::to_string(here) + " of " + std::to_string(here + most) +
                           " here; up to " + std::to_string(most) +
                           " for speed are judged by your instructor; estimate " +
                           std::to_string(estimate);
  EXPECT_HOLDS(run.out, "points  " + said + "\n");
  const Json list = Json::parse(nibble({"list", "--json"}, as_handout).out);
  for (const Json& lab : list.at("labs")) {
    if (lab.at("lab") != kLab) continue;
    EXPECT_EQ(lab.at("points"), here);
    EXPECT_EQ(lab.at("elsewhere"), most);
    EXPECT_EQ(lab.at("estimate"), estimate);
  }
  nibble({"report", "-o", (root_ / "page.html").string()}, as_handout);
  EXPECT_HOLDS(files::read_file(root_ / "page.html"), said.substr(said.find(" here;")));
}

TEST_F(SpeedLeg, IsCalibrated) {
  teach::Calibrate what;
  what.lab = "14";
  what.repetitions = 1;
  what.neighbours = 1;
  what.only_solution = true;
  what.json = root_ / "ratios.json";
  teach::calibrate(own_kit(), what);
  const Json ratios = Json::parse(files::read_file(what.json));
  EXPECT_EQ(ratios.at("rows").size(), 3u);
  for (const Json& row : ratios.at("rows")) {
    EXPECT_EQ(row.at("series").at("ratios").size(), 1u);
  }
}

TEST_F(SpeedLeg, ALabWithoutItHasNothingToCalibrate) {
  teach::Calibrate what;
  what.lab = "03";
  EXPECT_THROW(teach::calibrate(own_kit(), what), std::invalid_argument);
}

TEST_F(SpeedLeg, IsProvenOfTheSolution) {
  const lab::Kit kit = own_kit();
  proofs::Workbench bench(kit, {});
  const std::vector<proofs::ProvenLab> labs{proofs::open_lab(kit, kit.lab(kLab))};
  const proofs::Proof proof = proofs::prove_speed(bench, labs);
  EXPECT_EQ(proof.counted, 1);
}

}  // namespace
}  // namespace nibble::cli
