// One block: warps in turn, lanes in turn, each until it waits or ends; then the barrier.
#include "scheduler.hpp"

#include <algorithm>
#include <numeric>

#include "barrier.hpp"
#include "clock.hpp"
#include "fiber.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "named_barrier.hpp"
#include "shared_memory.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

std::uint64_t random_state;

/// splitmix64: the same numbers everywhere.
std::uint64_t next_random() {
  std::uint64_t z = (random_state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// What the lanes of a warp wait for that stand still.
struct Waiting {
  bool log_full = false, collective = false;

  void note(State state) {
    log_full |= state == State::kLogFull;
    collective |= state == State::kInCollective;
  }
};

/// One turn for every lane that can go on.
Waiting run_lanes(unsigned warp, const std::vector<std::uint32_t>& lanes) {
  Waiting waiting;
  const unsigned first = warp * 32, end = warp_end(warp, running.threads);
  hot.warp_key = warps[warp].key;
  for (const std::uint32_t lane : lanes) {
    if (first + lane >= end) continue;
    Fiber& f = fibers[first + lane];
    if (f.state == State::kReady) resume(f);
    if (launch_ended) break;
    waiting.note(f.state);
  }
  return waiting;
}

/// Until every lane is at a barrier, has ended, or waits for lanes that never come.
void run_warp(unsigned warp, const std::vector<std::uint32_t>& lanes) {
  for (;;) {
    const Waiting waiting = run_lanes(warp, lanes);
    if (launch_ended) return;
    if (waiting.collective && complete_collectives(warp)) continue;
    if (waiting.log_full) {
      count_log(warp, false);
      continue;
    }
    if (waiting.collective && complete_active_masks(warp)) continue;
    break;
  }
  count_log(warp, true);
}

}  // namespace

void begin_order(std::uint64_t seed) { random_state = seed; }

void put_in_order(std::vector<std::uint32_t>& order, std::uint32_t count) {
  order.resize(count);
  std::iota(order.begin(), order.end(), 0u);
  if (options.schedule == Schedule::kReverse) std::reverse(order.begin(), order.end());
  if (options.schedule != Schedule::kShuffled) return;
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[next_random() % i]);
}

void enter_block(std::uint32_t linear, std::uint64_t serial) {
  const dim3 grid = running.grid_size;
  running.block = linear;
  running.block_serial = serial;
  blockIdx = {linear % grid.x, linear / grid.x % grid.y, linear / (grid.x * grid.y)};
  begin_block_clock(linear);
}

void run_turns() {
  static std::vector<std::uint32_t> warp_order, lane_order;
  do {
    put_in_order(warp_order, clock_.warps);
    put_in_order(lane_order, 32);
    for (const std::uint32_t warp : warp_order) {
      run_warp(warp, lane_order);
      if (launch_ended) return;
    }
  } while (release_barrier());
}

void run_block(std::uint32_t linear) {
  enter_block(linear, running.block_serial + 1);
  begin_block_memory();
  forget_named_barriers();
  begin_fibers();
  run_turns();
}

}  // namespace nibble::simt
