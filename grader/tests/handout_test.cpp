// A handout works as a project of its own, without a line of a solution.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "handout/handout.hpp"
#include "handout_tree.hpp"
#include "lab/lab_files.hpp"
#include "process/command.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

namespace fs = std::filesystem;

class AHandout : public HandoutTree {
 protected:
  process::Finished nibble(const std::vector<std::string>& words) const {
    process::Command command;
    command.words = {"env",         "-u", "NIBBLE_BUILD", "-u",
                     "NIBBLE_ROOT", "-u", "NIBBLE_FRESH", "NIBBLE_NO_INSTALL=1"};
    for (const char* const name : {"CMAKE_CXX_COMPILER_LAUNCHER", "CCACHE_BASEDIR"}) {
      if (const char* const value = getenv(name)) {
        command.words.push_back(std::string(name) + "=" + value);
      }
    }
    command.words.push_back((out() / "nibble").string());
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.wall_limit = std::chrono::minutes(45);
    return process::run(command);
  }
  void passes_with_the_solution(const std::string& lab) const {
    files::write_atomically(lab::files_of(out(), kit_.lab(lab)).starter, solution(lab));
    const process::Finished right = nibble({"run", lab});
    EXPECT_EQ(right.exit_status, 0) << right.out << right.err;
    EXPECT_NE(right.out.find("75 of 75 public points"), std::string::npos) << right.out;
    EXPECT_NE(right.out.find("25 more points and are run by your instructor\n"), std::string::npos);
  }
  fs::path built(const fs::path& file) const { return out() / "build" / "default" / file; }
  bool has_judge(const std::string& lab) const {
    return fs::exists(built("bin") / ("judge." + lab));
  }
};

/// What ninja has read of this tree to build that target.
std::set<fs::path> read_by(const std::string& target, const lab::Kit& kit) {
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {NIBBLE_TEST_NINJA, "-C", kit.build.string(), "-t"});
    const process::Finished asked =
        process::run({.words = words, .kept_bytes = std::size_t{16} << 20});
    EXPECT_TRUE(asked.ok()) << asked.err;
    return text::lines_of(asked.out);
  };
  std::vector<std::string> paths = ask({"inputs", target}), of_objects{"deps"};
  for (const std::string& path : paths) {
    if (path.ends_with(".o")) of_objects.push_back(path);
  }
  for (const std::string& line : ask(of_objects)) paths.push_back(text::trim(line));
  std::set<fs::path> found;
  for (const std::string& path : paths) {
    const fs::path whole = (kit.build / path).lexically_normal();
    const fs::path own = whole.lexically_relative(kit.source);
    const bool is_built = *whole.lexically_relative(kit.build).begin() != "..";
    if (!is_built && *own.begin() != ".." && fs::is_regular_file(whole)) found.insert(own);
  }
  return found;
}

/// A CUDA lab is built from it before a release. Before a change lands: no file is missing.
TEST_F(AHandout, HasAllThatACudaLabIsBuiltFrom) {
  const process::Finished tools = process::run({.words = {NIBBLE_TEST_NINJA, "-t", "list"}});
  if (tools.out.find("inputs") == tools.out.npos) {
    GTEST_SKIP() << "not run: this ninja does not tell the inputs of a target (1.11 does)";
  }
  ASSERT_EQ(hand_out(kit_, {out(), {"03", "19"}}), 0);
  const std::set<fs::path> files = read_by("labs/lab-19_cuda_quantize", kit_);
  for (const char* const one : {"grader/simt/engine/race.cpp", "grader/simt/engine/race.hpp",
                                "grader/checks/19_cuda_quantize/dequantize.cpp"}) {
    EXPECT_TRUE(files.contains(one)) << one;
  }
  for (const fs::path& file : files) {
    const std::string lab = file.parent_path().filename().string();
    const bool is_of_another_lab = file.generic_string().starts_with("grader/checks/") &&
                                   lab != "03_symmetric" && lab != "19_cuda_quantize";
    const bool is_hidden = file.filename() == "hidden.cpp";
    EXPECT_EQ(!is_of_another_lab && !is_hidden, fs::exists(out() / file)) << file;
  }
}

/// Cuts a handout of two labs and uses it as a student does: on this machine, with nothing but what
/// is in it. A lab is built when it is first asked for.
TEST_F(AHandout, WorksAsAProjectOfItsOwn) {
  ASSERT_EQ(hand_out(kit_, {out(), {"03", "19"}}), 0);
  const process::Finished first = nibble({"list"});
  ASSERT_EQ(first.exit_status, 0) << first.err;
  EXPECT_NE(first.out.find("03_symmetric"), std::string::npos) << first.out;
  EXPECT_EQ(first.out.find("01_grid"), std::string::npos);
  EXPECT_FALSE(has_judge("03_symmetric") || has_judge("19_cuda_quantize"));

  const process::Finished untouched = nibble({"run", "03"});
  EXPECT_EQ(untouched.exit_status, 1) << untouched.err;
  EXPECT_NE(untouched.out.find("N-STUB"), std::string::npos);
  EXPECT_TRUE(has_judge("03_symmetric"));
  EXPECT_FALSE(has_judge("19_cuda_quantize") || fs::exists(built("simt/engine.o")) ||
               fs::exists(built("bin/nibble-simt-rewrite")));
  passes_with_the_solution("03_symmetric");
  std::string wrong = solution("03_symmetric");
  const std::size_t at = wrong.find("std::nearbyint");
  ASSERT_NE(at, wrong.npos);
  files::write_atomically(lab::files_of(out(), kit_.lab("03")).starter,
                          wrong.replace(at, 14, "std::round"));
  const process::Finished rounded = nibble({"run", "03"});
  EXPECT_EQ(rounded.exit_status, 1);
  EXPECT_NE(rounded.out.find("N-ROUND"), std::string::npos) << rounded.out;

  EXPECT_NE(nibble({"solution", "03.quantize_symmetric", "--give-up"})
                .err.find("not in this copy of the kit"),
            std::string::npos);
  EXPECT_EQ(nibble({"reset", "03"}).exit_status, 0);
  EXPECT_NE(nibble({"pack", "03"}).err.find("is the starter still"), std::string::npos);
  EXPECT_NE(nibble({"teach", "grade"}).err.find("this is a handout"), std::string::npos);
  EXPECT_NE(nibble({"test"}).err.find("this is a handout"), std::string::npos);
}

TEST_F(AHandout, BuildsACudaLab) {
  ASSERT_EQ(hand_out(kit_, {out(), {"03", "19"}}), 0);
  passes_with_the_solution("19_cuda_quantize");
  EXPECT_TRUE(has_judge("19_cuda_quantize"));
  EXPECT_FALSE(has_judge("03_symmetric"));
}

}  // namespace
}  // namespace nibble::handout
