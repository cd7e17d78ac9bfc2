// Boxes: what is told by their words, what becomes of a box that breaks, and what a program in one
// can still do. The attacks try far more, at every level (`nibble teach attack`).
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "process/command.hpp"
#include "run/judging.hpp"
#include "run/probe.hpp"
#include "sandbox/box.hpp"
#include "sandbox/control_group.hpp"
#include "sandbox/level.hpp"
#include "sandbox/opening.hpp"

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

// --- The opening ---------------------------------------------------------------------------------

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

// --- Programs in boxes ---------------------------------------------------------------------------

const lab::Kit& kit() {
  static const lab::Kit the_kit = lab::open_kit(NIBBLE_TEST_BUILD);
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
    const run::LevelHere found = run::probe(kit(), GetParam());
    if (!found.works()) GTEST_SKIP() << name_of(GetParam()) << ": " << found.why_not;
  }

  process::Finished shell(const std::string& script) {
    process::Command command;
    command.words = {"sh", "-c", script};
    command.wall_limit = 30s;
    command.box = {GetParam(), find_tools(kit().build / "bin"), {}, {folder_ / "work"}, false};
    command.directory = folder_ / "work";
    return process::run(command);
  }

  fs::path folder_;
};

TEST_P(InABox, AToolWorks) {
  const process::Finished done = shell("echo out; echo err >&2; echo kept > file; exit 3");
  EXPECT_EQ(done.exit_status, 3);
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
  EXPECT_EQ(files::read_file(folder_ / "work" / "file"), "kept\n");
}

TEST_P(InABox, AToolSeesItsOwnFilesAndNoOthers) {
  const process::Finished done = shell("cat ../secret");
  EXPECT_NE(done.exit_status, 0);
  EXPECT_EQ(done.out, "");
  shell("echo more >> ../secret; rm ../secret");
  EXPECT_EQ(files::read_file(folder_ / "secret"), "nobody's business\n");
}

TEST_P(InABox, AToolHasNoPrivileges) {
  const process::Finished done = shell("kill -0 " + std::to_string(getpid()) + " && echo signals");
  EXPECT_EQ(done.out, "");
  EXPECT_NE(shell("chown 1:1 .").exit_status, 0);
}

TEST_P(InABox, AToolsTimeIsLimited) {
  process::Command command;
  command.words = {"sh", "-c", "while :; do :; done"};
  command.cpu_limit = 1s;
  command.wall_limit = 60s;
  command.box = {GetParam(), find_tools(kit().build / "bin"), {}, {folder_ / "work"}, false};
  EXPECT_TRUE(process::run(command).timed_out);
}

TEST_P(InABox, WhatItLeavesBehindEndsWithIt) {
  const process::Finished done = shell("(sleep 100; echo late > late) & exit 0");
  EXPECT_EQ(done.exit_status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "work" / "late"));
}

/// A driver may have threads and look at /proc. Nothing else that the control tries.
TEST_P(InABox, WithAGpuIsWeakerByWhatADriverNeeds) {
  process::Command command;
  command.words = {(kit().build / "bin" / "box-control").string()};
  command.wall_limit = 30s;
  command.box = {.level = GetParam(),
                 .tools = find_tools(kit().build / "bin"),
                 .readable = {command.words[0]},
                 .untrusted_program = true,
                 .gpu = true};
  const process::Finished done = process::run(command);
  EXPECT_EQ(done.out, "lives sees-processes threads \n") << done.err;
}

TEST_P(InABox, WithAGpuARunnerServes) {
  compile::Job job{.lab = kit().lab("03"),
                   .source = files::read_file(compile::published_solution(kit(), kit().lab("03"))),
                   .work = folder_ / "work",
                   .boxes = run::boxes_for(kit(), GetParam())};
  const compile::Built built = compile::compile_child(kit(), job);
  ASSERT_TRUE(built.ok) << built.diagnostics;
  // It has no kernels, but it has the box.
  const run::Judged judged = run::judge(
      kit(), {.terms = {.lab = job.lab.name, .leg = protocol::Leg::kGpu, .child = built.executable},
              .boxes = job.boxes});
  ASSERT_EQ(judged.outcome, run::Judged::Outcome::kVerdict) << judged.message;
  EXPECT_TRUE(judged.verdict.passes());
}

/// What the sanitizers cannot find out in a box must not become somebody's mistake.
TEST_P(InABox, PrintingIsNoUndefinedBehaviour) {
  compile::Job job{
      .lab = kit().lab("03"),
      .source = files::read_file(compile::published_solution(kit(), kit().lab("03"))) +
                "\n#include <cstdio>\n#include <iostream>\n"
                "static const auto& said = std::cout << 1.5 << ' ' << 2 << std::endl;\n"
                "static const int printed = std::printf(\"%d\", 3);\n",
      .leg = protocol::Leg::kSanitizers,
      .work = folder_ / "work",
      .boxes = run::boxes_for(kit(), GetParam())};
  const auto verdict = [&] {
    const compile::Built built = compile::compile_child(kit(), job);
    EXPECT_TRUE(built.ok) << built.diagnostics;
    const run::Judged judged = run::judge(
        kit(), {.terms = {.lab = job.lab.name, .leg = job.leg, .child = built.executable},
                .boxes = job.boxes});
    return judged.outcome == run::Judged::Outcome::kVerdict ? name_of(judged.verdict.end)
                                                            : judged.message;
  };
  EXPECT_EQ(verdict(), "pass");
  job.more_flags = {"-fsanitize=vptr"};
  EXPECT_NE(verdict(), "pass") << "this box lets it ask: then it could be looked for";
}

/// mold 1.0 asks for a socket, which no box gives: a linker that needs /proc stands for it.
TEST_P(InABox, ALinkerThatNeedsWhatABoxForbidsIsNotChosen) {
  lab::Kit fussy = kit();
  const fs::path tools = folder_ / "tools";
  files::write_atomically(tools / "ld.mold",
                          "#!/bin/sh\ncat /proc/self/status >/dev/null 2>&1 || "
                          "{ echo 'mold: needs /proc' >&2; exit 1; }\nexec ld \"$@\"\n");
  fs::permissions(tools / "ld.mold", fs::perms(0755));
  fussy.compiler_folders.push_back(tools);
  fussy.linkers = {{"-fuse-ld=mold", "-B" + tools.string()}, {}};
  const run::Linker linker = run::linker_in_box(fussy, GetParam());
  EXPECT_TRUE(linker.works);
  EXPECT_EQ(linker.flags, std::vector<std::string>{});
  EXPECT_NE(linker.refused.find("needs /proc"), std::string::npos) << linker.refused;
  fussy.linkers.pop_back();
  EXPECT_FALSE(run::linker_in_box(fussy, GetParam()).works);
  EXPECT_THROW(run::boxes_for(fussy, GetParam()), BoxBroke) << "before anybody is graded";
}

TEST_P(InABox, ACompilersLinkLeadsNowhere) {
  compile::Job job{.lab = kit().lab("03"),
                   .source = "#include \"" + (folder_ / "secret").string() + "\"\n",
                   .work = folder_ / "work",
                   .boxes = run::boxes_for(kit(), GetParam())};
  const compile::Built built = compile::compile_child(kit(), job);
  EXPECT_FALSE(built.ok);
  EXPECT_EQ(built.diagnostics.find("nobody"), std::string::npos) << built.diagnostics;
}

INSTANTIATE_TEST_SUITE_P(Levels, InABox, testing::Values(Level::kNamespaces, Level::kLandlock),
                         [](const auto& level) { return std::string(name_of(level.param)); });

TEST(BrokenBox, IsNoFaultOfWhatShouldHaveRun) {
  process::Command command;
  command.words = {"true"};
  command.box = {Level::kLandlock, {"/bin/false", ""}};  // a launcher that says nothing
  EXPECT_THROW(process::run(command), BoxBroke);
}

// --- Control groups ------------------------------------------------------------------------------

TEST(OwnGroup, IsFoundWhereTheFileSystemIsMounted) {
  const std::string pure =
      "25 1 0:22 / /sys rw - sysfs sysfs rw\n30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  EXPECT_EQ(own_group(pure, "0::/user.slice/run-1.scope\n"),
            "/sys/fs/cgroup/user.slice/run-1.scope");
  EXPECT_EQ(own_group(pure, "0::/\n"), "/sys/fs/cgroup/");
  const std::string both =
      "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup memory rw\n31 25 0:27 / "
      "/sys/fs/cgroup/unified rw - cgroup2 none rw\n";
  EXPECT_EQ(own_group(both, "4:memory:/a\n0::/b\n"), "/sys/fs/cgroup/unified/b");
  const std::string container = "30 25 0:26 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  EXPECT_EQ(own_group(container, "0::/docker/1/a\n"), "/sys/fs/cgroup/a");
}

TEST(OwnGroup, WhereThereIsNoneItSaysSo) {
  const std::string old = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup memory rw\n";
  const std::string pure = "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  EXPECT_THROW(own_group(old, "4:memory:/\n"), std::runtime_error);
  EXPECT_THROW(own_group(old, "0::/\n"), std::runtime_error);
  EXPECT_THROW(own_group(pure, "0::/../../elsewhere\n"), std::runtime_error);
  EXPECT_THROW(own_group("", ""), std::runtime_error);
}

TEST(Groups, AreHereOrItIsSaidWhyNot) {
  const Groups& here = groups_here();
  EXPECT_NE(here.folder.empty(), here.why_not.empty()) << here.why_not;
  EXPECT_EQ(limited_by(here.folder), here.folder.empty() ? "processes" : "groups");
}

TEST(ControlGroup, WhereNoneCanBeMadeTheBoxIsBroken) {
  EXPECT_THROW(ControlGroup("/nowhere", 1, 1), BoxBroke);
  EXPECT_THROW(ControlGroup(fs::temp_directory_path(), 1, 1), BoxBroke)
      << "no control group's folder";
}

class InAGroup : public testing::Test {
 protected:
  void SetUp() override {
    if (groups_here().folder.empty()) GTEST_SKIP() << groups_here().why_not;
  }

  static process::Finished shell(const std::string& script, const fs::path& groups) {
    process::Command command;
    command.words = {"sh", "-c", script};
    command.wall_limit = 300s;
    command.memory_bytes = std::size_t{64} << 20;
    command.box.groups = groups;
    return process::run(command);
  }
};

/// tail keeps what it was given last: 25 MB in each of four processes, none of which is too large.
constexpr const char* kFourTimes25 =
    "for i in 1 2 3 4; do head -c 25000000 /dev/zero | tail -c 25000000 > /dev/null & done; wait";

TEST_F(InAGroup, ManyProcessesTogetherMayNotTakeMoreThanOne) {
  EXPECT_TRUE(shell(kFourTimes25, {}).ok()) << "each of them is within its own limit";
  const process::Finished done = shell(kFourTimes25, groups_here().folder);
  EXPECT_TRUE(done.out_of_memory);
  EXPECT_EQ(done.signal, SIGKILL) << "all of the group is ended, not one of it";
}

TEST_F(InAGroup, WhatIsWithinItsLimitsIsLeftAlone) {
  const process::Finished done = shell("echo fine", groups_here().folder);
  EXPECT_TRUE(done.ok());
  EXPECT_FALSE(done.out_of_memory);
  EXPECT_EQ(done.out, "fine\n");
}

TEST_F(InAGroup, NothingOfItIsLeft) {
  shell("setsid sleep 100 & exit 0", groups_here().folder);
  for (const auto& entry : fs::directory_iterator(groups_here().folder)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("run-")) << entry.path();
  }
}

TEST_F(InAGroup, ProcessesAreCounted) {
  ControlGroup group(groups_here().folder, std::size_t{16} << 20, 1);
  const pid_t pid = fork();
  if (pid == 0) _exit(enter(group.door()) && fork() < 0 ? 0 : 1);
  int status = 1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0) << "it could start a second one";
}

TEST(Probe, WithoutABoxTheControlDoesWhatABoxPrevents) {
  EXPECT_EQ(run::probe(kit(), Level::kLimits).why_not, "");
}

TEST(Probe, WithoutALauncherNoLevelIsHereButTheLowest) {
  lab::Kit bare = kit();
  bare.build = "/nowhere";
  for (const Level level : {Level::kNamespaces, Level::kLandlock, Level::kStatic}) {
    EXPECT_FALSE(run::probe(bare, level).works()) << name_of(level);
  }
}

}  // namespace
}  // namespace nibble::sandbox
