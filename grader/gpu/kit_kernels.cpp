#include "gpu/kit_kernels.hpp"

#include <algorithm>
#include <array>

#include "gpu/paired_run.hpp"
#include "gpu/timing.hpp"

namespace nibble::gpu {
namespace {

constexpr std::size_t kLeastCold = std::size_t{128} << 20;
constexpr std::uint64_t kShortestClock = 200'000;  ///< nanoseconds: stamps differ by about 1000

struct Stamp {
  std::uint64_t cycles, nanoseconds;
};

/// Three times the cache, whole lines of 16 bytes.
std::size_t cold_bytes(const Gpu& gpu) {
  return std::max(3 * gpu.facts().l2_bytes, kLeastCold) / 16 * 16;
}

std::vector<Stamp> read_stamps(const Memory& memory) {
  std::vector<Stamp> stamps(memory.bytes() / sizeof(Stamp));
  memory.read(0, std::as_writable_bytes(std::span(stamps)));
  return stamps;
}

}  // namespace

KitKernels::KitKernels(const Gpu& gpu, std::span<const std::byte> cubin, const Stream& stream)
    : gpu_(gpu), stream_(stream), module_(gpu, cubin), cold_(gpu, cold_bytes(gpu)), never_(gpu, 4) {
  const Driver& driver = gpu.driver();
  check(driver, driver.cuMemsetD8Async(cold_.address(), 0, cold_.bytes(), stream.handle()),
        "preparing to flush the cache");
  driver.cuCtxSetLimit(limit::kPersistingL2Bytes, 0);  // what persists would survive a flush
}

unsigned KitKernels::many_blocks() const {
  return 8 * static_cast<unsigned>(std::max(1, gpu_.facts().multiprocessors));
}

void KitKernels::start(const char* name, std::vector<void*> arguments, unsigned blocks,
                       unsigned threads) const {
  launch(gpu_, module_.function(name), {.grid_x = blocks, .block_x = threads}, arguments.data(),
         stream_.handle());
}

void KitKernels::fill(const Memory& memory, std::uint64_t seed, Fill fill) const {
  Address words = memory.address();
  std::uint64_t count = memory.bytes() / 4;
  auto kind = static_cast<std::uint32_t>(fill);
  start("nibble_fill", {&words, &count, &seed, &kind}, many_blocks(), 256);
}

void KitKernels::flush() const {
  gpu_.driver().cuCtxResetPersistingL2Cache();
  Address lines = cold_.address(), never = never_.address();
  std::uint64_t count = cold_.bytes() / 16;
  start("nibble_flush", {&lines, &count, &never}, many_blocks(), 256);
}

void KitKernels::count_differences(const Memory& want, const Memory& got, std::size_t bytes,
                                   Compare compare, float tolerance, Address wrong) const {
  constexpr std::array<std::size_t, 3> kElement{1, 4, 2};
  Address a = want.address(), b = got.address();
  auto kind = static_cast<std::uint32_t>(compare);
  std::uint64_t count = bytes / kElement.at(kind);
  start("nibble_differences", {&a, &b, &count, &kind, &tolerance, &wrong}, many_blocks(), 256);
}

void KitKernels::stamp(const Memory& stamps) const {
  Address to = stamps.address();
  std::uint32_t most = kStamps;
  start("nibble_stamp", {&to, &most}, many_blocks(), 1);
}

double KitKernels::mhz_between(const Memory& earlier, const Memory& later) {
  const std::vector<Stamp> a = read_stamps(earlier), b = read_stamps(later);
  std::vector<double> clocks;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool both = a[i].nanoseconds > 0 && b[i].nanoseconds > a[i].nanoseconds + kShortestClock;
    if (!both) continue;
    clocks.push_back(1e3 * static_cast<double>(b[i].cycles - a[i].cycles) /
                     static_cast<double>(b[i].nanoseconds - a[i].nanoseconds));
  }
  return quantile(clocks, 0.5);
}

}  // namespace nibble::gpu
