// Boxes: what is told by their words, what becomes of a box that breaks, and what a program in one can
// still do. The attacks try far more, at every level (`nibble teach attack`).
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "build/command.hpp"
#include "build/compile.hpp"
#include "build/files.hpp"
#include "sandbox/box.hpp"
#include "sandbox/level.hpp"
#include "sandbox/opening.hpp"
#include "sandbox/probe.hpp"

namespace nibble::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

TEST(Level, HasANameThatLeadsBack) {
  for (const Level level : kBestFirst) EXPECT_EQ(level_from(name_of(level)), level);
  EXPECT_EQ(level_from("s"), Level::kStatic);
  EXPECT_EQ(level_from("3"), Level::kNamespaces);
  for (const char* const other : {"", "L", "L2", "4", "L33"}) EXPECT_FALSE(level_from(other));
}

// --- The opening ----------------------------------------------------------------------------------

/// Forks a launcher that says `words` one after the other, and ends.
pid_t launcher(Opening& opening, const std::vector<std::string>& words) {
  const pid_t pid = fork();
  if (pid == 0) {
    for (const std::string& word : words) {
      if (write(opening.theirs(), word.data(), word.size()) < 0) _exit(1);
    }
    _exit(0);
  }
  return pid;
}

TEST(Opening, TellsWhoBecameTheProgram) {
  Opening opening;
  const pid_t pid = launcher(opening, {"R"});
  EXPECT_EQ(opening.wait(), pid);
  waitpid(pid, nullptr, 0);
}

TEST(Opening, ABoxThatEndsWithoutAWordIsBroken) {
  Opening opening;
  const pid_t pid = launcher(opening, {});
  EXPECT_THROW(opening.wait(), BoxBroke);
  waitpid(pid, nullptr, 0);
}

TEST(Opening, TheReasonIsHandedOn) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"no kernel"}, {"R", "no kernel"}}) {
    Opening opening;
    const pid_t pid = launcher(opening, words);
    try {
      opening.wait();
      ADD_FAILURE() << "the box is said to be good";
    } catch (const BoxBroke& broke) {
      EXPECT_STREQ(broke.what(), "no kernel");
    }
    waitpid(pid, nullptr, 0);
  }
}

// --- Programs in boxes ----------------------------------------------------------------------------

const build::Kit& kit() {
  static const build::Kit the_kit = build::open_kit(NIBBLE_TEST_BUILD);
  return the_kit;
}

/// A folder to write to and, beside it, a file that is nobody's business.
class InABox : public testing::TestWithParam<Level> {
 protected:
  InABox() {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::string name = "box-" + test + "-" + std::to_string(getpid());
    std::ranges::replace(name, '/', '-');
    folder_ = fs::temp_directory_path() / name;
    fs::create_directories(folder_ / "work");
    std::ofstream(folder_ / "secret") << "nobody's business\n";
  }
  ~InABox() override { fs::remove_all(folder_); }

  void SetUp() override {
    const Found found = probe(kit(), GetParam());
    if (!found.works()) GTEST_SKIP() << name_of(GetParam()) << ": " << found.why_not;
  }

  build::Finished shell(const std::string& script) {
    build::Command command;
    command.words = {"sh", "-c", script};
    command.wall_limit = 30s;
    command.box = {GetParam(), find_tools(kit().build / "bin"), {}, {folder_ / "work"}, false};
    command.directory = folder_ / "work";
    return build::run(command);
  }

  fs::path folder_;
};

TEST_P(InABox, AToolWorks) {
  const build::Finished done = shell("echo out; echo err >&2; echo kept > file; exit 3");
  EXPECT_EQ(done.exit_status, 3);
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
  EXPECT_EQ(build::read_file(folder_ / "work" / "file"), "kept\n");
}

TEST_P(InABox, AToolSeesItsOwnFilesAndNoOthers) {
  const build::Finished done = shell("cat ../secret");
  EXPECT_NE(done.exit_status, 0);
  EXPECT_EQ(done.out, "");
  shell("echo more >> ../secret; rm ../secret");
  EXPECT_EQ(build::read_file(folder_ / "secret"), "nobody's business\n");
}

TEST_P(InABox, AToolHasNoPrivileges) {
  const build::Finished done = shell("kill -0 " + std::to_string(getpid()) + " && echo signals");
  EXPECT_EQ(done.out, "");
  EXPECT_NE(shell("chown 1:1 .").exit_status, 0);
}

TEST_P(InABox, AToolsTimeIsLimited) {
  build::Command command;
  command.words = {"sh", "-c", "while :; do :; done"};
  command.cpu_limit = 1s;
  command.wall_limit = 60s;
  command.box = {GetParam(), find_tools(kit().build / "bin"), {}, {folder_ / "work"}, false};
  EXPECT_TRUE(build::run(command).timed_out);
}

TEST_P(InABox, WhatItLeavesBehindEndsWithIt) {
  const build::Finished done = shell("(sleep 100; echo late > late) & exit 0");
  EXPECT_EQ(done.exit_status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "work" / "late"));
}

TEST_P(InABox, ACompilersLinkLeadsNowhere) {
  build::Job job{.lab = "03_symmetric",
                 .source = "#include \"" + (folder_ / "secret").string() + "\"\n",
                 .work = folder_ / "work",
                 .boxes = boxes_for(kit(), GetParam())};
  const build::Built built = build::compile_child(kit(), job);
  EXPECT_FALSE(built.ok);
  EXPECT_EQ(built.diagnostics.find("nobody"), std::string::npos) << built.diagnostics;
}

INSTANTIATE_TEST_SUITE_P(Levels, InABox, testing::Values(Level::kNamespaces, Level::kLandlock),
                         [](const auto& level) { return std::string(name_of(level.param)); });

TEST(BrokenBox, IsNoFaultOfWhatShouldHaveRun) {
  build::Command command;
  command.words = {"true"};
  command.box = {Level::kLandlock, {"/bin/false", ""}};  // a launcher that says nothing
  EXPECT_THROW(build::run(command), BoxBroke);
}

TEST(Probe, WithoutABoxTheControlDoesWhatABoxPrevents) {
  EXPECT_EQ(probe(kit(), Level::kLimits).why_not, "");
}

TEST(Probe, WithoutALauncherNoLevelIsHereButTheLowest) {
  build::Kit bare = kit();
  bare.build = "/nowhere";
  for (const Level level : {Level::kNamespaces, Level::kLandlock, Level::kStatic}) {
    EXPECT_FALSE(probe(bare, level).works()) << name_of(level);
  }
}

}  // namespace
}  // namespace nibble::sandbox
