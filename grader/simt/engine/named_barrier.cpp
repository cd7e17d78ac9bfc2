// Who has come to which barrier, and what each warp knows then: of every thread, up to which stamp
// its accesses lie before the warp's own. What a thread knew when it came, those know who wait.
#include "named_barrier.hpp"

#include <algorithm>
#include <array>

#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "nibble/simt/device.hpp"
#include "runtime_state.hpp"
#include "warp.hpp"

namespace nibble::simt {

namespace {

using Stamps = std::array<std::uint32_t, kMaxThreads>;

struct Barrier {
  unsigned passed = 0;  // by threads that do not wait
  Stamps known{};       // to those
};
constexpr unsigned kMostBarriers = 16;
Barrier barriers[kMostBarriers];
bool any_used, any_met;

Stamps known_to[kMaxThreads / 32];

void learn(Stamps& mine, const Stamps& others) {
  for (unsigned i = 0; i < running.threads; ++i) mine[i] = std::max(mine[i], others[i]);
}

bool waits_at(const Fiber& f, unsigned barrier) {
  return f.state == State::kAtBarrier && f.wait_op == kAtNamedBarrier &&
         f.wait_arg == static_cast<int>(barrier);
}

template <class F>
unsigned for_each_waiting(unsigned barrier, F f) {
  unsigned count = 0;
  for (unsigned i = 0; i < running.threads; ++i) {
    if (!waits_at(fibers[i], barrier)) continue;
    ++count;
    f(fibers[i]);
  }
  return count;
}

/// How many the first thread that waits counts on; 0: nobody waits.
unsigned wanted_at(unsigned barrier) {
  unsigned wanted = 0;
  for_each_waiting(barrier, [&](const Fiber& f) {
    if (wanted == 0) wanted = static_cast<unsigned>(f.width);
  });
  return wanted;
}

unsigned come_to(unsigned barrier) {
  return barriers[barrier].passed + for_each_waiting(barrier, [](const Fiber&) {});
}

/// All lanes of a warp that wait here have met as by a __syncwarp.
void meet_in_warps(unsigned barrier, std::uint32_t base) {
  for (unsigned warp = 0; warp < clock_.warps; ++warp) {
    const unsigned first = warp * 32, end = warp_end(warp, running.threads);
    bool all = true;
    for (unsigned i = first; i < end; ++i) all &= waits_at(fibers[i], barrier);
    if (!all) continue;
    warps[warp].key = Clock::warp_stamp(base, warp);
    for (unsigned i = first; i < end; ++i) fibers[i].synced = base;
  }
}

void let_them_go(unsigned barrier) {
  const std::uint32_t base = clock_.take();
  Stamps known = barriers[barrier].known;
  for_each_waiting(barrier, [&](const Fiber& f) {
    if (f.linear % 32 == 0 || !waits_at(fibers[f.linear - 1], barrier)) {
      learn(known, known_to[f.linear / 32]);
    }
  });
  for_each_waiting(barrier, [&](const Fiber& f) { known[f.linear] = base; });
  for_each_waiting(barrier, [&](const Fiber& f) { known_to[f.linear / 32] = known; });
  meet_in_warps(barrier, base);
  for_each_waiting(barrier, [&](Fiber& f) {
    f.own_key = clock_.write_stamp(base, f.linear);
    f.state = State::kReady;
  });
  barriers[barrier] = {};
  hot.epoch_key = base;  // what was looked at before is looked at again
  any_met = true;
  ++totals.barriers;
}

void must_exist(unsigned barrier, unsigned threads, const void* pc) {
  if (barrier < kMostBarriers && threads % 32 == 0 && threads <= kMaxThreads) return;
  if (EngineFinding* finding = new_finding(Kind::kBarrierDivergence, pc)) {
    if (barrier >= kMostBarriers) {
      set_detail(*finding, "a block has the barriers 0 to 15, and not %u", barrier);
    } else {
      set_detail(*finding, "a barrier is for whole warps, and %u is no multiple of 32", threads);
    }
    publish(finding);
  }
  end_launch(kErrorLaunchFailure);
}

}  // namespace

void forget_named_barriers() {
  if (any_used) std::ranges::fill(barriers, Barrier{});
  any_used = false;
  forget_named_meetings();
}

void forget_named_meetings() {
  if (any_met) std::ranges::fill(known_to, Stamps{});
  any_met = false;
}

bool release_named_barriers() {
  bool any = false;
  for (unsigned barrier = 0; any_used && barrier < kMostBarriers; ++barrier) {
    const unsigned wanted = wanted_at(barrier);
    if (wanted == 0 || come_to(barrier) != wanted) continue;
    let_them_go(barrier);
    any = true;
  }
  return any;
}

bool report_named_barrier() {
  for (unsigned barrier = 0; any_used && barrier < kMostBarriers; ++barrier) {
    const unsigned wanted = wanted_at(barrier);
    if (wanted == 0) continue;
    const Fiber& f =
        *std::ranges::find_if(fibers, [&](const Fiber& fiber) { return waits_at(fiber, barrier); });
    if (EngineFinding* finding = new_finding(Kind::kBarrierDivergence, f.wait_pc)) {
      finding->who = thread_named(f.linear, running.block);
      set_detail(*finding, "barrier %u is for %u threads, and %u have come", barrier, wanted,
                 come_to(barrier));
      publish(finding);
    }
    return true;
  }
  return false;
}

bool met_at_named_barrier(std::uint32_t stamp, unsigned thread) {
  return any_met && stamp < known_to[current->linear / 32][thread];
}

void wait_at_barrier_of(unsigned barrier, unsigned threads, const void* pc) {
  if (current == nullptr) return;
  if (threads == 0) threads = running.threads;
  if (barrier == 0 && threads == running.threads) return block_barrier(pc);
  if (threads != running.threads) must_exist(barrier, threads, pc);
  must_exist(barrier, 0, pc);
  any_used = true;
  current->state = State::kAtBarrier;
  current->wait_op = kAtNamedBarrier;
  current->wait_arg = static_cast<int>(barrier);
  current->width = static_cast<int>(threads);
  current->wait_pc = pc;
  yield();
}

void pass_barrier_of(unsigned barrier, unsigned threads, const void* pc) {
  if (current == nullptr) return;
  must_exist(barrier, threads, pc);
  any_used = true;
  Barrier& b = barriers[barrier];
  const std::uint32_t now = clock_.take();
  learn(b.known, known_to[current->linear / 32]);
  b.known[current->linear] = now;
  ++b.passed;
  current->own_key = hot.own_key = clock_.write_stamp(now, current->linear);
}

}  // namespace nibble::simt
