// The ceilings' host side, on kernels that do in C++ what ceilings.cu does on a GPU, tensor cores
// with the fragment layout that PTX describes: so the sums that a row is checked by are right, and
// a kernel that computes something else makes a row that says FAIL.
#include "gpu/bench/ceilings.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fake_driver.hpp"

namespace nibble::gpu {
namespace {

using fake::Ran;
constexpr int kSteps = 4 * 8;  // of a round: unrolled 4 times, 8 chains

std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB'352Du;
  x = (x ^ (x >> 15)) * 0x846C'A68Bu;
  return x ^ (x >> 16);
}

/// a[row,k] of mma.m16n8kK from the words of a warp's lanes; a register holds `per_word` elements.
template <class Value>
std::int64_t mma_sum(const std::array<std::array<std::uint32_t, 4>, 32>& a, int per_word,
                     const Value& value) {
  const int k = 8 * per_word;
  std::vector<std::int64_t> matrix(static_cast<std::size_t>(16 * k));
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < 4; ++r) {
      for (int e = 0; e < per_word; ++e) {
        const int row = lane / 4 + 8 * (r & 1),
                  column = lane % 4 * per_word + e + (r >> 1) * 4 * per_word;
        matrix[static_cast<std::size_t>(row * k + column)] =
            value(a[static_cast<std::size_t>(lane)][static_cast<std::size_t>(r)], e);
      }
    }
  }
  std::int64_t sum = 0;  // of all 16 x 8 products with a b of ones
  for (int column = 0; column < 8; ++column) {
    for (const std::int64_t one : matrix) sum += one;
  }
  return sum;
}

template <class Word, class Value>
Ran mma(const fake::Launch& launch, int per_word, const Word& word, const Value& value) {
  auto* const sums = launch.pointer<std::uint32_t>(1);
  const auto seed = static_cast<std::uint32_t>(launch.argument<int>(2));
  if (launch.argument<int>(3) == 0) return {100.0};  // random b: timed, not looked at
  for (std::uint32_t block = 0; block < launch.grid_x; ++block) {
    for (std::uint32_t warp = 0; warp < launch.block_x / 32; ++warp) {
      std::array<std::array<std::uint32_t, 4>, 32> a{};
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t j = 0; j < 4; ++j)
          a[lane][j] = word(mixed((warp * 32 + lane) * 4 + j + seed));
      }
      const std::int64_t all = launch.argument<int>(4) * kSteps * mma_sum(a, per_word, value);
      // Which thread holds what is nobody's business: all of it in one of them.
      std::uint32_t* const mine = sums + block * launch.block_x + warp * 32;
      std::fill(mine, mine + 32, 0u);
      mine[(block + warp) % 32] = static_cast<std::uint32_t>(all);
    }
  }
  return {100.0};
}

Ran dp4a(const fake::Launch& launch) {
  const int a = launch.argument<int>(2), b = launch.argument<int>(3);
  for (std::uint32_t i = 0; i < launch.grid_x * launch.block_x; ++i) {
    std::uint32_t sum = 0;
    for (int chain = 0; chain < 8; ++chain) {
      std::uint32_t acc = i % launch.block_x;
      for (int step = 0; step < std::min(launch.argument<int>(4), 8) * 4; ++step) {
        for (int byte = 0; byte < 4; ++byte) {
          acc += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> (8 * byte)) *
                                            static_cast<std::int8_t>(b >> (8 * byte)));
        }
      }
      sum += acc;
    }
    launch.pointer<std::uint32_t>(1)[i] = sum;
  }
  std::fill_n(launch.pointer<std::uint64_t>(0), launch.grid_x, std::uint64_t{262144});
  return {100.0};
}

Ran popc(const fake::Launch& launch) {
  for (std::uint32_t i = 0; i < launch.grid_x * launch.block_x; ++i) {
    std::uint32_t sum = 0;
    for (int round = 0; round < std::min(launch.argument<int>(4), 8); ++round) {
      for (std::uint32_t step = 0; step < kSteps; ++step) {
        const std::uint32_t word = i % launch.block_x + 31 * (step % 8);
        sum += static_cast<std::uint32_t>(
            std::popcount(word ^ static_cast<std::uint32_t>(launch.argument<int>(2) + round)));
      }
    }
    launch.pointer<std::uint32_t>(1)[i] = sum;
  }
  return {100.0};
}

fake::Kernel memory_kernel(const std::string& name) {
  if (name == "nibble_fill") {
    return [](const fake::Launch& launch) {
      for (std::uint64_t i = 0; i < launch.argument<std::uint64_t>(1); ++i) {
        launch.pointer<std::uint32_t>(0)[i] = mixed(static_cast<std::uint32_t>(i + 1));
      }
      return Ran{};
    };
  }
  if (name == "nibble_differences") {
    return [](const fake::Launch& launch) {
      *launch.pointer<std::uint64_t>(5) += static_cast<std::uint64_t>(
          std::memcmp(launch.pointer<char>(0), launch.pointer<char>(1),
                      static_cast<std::size_t>(launch.argument<std::uint64_t>(2))) != 0);
      return Ran{};
    };
  }
  if (name == "ceiling_copy") {
    return [](const fake::Launch& launch) {
      std::memcpy(launch.pointer<char>(1), launch.pointer<char>(0),
                  static_cast<std::size_t>(16 * launch.argument<std::uint64_t>(2)));
      return Ran{200.0};
    };
  }
  if (name == "ceiling_read") {
    return [](const fake::Launch& launch) {
      auto* const sums = launch.pointer<std::uint32_t>(1);
      std::fill_n(sums, launch.grid_x * launch.block_x, 0u);
      for (std::uint64_t i = 0; i < 4 * launch.argument<std::uint64_t>(2); ++i) {
        sums[i % (launch.grid_x * launch.block_x)] ^= launch.pointer<std::uint32_t>(0)[i];
      }
      return Ran{100.0};
    };
  }
  return [](const fake::Launch&) { return Ran{}; };  // flush, stamp
}

fake::Kernel kernel_of(const std::string& name) {
  if (name == "ceiling_dp4a") return dp4a;
  if (name == "ceiling_popc") return popc;
  if (name == "ceiling_mma_s8") {
    return [](const fake::Launch& launch) {
      return mma(
          launch, 4, [](std::uint32_t word) { return word & 0x3F3F'3F3F; },
          [](std::uint32_t word, int e) { return (word >> (8 * e)) & 0xFF; });
    };
  }
  if (name == "ceiling_mma_f16") {
    return [](const fake::Launch& launch) {
      return mma(
          launch, 2, [](std::uint32_t word) { return 0x3C00'3C00 + (word & 0x0001'0001) * 0x400; },
          [](std::uint32_t word, int e) {
            return ((word >> (16 * e)) & 0xFFFF) == 0x4000 ? 2 : 1;
          });
    };
  }
  if (name == "ceiling_mma_b1") {
    return [](const fake::Launch& launch) {
      return mma(
          launch, 32, [](std::uint32_t word) { return word; },
          [](std::uint32_t word, int e) { return (word >> e) & 1; });
    };
  }
  return memory_kernel(name);
}

class CeilingRows : public testing::Test {
 protected:
  CeilingRows() {
    void* const library = dlopen(NIBBLE_FAKE_DRIVER, RTLD_NOW);
    auto* const find = reinterpret_cast<fake::State* (*)()>(dlsym(library, "fake_cuda_state"));
    state_ = find();
    *state_ = {};
    state_->multiprocessors = 2;
    state_->memory_bytes = std::size_t{4} << 20;
    state_->kernel_of = [this](const std::string& name, const void*) {
      return name == broken_ ? [](const fake::Launch&) { return Ran{100.0}; } : kernel_of(name);
    };
  }

  std::vector<BenchRow> rows() {
    const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
    const std::byte image[1]{};
    std::vector<BenchRow> all;
    measure_ceilings(*found.gpu, image, image, [&](const BenchRow& row) { all.push_back(row); });
    return all;
  }

  fake::State* state_;
  std::string broken_;
};

TEST_F(CeilingRows, AreCheckedAgainstTheCpu) {
  const std::vector<BenchRow> all = rows();
  ASSERT_EQ(all.size(), 7u);
  for (const BenchRow& row : all) EXPECT_EQ(row.check, "exact") << row.name;
}

TEST_F(CeilingRows, AreFewerWhereThereIsNoSuchInstruction) {
  state_->sm = 75;
  EXPECT_EQ(rows().size(), 4u);  // memory, DP4A and population count
}

TEST_F(CeilingRows, CountWhatWasDone) {
  const std::vector<BenchRow> all = rows();
  EXPECT_EQ(all[0].name, "copy");
  EXPECT_EQ(all[0].figures[0].first, "gbps");
  EXPECT_NEAR(all[0].figures[0].second, 2.0 * (1 << 20) / 200.5 * 1e-3, 1e-6);
  EXPECT_EQ(all[2].name, "dp4a");
  // 512 rounds of 32 steps of 8 operations by 512 threads in 4 blocks, in 100.5 us.
  EXPECT_NEAR(all[2].figures[0].second, 512.0 * 32 * 8 * 512 * 4 / 100.5 * 1e-6, 1e-3);
  EXPECT_NEAR(all[2].figures[1].second, 512.0 * 32 * 8 * 512 * 2 / 262144, 1e-6);
}

TEST_F(CeilingRows, KernelThatDoesSomethingElseFails) {
  for (const char* const name : {"ceiling_copy", "ceiling_read", "ceiling_dp4a", "ceiling_popc",
                                 "ceiling_mma_s8", "ceiling_mma_f16", "ceiling_mma_b1"}) {
    broken_ = name;
    int failed = 0;
    for (const BenchRow& row : rows()) failed += row.check.starts_with("FAIL") ? 1 : 0;
    EXPECT_EQ(failed, 1) << name;
  }
}

TEST_F(CeilingRows, LeaveNothingBehind) {
  rows();
  EXPECT_EQ(state_->allocations + state_->modules + state_->events + state_->streams, 0);
}

// --- Lines ---------------------------------------------------------------------------------------

TEST(JsonLine, HoldsWhatSectionsSay) {
  BenchRow row;
  row.section = "ceilings";
  row.name = "dp4a";
  row.times = times_of({10.123456, 11, 12});
  row.sm_mhz = 1979.6;
  row.figures = {{"tops", 121.98765}};
  row.check = "exact";
  EXPECT_EQ(json_line(row),
            R"({"section":"ceilings","name":"dp4a","us":11.0,"min_us":10.123,"p90_us":11.8,"n":3,)"
            R"("sm_mhz":1980.0,"tops":121.99,"check":"exact"})");
}

TEST(JsonLine, OfNoNumberIsZero) {
  BenchRow row;
  row.figures = {{"tops", std::numeric_limits<double>::infinity()}};
  const auto line = nlohmann::json::parse(json_line(row));
  EXPECT_EQ(line.at("tops"), 0);
}

TEST(JsonLine, NamesTheMachine) {
  MachineLine machine;
  machine.date = "2026-11-21";
  machine.facts.name = "Imagined \"GPU\"";
  machine.nvcc = "13.0";
  const auto line = nlohmann::json::parse(json_line(machine));
  EXPECT_EQ(line.at("gpu"), "Imagined \"GPU\"");
  EXPECT_EQ(line.at("section"), "run");
  EXPECT_EQ(line.at("date"), "2026-11-21");
  EXPECT_EQ(nlohmann::json::parse(json_error_line("lt", "no")).at("error"), "no");
}

}  // namespace
}  // namespace nibble::gpu
