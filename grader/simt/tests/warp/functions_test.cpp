// __reduce_*_sync, __match_*_sync, wide shuffles, __activemask and cooperative groups.
#include <algorithm>
#include <bit>

#include "run.hpp"
// After the others: its macros are CUDA's words.
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nibble::simt::tests {
namespace {

extern "C" {
void reductions(const int* x, int* out, unsigned mask);
void matches(const int* x, unsigned* out, unsigned mask);
void wide_shuffles(double* d, long long* l, __half* h, float* f);
void active_lanes(unsigned* out);
void blocks(unsigned* out);
void tile_1(unsigned* out);
void tile_2(unsigned* out);
void tile_4(unsigned* out);
void tile_8(unsigned* out);
void tile_16(unsigned* out);
void tile_32(unsigned* out);
void coalesced(unsigned* out);
void block_in_a_branch(unsigned* out);
void sums_of_halves(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2);
void scopes(int* out, unsigned* wrapped);
}

bool in(unsigned mask, std::size_t lane) { return (mask >> lane & 1) != 0; }

TEST(WarpFunctions, ReduceOverTheLanesOfAMask) {
  const std::vector<int> x = some_numbers(32, 9);
  for (const unsigned mask : {0xffffffffu, 0x0000ffffu, 0xa5a5a5a5u, 0x80000000u}) {
    std::vector<int> in_mask;
    for (std::size_t lane = 0; lane < 32; lane++) {
      if (in(mask, lane)) in_mask.push_back(x[lane]);
    }
    int sum = 0;
    unsigned least = ~0u, most = 0, all = ~0u, any = 0, odd = 0;
    for (const int v : in_mask) {
      const auto u = static_cast<unsigned>(v);
      sum += v;
      least = std::min(least, u);
      most = std::max(most, u);
      all &= u;
      any |= u;
      odd ^= u;
    }
    const std::vector<int> expected{sum,
                                    *std::min_element(in_mask.begin(), in_mask.end()),
                                    *std::max_element(in_mask.begin(), in_mask.end()),
                                    static_cast<int>(least),
                                    static_cast<int>(most),
                                    static_cast<int>(all),
                                    static_cast<int>(any),
                                    static_cast<int>(odd)};
    under_every_schedule([&](const SessionOptions& options) {
      Device device(options);
      int* const out = device.give(std::vector<int>(256), "out");
      device.launch(reductions, 32, device.give(x, "x"), out, mask);
      const std::vector<int> got = device.take(out, 256);
      const Report& report = device.end();
      ASSERT_TRUE(is_clean(report));
      expect_total(report.totals.warp_collectives, 8u);
      for (std::size_t lane = 0; lane < 32; lane++) {
        if (!in(mask, lane)) continue;
        const int* const mine = &got[lane * 8];
        ASSERT_EQ(std::vector<int>(mine, mine + 8), expected) << "lane " << lane;
      }
    });
  }
}

TEST(WarpFunctions, MatchTheLanesThatBringTheSame) {
  std::vector<int> x(32);
  for (std::size_t lane = 0; lane < 32; lane++) x[lane] = static_cast<int>(lane % 5);
  for (const unsigned mask : {0xffffffffu, 0x00108421u}) {
    Device device;
    unsigned* const out = device.give(std::vector<unsigned>(160), "out");
    device.launch(matches, 32, device.give(x, "x"), out, mask);
    const std::vector<unsigned> got = device.take(out, 160);
    ASSERT_TRUE(is_clean(device.end()));
    const bool all = mask == 0x00108421u;  // every fifth lane brings 0
    for (std::size_t lane = 0; lane < 32; lane++) {
      if (!in(mask, lane)) continue;
      unsigned same = 0;
      for (std::size_t other = lane % 5; other < 32; other += 5) same |= 1u << other;
      const unsigned* const mine = &got[lane * 5];
      EXPECT_EQ(mine[0], same & mask);
      EXPECT_EQ(mine[1], same & mask);
      EXPECT_EQ(mine[2], all ? mask : 0u);
      EXPECT_EQ(mine[3], all ? 1u : 0u);
      EXPECT_EQ(mine[4], mask);
    }
  }
}

TEST(WarpFunctions, ShuffleNumbersOfEverySize) {
  Device device;
  double* const d = device.room<double>(32, "d");
  long long* const l = device.room<long long>(32, "l");
  __half* const h = device.room<__half>(32, "h");
  float* const f = device.room<float>(32, "f");
  device.launch(wide_shuffles, 32, d, l, h, f);
  const auto doubles = device.take(d, 32);
  const auto longs = device.take(l, 32);
  const auto halves = device.take(h, 32);
  const auto floats = device.take(f, 32);
  ASSERT_TRUE(is_clean(device.end()));
  for (std::size_t lane = 0; lane < 32; lane++) {
    const auto number = static_cast<double>(lane);
    EXPECT_EQ(doubles[lane], static_cast<double>(lane ^ 1) + 0.5);
    EXPECT_EQ(longs[lane], (1ll << 40) + static_cast<long long>(lane ^ 3));
    EXPECT_EQ(static_cast<double>(static_cast<float>(halves[lane])), std::min(number + 1, 31.0));
    EXPECT_EQ(static_cast<double>(floats[lane]), lane % 8 < 2 ? number : number - 2);
  }
}

// In a branch the lanes of that branch; after it all again; then those that have not ended. The
// second warp has eight lanes.
TEST(WarpFunctions, ActiveLanesAreThoseThatCanBeHereTogether) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    unsigned* const out = device.give(std::vector<unsigned>(160), "out");
    device.launch(active_lanes, 40, out);
    const std::vector<unsigned> got = device.take(out, 160);
    ASSERT_TRUE(is_clean(device.end()));
    for (std::size_t thread = 0; thread < 40; thread++) {
      const std::size_t lane = thread % 32;
      const unsigned whole = thread < 32 ? 0xffffffffu : 0xffu;
      const unsigned fourth = 0x11111111u & whole;
      const unsigned* const mine = &got[thread * 4];
      EXPECT_EQ(mine[0], whole);
      EXPECT_EQ(mine[1], lane % 4 == 0 ? fourth : whole & ~fourth);
      EXPECT_EQ(mine[2], whole);
      EXPECT_EQ(mine[3], lane < 30 ? whole & 0x3fffffffu : 0u);
    }
  });
}

TEST(CooperativeGroups, ABlockKnowsItsThreads) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    unsigned* const out = device.room<unsigned>(128, "out");
    device.launch_over(dim3(2), dim3(16, 4), blocks, out);
    const std::vector<unsigned> got = device.take(out, 128);
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    expect_total(report.totals.barriers, 2u);
    for (unsigned i = 0; i < 128; i++) EXPECT_EQ(got[i], 64000 + i / 64 * 100 + i % 64 / 16);
  });
}

void expect_tiles(void (*kernel)(unsigned*), unsigned n) {
  under_every_schedule([&](const SessionOptions& options) {
    SCOPED_TRACE(::testing::Message() << "tiles of " << n);
    Device device(options);
    unsigned* const out = device.room<unsigned>(1024, "out");
    device.launch(kernel, dim3(8, 8), out);
    const std::vector<unsigned> got = device.take(out, 1024);
    ASSERT_TRUE(is_clean(device.end()));
    for (unsigned thread = 0; thread < 64; thread++) {
      const unsigned rank = thread % n, first = thread - rank, last = first + n - 1;
      const unsigned sum = (first + last) * n / 2;
      const std::vector<unsigned> expected{n + 100 * n,
                                           rank,
                                           thread / n,
                                           64 / n,
                                           last,
                                           std::min(thread + 1, last),
                                           std::max(thread, first + 1) - 1,
                                           n > 1 ? thread ^ 1 : thread,
                                           n > 1 ? 0xaaaaaaaau >> (32 - n) : 0u,
                                           3,
                                           sum,
                                           0u - last,
                                           sum,
                                           last,
                                           n > 1 ? rank : thread,
                                           n > 1 ? 3u << rank / 2 * 2 : 1u};
      const unsigned* const mine = &got[std::size_t{thread} * 16];
      ASSERT_EQ(std::vector<unsigned>(mine, mine + 16), expected) << "thread " << thread;
    }
  });
}

TEST(CooperativeGroups, TilesOfEverySize) {
  expect_tiles(tile_1, 1);
  expect_tiles(tile_2, 2);
  expect_tiles(tile_4, 4);
  expect_tiles(tile_8, 8);
  expect_tiles(tile_16, 16);
  expect_tiles(tile_32, 32);
}

TEST(CooperativeGroups, CoalescedThreadsCountAmongThemselves) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    unsigned* const out = device.give(std::vector<unsigned>(192), "out");
    device.launch(coalesced, 32, out);
    const std::vector<unsigned> got = device.take(out, 192);
    ASSERT_TRUE(is_clean(device.end()));
    for (unsigned lane = 0; lane < 32; lane += 3) {
      // lanes 0, 3 ... 30; those above 10 have the ranks 4 ... 10
      const std::vector<unsigned> expected{11, lane / 3, 3, 0x7f0, 165, 30};
      const unsigned* const mine = &got[std::size_t{lane} * 6];
      ASSERT_EQ(std::vector<unsigned>(mine, mine + 6), expected) << "lane " << lane;
    }
  });
}

// The learner's line, not one of the header.
TEST(GroupMistakes, ABlockIsSyncedByAllOfIt) {
  Device device;
  device.launch(block_in_a_branch, 32, device.room<unsigned>(32, "out"));
  only_finding(device.end(), Kind::kBarrierDivergence, "warp.cu", "finding: half a block");
}

TEST(Atomics, AddHalvesAndPairs) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    __half* const h = device.give(std::vector<__half>(1, __half(1.0f)), "h");
    __half2* const h2 = device.give(std::vector<__half2>(1), "h2");
    __nv_bfloat16* const b = device.give(std::vector<__nv_bfloat16>(1, __nv_bfloat16(-3.0f)), "b");
    __nv_bfloat162* const b2 = device.give(std::vector<__nv_bfloat162>(1), "b2");
    device.launch(sums_of_halves, 32, h, h2, b, b2);
    EXPECT_EQ(float(device.take(h, 1)[0]), 17.0f);
    EXPECT_EQ(float(device.take(h2, 1)[0].x), 32.0f);
    EXPECT_EQ(float(device.take(h2, 1)[0].y), 496.0f);
    EXPECT_EQ(float(device.take(b, 1)[0]), 61.0f);
    EXPECT_EQ(float(device.take(b2, 1)[0].x), 32.0f);
    EXPECT_EQ(float(device.take(b2, 1)[0].y), -32.0f);
    EXPECT_TRUE(is_clean(device.end()));
  });
}

TEST(Atomics, HaveScopes) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const out = device.give(std::vector<int>(8), "out");
    unsigned* const wrapped = device.give(std::vector<unsigned>(1), "wrapped");
    device.launch(scopes, 32, out, wrapped);
    const std::vector<int> got = device.take(out, 8);
    EXPECT_TRUE(got[6] >= 1 && got[6] <= 32) << got[6];  // whoever came first
    const std::vector<int> expected{496, -496, 31, -31, -1, 0, got[6], 7};
    EXPECT_EQ(got, expected);
    EXPECT_EQ(device.take(wrapped, 1)[0], 32u % 10);
    EXPECT_TRUE(is_clean(device.end()));
  });
}

}  // namespace
}  // namespace nibble::simt::tests
