// Runs each kernel of ceilings.cu, compares its sums with what the
// host expects, and makes a row of its times.
#include "gpu/bench/ceilings.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/bench/sampler.hpp"
#include "gpu/kit_kernels.hpp"
#include "gpu/paired_run.hpp"

namespace nibble::gpu {
namespace {

constexpr int kChains = 8, kUnrolled = 4, kWarp = 32;  // as in ceilings.cu
constexpr int kTimedRounds = 512, kCheckedRounds = 3;

std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB'352Du;
  x = (x ^ (x >> 15)) * 0x846C'A68Bu;
  return x ^ (x >> 16);
}

// --- What the rate kernels compute, computed again -----------------------------------------------

/// The sum that the kernel leaves of `unit` (a thread, or a warp for tensor cores).
using Expect = std::uint32_t (*)(std::uint32_t unit, int a, int b, int rounds);

std::uint32_t expect_dp4a(std::uint32_t thread, int a, int b, int rounds) {
  std::uint32_t dot = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const int x = static_cast<std::int8_t>(a >> shift), y = static_cast<std::int8_t>(b >> shift);
    dot += static_cast<std::uint32_t>(x * y);
  }
  return kChains * (thread + static_cast<std::uint32_t>(rounds * kUnrolled) * dot);
}

std::uint32_t expect_popc(std::uint32_t thread, int a, int, int rounds) {
  std::uint32_t sum = 0;
  for (std::uint32_t chain = 0; chain < kChains; ++chain) {
    for (int round = 0; round < rounds; ++round) {
      const std::uint32_t word = thread + 31 * chain;
      sum += static_cast<std::uint32_t>(
          kUnrolled * std::popcount(word ^ static_cast<std::uint32_t>(a + round)));
    }
  }
  return sum;
}

/// The words of a that the threads of a warp hold, as what one word adds up to.
template <class WordSum>
std::uint32_t expect_mma(std::uint32_t warp, int seed, int rounds, const WordSum& word_sum) {
  std::uint32_t rows = 0;
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      const std::uint32_t thread = warp * kWarp + lane;
      rows += word_sum(mixed(thread * 4 + j + static_cast<std::uint32_t>(seed)));
    }
  }
  constexpr std::uint32_t kColumns = 8;
  return kColumns * static_cast<std::uint32_t>(rounds * kUnrolled * kChains) * rows;
}

std::uint32_t expect_mma_s8(std::uint32_t warp, int seed, int, int rounds) {
  return expect_mma(warp, seed, rounds, [](std::uint32_t word) {
    std::uint32_t sum = 0;
    for (int shift = 0; shift < 32; shift += 8) sum += (word >> shift) & 0x3F;
    return sum;
  });
}

std::uint32_t expect_mma_f16(std::uint32_t warp, int seed, int, int rounds) {
  return expect_mma(warp, seed, rounds, [](std::uint32_t word) {
    return 2 + (word & 1) + ((word >> 16) & 1);  // two halves of 1 or 2
  });
}

std::uint32_t expect_mma_b1(std::uint32_t warp, int seed, int, int rounds) {
  return expect_mma(warp, seed, rounds, [](std::uint32_t word) {
    return static_cast<std::uint32_t>(std::popcount(word));
  });
}

struct Rate {
  const char* kernel;
  const char* name;
  double operations;   ///< of one of the 32 steps of a round, for a thread
  unsigned threads;    ///< of a block; two blocks to a multiprocessor
  std::uint32_t unit;  ///< threads whose sums belong together
  Expect expect;
  int least_sm = 75;  ///< before it there is no such instruction
};

constexpr Rate kRates[] = {
    {"ceiling_dp4a", "dp4a", 8, 512, 1, expect_dp4a},
    {"ceiling_popc", "xnor_popc_add_32", 64, 512, 1, expect_popc},
    {"ceiling_mma_s8", "mma_sync_s8_m16n8k32", 2.0 * 16 * 8 * 32 / kWarp, 256, kWarp, expect_mma_s8,
     80},
    {"ceiling_mma_f16", "mma_sync_f16_m16n8k16", 2.0 * 16 * 8 * 16 / kWarp, 256, kWarp,
     expect_mma_f16, 80},
    {"ceiling_mma_b1", "mma_sync_b1_and_m16n8k256", 2.0 * 16 * 8 * 256 / kWarp, 256, kWarp,
     expect_mma_b1, 80},
};

constexpr const char* kUnsteady = "FAIL: its times scatter by more than 15 %";

class CeilingBench {
 public:
  CeilingBench(const Gpu& gpu, std::span<const std::byte> kit_kernels,
               std::span<const std::byte> ceilings)
      : gpu_(gpu), stream_(gpu), kit_(gpu, kit_kernels, stream_), module_(gpu, ceilings) {}

  BenchRow rate(const Rate& one) const {
    const unsigned blocks = 2 * multiprocessors();
    const Memory cycles(gpu_, blocks * sizeof(std::uint64_t));
    const Memory sums(gpu_, std::size_t{blocks} * one.threads * sizeof(std::uint32_t));
    const FunctionHandle function = module_.function(one.kernel);
    const auto start = [&](int a, int b, int rounds) {
      Address to = cycles.address(), and_to = sums.address();
      void* arguments[] = {&to, &and_to, &a, &b, &rounds};
      launch(gpu_, function, {.grid_x = blocks, .block_x = one.threads}, arguments,
             stream_.handle());
    };
    BenchRow row{"ceilings", one.name, {}, 0, {}, check_sums(one, sums, start)};
    const Sampled sampled = sample(gpu_, stream_, kit_, [&](int i) {
      start(0x0305'0709 + i, one.unit == 1 ? 0x1357'2468 : 0, kTimedRounds);
    });
    row.times = sampled.times;
    row.sm_mhz = sampled.sm_mhz;
    if (!sampled.is_steady) row.check = kUnsteady;
    const double steps = 1.0 * kTimedRounds * kUnrolled * kChains;
    const double of_a_block = steps * one.operations * one.threads;
    row.figures = {{"tops", of_a_block * blocks / row.times.median_us * 1e-6},
                   {"ops_per_clk_sm", 2 * of_a_block / cycles_of_both(cycles)}};
    return row;
  }

  BenchRow copy() const {
    const Memory from(gpu_, buffer_bytes()), to(gpu_, buffer_bytes());
    kit_.fill(from, 1, Fill::kBytes);
    std::uint64_t count = from.bytes() / 16;
    BenchRow row = memory_row("copy", 2.0 * static_cast<double>(from.bytes()), [&] {
      Address a = from.address(), b = to.address();
      void* arguments[] = {&a, &b, &count};
      launch(gpu_, module_.function("ceiling_copy"), memory_shape(), arguments, stream_.handle());
    });
    if (differences(from, to) != 0) row.check = "FAIL: the copy is not the original";
    return row;
  }

  BenchRow read() const {
    const Memory from(gpu_, buffer_bytes());
    const Memory sums(gpu_, std::size_t{memory_shape().grid_x} * memory_shape().block_x * 4);
    kit_.fill(from, 2, Fill::kBytes);
    const auto start = [&](std::uint64_t count) {
      Address a = from.address(), b = sums.address();
      void* arguments[] = {&a, &b, &count};
      launch(gpu_, module_.function("ceiling_read"), memory_shape(), arguments, stream_.handle());
    };
    BenchRow row =
        memory_row("read", static_cast<double>(from.bytes()), [&] { start(from.bytes() / 16); });
    const std::size_t checked = std::min(from.bytes(), std::size_t{64} << 20);
    start(checked / 16);
    stream_.synchronize();
    if (folded(from, checked) != folded(sums, sums.bytes())) {
      row.check = "FAIL: not everything was read";
    }
    return row;
  }

 private:
  unsigned multiprocessors() const {
    return static_cast<unsigned>(std::max(1, gpu_.facts().multiprocessors));
  }
  Shape memory_shape() const { return {.grid_x = 16 * multiprocessors(), .block_x = 512}; }

  /// Far beyond the cache, and a quarter of the memory at most.
  std::size_t buffer_bytes() const {
    return std::min(std::size_t{4} << 30, gpu_.facts().memory_bytes / 4) / 16 * 16;
  }

  template <class Start>
  BenchRow memory_row(const char* name, double bytes, const Start& start) const {
    const Sampled sampled = sample(gpu_, stream_, kit_, [&](int) { start(); });
    return {"ceilings",
            name,
            sampled.times,
            sampled.sm_mhz,
            {{"gbps", bytes / sampled.times.median_us * 1e-3}},
            sampled.is_steady ? "exact" : kUnsteady};
  }

  std::uint64_t differences(const Memory& want, const Memory& got) const {
    const Memory wrong(gpu_, sizeof(std::uint64_t));
    std::uint64_t count = 0;
    wrong.write(0, std::as_bytes(std::span(&count, 1)));
    kit_.count_differences(want, got, want.bytes(), Compare::kExact, 0, wrong.address());
    stream_.synchronize();
    wrong.read(0, std::as_writable_bytes(std::span(&count, 1)));
    return count;
  }

  static std::uint32_t folded(const Memory& memory, std::size_t bytes) {
    std::uint32_t sum = 0;
    for (const std::uint32_t word : words_of(memory, bytes)) sum ^= word;
    return sum;
  }

  static std::vector<std::uint32_t> words_of(const Memory& memory, std::size_t bytes) {
    std::vector<std::uint32_t> words(bytes / 4);
    memory.read(0, std::as_writable_bytes(std::span(words)));
    return words;
  }

  /// Of two blocks on a multiprocessor the older one is served first, and ends first: how long both
  /// take, the other one tells.
  static double cycles_of_both(const Memory& memory) {
    std::vector<std::uint64_t> cycles(memory.bytes() / sizeof(std::uint64_t));
    memory.read(0, std::as_writable_bytes(std::span(cycles)));
    return quantile({cycles.begin(), cycles.end()}, 0.9);
  }

  /// A few rounds, with b all ones where that makes the sum independent of the layout.
  template <class Start>
  std::string check_sums(const Rate& one, const Memory& sums, const Start& start) const {
    const int a = 0x0102'0304, b = one.unit == 1 ? 0x7F80'0503 : 1;
    start(a, b, kCheckedRounds);
    stream_.synchronize();
    const std::vector<std::uint32_t> found = words_of(sums, sums.bytes());
    for (std::size_t first = 0; first < found.size(); first += one.unit) {
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < one.unit; ++i) sum += found[first + i];
      const auto unit = static_cast<std::uint32_t>(first % one.threads / one.unit);
      if (sum != one.expect(unit, a, b, kCheckedRounds)) return "FAIL: another sum than on the CPU";
    }
    return "exact";
  }

  const Gpu& gpu_;
  Stream stream_;
  KitKernels kit_;
  Module module_;
};

}  // namespace

void measure_ceilings(const Gpu& gpu, std::span<const std::byte> kit_kernels,
                      std::span<const std::byte> ceilings,
                      const std::function<void(const BenchRow&)>& take) {
  const CeilingBench all(gpu, kit_kernels, ceilings);
  take(all.copy());
  take(all.read());
  for (const Rate& one : kRates) {
    if (gpu.facts().sm >= one.least_sm) take(all.rate(one));
  }
}

}  // namespace nibble::gpu
