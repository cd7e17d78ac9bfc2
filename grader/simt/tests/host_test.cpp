// Host code: planted bugs, each found at its line; right programs, right in whatever order
// the queues run; and the n-th call that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace nibble::simt {
namespace {

enum class Seen { kInEveryBuild, kWhereAccessesAreWatched };

struct Bug {
  const char* name;
  Kind kind;
  Seen seen = Seen::kInEveryBuild;
  const char* options = "";
};

// Two calls of four set up what a case is given, and one waits for them.
const Bug kBugs[] = {
    {"reads_device", Kind::kHostDereference},
    {"writes_device", Kind::kHostDereference},
    {"copies_with_memcpy", Kind::kHostDereference},
    {"fills_device", Kind::kHostDereference, Seen::kWhereAccessesAreWatched},
    {"swaps_sides", Kind::kHostPointer},
    {"host_memory_for_device", Kind::kHostPointer},
    {"sets_host_memory", Kind::kHostPointer},
    {"copies_too_much", Kind::kGlobalOob},
    {"copies_a_row_too_many", Kind::kGlobalOob},
    {"fetches_unwritten", Kind::kGlobalUninitialised, Seen::kWhereAccessesAreWatched},
    {"too_few_blocks", Kind::kGlobalUninitialised, Seen::kWhereAccessesAreWatched},
    {"passes_unwritten_on", Kind::kGlobalUninitialised, Seen::kWhereAccessesAreWatched},
    {"leaks_device", Kind::kLeak},
    {"leaks_on_an_early_way_out", Kind::kLeak},
    {"leaks_pinned", Kind::kLeak},
    {"leaks_stream", Kind::kLeak},
    {"leaks_event", Kind::kLeak},
    {"frees_twice", Kind::kBadFree},
    {"frees_the_middle", Kind::kBadFree},
    {"frees_host_memory", Kind::kBadFree},
    {"frees_pinned_as_device", Kind::kBadFree},
    {"destroys_twice", Kind::kBadFree},
    {"block_too_large", Kind::kUncheckedError},
    {"grid_of_none", Kind::kUncheckedError},
    {"too_much_shared", Kind::kUncheckedError},
    {"goes_on_after_malloc", Kind::kUncheckedError, Seen::kInEveryBuild, "failing_call=1"},
    {"goes_on_after_copy", Kind::kUncheckedError, Seen::kInEveryBuild, "failing_call=5"},
    {"asks_too_late", Kind::kUncheckedError, Seen::kInEveryBuild, "failing_call=5"},
    {"reads_too_early", Kind::kMissingWait, Seen::kWhereAccessesAreWatched},
    {"writes_too_early", Kind::kMissingWait, Seen::kWhereAccessesAreWatched},
    {"fills_too_early", Kind::kMissingWait, Seen::kWhereAccessesAreWatched},
    {"takes_too_early", Kind::kMissingWait, Seen::kWhereAccessesAreWatched},
    {"copies_too_early", Kind::kMissingWait, Seen::kWhereAccessesAreWatched},
    {"computes_too_early", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"copies_on_too_early", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"computes_while_it_is_set", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"marks_too_early", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"waits_for_one_of_two", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"sets_what_another_counts", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"trusts_the_default_stream", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"clears_what_another_reads", Kind::kStreamRace, Seen::kWhereAccessesAreWatched},
    {"leaves_a_copy", Kind::kStillQueued},
    {"leaves_a_kernel", Kind::kStillQueued},
    {"leaves_a_memset", Kind::kStillQueued},
};

const char* const kRight[] = {
    "round_trip", "pipeline",        "event_between", "default_stream",    "neighbours",
    "both_count", "host_between",    "a_stream_each", "no_default_stream", "managed",
    "in_rows",    "sets_a_variable", "polls",         "in_stream_order",   "asks",
    "careful",    "frees_last",      "host_function", "knows_pointers",    "in_the_threads_stream"};

/// Queues run late, at once, and each of two streams both ways beside the other.
const char* const kOrders[] = {"schedule=0",        "schedule=1",        "schedule=2 seed=4",
                               "schedule=2 seed=1", "schedule=2 seed=2", "schedule=2 seed=7"};

std::vector<std::string> compilers() {
  std::vector<std::string> names{"gcc"};
#ifdef SIMT_CLANG
  names.emplace_back("clang");
#endif
  return names;
}

const std::string kSource = std::string(SIMT_KERNELS) + "/host.cu";

Outcome run(const std::string& build, const std::string& compiler, const std::string& arguments) {
  return run_program(std::string(SIMT_PROGRAMS) + "/host." + build + "." + compiler,
                     arguments + " host_code=1");
}

bool says(const std::vector<int>& lines, int line) {
  return line == 0 || std::ranges::find(lines, line) != lines.end();
}

void must_find(const std::string& build, const std::string& compiler, const Bug& bug) {
  const std::vector<int> lines = lines_that_say(kSource, bug.name);
  ASSERT_FALSE(lines.empty()) << "no line says [" << bug.name << "]";
  const Outcome outcome = run(build, compiler, bug.name + std::string(" ") + bug.options);
  SCOPED_TRACE(build + ' ' + compiler + ' ' + bug.name + '\n' + outcome.all);
  EXPECT_EQ(outcome.exit_code, 0);
  const auto at = std::ranges::find(outcome.found, bug.kind, &Found::kind);
  ASSERT_NE(at, outcome.found.end());
  EXPECT_TRUE(at->line != 0 && says(lines, at->line) && says(lines, at->other_line))
      << at->line << " and " << at->other_line;
}

class HostBug : public testing::TestWithParam<std::tuple<Bug, std::string>> {};
class RightHostCode : public testing::TestWithParam<std::tuple<const char*, std::string>> {};

TEST_P(HostBug, IsFoundAtItsLine) {
  const auto& [bug, compiler] = GetParam();
  must_find("check", compiler, bug);
  if (bug.seen == Seen::kInEveryBuild) must_find("fast", compiler, bug);
}

TEST_P(RightHostCode, IsRightInEveryOrderAndGivesNoFinding) {
  const auto& [name, compiler] = GetParam();
  for (const char* build : {"check", "fast"}) {
    for (const char* order : kOrders) {
      const Outcome outcome = run(build, compiler, std::string(name) + ' ' + order);
      EXPECT_TRUE(outcome.exit_code == 0 && outcome.found.empty() && outcome.values_right)
          << build << ' ' << order << '\n'
          << outcome.all;
    }
  }
}

std::string name_of(const Bug& bug) { return bug.name; }
std::string name_of(const char* name) { return name; }
const auto kNames = [](const auto& info) {
  return name_of(std::get<0>(info.param)) + '_' + std::get<1>(info.param);
};

INSTANTIATE_TEST_SUITE_P(Simt, HostBug,
                         testing::Combine(testing::ValuesIn(kBugs), testing::ValuesIn(compilers())),
                         kNames);
INSTANTIATE_TEST_SUITE_P(Simt, RightHostCode,
                         testing::Combine(testing::ValuesIn(kRight),
                                          testing::ValuesIn(compilers())),
                         kNames);

TEST(HostTable, HasThreeBugsOfEachKindOfItsOwn) {
  for (const Kind kind :
       {Kind::kHostDereference, Kind::kLeak, Kind::kBadFree, Kind::kUncheckedError,
        Kind::kMissingWait, Kind::kStreamRace, Kind::kStillQueued}) {
    EXPECT_GE(std::ranges::count(kBugs, kind, &Bug::kind), 3) << static_cast<int>(kind);
  }
}

// A stream that waits for no event: among any four seeds in a row one gives a wrong value.
TEST(Order, OfStreamsThatDoNotWaitIsAdversarial) {
  int wrong = 0;
  for (const char* seed : {"0", "1", "2", "3"}) {
    wrong +=
        run("fast", "gcc", std::string("no_event_between schedule=2 seed=") + seed).values_right
            ? 0
            : 1;
  }
  EXPECT_GE(wrong, 1);
  EXPECT_LT(wrong, 4) << "and one of them is the order that was meant";
}

TEST(Report, SaysHowManyStreamsHadWorkAtOnce) {
  EXPECT_NE(run("fast", "gcc", "pipeline").all.find("busy_streams 2"), std::string::npos);
  EXPECT_NE(run("fast", "gcc", "round_trip").all.find("busy_streams 1"), std::string::npos);
}

// ---- the n-th call fails

struct Calls {
  unsigned made = 0, failed_with = 0;
};

Calls calls_of(const Outcome& outcome) {
  Calls calls;
  const std::size_t at = outcome.all.find("calls ");
  if (at != std::string::npos) {
    std::sscanf(outcome.all.c_str() + at, "calls %u failed_with %u", &calls.made,
                &calls.failed_with);
  }
  return calls;
}

TEST(FailingCall, IsEachInItsTurnAndCarefulCodeGivesAllBack) {
  const Calls all = calls_of(run("check", "gcc", "careful"));
  ASSERT_EQ(all.made, 4u) << "cudaMalloc, two copies, a launch";
  constexpr unsigned kErrors[] = {2, 1, 701, 1};
  for (unsigned n = 1; n <= all.made; ++n) {
    const Outcome outcome = run("check", "gcc", "careful failing_call=" + std::to_string(n));
    EXPECT_EQ(calls_of(outcome).failed_with, kErrors[n - 1]) << n;
    EXPECT_TRUE(outcome.found.empty() && !outcome.values_right) << outcome.all;
  }
  const Outcome beyond = run("check", "gcc", "careful failing_call=5");
  EXPECT_EQ(calls_of(beyond).failed_with, 0u);
  EXPECT_TRUE(beyond.values_right);
}

}  // namespace
}  // namespace nibble::simt
