// Planted bugs, each found at its line whatever the compiler, the order of turns and the way of
// counting; and right kernels, of which nothing is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace nibble::simt {
namespace {

struct Bug {
  const char* name;
  Kind kind;
  const char* subject = nullptr;  // as every run must name it; null: any
};

const Bug kBugs[] = {
    {"histogram", Kind::kGlobalRace},
    {"atomic_and_plain", Kind::kGlobalRace, "buffer 4[0]"},
    {"plain_peek", Kind::kGlobalRace, "buffer 4[0]"},
    {"reads_after_its_swap", Kind::kGlobalRace, "buffer 4[0]"},
    {"volatile_peek_at_a_write", Kind::kGlobalRace, "buffer 4[0]"},
    {"neighbours", Kind::kGlobalRace},
    {"same_value", Kind::kGlobalRace, "buffer 4[0]"},
    {"blocks_overlap", Kind::kGlobalRace},
    {"last_block_writes", Kind::kGlobalRace, "buffer 4[0]"},
    {"bytes_together", Kind::kGlobalRace},
    {"byte_in_word", Kind::kGlobalRace},
    {"table_race", Kind::kGlobalRace, "table[0]"},
    {"beyond_its_bounds", Kind::kBadLaunch},
    {"host_pointer", Kind::kHostPointer},
    {"null_pointer", Kind::kHostPointer},
    {"host_variable", Kind::kHostPointer},
    {"writes_constant", Kind::kHostPointer},
    {"far_out", Kind::kHostPointer},
    {"uninitialised", Kind::kGlobalUninitialised},
    {"sums_unwritten", Kind::kGlobalUninitialised},
    {"half_a_vector", Kind::kGlobalUninitialised, "buffer 6[1024]"},
    {"tail", Kind::kGlobalOob, "buffer 1[4096]"},
    {"before", Kind::kGlobalOob, "buffer 1[-1]"},
    {"in_a_header", Kind::kGlobalOob},
    {"use_after_free", Kind::kUseAfterFree},
    {"writes_freed", Kind::kUseAfterFree},
    {"frees_between", Kind::kUseAfterFree},
    {"copies_freed", Kind::kUseAfterFree, "buffer 1"},
    {"narrow_index", Kind::kNarrowIndex, "end[7]"},
    {"narrow_write", Kind::kNarrowIndex, "end[7]"},
    {"narrow_vector", Kind::kNarrowIndex},
    {"misaligned", Kind::kMisaligned},
    {"misaligned_int", Kind::kMisaligned},
    {"misaligned_double", Kind::kMisaligned},
    {"past_table", Kind::kArrayIndex},  // another variable may lie there
    {"far_past_table", Kind::kDeviceOob},
    {"past_constant", Kind::kDeviceOob},
    {"before_table", Kind::kDeviceOob},
    {"past_row", Kind::kSharedOob, "row[32]"},
    {"past_dynamic", Kind::kSharedOob},
    {"before_shared", Kind::kSharedOob, "row[-1]"},
    {"too_much_static", Kind::kBadLaunch},
    {"half_written", Kind::kSharedUninitialised},
    {"never_written", Kind::kSharedUninitialised, "s[5]"},
    {"last_blocks_values", Kind::kSharedUninitialised},
    {"no_syncwarp", Kind::kMissingSyncwarp},
    {"half_syncwarp", Kind::kMissingSyncwarp},
    {"syncwarp_for_two_warps", Kind::kSharedRace},
    {"no_barrier_after", Kind::kSharedRace, "s"},
    {"own_write_first", Kind::kMissingSyncwarp, "most"},
    {"sum_of_nothing", Kind::kSharedUninitialised, "sum"},
    {"atomic_in_a_block", Kind::kGlobalRace, "buffer 4[0]"},
    {"share_local", Kind::kForeignLocal},
    {"writes_anothers_local", Kind::kForeignLocal},
    {"anothers_array", Kind::kForeignLocal},
    {"half_barrier", Kind::kBarrierDivergence},
    {"two_barriers", Kind::kBarrierDivergence},
    {"gone_by", Kind::kBarrierDivergence},
    {"grid_races", Kind::kGlobalRace},
    {"no_grid_between", Kind::kGlobalRace},
    {"half_of_the_grid", Kind::kBarrierDivergence},
    {"half_of_a_block", Kind::kBarrierDivergence},
    {"grid_or_block", Kind::kBarrierDivergence},
    {"grid_by_chevrons", Kind::kBadLaunch},
    {"half_warp_shuffle", Kind::kWarpDeadlock},
    {"other_ballot", Kind::kWarpDeadlock},
    {"one_lane_short", Kind::kWarpDeadlock},
    {"not_in_mask", Kind::kBadMask},
    {"sync_not_in_mask", Kind::kBadMask},
    {"ballot_of_others", Kind::kBadMask},
    {"inactive_source", Kind::kShuffleInactive},
    {"inactive_down", Kind::kShuffleInactive},
    {"ended_source", Kind::kShuffleInactive},
    {"spin", Kind::kBudget},
    {"spin_without_access", Kind::kBudget},
    {"waits_for_neighbour", Kind::kBudget},
    {"no_clamp", Kind::kFloatCast},
    {"to_int", Kind::kFloatCast},
    {"nan_to_int", Kind::kFloatCast},
    {"accumulator", Kind::kIntegerOverflow},
    {"product", Kind::kIntegerOverflow},
    {"negated", Kind::kIntegerOverflow},
    {"next_row", Kind::kArrayIndex},
    {"local_array", Kind::kArrayIndex},
    {"matrix_row", Kind::kArrayIndex},
    {"host_reads", Kind::kHostDereference},
    {"host_writes", Kind::kHostDereference},
};

const Bug kTiledBugs[] = {
    {"1", Kind::kSharedRace},          {"2", Kind::kSharedRace},
    {"3", Kind::kSharedOob},           {"4", Kind::kGlobalOob},
    {"5", Kind::kBarrierDivergence},   {"6", Kind::kBarrierDivergence},
    {"7", Kind::kSharedUninitialised},
};

const char* const kRight[] = {
    "histogram_atomic", "volatile_peek", "exchanges_first", "bytes_apart", "with_syncwarp",
    "reads_variables",  "grid_meets",    "cached_peek",     "swap_loop",   "wide_index"};

const char* const kOrders[] = {"schedule=0", "schedule=1", "schedule=2 seed=1", "schedule=2 seed=7",
                               "schedule=2 seed=99"};
const char* const kCounts[] = {"", "counters=1", "counters=1 lockstep=1"};

std::vector<std::string> compilers() {
  std::vector<std::string> names{"gcc"};
#ifdef SIMT_CLANG
  names.emplace_back("clang");
#endif
  return names;
}

std::string program(const std::string& file, const std::string& compiler) {
  return std::string(SIMT_PROGRAMS) + "/" + file + ".check." + compiler;
}

std::string source(const std::string& file) {
  return std::string(SIMT_KERNELS) + "/" + file + ".cu";
}

template <class F>
void under_every_order(F f) {
  for (const char* order : kOrders) {
    for (const char* counts : kCounts) f(std::string(" budget=2000000 ") + order + ' ' + counts);
  }
}

bool says(const std::vector<int>& lines, int line) {
  return line == 0 || std::ranges::find(lines, line) != lines.end();
}

/// Where accesses are counted, an index that leads away is told as that and ends the launch: before
/// the access that it leads to.
bool is_told_as_index(const Bug& bug, const std::string& how) {
  constexpr std::array kOutside = {Kind::kGlobalOob, Kind::kSharedOob, Kind::kDeviceOob};
  return how.find("counters=1") != std::string::npos &&
         std::ranges::find(kOutside, bug.kind) != kOutside.end();
}

void must_find(const std::string& file, const std::string& compiler, const Bug& bug) {
  const std::vector<int> lines = lines_that_say(source(file), bug.name);
  ASSERT_FALSE(lines.empty()) << "no line says [" << bug.name << "]";
  // tiled.cu: bug 5 races, too, since its barriers do not hold.
  const bool only_the_lines = !(file == "tiled" && bug.kind == Kind::kBarrierDivergence);
  under_every_order([&](const std::string& how) {
    const Outcome outcome = run_program(program(file, compiler), bug.name + how);
    SCOPED_TRACE(compiler + ' ' + bug.name + how + '\n' + outcome.all);
    EXPECT_EQ(outcome.exit_code, 0);
    auto at = std::ranges::find(outcome.found, bug.kind, &Found::kind);
    const bool told_as_index = at == outcome.found.end() && is_told_as_index(bug, how);
    if (told_as_index) at = std::ranges::find(outcome.found, Kind::kArrayIndex, &Found::kind);
    ASSERT_NE(at, outcome.found.end());
    EXPECT_TRUE(at->line != 0 && says(lines, at->line) && says(lines, at->other_line))
        << at->line << " and " << at->other_line;
    EXPECT_TRUE(bug.subject == nullptr || told_as_index || at->subject == bug.subject)
        << at->subject;
    for (const Found& found : outcome.found) {
      EXPECT_TRUE(!only_the_lines || says(lines, found.line)) << found.line;
    }
  });
}

class PlantedBug : public testing::TestWithParam<std::tuple<Bug, std::string>> {};
class TiledBug : public testing::TestWithParam<std::tuple<Bug, std::string>> {};
class RightKernel : public testing::TestWithParam<std::tuple<const char*, std::string>> {};

TEST_P(PlantedBug, IsFoundAtItsLine) {
  must_find("bugs", std::get<1>(GetParam()), std::get<0>(GetParam()));
}

TEST_P(TiledBug, IsFoundAtItsLine) {
  must_find("tiled", std::get<1>(GetParam()), std::get<0>(GetParam()));
}

TEST_P(RightKernel, GivesNoFinding) {
  const auto& [name, compiler] = GetParam();
  under_every_order([&](const std::string& how) {
    const std::string file = name[0] == '0' || name[0] == 'n' ? "tiled" : "bugs";
    const Outcome outcome = run_program(program(file, compiler), name + how);
    EXPECT_TRUE(outcome.exit_code == 0 && outcome.found.empty() && outcome.values_right)
        << how << '\n'
        << outcome.all;
  });
}

std::string name_of(const Bug& bug) { return bug.name; }
std::string name_of(const char* name) { return name; }
const auto kNames = [](const auto& info) {
  return name_of(std::get<0>(info.param)) + '_' + std::get<1>(info.param);
};

INSTANTIATE_TEST_SUITE_P(Simt, PlantedBug,
                         testing::Combine(testing::ValuesIn(kBugs), testing::ValuesIn(compilers())),
                         kNames);
INSTANTIATE_TEST_SUITE_P(Simt, TiledBug,
                         testing::Combine(testing::ValuesIn(kTiledBugs),
                                          testing::ValuesIn(compilers())),
                         kNames);
INSTANTIATE_TEST_SUITE_P(Simt, RightKernel,
                         testing::Combine(testing::ValuesIn(kRight),
                                          testing::ValuesIn(compilers())),
                         kNames);
INSTANTIATE_TEST_SUITE_P(SimtTiled, RightKernel,
                         testing::Combine(testing::Values("0", "n33"),
                                          testing::ValuesIn(compilers())),
                         kNames);

// ---- launches that no GPU takes, as sentences

struct Refused {
  const char *name, *detail;
};
const Refused kRefused[] = {
    {"block_too_big", "2048 threads in a block; a GPU takes at most 1024"},
    {"block_empty", "a block of 0 x 1 x 1 threads has none"},
    {"grid_empty", "a grid of 0 x 1 x 1 blocks has none"},
    {"grid_too_tall",
     "a grid of 1 x 70000 x 1 blocks; a GPU takes at most 2147483647 x 65535 x 65535"},
    {"grid_of_billions",
     "2147483647 blocks in a grid; a GPU takes them, the engine at most 16777216"},
    {"grid_of_everything",
     "2147483648 threads in a grid; a GPU takes them, the engine at most 268435456"},
    {"grid_overflowed",
     "a grid of 4286578689 x 1 x 1 blocks; a GPU takes at most 2147483647 x 65535 x 65535"},
    {"grid_too_large", "65600 threads that may wait for each other; the engine has room for 65536"},
    {"shared_too_big", "204800 bytes of dynamic shared memory; sm_80 has at most 166912"},
};

TEST(Launch, IsRefusedWithASentence) {
  for (const Refused& refused : kRefused) {
    const Outcome outcome = run_program(program("bugs", "gcc"), refused.name);
    ASSERT_EQ(outcome.found.size(), 1u) << outcome.all;
    EXPECT_EQ(outcome.found[0].kind, Kind::kBadLaunch);
    EXPECT_EQ(outcome.found[0].detail, refused.detail);
    EXPECT_FALSE(outcome.values_right) << "the launch's error is asked for";
  }
}

TEST(Launch, KeepsTheLimitsOfTheGpuThatIsAskedFor) {
  const std::string bugs = program("bugs", "gcc");
  EXPECT_TRUE(run_program(bugs, "shared_too_big sm=90").found.empty());
  EXPECT_EQ(run_program(bugs, "shared_too_big sm=75").found.at(0).detail,
            "204800 bytes of dynamic shared memory; sm_75 has at most 65536");
}

TEST(EngineFinding, SaysWhoAndWhat) {
  const Outcome tail = run_program(program("bugs", "gcc"), "tail");
  ASSERT_EQ(tail.found.size(), 1u);
  EXPECT_EQ(tail.found[0].who, "0,0,0/16,0,0");
  EXPECT_EQ(tail.found[0].kernel, "copy");
  EXPECT_EQ(tail.found[0].detail, "byte 16384 of 16384");
  const Outcome tiled = run_program(program("tiled", "gcc"), "3");
  const auto oob = std::ranges::find(tiled.found, Kind::kSharedOob, &Found::kind);
  ASSERT_NE(oob, tiled.found.end());
  EXPECT_EQ(oob->subject, "Bs[16][0]");
  const auto index = std::ranges::find(tiled.found, Kind::kArrayIndex, &Found::kind);
  ASSERT_NE(index, tiled.found.end());
  EXPECT_EQ(index->detail, "index 16 of 'signed char [16]'");
}

TEST(EngineFinding, OfTwoBarriersTheOneThatSomeHaveGoneBy) {
  const std::vector<int> lines = lines_that_say(source("bugs"), "gone_by");
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& compiler : compilers()) {
    const Outcome outcome = run_program(program("bugs", compiler), "gone_by");
    ASSERT_EQ(outcome.found.size(), 1u) << outcome.all;
    EXPECT_EQ(outcome.found[0].line, lines[0]);
    EXPECT_EQ(outcome.found[0].other_line, lines[1]);
  }
}

TEST(Table, HasThreeBugsOfEachKindOrSaysWhyNot) {
  const std::vector<Kind> few{Kind::kHostDereference};  // more of it in host_test.cpp
  for (const Bug& bug : kBugs) {
    const auto same = [&](const Bug& other) { return other.kind == bug.kind; };
    const auto count = std::ranges::count_if(kBugs, same) +
                       std::ranges::count_if(kTiledBugs, same) +
                       (bug.kind == Kind::kBadLaunch ? std::ssize(kRefused) : 0) +
                       (bug.kind == Kind::kMissingSyncwarp ? 1 : 0);  // and one in its right form
    EXPECT_TRUE(count >= 3 || std::ranges::find(few, bug.kind) != few.end()) << bug.name;
  }
}

#ifndef SIMT_CLANG
TEST(Clang, IsASecondJudge) { GTEST_SKIP() << "clang++ was not found"; }
#endif

}  // namespace
}  // namespace nibble::simt
