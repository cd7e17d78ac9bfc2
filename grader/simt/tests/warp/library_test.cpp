// What library.cu says, and what it is to mean.
#include <algorithm>
#include <bit>

#include "run.hpp"

namespace nibble::simt::tests {
namespace {

extern "C" {
void standard_names(const float* x, int* out);
void atomic_objects(int* numbers, unsigned* largest);
void block_wide_only(int* numbers);
void piped_by_threads(const float* x, float* y);
void read_before_the_pipe(const float* x, float* y);
void scans(const int* x, int* out);
void of_three(const int* x, int* out);
void half_a_block(int* y, int forget);
void at_two_barriers(int* y);
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; i++) values[i] = static_cast<float>(i) + 0.5f;
  return values;
}

TEST(Library, HoldsTheStandardNames) {
  SessionOptions options;
  options.counters = true;
  Device device(options);
  int* const out = device.room<int>(32, "out");
  device.launch(standard_names, 32, device.give(ramp(32), "x"), out);
  const std::vector<int> got = device.take(out, 32);
  for (unsigned t = 0; t < 32; t++) EXPECT_EQ(got[t], std::popcount(t));
}

TEST(Library, CountsCommonBitsUnderTheCompilersName) {
  SessionOptions options;
  options.counters = true;
  Device device(options);
  device.launch(standard_names, 32, device.give(ramp(32), "x"), device.room<int>(32, "out"));
  EXPECT_EQ(device.end().totals.popc, 32u);
}

TEST(Library, HoldsAtomicObjects) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const numbers = device.give(std::vector<int>(3), "numbers");
    unsigned* const largest = device.give(std::vector<unsigned>(1), "largest");
    device.launch_over(dim3(2), dim3(64), atomic_objects, numbers, largest);
    EXPECT_EQ(device.take(numbers, 3), (std::vector<int>{256, 259, 259}));
    EXPECT_EQ(device.take(largest, 1), std::vector<unsigned>{63});
    ASSERT_TRUE(is_clean(device.end()));
  });
}

TEST(Library, SeesAtomicsOfABlockAmongTwo) {
  Device device;
  int* const numbers = device.give(std::vector<int>(1), "numbers");
  device.launch_over(dim3(2), dim3(32), block_wide_only, numbers);
  EXPECT_TRUE(has(device.end(), Kind::kGlobalRace, "library.cu", "finding: two blocks"));
}

TEST(Library, HoldsPipelinesOfAThread) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<float> x = ramp(256);
    float* const y = device.room<float>(64, "y");
    device.launch(piped_by_threads, 32, device.give(x, "x"), y);
    const std::vector<float> got = device.take(y, 64);
    ASSERT_TRUE(is_clean(device.end()));
    for (std::size_t t = 0; t < 32; t++) {
      EXPECT_EQ(got[t], x[127 - t]);
      EXPECT_EQ(got[32 + t], x[255 - t]);
    }
  });
}

TEST(Library, APipesCopyIsThereAfterItsWait) {
  Device device;
  float* const from = device.give(ramp(128), "x");
  device.launch(read_before_the_pipe, 32, from, device.room<float>(32, "y"));
  EXPECT_TRUE(has(device.end(), Kind::kMissingWait, "library.cu", "finding: too early"));
}

/// Of the lanes that are no multiple of three, eight at a time: 1 2 4 5 7 8 10 11, 13 …
int first_of_eight(int rank) { return rank / 8 * 8 / 2 * 3 + 1; }

TEST(Library, HoldsScansAndTilesOfSomeLanes) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<int> x = some_numbers(32, 9);
    int* const out = device.room<int>(160, "out");
    device.launch(scans, 32, device.give(x, "x"), out);
    const std::vector<int> got = device.take(out, 160);
    ASSERT_TRUE(is_clean(device.end()));
    int sum = 0, most = x[0];
    for (int t = 0, rank = 0; t < 32; t++) {
      const auto at = static_cast<std::size_t>(t);
      EXPECT_EQ(got[5 * at + 2], sum) << t;
      sum += x[at];
      most = std::max(most, x[at]);
      EXPECT_EQ(got[5 * at], sum) << t;
      EXPECT_EQ(got[5 * at + 1], most) << t;
      if (t % 3 == 0) continue;
      EXPECT_EQ(got[5 * at + 3], rank % 8 + 100 * (rank < 16 ? 8 : 5)) << t;
      EXPECT_EQ(got[5 * at + 4], first_of_eight(rank)) << t;
      rank++;
    }
  });
}

TEST(Library, HoldsTheLargerOfThree) {
  Device device;
  int* const out = device.room<int>(6, "out");
  device.launch(of_three, 1, device.give(std::vector<int>{-3, 2, 1}, "x"), out);
  EXPECT_EQ(device.take(out, 6), (std::vector<int>{2, -3, -3, 1, 2, 0}));
}

TEST(Library, HalfABlockWaitsForItself) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(64, "y");
    device.launch(half_a_block, 128, y, 0);
    const std::vector<int> got = device.take(y, 64);
    EXPECT_TRUE(is_clean(device.end()));
    for (int i = 0; i < 64; i++) EXPECT_EQ(got[static_cast<std::size_t>(i)], 63 - i);

    Device forgetful(options);
    forgetful.launch(half_a_block, 128, forgetful.room<int>(64, "y"), 1);
    const Report& report = forgetful.end();
    ASSERT_GT(report.findings, 0u);
    EXPECT_TRUE(report.finding[0].kind == Kind::kSharedRace ||
                report.finding[0].kind == Kind::kSharedUninitialised);
  });
}

TEST(Library, BarriersAreKnownByTheirNumbers) {
  Device device;
  device.launch(at_two_barriers, 64, device.room<int>(64, "y"));
  const EngineFinding* finding =
      only_finding(device.end(), Kind::kBarrierDivergence, "library.cu", "finding: half the block");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail, "barrier 1 is for 64 threads, and 32 have come");
}

}  // namespace
}  // namespace nibble::simt::tests
