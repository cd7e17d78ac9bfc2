// The host's side of kit_kernels.cu.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"

namespace nibble::gpu {

enum class Fill : std::uint32_t;
enum class Compare : std::uint32_t;

class KitKernels {
 public:
  KitKernels(const Gpu& gpu, std::span<const std::byte> cubin, const Stream& stream);

  /// The number of bytes is a multiple of 4.
  void fill(const Memory& memory, std::uint64_t seed, Fill fill) const;

  /// Leaves nothing of what was used in the L2 cache.
  void flush() const;

  /// Adds to the counter at `wrong` how many elements of `got` are not those of `want`.
  void count_differences(const Memory& want, const Memory& got, std::size_t bytes, Compare compare,
                         float tolerance, Address wrong) const;

  /// Notes the clocks in `stamps`, which holds stamp_bytes().
  void stamp(const Memory& stamps) const;
  std::size_t stamp_bytes() const { return kStamps * kStampBytes; }

  /// The clock between two stamps, in MHz: the median over the multiprocessors. 0:
  /// too short to tell.
  static double mhz_between(const Memory& earlier, const Memory& later);

 private:
  static constexpr std::size_t kStamps = 256, kStampBytes = 16;

  void start(const char* name, std::vector<void*> arguments, unsigned blocks,
             unsigned threads) const;
  unsigned many_blocks() const;

  const Gpu& gpu_;
  const Stream& stream_;
  Module module_;
  Memory cold_, never_;
};

}  // namespace nibble::gpu
