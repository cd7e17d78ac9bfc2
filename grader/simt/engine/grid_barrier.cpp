// Keeps the stacks and the shared memory of blocks that wait, and
// puts them back when all blocks have come.
#include "grid_barrier.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "runtime_state.hpp"
#include "scheduler.hpp"
#include "shared_memory.hpp"

namespace nibble::simt {
namespace {

struct Aside {
  struct Thread {
    void* stack_pointer;
    std::uint32_t depth;
    std::vector<std::byte> stack;
  };
  std::uint32_t block;
  std::uint64_t serial;
  const void* waits_at;
  std::vector<Thread> threads;
  KeptShared shared;
};
std::vector<Aside> aside;

/// As after any barrier, but that the whole grid has met there.
void take_back(const Aside& block) {
  enter_block(block.block, block.serial);
  bring_back(block.shared);
  for (unsigned i = 0; i < running.threads; ++i) {
    const Aside::Thread& thread = block.threads[i];
    Fiber& f = fibers[i];
    f.stack_pointer = thread.stack_pointer;
    std::ranges::copy(thread.stack, used_stack(f).begin());
    f.state = State::kReady;
    f.own_key = clock_.write_stamp(clock_.epoch_base, i);
    f.synced = 0;
    f.log = log_begin(i);
    f.depth = thread.depth;
  }
  ++totals.barriers;
}

std::uint64_t blocks_of_grid() {
  const dim3 grid = running.grid_size;
  return std::uint64_t{grid.x} * grid.y * grid.z;
}

void report_absent_blocks() {
  const Aside& one = *std::ranges::min_element(aside, {}, &Aside::block);
  EngineFinding* const finding = new_finding(Kind::kBarrierDivergence, one.waits_at);
  if (finding == nullptr) return;
  finding->who = thread_named(0, one.block);
  const std::uint64_t blocks = blocks_of_grid();
  set_detail(*finding, "%llu of %llu blocks have ended already",
             static_cast<unsigned long long>(blocks - aside.size()),
             static_cast<unsigned long long>(blocks));
  publish(finding);
}

void run_on() {
  std::vector<Aside> blocks = std::exchange(aside, {});
  std::ranges::sort(blocks, {}, &Aside::block);
  std::vector<std::uint32_t> order;
  put_in_order(order, static_cast<std::uint32_t>(blocks.size()));
  order_all_blocks();
  for (const std::uint32_t next : order) {
    take_back(blocks[next]);
    run_turns();
    if (launch_ended) return;
  }
}

}  // namespace

void put_block_aside() {
  Aside block{running.block, running.block_serial, fibers[0].wait_pc, {}, keep_shared()};
  for (unsigned i = 0; i < running.threads; ++i) {
    const auto used = used_stack(fibers[i]);
    block.threads.push_back({fibers[i].stack_pointer, fibers[i].depth, {used.begin(), used.end()}});
  }
  aside.push_back(std::move(block));
}

void pass_grid_barriers() {
  const std::uint64_t last_serial = running.block_serial;  // of all blocks: none begins from now on
  while (!launch_ended && !aside.empty()) {
    if (aside.size() == blocks_of_grid()) {
      run_on();
      continue;
    }
    report_absent_blocks();
    set_sticky_error(kErrorLaunchFailure);
    launch_ended = true;
  }
  aside.clear();
  running.block_serial = last_serial;
}

void refuse_grid_barrier(const void* pc) {
  if (EngineFinding* finding = new_finding(Kind::kBadLaunch, pc)) {
    set_detail(*finding,
               "its blocks wait for each other: launch it by cudaLaunchCooperativeKernel");
    publish(finding);
  }
  end_launch(kErrorLaunchFailure);
}

bool is_cooperative() { return running.cooperative; }

}  // namespace nibble::simt
