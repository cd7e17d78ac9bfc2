// A handout works as a project of its own, without a line of a solution.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "handout/handout.hpp"
#include "handout_tree.hpp"
#include "lab/lab_files.hpp"
#include "process/command.hpp"

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
  fs::path built(const fs::path& file) const { return out() / "build" / "default" / file; }
  bool has_judge(const std::string& lab) const {
    return fs::exists(built("bin") / ("judge." + lab));
  }
};

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
  for (const char* const lab : {"03_symmetric", "19_cuda_quantize"}) {
    const fs::path theirs = lab::files_of(out(), kit_.lab(lab)).starter;
    files::write_atomically(theirs, solution(lab));
    const process::Finished right = nibble({"run", lab});
    EXPECT_EQ(right.exit_status, 0) << right.out << right.err;
    EXPECT_NE(right.out.find("75 of 75 public points"), std::string::npos) << right.out;
    EXPECT_NE(right.out.find("25 more points and are run by your instructor\n"), std::string::npos);
  }
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

}  // namespace
}  // namespace nibble::handout
