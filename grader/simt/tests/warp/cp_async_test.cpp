// cp.async: what lands, when, and who may see it.
#include <numeric>

#include "run.hpp"

namespace nibble::simt::tests {
namespace {

extern "C" {
void copy_tile(const int* x, int* y);
void copy_small(const int* x, int* y);
void copy_with_zeros(const int* x, int* y, int n);
void pipeline(const unsigned* x, unsigned* y, int tiles, int forget);
void waits_for_too_few(const int* x, int* y);
void forgets_commit(const int* x, int* y);
void copies_off_alignment(const int* x, int* y);
void copies_to_global(const int* x, int* y);
void loads_blocks_too_early(const int* x, unsigned* y);
void shares_without_a_barrier(const int* x, int* y);
}

constexpr int kTile = 128;

template <class T = int>
std::vector<T> counted(std::size_t count) {
  std::vector<T> x(count);
  std::iota(x.begin(), x.end(), T{1});
  return x;
}

TEST(CpAsync, CopiesATile) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(kTile, "y");
    device.launch(copy_tile, 32, device.give(counted(kTile), "x"), y);
    const std::vector<int> got = device.take(y, kTile);
    ASSERT_TRUE(is_clean(device.end()));
    for (int i = 0; i < kTile; i++) ASSERT_EQ(got[std::size_t(i)], kTile - i);
  });
}

TEST(CpAsync, AsksBothMemoriesAtItsOrder) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(copy_tile, 32, device.give(counted(kTile), "x"), device.room<int>(kTile, "y"));
    const Report& report = device.end();
    EXPECT_EQ(asked_at(report, "cp_async.cu", "traffic: copy", Space::kGlobal, Use::kLoad, 16),
              (Asked{1, 32, 16, 0}));
    EXPECT_EQ(asked_at(report, "cp_async.cu", "traffic: copy", Space::kShared, Use::kStore, 16),
              (Asked{1, 32, 0, 4}));
  });
}

TEST(CpAsync, CopiesFourAndEightBytes) {
  Device device;
  int* const y = device.room<int>(32, "y");
  device.launch(copy_small, 32, device.give(counted(64), "x"), y);
  const std::vector<int> got = device.take(y, 32);
  ASSERT_TRUE(is_clean(device.end()));
  for (int i = 0; i < 32; i++) EXPECT_EQ(got[std::size_t(i)], 3 * i + 3);
}

// A tile of 128 of which 125, 124, 1 or none exist: the rest is zeros, and is not looked at.
TEST(CpAsync, FillsUpWithZeros) {
  for (const int n : {125, 124, 1}) {
    Device device;
    int* const y = device.room<int>(kTile, "y");
    device.launch(copy_with_zeros, 32, device.give(counted(std::size_t(n)), "x"), y, n);
    const std::vector<int> got = device.take(y, kTile);
    ASSERT_TRUE(is_clean(device.end()));
    for (int i = 0; i < kTile; i++) ASSERT_EQ(got[std::size_t(i)], i < n ? i + 1 : 0);
  }
}

std::vector<unsigned> pipeline_sums(unsigned tiles) {
  std::vector<unsigned> sums(32);
  for (unsigned t = 0; t < tiles; t++)
    for (unsigned i = 0; i < 32; i++) sums[i] += t * kTile + kTile - i;
  return sums;
}

/// What the pipeline gives, having forgotten one of: nothing, the wait, either barrier.
std::vector<unsigned> run_pipeline(Device& device, int forget) {
  constexpr std::size_t kTiles = 5;
  unsigned* const y = device.room<unsigned>(32, "y");
  device.launch(pipeline, 32, device.give(counted<unsigned>(kTiles * kTile), "x"), y, kTiles,
                forget);
  return device.take(y, 32);
}

TEST(CpAsync, OverlapsTheNextTile) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    EXPECT_EQ(run_pipeline(device, 0), pipeline_sums(5));
    EXPECT_TRUE(is_clean(device.end()));
  });
}

TEST(CpAsync, AMissingWaitIsAWrongAnswer) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    EXPECT_NE(run_pipeline(device, 1), pipeline_sums(5));
  });
}

TEST(CpAsync, AMissingWaitIsFound) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    run_pipeline(device, 1);
    const EngineFinding* const finding =
        only_finding(device.end(), Kind::kMissingWait, "cp_async.cu", "finding: pipeline read");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(std::string(finding->subject).substr(0, 4), "tile");
    EXPECT_NE(line_of(finding->other), 0);
  });
}

// The reader's own copies have landed; the others' may not have.
TEST(CpAsync, AMissingBarrierIsARace) {
  under_every_schedule([](const SessionOptions& options) {
    for (const int forget : {2, 3}) {
      Device device(options);
      run_pipeline(device, forget);
      const Report& report = device.end();
      bool race = false;
      for (std::uint32_t i = 0; i < report.findings; i++) {
        const Kind kind = report.finding[i].kind;
        race |= kind == Kind::kSharedRace || kind == Kind::kMissingSyncwarp;
      }
      EXPECT_TRUE(race) << "forget " << forget;
    }
  });
}

TEST(CpAsync, TheYoungestGroupsMayBeOnTheirWay) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(32, "y");
    device.launch(waits_for_too_few, 32, device.give(counted(kTile), "x"), y);
    only_finding(device.end(), Kind::kMissingWait, "cp_async.cu", "finding: too few");
  });
}

TEST(CpAsync, WhatWasNotCommittedIsNotWaitedFor) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(32, "y");
    device.launch(forgets_commit, 32, device.give(counted(kTile), "x"), y);
    EXPECT_EQ(device.take(y, 32), std::vector<int>(32, -1));
    only_finding(device.end(), Kind::kMissingWait, "cp_async.cu", "finding: no commit");
  });
}

TEST(CpAsync, LdmatrixReadsTooEarly) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(loads_blocks_too_early, 32, device.give(counted(kTile), "x"),
                  device.room<unsigned>(32, "y"));
    only_finding(device.end(), Kind::kMissingWait, "cp_async.cu", "finding: blocks too early");
  });
}

// A barrier before the wait is none after it, whichever warp comes first.
TEST(CpAsync, ABarrierBeforeTheWaitIsARace) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(shares_without_a_barrier, 64, device.give(counted(std::size_t{2} * kTile), "x"),
                  device.room<int>(64, "y"));
    const Report& report = device.end();
    ASSERT_GE(report.findings, 1u);
    for (std::uint32_t i = 0; i < report.findings; i++) {
      const Kind kind = report.finding[i].kind;
      EXPECT_TRUE(kind == Kind::kMissingWait || kind == Kind::kSharedRace ||
                  kind == Kind::kMissingSyncwarp);
    }
  });
}

TEST(CpAsync, WantsAlignedAddressesAndSharedMemory) {
  Device misaligned;
  misaligned.launch(copies_off_alignment, 8, misaligned.give(counted(kTile), "x"),
                    misaligned.room<int>(kTile, "y"));
  const EngineFinding* finding =
      only_finding(misaligned.end(), Kind::kMisaligned, "cp_async.cu", "finding: misaligned");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail, "cp_async<16> needs addresses that are multiples of 16 bytes");

  Device global;
  global.launch(copies_to_global, 8, global.give(counted(kTile), "x"),
                global.room<int>(kTile, "y"));
  finding = only_finding(global.end(), Kind::kSharedOob, "cp_async.cu", "finding: not shared");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail, "cp_async<16> writes to shared memory only");
}

}  // namespace
}  // namespace nibble::simt::tests
