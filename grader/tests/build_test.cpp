// Programs that are run to their end, files that are never half written, and what a submission's
// object may import and include.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "compile/compile.hpp"
#include "compile/compile_words.hpp"
#include "compile/imports.hpp"
#include "compile/includes.hpp"
#include "compile/link_words.hpp"
#include "compile/toolchain.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "run/judging.hpp"
#include "text/harmless.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

process::Command shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

// --- Commands ------------------------------------------------------------------------------------

TEST(Command, KeepsWhatItSaidAndItsStatus) {
  const process::Finished finished = process::run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(finished.out, "out\n");
  EXPECT_EQ(finished.err, "err\n");
  EXPECT_EQ(finished.exit_status, 3);
  EXPECT_FALSE(finished.ok());
  EXPECT_TRUE(process::run(shell("true")).ok());
}

TEST(Command, NamesTheSignalThatEndedIt) {
  const process::Finished finished = process::run(shell("kill -9 $$"));
  EXPECT_EQ(finished.signal, SIGKILL);
  EXPECT_EQ(finished.exit_status, -1);
}

TEST(Command, ThatDoesNotExistIsAnError) {
  EXPECT_THROW(process::run({.words = {"no-such-program-at-all"}}), std::system_error);
  process::Command elsewhere = shell("true");
  elsewhere.directory = "/no/such/folder";
  EXPECT_THROW(process::run(elsewhere), std::system_error);
}

TEST(Command, KeepsNoMoreOutputThanItMay) {
  process::Command command = shell("head -c 1000000 /dev/zero; echo end >&2");
  command.kept_bytes = 1000;
  const process::Finished finished = process::run(command);
  EXPECT_EQ(finished.out.size(), 1000u);
  EXPECT_EQ(finished.err, "end\n");
  EXPECT_TRUE(finished.ok());
}

TEST(Command, IsStoppedByTheWallClock) {
  process::Command command = shell("sleep 100");
  command.wall_limit = 1s;
  const auto start = steady_clock::now();
  EXPECT_TRUE(process::run(command).timed_out);
  EXPECT_LT(steady_clock::now() - start, 20s);
}

TEST(Command, IsStoppedWhileItFloodsItsOutput) {
  process::Command command{.words = {"yes"}};
  command.wall_limit = 1s;
  EXPECT_TRUE(process::run(command).timed_out);
}

TEST(Command, IsStoppedByItsCpuTimeAndSaysSo) {
  process::Command command = shell("while :; do :; done");
  command.cpu_limit = 1s;
  EXPECT_TRUE(process::run(command).timed_out);
}

TEST(Command, KnowsThatAProgramItsProgramStartedTookTooLong) {
  process::Command command = shell("sh -c 'while :; do :; done'; exit 1");
  command.cpu_limit = 1s;
  EXPECT_TRUE(process::run(command).timed_out)
      << "as a compiler starts another program that compiles";
}

TEST(Command, WritesNoLargeFileAndTakesLittleMemory) {
  const fs::path file =
      fs::temp_directory_path() / ("nibble-build-test-" + std::to_string(getpid()));
  process::Command command = shell("head -c 100000 /dev/zero > " + file.string());
  command.file_bytes = 4096;
  EXPECT_FALSE(process::run(command).ok());
  EXPECT_LE(fs::file_size(file), 4096u);
  fs::remove(file);
}

TEST(Command, CanBeCancelled) {
  process::Command command = shell("sleep 100");
  command.cancelled = [] { return true; };
  const process::Finished finished = process::run(command);
  EXPECT_TRUE(finished.cancelled);
  EXPECT_FALSE(finished.timed_out);
}

TEST(Command, DoesNotWaitForWhoeverHoldsItsPipe) {
  const auto start = steady_clock::now();
  const process::Finished finished = process::run(shell("sleep 100 & echo done"));
  EXPECT_EQ(finished.out, "done\n");
  EXPECT_TRUE(finished.ok());
  EXPECT_LT(steady_clock::now() - start, 20s);
}

TEST(Command, SeesFewVariablesAndNoSecret) {
  setenv("NIBBLE_SALT", "secret", 1);
  process::Command command{.words = {"env"}};
  command.environment = {"MORE=1"};
  const process::Finished finished = process::run(command);
  unsetenv("NIBBLE_SALT");
  EXPECT_EQ(finished.out.find("secret"), std::string::npos);
  EXPECT_NE(finished.out.find("MORE=1"), std::string::npos);
  EXPECT_NE(finished.out.find("PATH="), std::string::npos);
}

// --- Files ---------------------------------------------------------------------------------------

class Folder : public testing::Test {
 protected:
  Folder() : folder_(fs::temp_directory_path() / ("nibble-test-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Folder() override { fs::remove_all(folder_); }
  fs::path folder_;
};

using Files = Folder;

TEST_F(Files, AreWrittenWholeAndLeaveNothingBeside) {
  const fs::path file = folder_ / "new/folder/a.json";
  files::write_atomically(file, "one");
  files::write_atomically(file, "two");
  EXPECT_EQ(files::read_file(file), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()), 1);
}

TEST_F(Files, ThatCannotBeWrittenStayAsTheyWere) {
  const fs::path file = folder_ / "a.json";
  fs::create_directory(file);  // a rename onto a folder fails
  EXPECT_THROW(files::write_atomically(file, "text"), fs::filesystem_error);
  EXPECT_TRUE(fs::is_directory(file));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, ThatAreMissingOrFoldersAreErrorsWithTheirName) {
  try {
    files::read_file(folder_ / "missing");
    FAIL();
  } catch (const fs::filesystem_error& error) {
    EXPECT_EQ(error.path1(), folder_ / "missing");
  }
  EXPECT_THROW(files::read_file(folder_), fs::filesystem_error);
}

// --- Imports and includes ------------------------------------------------------------------------

TEST(Imports, WhatALabNeedsIsExpected) {
  for (const char* const name :
       {"_ZSt4cout", "memcpy", "nearbyintf", "sqrt", "powl", "_Znwm", "_ZN6nibble4halfEf",
        "__cxa_throw", "malloc", "printf", "__popcountdi2"}) {
    EXPECT_TRUE(is_expected_import(name)) << name;
  }
}

TEST(Imports, WhatNoLabNeedsIsOdd) {
  for (const char* const name : {"fork", "exit", "_exit", "socket", "open", "ptrace", "system",
                                 "syscall", "mmap", "dlopen", "kill", "getenv", "clock_gettime"}) {
    EXPECT_FALSE(is_expected_import(name)) << name;
  }
}

TEST(Includes, AreReadAsMakeReadsThem) {
  EXPECT_EQ(prerequisites("a.o: b.cpp \\\n c\\ d.hpp \\\n $$e.hpp\n"),
            (std::vector<std::string>{"b.cpp", "c d.hpp", "$e.hpp"}));
  EXPECT_TRUE(prerequisites("").empty());
  EXPECT_TRUE(prerequisites("a.o:").empty());
}

// --- One source file to a judged child -----------------------------------------------------------

class Compiling : public Folder {
 protected:
  Built compile(const std::string& source) {
    return compile_child(kit_, {.lab = {"03_symmetric"}, .source = source, .work = folder_});
  }
  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const std::string solution_ =
      files::read_file(kit_.source / "solutions/03_symmetric/symmetric.cpp");
};

TEST_F(Compiling, ASolutionBecomesAChildThatIsJudged) {
  const Built built = compile(solution_);
  ASSERT_TRUE(built.ok) << built.diagnostics;
  EXPECT_TRUE(built.odd_imports.empty());
  const run::Judged judged = run::judge(kit_, {{.lab = "03_symmetric", .child = built.executable}});
  ASSERT_EQ(judged.outcome, run::Judged::Outcome::kVerdict) << judged.message;
  EXPECT_EQ(judged.verdict.end, record::End::kPass);
}

/// clang++ names a file of its own among those that a sanitized one was made from.
TEST_F(Compiling, TheOtherCompilerSanitizesWhatIsRight) {
  const fs::path other = fs::path(NIBBLE_TEST_BUILD) / "clang++";
  if (!fs::exists(other / "kit.json")) GTEST_SKIP() << "no clang++ beside the kit's compiler";
  try {
    const Built built = compile_child(lab::open_kit(other), {.lab = {"03_symmetric"},
                                                             .source = solution_,
                                                             .leg = protocol::Leg::kSanitizers,
                                                             .work = folder_});
    EXPECT_TRUE(built.ok) << built.diagnostics;
  } catch (const ToolchainBroke& broke) {
    GTEST_SKIP() << "clang++ is here without its sanitizers: " << broke.what();
  }
}

TEST_F(Compiling, AnErrorNamesTheFileAsTheLearnerKnowsIt) {
  const Built built = compile("#include \"symmetric.hpp\"\nint x = y;\n");
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics.find("labs/03_symmetric/symmetric.cpp:2"), std::string::npos);
}

/// A box or a loader that fails ends with 1 or 127: nobody has read the file then.
TEST_F(Compiling, OnlyWhatTheRewriterRefusesIsTheFilesDoing) {
  lab::Kit kit = kit_;
  kit.build = folder_ / "build";
  const fs::path rewriter = kit.build / "bin" / "nibble-simt-rewrite";
  fs::create_directories(rewriter.parent_path());
  const auto failure_at = [&](const std::string& status) {
    files::write_atomically(rewriter, "#!/bin/sh\nexit " + status + "\n");
    fs::permissions(rewriter, fs::perms::owner_all);
    return compile_once(kit, {.lab = kit_.lab("19_cuda_quantize"),
                              .source = "",
                              .leg = protocol::Leg::kCounters,
                              .work = folder_ / "work"})
        .failure;
  };
  EXPECT_EQ(failure_at("3"), BuildFailure::kRule);
  EXPECT_EQ(failure_at("1"), BuildFailure::kOther);
  EXPECT_EQ(failure_at("127"), BuildFailure::kOther);
}

TEST_F(Compiling, ACompilerThatWasKilledIsStartedOnceMore) {
  for (const std::string signal : {"KILL", "TERM"}) {  // out of memory; a cluster's job taken back
    const std::string marker = (folder_ / ("was-ended-by-" + signal)).string();
    lab::Kit kit = kit_;
    kit.cxx = (folder_ / "compiler").string();
    files::write_atomically(kit.cxx, "#!/bin/sh\n[ -e " + marker + " ] && exec " + kit_.cxx +
                                         " \"$@\"\ntouch " + marker + "\nkill -" + signal +
                                         " $$\n");
    fs::permissions(kit.cxx, fs::perms::owner_all);
    const Built built = compile_child(
        kit, {.lab = {"03_symmetric"}, .source = solution_, .work = folder_ / ("work-" + signal)});
    EXPECT_TRUE(fs::exists(marker));
    EXPECT_TRUE(built.ok) << signal << built.diagnostics;
  }
}

TEST_F(Compiling, WhatIsOddlyImportedIsListed) {
  const Built built = compile(solution_ + "\n#include <unistd.h>\nvoid leave() { _exit(0); }\n");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  EXPECT_EQ(built.odd_imports, std::vector<std::string>{"_exit"});
}

TEST_F(Compiling, WhoeverDebugsIsNotAccused) {
  const Built built = compile(
      solution_ +
      "\n#include <cassert>\n#include <cstdio>\n#include <iostream>\n#include <fstream>\n"
      "void look(double x, const std::string& s) { std::cout << x << s << std::endl;\n"
      "  std::cerr << 1 << 'c' << true; std::printf(\"%f\", x); std::fprintf(stderr, \"%d\", 1);\n"
      "  assert(x > 0); }\n");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  EXPECT_EQ(built.odd_imports, std::vector<std::string>{});
  EXPECT_NE(std::ranges::find(built.prints, "std::cout"), built.prints.end());
}

TEST_F(Compiling, AnAssertionOfTheLibraryIsNotTheAuthorsPrinting) {
  const Built built = compile(solution_ +
                              "\n#if _GLIBCXX_RELEASE > 11  // before, it stands in a header\n"
                              "namespace std { void __replacement_assert(const char* file, int,\n"
                              "  const char*, const char*) { __builtin_printf(\"%s\", file); } }\n"
                              "#endif\n");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  EXPECT_EQ(built.prints, std::vector<std::string>{});
}

TEST_F(Compiling, WhereTheGraderKeepsItsThingsIsToldToNobody) {
  for (const std::string& source :
       {solution_ + "nibble::SymmetricTensor t = nibble::quantize_symmetric(7);\n",
        solution_ + "namespace nibble { int nowhere(); int g() { return nowhere(); } }\n",
        std::string("#include \"symmetric.hpp\"\nstatic_assert(sizeof __FILE__ == 1, \"\");\n"),
        std::string("#include \"symmetric.hpp\"\n"), std::string("#include \"nibble/none.hpp\"\n"),
        solution_ + "void f() { asm volatile(\"nonsense\"); }\n"}) {
    const Built built = compile(source);
    EXPECT_FALSE(built.ok);
    for (const fs::path& place : {folder_, kit_.source, kit_.build}) {
      EXPECT_EQ(built.diagnostics.find(place.string()), std::string::npos) << built.diagnostics;
    }
  }
}

TEST_F(Compiling, AnIncludeFromElsewhereIsRefused) {
  std::ofstream(folder_ / "elsewhere.hpp") << "// nothing\n";
  const Built built =
      compile(solution_ + "\n#include \"" + folder_.string() + "/elsewhere.hpp\"\n");
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.foreign_file.find("elsewhere.hpp"), std::string::npos);
  EXPECT_NE(built.diagnostics.find("no part of this lab"), std::string::npos);
}

/// The compiler opens it from the folder it stands in; with that folder before it the name is
/// longer than any file's.
TEST_F(Compiling, ALinkOfTheSystemsOwnLeadsToNoForeignHeader) {
  lab::Kit kit = kit_;
  kit.system_includes.push_back(folder_ / "include");
  fs::create_directories(folder_ / "include");
  files::write_atomically(folder_ / "elsewhere/asm/types.h", "");
  files::write_atomically(folder_ / "elsewhere/secret.h", "");
  fs::create_directory_symlink(folder_ / "elsewhere/asm", folder_ / "include/asm");
  const auto foreign = [&](const std::string& header) {
    files::write_atomically(folder_ / "learner.d", "learner.o: " + header + "\n");
    return foreign_include(kit, {.lab = {"03_symmetric"}, .source = "", .work = folder_});
  };
  EXPECT_EQ(foreign(folder_ / "include/asm/types.h"), "");
  const std::string by_the_link = folder_ / "include/asm/../secret.h";
  EXPECT_EQ(foreign(by_the_link), by_the_link);
  EXPECT_EQ(foreign(folder_ / "elsewhere/secret.h"), folder_ / "elsewhere/secret.h");
}

TEST_F(Compiling, AnIncludeByAVeryLongNameIsNoFaultOfTheKit) {
  std::string way;
  for (int i = 0; i < 2030; ++i) way += "./";
  const Built built = compile("#ifndef AGAIN\n#define AGAIN\n#include \"" + way +
                              "symmetric.cpp\"\n#else\n" + solution_ + "#endif\n");
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics.find("no part of this lab"), std::string::npos) << built.diagnostics;
}

TEST_F(Compiling, OldChildrenAreNotTakenForNewOnes) {
  ASSERT_TRUE(compile(solution_).ok);
  EXPECT_FALSE(compile("#error no\n").ok);
  EXPECT_FALSE(fs::exists(folder_ / "child"));
}

TEST_F(Compiling, AWrongOptionIsAUsageErrorAndNoVerdict) {
  const Built built = compile(solution_);
  const run::Judged judged =
      run::judge(kit_, {{.lab = "03_symmetric", .check = "Nothing", .child = built.executable}});
  EXPECT_EQ(judged.outcome, run::Judged::Outcome::kUsage);
}

TEST_F(Compiling, ACompilerEndsWithTheBudget) {
  lab::Kit kit = kit_;
  kit.cxx = (folder_ / "compiler").string();
  files::write_atomically(kit.cxx, "#!/bin/sh\ncase $PWD in *known_good) exec " + kit_.cxx +
                                       " \"$@\" ;; esac\nsleep 60\n");
  fs::permissions(kit.cxx, fs::perms::owner_all);
  Budget budget(std::chrono::seconds(2));
  const auto start = std::chrono::steady_clock::now();
  const Built built = compile_child(
      kit,
      {.lab = {"03_symmetric"}, .source = solution_, .work = folder_ / "work", .budget = &budget});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics.find("the 2 s that a submission has"), std::string::npos)
      << built.diagnostics;
  EXPECT_EQ(budget.left().count(), 0);
}

/// A verdict in which nothing was run, for want of time.
void expect_nothing_was_run(const run::Judged& judged) {
  ASSERT_EQ(judged.outcome, run::Judged::Outcome::kVerdict) << judged.message;
  EXPECT_EQ(judged.verdict.points, 0);
  EXPECT_GT(judged.verdict.max_points, 0);
  for (const record::Check& check : judged.verdict.checks) {
    EXPECT_EQ(check.status, record::CheckStatus::kTimeout);
    EXPECT_TRUE(check.message.starts_with("not run: the ")) << check.message;
    EXPECT_NE(check.message.find("that a submission has for all its compilations and runs"),
              std::string::npos);
  }
}

TEST_F(Compiling, WithoutTimeLeftTheVerdictSaysSo) {
  const Built built = compile(solution_);
  Budget budget(std::chrono::milliseconds(1));
  {
    const Budget::Spending spending(&budget);
    while (budget.left().count() > 0) continue;
  }
  expect_nothing_was_run(
      run::judge(kit_, {{.lab = "03_symmetric", .child = built.executable}, &budget}));
}

TEST_F(Compiling, AJudgeThatWasStoppedIsNoFaultOfTheKit) {
  const Built built = compile(solution_);
  lab::Kit kit = kit_;
  kit.build = folder_ / "build";
  fs::create_directories(kit.build / "bin");
  const fs::path program = kit.judge("03_symmetric");
  files::write_atomically(program,
                          "#!/bin/sh\norder=$(cat)\n"
                          "case \"$order\" in *'\"budget_left_ms\":0'*) ;; *) sleep 100 ;; esac\n"
                          "printf %s \"$order\" | " +
                              kit_.judge("03_symmetric").string() + "\n");
  fs::permissions(program, fs::perms::owner_all);
  Budget budget(std::chrono::seconds(1));
  expect_nothing_was_run(
      run::judge(kit, {{.lab = "03_symmetric", .child = built.executable}, &budget}));
}

TEST_F(Compiling, AMissingChildIsAFaultOfTheKit) {
  const run::Judged judged = run::judge(kit_, {{.lab = "03_symmetric", .child = "/no/such/child"}});
  EXPECT_EQ(judged.outcome, run::Judged::Outcome::kKitError);
  EXPECT_NE(judged.message.find("a fault of the kit"), std::string::npos);
}

TEST(OpenKit, OfAFolderThatIsNotBuiltSaysWhatToDo) {
  try {
    lab::open_kit("/no/such/build");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("./nibble"), std::string::npos);
  }
}

TEST(Labs, AreFoundByAnyNameAndKnowTheirFiles) {
  lab::Kit kit;
  kit.labs = {{"05_per_channel"}, {"18_gpu", lab::LabKind::kHost}};
  EXPECT_EQ(kit.choose({}), kit.labs);
  EXPECT_EQ(kit.choose({"18_gpu", "05", "per_channel", "5"}), kit.labs);
  EXPECT_THROW(kit.lab("per_chanel"), std::invalid_argument);
  EXPECT_EQ(kit.lab("5").file(), fs::path("labs/05_per_channel/per_channel.cpp"));
  EXPECT_EQ(kit.lab("18").compiled_file(), fs::path("labs/18_gpu/gpu.cu.cpp"));
}

TEST(Sha256, OfNothingAndOfAbc) {
  EXPECT_EQ(files::sha256("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(files::sha256("").substr(0, 15), "sha256:e3b0c442");
}

// --- Text from a submission ----------------------------------------------------------------------

TEST(Harmless, KeepsPlainTextAndEveryOrdinaryCharacter) {
  const std::string text = "a\tb\n\u00e4 \u20ac \U0001F600";
  EXPECT_EQ(text::harmless(text), text);
}

TEST(Harmless, TakesEveryControlCharacterAway) {
  for (int byte = 0; byte < 32; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(text::harmless(text), byte == '\n' || byte == '\t' ? text : "?") << byte;
  }
  EXPECT_EQ(text::harmless("\x7f"), "?");
  EXPECT_EQ(text::harmless("\x1b[2J"), "?[2J");
}

TEST(Harmless, TakesEveryStrayByteAway) {
  for (int byte = 0x80; byte < 0x100; ++byte) {
    EXPECT_EQ(text::harmless(std::string(1, static_cast<char>(byte))), "?") << byte;
  }
  EXPECT_EQ(text::harmless("\xc2\x85"), "??") << "C1 controls";
  EXPECT_EQ(text::harmless("\xc0\xaf"), "??") << "overlong";
  EXPECT_EQ(text::harmless("\xe0\x80\x80"), "???") << "overlong";
  EXPECT_EQ(text::harmless("\xf0\x80\x80\x80"), "????") << "overlong";
  EXPECT_EQ(text::harmless("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(text::harmless("\xf4\x90\x80\x80"), "????") << "beyond Unicode";
  EXPECT_EQ(text::harmless("\xe2\x82"), "??") << "cut off";
}

TEST(Harmless, TakesAwayWhatTurnsTextAround) {
  EXPECT_EQ(text::harmless("a\u202eb"), "a???b");
  EXPECT_EQ(text::harmless("a\u2066b"), "a???b");
  EXPECT_EQ(text::harmless("a\u2019b"), "a\u2019b");
}

// --- What the linker says ------------------------------------------------------------------------

TEST(CompileWords, OfAVaryingArraySayWhatToDo) {
  const std::string gcc =
      "a.cu: In function 'f':\na.cu:1:22: error: variable length array 'a' is used "
      "[-Werror=vla]\n   1 | float a[n];\ncc1plus: some warnings being treated as errors\n";
  const std::string said = compile_words(gcc);
  EXPECT_EQ(
      said.find("a.cu: In function 'f':\na.cu:1:22: error: the size of this array is known only"),
      0u);
  EXPECT_TRUE(said.ends_with("(extern __shared__)\n   1 | float a[n];\n")) << said;
  EXPECT_EQ(compile_words("x\n\ny"), "x\n\ny");
  EXPECT_EQ(
      compile_words("a.cu:1:2: error: variable length arrays are a C99 feature [-Werror,-Wvla]")
          .find("a.cu:1:2: error: the size"),
      0u);
}

TEST(CompileWords, WarningsThatOnlyTheCompilersOwnHeadersEarnAreLeftOut) {
  const std::string of_header =
      "In file included from /usr/lib/gcc/include/immintrin.h:49,\n"
      "                 from labs/14_x/x.cpp:7:\n"
      "In function '__m512 _mm512_cvtepi32_ps(__m512i)',\n"
      "    inlined from 'void f()' at labs/14_x/x.cpp:352:42:\n"
      "/usr/lib/gcc/include/avx512fintrin.h:14148:10: warning: '__Y' may be used uninitialized "
      "[-Wmaybe-uninitialized]\n"
      "14148 |   return (__m512) 0;\n"
      "      |          ^~~~~~\n"
      "/usr/lib/gcc/include/avx512fintrin.h: In function 'void f()':\n"
      "/usr/lib/gcc/include/avx512fintrin.h:188:10: note: '__Y' was declared here\n"
      "  188 |   __m512 __Y = __Y;\n";
  const std::string of_file =
      "labs/14_x/x.cpp: In function 'void g()':\n"
      "labs/14_x/x.cpp:45:47: warning: 'sum' may be used uninitialized [-Wmaybe-uninitialized]\n"
      "   45 |       sum += a;\n"
      "labs/14_x/x.cpp:44:20: note: 'sum' was declared here\n";
  const std::string error = "/usr/include/c++/span:276:7: error: no match\n";
  EXPECT_EQ(compile_words(of_header + of_file + error), of_file + error);
  EXPECT_EQ(compile_words(of_file + of_header), of_file);
  const std::string of_a_sum =
      "/usr/include/c++/12/bits/stl_numeric.h:141:21: warning: 'acc' may be used uninitialized "
      "[-Wmaybe-uninitialized]\n";
  EXPECT_EQ(compile_words(of_a_sum), of_a_sum) << "the learner's array, in a function of std";
}

TEST(LinkWords, AreThoseOfTheContract) {
  const auto words = [](const char* linker) {
    return link_words(linker, {"scale", "quantize"}, "labs/03_x/x.cpp");
  };
  for (const char* const linker :
       {"mold: error: undefined symbol: nibble::scale(float)\n>>> referenced by 03_x.cpp\n",
        "/usr/bin/ld: 03_x.o: in function `f':\n03_x.cpp:(.text+0x1): undefined reference to "
        "`nibble::scale(float)'\n",
        "ld.lld: error: undefined symbol: nibble::scale(float)\n"}) {
    EXPECT_EQ(words(linker),
              "labs/03_x/x.cpp: error: scale of the contract is missing: define "
              "nibble::scale(float), in namespace nibble, with just these parameters\n");
  }
  EXPECT_NE(words("mold: error: undefined symbol: nibble::helper(float)\n").find("has no body"),
            std::string::npos);
  for (const char* const linker :
       {"mold: error: duplicate symbol: /kit/runner/main.o: learner.o: main\n",
        "/usr/bin/ld: main.o: in function `main':\nmain.cpp:(.text+0x0): multiple definition of "
        "`main'; learner.o:x.cpp:(.text+0x0): first defined here\n",
        "ld.lld: error: duplicate symbol: main\n>>> defined at x.cpp\n"}) {
    EXPECT_NE(words(linker).find("there is a main() here"), std::string::npos) << words(linker);
  }
  EXPECT_EQ(words("mold: error: cannot open crt1.o: No such file\n"), "");
}

}  // namespace
}  // namespace nibble::compile
