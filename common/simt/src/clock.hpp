// Time as kernels know it: barriers, not seconds. Every barrier of a block, and every __syncwarp of a
// warp, takes a stride of stamps out of one counter that never goes back:
//
//     base      base + 1 ...        base + 1 + warps ...
//     +--------+--------+--------+--------+--------+--------+--------+----
//     | epoch  | warp 0 | warp 1 | thread 0: reads, writes | thread 1: ...
//     +--------+--------+--------+--------+--------+--------+--------+----
//
// So a stamp tells the launch, the block, the thread and how far it had come, and two stamps tell
// whether something lies between.
#pragma once

#include <cstdint>
#include <vector>

namespace nibble::simt {

struct Clock {
  std::uint32_t next = 1;
  std::uint32_t stride = 0, warps = 0;
  std::uint32_t launch_base = 0, block_base = 0, epoch_base = 0;

  std::uint32_t take() {
    const std::uint32_t base = next;
    next += stride;
    return base;
  }
  static std::uint32_t warp_stamp(std::uint32_t base, unsigned warp) { return base + 1 + warp; }
  std::uint32_t write_stamp(std::uint32_t base, unsigned thread) const {
    return base + 2 + warps + 2 * thread;
  }
  unsigned thread_of(std::uint32_t stamp) const {
    return ((stamp - launch_base) % stride - 1 - warps) / 2;
  }
};
extern Clock clock_;

/// The blocks of the launch in the order in which they ran, with the stamp at which each began.
struct BlockStart {
  std::uint32_t stamp, block;
};
extern std::vector<BlockStart> block_starts;
std::uint32_t block_of(std::uint32_t stamp);

/// Before the counter could run over: forgets who used what, at the cost of missing a race.
void begin_launch_clock(unsigned threads);

}  // namespace nibble::simt
