// A toolchain that breaks is nobody's zero, and one that heals leaves none behind.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "batch/store.hpp"
#include "breaking_toolchain.hpp"
#include "compile/compile.hpp"
#include "compile/toolchain.hpp"
#include "run/probe.hpp"
#include "teach/grade.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kLab = "03_symmetric";

class WeatherTest : public testing::Test {
 protected:
  WeatherTest() : here_(made()), tools_(kit_, here_ / "tools"), weathered_(tools_.kit_of(kit_)) {}
  ~WeatherTest() override {
    std::error_code ignored;
    fs::remove_all(here_, ignored);
  }

  static fs::path made() {
    std::string pattern = (fs::temp_directory_path() / "nibble-weather-XXXXXX").string();
    const fs::path folder = mkdtemp(pattern.data());
    fs::permissions(folder, fs::perms(0755));
    return folder;
  }

  Job job(const std::string& source, bool is_kept = true) const {
    Job job{{kLab}, source, protocol::Leg::kPlain, here_ / "work"};
    job.is_kept = is_kept;
    return job;
  }

  lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  fs::path here_;
  BreakingToolchain tools_;
  lab::Kit weathered_;
  const std::string solution_ = known_good(kit_, {kLab});
};

TEST_F(WeatherTest, ABrokenToolIsTheToolchainsAndIsQuoted) {
  ASSERT_TRUE(compile_child(weathered_, job(solution_)).ok);
  for (std::size_t tool = 0; tool < BreakingToolchain::tools().size(); ++tool) {
    tools_.break_tool(tool);
    for (const bool is_kept : {false, true}) {
      for (const std::string& source :
           {solution_, solution_ + "void f() { here_is_an_error; }\n"}) {
        try {
          compile_child(weathered_, job(source, is_kept));
          // Who has an error of his own may be told so where the compiler itself still works.
          EXPECT_TRUE(source != solution_ && BreakingToolchain::tools()[tool] != "cc1plus");
        } catch (const ToolchainBroke& broke) {
          EXPECT_NE(std::string(broke.what()).find("not today"), std::string::npos) << broke.what();
        }
      }
    }
    tools_.heal();
  }
}

TEST_F(WeatherTest, AHeaderThatIsGoneIsNobodysMistake) {
  weathered_.ordinary.prelude = {"-include", "nibble/gone.hpp"};
  EXPECT_THROW(compile_child(weathered_, job(solution_)), ToolchainBroke);
}

TEST_F(WeatherTest, WhatIsWrongWithAFileStaysItsOwn) {
  for (const bool is_kept : {false, true}) {
    for (const std::string& source :
         {std::string("int main( {\n"), std::string("#include \"symmetric.hpp\"\n"),
          solution_ + "int f(int x) { asm volatile(\"nonsense\"); return x; }\n",
          solution_ + "#include <no_such_header>\n",
          solution_ + "namespace nibble { int nowhere(); int g() { return nowhere(); } }\n"}) {
      const Built built = compile_child(weathered_, job(source, is_kept));
      EXPECT_FALSE(built.ok);
      EXPECT_NE(built.diagnostics, "") << source;
    }
  }
}

TEST_F(WeatherTest, WhatASubmissionLeavesBehindIsGoneBeforeTheToolchainIsAsked) {
  fs::create_directories(here_ / "work/child/in_the_way");
  EXPECT_THROW(compile_once(weathered_, job(solution_)), fs::filesystem_error);
  fs::remove_all(here_ / "work");
  fs::create_directories(here_ / "work");
  files::write_atomically(here_ / "work/full", std::string(1000, 'x'));
  EXPECT_FALSE(compile_child(weathered_, job("int main( {\n")).ok);
  EXPECT_FALSE(fs::exists(here_ / "work/full"));
}

/// A tool that dies on one file alone: that file did it.
TEST_F(WeatherTest, AToolThatDiesOnOneFileIsThatFilesOwn) {
  const fs::path linker = here_ / "tools/ld";
  files::write_atomically(linker,
                          "#!/bin/sh\ncase \"$PWD\" in *.known_good) exec ld \"$@\" ;; esac\n"
                          "kill -SEGV $$\n");
  fs::permissions(linker, fs::perms(0755));
  const Built built = compile_child(weathered_, job(solution_ + "// kills the linker\n"));
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics, "");
}

/// Broken whenever the file is compiled and whole whenever what is right is:
/// each time it was exchanged.
TEST_F(WeatherTest, ARoundInWhichAToolWasExchangedIsNobodysZero) {
  const fs::path compiler = here_ / "tools/cc1plus";
  const std::string real = files::read_file(compiler);
  files::write_atomically(
      compiler, "#!/bin/sh\ncase \"$PWD\" in *.known_good) ;; *) touch \"$0\"; exit 1 ;; esac\n" +
                    real.substr(real.find('\n') + 1));
  fs::permissions(compiler, fs::perms(0755));
  EXPECT_THROW(compile_child(weathered_, job(solution_)), ToolchainBroke);
}

/// Names of temporary files, the time of day: who is told something else each time was told by
/// himself.
TEST_F(WeatherTest, WordsThatNeverComeTwiceAreNoWayOutOfAZero) {
  for (const char* const changing :
       {"asm(\"nonsense\");\n", "#line 1 \"elsewhere\"\nstatic_assert(false, __TIME__);\n",
        "#line 1 \"elsewhere\"\nstatic_assert(false, __TIMESTAMP__);\n"}) {
    const Built built = compile_child(weathered_, job(solution_ + changing));
    EXPECT_FALSE(built.ok) << changing;
    EXPECT_NE(built.diagnostics, "") << changing;
  }
}

// --- A batch of sixty ---------------------------------------------------------------------------

class ABatchOfSixty : public WeatherTest, public testing::WithParamInterface<sandbox::Level> {
 protected:
  static constexpr int kAll = 60;

  /// Every tenth does not compile: the compiler, the assembler or the linker has something to say.
  std::string source_of(int number) const {
    const std::string name = "// submission " + std::to_string(number) + "\n";
    if (number % 30 == 5) return name + solution_ + "int f() { return here_is_an_error; }\n";
    if (number % 30 == 15) return name + solution_ + "void f() { asm volatile(\"nonsense\"); }\n";
    if (number % 30 == 25) return name + "#include \"symmetric.hpp\"\n";
    return name + solution_;
  }

  std::optional<record::Result> result_of(int number) const {
    return batch::read_result(batch::result_file(here_ / "grades", std::to_string(number), kLab));
  }

  teach::Grade order() const {
    teach::Grade grade;
    grade.paths = {here_ / "all"};
    grade.labs = {"03"};
    grade.out = here_ / "grades";
    grade.terms.seed = "0x5";
    grade.legs.sanitizers = false;
    grade.workers = 2;
    grade.boxes = run::boxes_for(weathered_, GetParam());
    return grade;
  }
};

TEST_P(ABatchOfSixty, HasNoZeroThatIsNotEarnedWhateverBreaks) {
  if (!run::probe(kit_, GetParam()).works()) GTEST_SKIP() << "no such box here";
  for (int i = 0; i < kAll; ++i) {
    files::write_atomically(here_ / "all" / std::to_string(i) / "symmetric.cpp", source_of(i));
  }
  teach::Grade what = order();
  int breaks = 0;
  {
    const Weather weather(tools_, 600ms, 200ms);
    teach::grade(weathered_, what);
    breaks = weather.breaks();
  }
  tools_.heal();
  EXPECT_GE(breaks, 9) << "three times each";
  int zeros = 0, faults = 0;
  for (int i = 0; i < kAll; ++i) {
    const auto result = result_of(i);
    faults += result ? 0 : 1;
    if (i % 10 == 5 || !result) continue;
    zeros += result->points == 0 ? 1 : 0;
  }
  EXPECT_EQ(zeros, 0);
  RecordProperty("breaks", breaks);
  RecordProperty("faults", faults);
  what.resume = true;
  EXPECT_EQ(teach::grade(weathered_, what), 0);
  for (int i = 0; i < kAll; ++i) {
    EXPECT_EQ(result_of(i)->points, i % 10 == 5 ? 0 : 75) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ABatchOfSixty,
                         testing::Values(sandbox::Level::kLimits, sandbox::Level::kNamespaces),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace nibble::compile
