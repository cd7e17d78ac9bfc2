// Time as kernels know it: barriers, not seconds. Every barrier of a block, and every __syncwarp
// of a warp, takes a stride of stamps out of one counter that never goes back:
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

namespace nibble::simt {

struct Clock {
  std::uint32_t next = 1;
  std::uint32_t stride = 1, warps = 0;
  std::uint32_t launch_base = 0, block_base = 0, epoch_base = 0;  // what began last, and when

  std::uint32_t take() {
    const std::uint32_t base = next;
    next += stride;
    return base;
  }
  static std::uint32_t warp_stamp(std::uint32_t base, unsigned warp) { return base + 1 + warp; }
  std::uint32_t write_stamp(std::uint32_t base, unsigned thread) const {
    return base + 2 + warps + 2 * thread;
  }
  /// Of a stamp of this launch.
  unsigned thread_of(std::uint32_t stamp) const {
    std::uint32_t in_stride = stamp - epoch_base;
    if (in_stride >= stride) in_stride = (stamp - launch_base) % stride;
    return (in_stride - 1 - warps) / 2;
  }
  unsigned warp_of(std::uint32_t stamp) const { return thread_of(stamp) / 32; }

  /// A barrier lies between the stamp and now, or the end of a launch, or, for shared memory, of a
  /// block.
  bool settled(std::uint32_t stamp, bool shared) const {
    return stamp < epoch_base && (shared || stamp >= block_base || stamp < launch_base);
  }
};
extern Clock clock_;

/// Before the counter could run over: forgets who used what, at the cost of missing a race.
void begin_launch_clock(unsigned threads);
void begin_block_clock(std::uint32_t block);

/// Whatever was done before lies before whatever is done from now on, as between two launches.
void order_all_blocks();

/// The block that ran when the stamp was taken.
std::uint32_t block_of(std::uint32_t stamp);

}  // namespace nibble::simt
