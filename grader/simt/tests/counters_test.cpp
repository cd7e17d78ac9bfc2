// Traffic, worked out by hand: the same whatever the order of turns and the compiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace nibble::simt {
namespace {

/// What a case counts, by the name in brackets.
struct Golden {
  const char *kernel, *place, *text;
};

const Golden kGolden[] = {
    // 128 requests of 32 floats: 4 sectors each
    {"coalesced", "coalesced", "global load 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes"},
    {"coalesced", "coalesced",
     "global store 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes"},
    // no hook stands before the last two
    {"hides", "hides", "global load 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"hides", "hides", "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"hides", "hides: load", "global load 4: 1 requests, 1 lanes, 1 sectors, 4 bytes"},
    {"hides", "hides: store", "global store 4: 1 requests, 1 lanes, 1 sectors, 4 bytes"},
    {"by_value", "by_value", "global load 16: 1 requests, 32 lanes, 16 sectors, 512 bytes"},
    {"by_value", "by_value", "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    // lanes 16 bytes apart: 16 sectors each
    {"chunked", "chunked", "global load 4: 128 requests, 4096 lanes, 2048 sectors, 16384 bytes"},
    {"chunked", "chunked", "global store 4: 128 requests, 4096 lanes, 2048 sectors, 16384 bytes"},
    {"vectors", "vectors: load",
     "global load 16: 32 requests, 1024 lanes, 512 sectors, 16384 bytes"},
    {"vectors", "vectors: store",
     "global store 16: 32 requests, 1024 lanes, 512 sectors, 16384 bytes"},
    {"strided", "strided", "global load 4: 128 requests, 4096 lanes, 1024 sectors, 16384 bytes"},
    {"strided", "strided", "global store 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes"},
    // 4 bytes off: a fifth sector
    {"shifted", "shifted", "global load 4: 128 requests, 4096 lanes, 640 sectors, 16384 bytes"},
    {"shifted", "shifted", "global store 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes"},
    {"broadcast", "broadcast", "global load 4: 128 requests, 4096 lanes, 128 sectors, 512 bytes"},
    {"broadcast", "broadcast",
     "global store 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes"},
    // 257 = 8 warps and one lane
    {"tail", "tail", "global load 4: 9 requests, 257 lanes, 33 sectors, 1028 bytes"},
    {"tail", "tail", "global store 4: 9 requests, 257 lanes, 33 sectors, 1028 bytes"},
    {"bytes", "bytes", "global load 1: 128 requests, 4096 lanes, 128 sectors, 4096 bytes"},
    {"bytes", "bytes", "global store 1: 128 requests, 4096 lanes, 128 sectors, 4096 bytes"},
    // a column of 32 floats: one bank; 33 floats: all banks
    {"transpose_32", "transpose: in",
     "global load 4: 32 requests, 1024 lanes, 128 sectors, 4096 bytes"},
    {"transpose_32", "transpose: in",
     "shared store 4: 32 requests, 1024 lanes, 32 wavefronts, ideally 32"},
    {"transpose_32", "transpose: out",
     "shared load 4: 32 requests, 1024 lanes, 1024 wavefronts, ideally 32"},
    {"transpose_32", "transpose: out",
     "global store 4: 32 requests, 1024 lanes, 128 sectors, 4096 bytes"},
    {"transpose_33", "transpose: in",
     "global load 4: 32 requests, 1024 lanes, 128 sectors, 4096 bytes"},
    {"transpose_33", "transpose: in",
     "shared store 4: 32 requests, 1024 lanes, 32 wavefronts, ideally 32"},
    {"transpose_33", "transpose: out",
     "shared load 4: 32 requests, 1024 lanes, 32 wavefronts, ideally 32"},
    {"transpose_33", "transpose: out",
     "global store 4: 32 requests, 1024 lanes, 128 sectors, 4096 bytes"},
    // 8 bytes by half warps: 32 words a half, and every second double twice on a bank
    {"wide", "wide: in", "shared store 8: 1 requests, 32 lanes, 2 wavefronts, ideally 2"},
    {"wide", "wide: in", "shared store 8: 1 requests, 32 lanes, 2 wavefronts, ideally 2"},
    {"wide", "wide: out", "shared load 8: 1 requests, 32 lanes, 4 wavefronts, ideally 2"},
    {"wide", "wide: out", "global store 8: 1 requests, 32 lanes, 8 sectors, 256 bytes"},
    // 16 bytes by quarters
    {"quads", "quads: in", "shared store 16: 1 requests, 32 lanes, 4 wavefronts, ideally 4"},
    {"quads", "quads: out", "shared load 16: 1 requests, 32 lanes, 4 wavefronts, ideally 4"},
    {"quads", "quads: store", "global store 16: 1 requests, 32 lanes, 16 sectors, 512 bytes"},
    {"bank_of_one", "bank_of_one: in",
     "shared store 4: 1 requests, 32 lanes, 32 wavefronts, ideally 1"},
    {"bank_of_one", "bank_of_one: out",
     "shared load 4: 1 requests, 32 lanes, 1 wavefronts, ideally 1"},
    {"bank_of_one", "bank_of_one: out",
     "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"histogram", "histogram: zero",
     "shared store 4: 2 requests, 64 lanes, 2 wavefronts, ideally 2"},
    {"histogram", "histogram: shared",
     "global load 1: 8 requests, 256 lanes, 8 sectors, 256 bytes"},
    {"histogram", "histogram: shared",
     "shared atomic 4: 8 requests, 256 lanes, 8 wavefronts, ideally 8"},
    {"histogram", "histogram: global",
     "shared load 4: 2 requests, 64 lanes, 2 wavefronts, ideally 2"},
    {"histogram", "histogram: global",
     "global atomic 4: 2 requests, 64 lanes, 8 sectors, 256 bytes"},
    {"half_warps", "half_warps: low", "global load 4: 1 requests, 16 lanes, 2 sectors, 64 bytes"},
    {"half_warps", "half_warps: low", "global store 4: 1 requests, 16 lanes, 2 sectors, 64 bytes"},
    {"half_warps", "half_warps: high", "global load 4: 1 requests, 16 lanes, 2 sectors, 64 bytes"},
    {"half_warps", "half_warps: high", "global store 4: 1 requests, 16 lanes, 2 sectors, 64 bytes"},
    {"half_warps", "half_warps: together",
     "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"long_loop", "long_loop: load",
     "global load 4: 5100 requests, 161600 lanes, 20400 sectors, 646400 bytes"},
    {"long_loop", "long_loop: store", "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    // lanes that part: what hardware asks for
    {"alternate", "alternate: odd", "global load 4: 8 requests, 128 lanes, 32 sectors, 512 bytes"},
    {"alternate", "alternate: even", "global load 4: 8 requests, 128 lanes, 32 sectors, 512 bytes"},
    {"alternate", "alternate: store",
     "global store 4: 8 requests, 256 lanes, 32 sectors, 1024 bytes"},
    {"trip_count", "trip_count: load",
     "global load 4: 32 requests, 528 lanes, 32 sectors, 128 bytes"},
    {"trip_count", "trip_count: store",
     "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"asks_elsewhere", "asks_elsewhere: load",
     "global load 4: 8 requests, 192 lanes, 32 sectors, 768 bytes"},
    {"asks_elsewhere", "asks_elsewhere: store",
     "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
    {"skip", "skip: load", "global load 4: 8 requests, 192 lanes, 32 sectors, 768 bytes"},
    {"skip", "skip: store", "global store 4: 1 requests, 32 lanes, 4 sectors, 128 bytes"},
};

const char* const kOrders[] = {"schedule=0", "schedule=1", "schedule=2 seed=1", "schedule=2 seed=7",
                               "schedule=2 seed=99"};

std::vector<std::string> compilers() {
  std::vector<std::string> names{"gcc"};
#ifdef SIMT_CLANG
  names.emplace_back("clang");
#endif
  return names;
}

const std::string kSource = std::string(SIMT_KERNELS) + "/counters.cu";

Outcome run(const std::string& compiler, const std::string& arguments) {
  return run_program(std::string(SIMT_PROGRAMS) + "/counters.profile." + compiler, arguments);
}

using Rows = std::multimap<int, std::string>;

/// Every row is found at one of the lines that its place names; all rows of the kernel are listed.
void must_count(const std::string& kernel, const Outcome& outcome) {
  std::vector<Counted> left = outcome.counted;
  for (const Golden& golden : kGolden) {
    if (golden.kernel != kernel) continue;
    const std::vector<int> lines = lines_that_say(kSource, golden.place);
    const auto at = std::ranges::find_if(left, [&](const Counted& c) {
      return c.text == golden.text && std::ranges::find(lines, c.line) != lines.end();
    });
    ASSERT_NE(at, left.end()) << golden.place << ": " << golden.text << '\n' << outcome.all;
    left.erase(at);
  }
  EXPECT_TRUE(left.empty()) << left[0].line << ": " << left[0].text;
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const Golden& golden : kGolden) {
    if (names.empty() || names.back() != golden.kernel) names.emplace_back(golden.kernel);
  }
  return names;
}

class Counters : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Counters, AreThoseOfHardwareUnderEveryOrder) {
  const auto& [kernel, compiler] = GetParam();
  std::string steps;
  for (const char* order : kOrders) {
    SCOPED_TRACE(order);
    const Outcome outcome = run(compiler, kernel + " counters=1 lockstep=1 " + order);
    EXPECT_TRUE(outcome.found.empty() && outcome.values_right) << outcome.all;
    must_count(kernel, outcome);
    if (steps.empty()) steps = outcome.steps;
    EXPECT_EQ(outcome.steps, steps);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Simt, Counters, testing::Combine(testing::ValuesIn(kernels()), testing::ValuesIn(compilers())),
    [](const auto& info) { return std::get<0>(info.param) + '_' + std::get<1>(info.param); });

TEST(Stores, AreFoundWhereNobodyToldOfThem) {
  const std::string bare = std::string(SIMT_PROGRAMS) + "/counters.bare.gcc";
  const Outcome outcome = run_program(bare, "hides counters=1");
  ASSERT_EQ(outcome.found.size(), 1u) << outcome.all;
  EXPECT_EQ(outcome.found[0].kind, Kind::kUnseenStore);
  EXPECT_TRUE(run_program(bare, "coalesced counters=1").found.empty());
}

TEST(Blocks, FindNothingThatBlocksBeforeHaveLeft) {
  for (const std::string& compiler : compilers()) {
    const Outcome outcome = run(compiler, "remembers counters=1");
    EXPECT_TRUE(outcome.values_right) << compiler << '\n' << outcome.all;
  }
}

TEST(LogMode, AgreesWhereLanesStayTogether) {
  for (const std::string& kernel : kernels()) {
    if (kernel == "alternate" || kernel == "skip" || kernel == "half_warps") continue;
    for (const std::string& compiler : compilers()) {
      SCOPED_TRACE(kernel + ' ' + compiler);
      must_count(kernel, run(compiler, kernel + " counters=1"));
    }
  }
}

TEST(SessionTotals, AreTheSameForEveryCompilerAndOrder) {
  for (const std::string& kernel : kernels()) {
    const std::string expected = run("gcc", kernel + " counters=1 lockstep=1").totals;
    for (const std::string& compiler : compilers()) {
      for (const char* order : kOrders) {
        EXPECT_EQ(run(compiler, kernel + " counters=1 " + order).totals, expected);
      }
    }
  }
  EXPECT_EQ(run("gcc", "histogram counters=1").totals,
            "totals launches=1 blocks=2 threads=256 barriers=4 collectives=0 atomics=320 dp4a=0 "
            "mma=0 popc=0");
}

}  // namespace
}  // namespace nibble::simt
