// What course systems get, written, parsed, and run as they run it, as far as a machine without
// them can: on lab 03, which must be built.
#include "setup/setup.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "json_schema.hpp"
#include "lab/lab_files.hpp"
#include "process/command.hpp"

namespace nibble::setup {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

constexpr const char* kSalt = "a secret of one course";

class SetupTest : public testing::Test {
 protected:
  SetupTest() {
    std::string pattern = (fs::temp_directory_path() / "nibble-setup-XXXXXX").string();
    here_ = mkdtemp(pattern.data());
  }
  ~SetupTest() override {
    std::error_code ignored;
    fs::remove_all(here_, ignored);
  }

  Bundle files_of(const std::string& system) const {
    return files_for(kit_, {system, {"03"}, "", kSalt, "0x18"});
  }

  std::string solution() const {
    return files::read_file(lab::files_of(kit_.source, kit_.lab("03")).solution);
  }

  static process::Finished run(const Strings& words, const Strings& environment = {}) {
    process::Command command;
    command.words = words;
    command.environment = environment;
    command.wall_limit = std::chrono::minutes(45);
    return process::run(command);
  }

  static process::Finished teach(Strings words) {
    words.insert(words.begin(), std::string(NIBBLE_TEST_BUILD) + "/bin/nibble-teach");
    return run(words, {std::string("NIBBLE_SALT=") + kSalt});
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  fs::path here_;
};

fs::perms permissions(const fs::path& file) { return fs::status(file).permissions(); }

// --- All of them ---------------------------------------------------------------------------------

TEST_F(SetupTest, ScriptsParse) {
  int scripts = 0;
  for (const std::string& system : system_names()) {
    for (const auto& [file, what] : files_of(system)) {
      if (!what.text.starts_with("#!/bin/sh\n")) continue;
      files::write_atomically(here_ / "script", what.text);
      const process::Finished done = run({"sh", "-n", (here_ / "script").string()});
      EXPECT_TRUE(done.ok()) << system << ' ' << file << ": " << done.err;
      ++scripts;
    }
  }
  EXPECT_GT(scripts, 0);
}

TEST_F(SetupTest, NoMarkIsLeftAndNoFileIsAboutAnotherLab) {
  for (const std::string& system : system_names()) {
    for (const auto& [file, what] : files_of(system)) {
      EXPECT_EQ(file.string().find("05_per_channel"), std::string::npos) << file;
      if (*file.begin() == "kit") continue;
      for (const char* const mark : {"{lab}", "{file}", "{seed}", "{uuid}"}) {
        EXPECT_EQ(what.text.find(mark), std::string::npos) << system << ' ' << file;
      }
    }
  }
}

/// Where it lies, its owner alone reads it; it lies nowhere else.
TEST_F(SetupTest, TheSecretIsInOneFile) {
  for (const std::string& system : system_names()) {
    for (const auto& [file, what] : files_of(system)) {
      const bool holds = what.text.find(kSalt) != std::string::npos;
      EXPECT_EQ(holds, file.filename() == "salt") << system << ' ' << file;
      EXPECT_EQ(what.role == FileRole::kSecret, holds) << system << ' ' << file;
    }
  }
}

TEST_F(SetupTest, RefusesWhatWouldNotWork) {
  EXPECT_THROW(files_for(kit_, {"gradescope", {"03"}, "", "", "0x1"}), std::invalid_argument);
  EXPECT_THROW(files_for(kit_, {"gradescope", {"03", "05"}, "", kSalt, "0x1"}),
               std::invalid_argument);
  EXPECT_THROW(files_for(kit_, {"gradescope", {}, "", kSalt, "0x1"}), std::invalid_argument);
  EXPECT_THROW(files_for(kit_, {"gradescope", {"99"}, "", kSalt, "0x1"}), std::invalid_argument);
  EXPECT_THROW(files_for(kit_, {"chalk", {"03"}, "", kSalt, "0x1"}), std::invalid_argument);
}

// --- Where it is written -------------------------------------------------------------------------

TEST_F(SetupTest, AnArchiveHoldsWhatTheFolderHolds) {
  const Bundle bundle = {{"run", {"#!/bin/sh\n", FileRole::kProgram}},
                         {"salt", {"secret\n", FileRole::kSecret}},
                         {"kit/a/b.txt", {"b", FileRole::kPlain}}};
  write_bundle(here_ / "folder/", bundle);
  for (const char* const name : {"made.zip", "made.tar"}) {
    write_bundle(here_ / name, bundle);
    EXPECT_EQ(permissions(here_ / name) & fs::perms(077), fs::perms::none) << name;
    const fs::path unpacked = here_ / "unpacked" / name;
    fs::create_directories(unpacked);
    process::Command command;
    command.words = {"cmake", "-E", "tar", "xf", (here_ / name).string()};
    command.directory = unpacked;
    ASSERT_TRUE(process::run(command).ok());
    for (const auto& [file, what] : bundle) {
      EXPECT_EQ(files::read_file(unpacked / file), what.text);
      EXPECT_EQ(files::read_file(here_ / "folder" / file), what.text);
      EXPECT_EQ(permissions(unpacked / file), permissions(here_ / "folder" / file)) << file;
    }
  }
  EXPECT_EQ(permissions(here_ / "folder/salt"), fs::perms(0600));
  EXPECT_EQ(permissions(here_ / "folder/run") & fs::perms(0111), fs::perms(0111));
  EXPECT_EQ(permissions(here_ / "folder"), fs::perms(0700));
}

TEST_F(SetupTest, NothingOldIsHandedToACourseSystem) {
  const Bundle bundle = {{"a", {"new"}}};
  files::write_atomically(here_ / "old/b", "old");
  files::write_atomically(here_ / "old.zip", "old");
  EXPECT_THROW(write_bundle(here_ / "old", bundle), std::invalid_argument);
  EXPECT_THROW(write_bundle(here_ / "old.zip", bundle), std::invalid_argument);
  EXPECT_EQ(files::read_file(here_ / "old.zip"), "old");
  fs::create_directory(here_ / "empty");
  write_bundle(here_ / "empty", bundle);
  EXPECT_EQ(files::read_file(here_ / "empty/a"), "new");
}

// --- In the student's own repository -------------------------------------------------------------

/// YAML as another reader sees it; empty where there is no python3 with one.
Json yaml(const std::string& text, const fs::path& place) {
  files::write_atomically(place, text);
  process::Command command;
  command.words = {"python3", "-c",
                   "import json, sys, yaml\n"
                   "print(json.dumps(yaml.load(open(sys.argv[1]), yaml.BaseLoader)))",
                   place.string()};
  const process::Finished done = process::run(command);
  if (done.err.find("No module named 'yaml'") != std::string::npos) return {};
  EXPECT_TRUE(done.ok()) << done.err;
  return Json::parse(done.out);
}

TEST_F(SetupTest, ClassroomCountsThePublicPoints) {
  const Json flow =
      yaml(files_of("classroom").at(".github/workflows/classroom.yml").text, here_ / "a.yml");
  if (flow.is_null()) GTEST_SKIP() << "not run: no python3 with yaml";
  const Json& job = flow.at("jobs").at("run-autograding-tests");
  EXPECT_EQ(job.at("if"), "github.actor != 'github-classroom[bot]'");
  const Json& steps = job.at("steps");
  ASSERT_EQ(steps.size(), 3u);
  const std::string judge = steps[1].at("run");
  EXPECT_NE(judge.find("./nibble run 03_symmetric --json"), std::string::npos);
  EXPECT_EQ(judge.find("hidden"), std::string::npos);
  if (!run({"sh", "-c", "command -v jq"}).ok()) GTEST_SKIP() << "not run: no jq";
  files::write_atomically(here_ / "results.json", R"({"points": 47, "max_points": 75})");
  const process::Finished told = run({"sh", "-e", "-c", steps[2].at("run").get<std::string>()},
                                     {"RUNNER_TEMP=" + here_.string()});
  EXPECT_EQ(told.out,
            files::read_file(EXPORT_SAMPLES "/classroom.notices.txt").substr(0, told.out.size()));
  EXPECT_NE(told.out.find("Autograding report"), std::string::npos) << told.err;
}

TEST_F(SetupTest, GitlabShowsEachCheck) {
  const Json jobs = yaml(files_of("gitlab").at(".gitlab-ci.yml").text, here_ / "a.yml");
  if (jobs.is_null()) GTEST_SKIP() << "not run: no python3 with yaml";
  const Json& job = jobs.at("03_symmetric");
  EXPECT_EQ(job.at("script"), Json({"./nibble run 03_symmetric --junit nibble.xml --exit-zero"}));
  EXPECT_EQ(job.at("artifacts").at("reports").at("junit"), "nibble.xml");
}

// --- Gradescope ----------------------------------------------------------------------------------

/// /autograder, in a folder of the test's.
class GradescopeSetup : public SetupTest {
 protected:
  GradescopeSetup() {
    const process::Finished done =
        teach({"setup", "gradescope", "03", "-o", (here_ / "source").string()});
    EXPECT_EQ(done.exit_status, 0) << done.err;
    fs::create_directory(here_ / "submission");
  }

  void hand_in(const std::string& name, const std::string& text) const {
    files::write_atomically(here_ / "submission" / name, text);
  }

  /// What a student reads then.
  Json autograder() const {
    fs::remove_all(here_ / "results");
    const process::Finished done =
        run({(here_ / "source/run_autograder").string()},
            {"NIBBLE_AUTOGRADER=" + here_.string(), "NIBBLE_BUILD=" NIBBLE_TEST_BUILD});
    Json results = Json::parse(files::read_file(here_ / "results/results.json"));
    const test::JsonSchema schema(
        Json::parse(files::read_file(EXPORT_SAMPLES "/gradescope.schema.json")));
    for (const std::string& complaint : schema.complaints(results)) ADD_FAILURE() << complaint;
    EXPECT_EQ(done.out.find(kSalt) + done.err.find(kSalt), 2 * std::string::npos);
    return results;
  }
};

TEST_F(GradescopeSetup, GradesWithHiddenChecks) {
  hand_in("symmetric.cpp", solution());
  const Json right = autograder();
  EXPECT_EQ(right["score"], 100) << right;
  int hidden = 0;
  for (const Json& test : right["tests"]) hidden += test["visibility"] == "after_due_date" ? 1 : 0;
  EXPECT_GT(hidden, 0);

  std::string wrong = solution();
  wrong.replace(wrong.find("std::nearbyint"), 14, "std::round");
  hand_in("symmetric.cpp", wrong);
  const Json rounded = autograder();
  EXPECT_LT(rounded["score"], 100);
  EXPECT_GT(rounded["score"], 0);

  hand_in("symmetric.cpp", "int x");
  const Json broken = autograder();
  EXPECT_EQ(broken["tests"][0]["name"], "Compiles");
  EXPECT_EQ(broken["tests"][0]["max_score"], 100);
}

TEST_F(GradescopeSetup, ASlipIsToldAsTheStudents) {
  const Json nothing = autograder();
  EXPECT_EQ(nothing["score"], 0);
  EXPECT_NE(nothing["output"].get<std::string>().find("there is no symmetric.cpp"),
            std::string::npos)
      << nothing;
  hand_in("symetric.cpp", solution());  // several files are no class of several people
  hand_in("main.cpp", "int main() {}\n");
  const std::string misnamed = autograder()["output"];
  EXPECT_NE(misnamed.find("is symetric.cpp meant? Rename it"), std::string::npos) << misnamed;
}

TEST_F(GradescopeSetup, AFailureOfTheGraderIsNoGrade) {
  hand_in("symmetric.cpp", solution());
  fs::remove(here_ / "source/salt");
  const std::string output = autograder()["output"];
  EXPECT_NE(output.find("The grader itself failed. This is not your grade"), std::string::npos);
}

// --- In an image ---------------------------------------------------------------------------------

/// What Autolab counts of what its Makefile prints.
TEST_F(SetupTest, AutolabReadsTheLastLine) {
  ASSERT_EQ(teach({"setup", "autolab", "03", "-o", (here_ / "made").string()}).exit_status, 0);
  EXPECT_EQ(permissions(here_ / "made/autograde.tar") & fs::perms(077), fs::perms::none);
  const auto make = [&](const fs::path& job) {
    fs::create_directories(job);
    fs::copy_file(here_ / "made/autograde-Makefile", job / "Makefile");
    fs::copy_file(here_ / "made/autograde.tar", job / "autograde.tar");
    process::Command command;
    command.words = {"make", "-s"};
    command.directory = job;
    command.environment = {"NIBBLE_BUILD=" NIBBLE_TEST_BUILD};
    return process::run(command).out;
  };
  files::write_atomically(here_ / "right/symmetric.cpp", solution());
  const std::string right = make(here_ / "right"), nothing = make(here_ / "nothing");
  EXPECT_TRUE(right.ends_with("\n{\"scores\":{\"03_symmetric\":100}}\n")) << right;
  EXPECT_TRUE(nothing.ends_with("\n{\"scores\":{\"03_symmetric\":0}}\n")) << nothing;
  EXPECT_NE(nothing.find("there is no symmetric.cpp"), std::string::npos) << nothing;
}

TEST_F(SetupTest, PrairieLearnReadsItsResults) {
  ASSERT_EQ(teach({"setup", "prairielearn", "03", "-o", (here_ / "question").string()}).exit_status,
            0);
  const Json info = Json::parse(files::read_file(here_ / "question/info.json"));
  EXPECT_EQ(info["uuid"].get<std::string>().size(), 36u);
  EXPECT_EQ(info["externalGradingOptions"]["entrypoint"], "/grade/tests/grade.sh");
  fs::create_directory(here_ / "grade");
  fs::copy(here_ / "question/tests", here_ / "grade/tests", fs::copy_options::recursive);
  const auto graded = [&] {
    const process::Finished done =
        run({(here_ / "grade/tests/grade.sh").string()},
            {"NIBBLE_GRADE=" + (here_ / "grade").string(), "NIBBLE_BUILD=" NIBBLE_TEST_BUILD});
    return Json::parse(files::read_file(here_ / "grade/results/results.json"));
  };
  fs::create_directories(here_ / "grade/student");
  const Json nothing = graded();
  EXPECT_EQ(nothing["gradable"], false);
  EXPECT_EQ(nothing["format_errors"][0], "there is no symmetric.cpp");
  files::write_atomically(here_ / "grade/student/symmetric.cpp", solution());
  EXPECT_EQ(graded()["score"], 1.0);
}

/// The kit that goes along builds by itself, and its setup.sh sees the solution graded. It takes
/// minutes.
TEST_F(GradescopeSetup, TheImageIsBuilt) {
  Strings environment = {"NIBBLE_AUTOGRADER=" + here_.string(), "NIBBLE_NO_INSTALL=1"};
  for (const char* const name : {"CMAKE_CXX_COMPILER_LAUNCHER", "CCACHE_DIR", "CCACHE_BASEDIR"}) {
    if (const char* const value = getenv(name))
      environment.push_back(name + ("=" + std::string(value)));
  }
  const process::Finished done = run({(here_ / "source/setup.sh").string()}, environment);
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_NE(done.out.find("{\"scores\":{\"03_symmetric\":100}}"), std::string::npos) << done.out;
}

}  // namespace
}  // namespace nibble::setup
