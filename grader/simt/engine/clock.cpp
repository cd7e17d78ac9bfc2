#include "clock.hpp"

#include <algorithm>
#include <vector>

#include "shadow.hpp"
#include "warp.hpp"

namespace nibble::simt {

Clock clock_;

namespace {

struct BlockStart {
  std::uint32_t stamp, block;
};
std::vector<BlockStart> block_starts;  // of the launch, in the order in which they ran

}  // namespace

void begin_launch_clock(unsigned threads) {
  constexpr std::uint32_t kEnough = 0xF0000000;
  if (clock_.next > kEnough) {
    forget_races();
    clock_.next = 1;
  }
  clock_.warps = (threads + 31) / 32;
  clock_.stride = 1 + clock_.warps + 2 * threads;
  order_all_blocks();
}

void begin_block_clock(std::uint32_t block) {
  begin_epoch();
  clock_.block_base = clock_.epoch_base;
  block_starts.push_back({clock_.block_base, block});
}

void order_all_blocks() {
  clock_.launch_base = clock_.next;
  block_starts.clear();
}

std::uint32_t block_of(std::uint32_t stamp) {
  const auto after = std::ranges::upper_bound(block_starts, stamp, {}, &BlockStart::stamp);
  return after == block_starts.begin() ? 0 : std::prev(after)->block;
}

}  // namespace nibble::simt
