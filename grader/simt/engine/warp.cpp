// Warp collectives: a lane waits until every lane of its mask has come, then all go on.
#include "warp.hpp"

#include <algorithm>
#include <cstring>

#include "clock.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {

Warp warps[kMaxThreads / 32];

namespace {

template <class F>
void for_each_lane(unsigned first, unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
    f(lane, fibers[first + lane]);
  }
}

/// The lanes that come together: a lane that has ended is not waited for, except where the whole
/// warp computes together.
unsigned lanes_of(unsigned first, const Fiber& f) {
  unsigned lanes = f.mask;
  for_each_lane(first, f.mask, [&](unsigned lane, const Fiber& other) {
    if (other.state == State::kDone && f.wait_op != kExchange) lanes &= ~(1u << lane);
  });
  return lanes;
}

bool all_there(unsigned first, const Fiber& f) {
  bool there = f.wait_op != kActiveMask;
  for_each_lane(first, lanes_of(first, f), [&](unsigned, const Fiber& other) {
    there &=
        other.state == State::kInCollective && other.mask == f.mask && other.wait_op == f.wait_op;
  });
  return there;
}

/// The lane a shuffle reads: its own where the other would be outside the segment of `width`.
int source_lane(const Fiber& f, int lane) {
  const int segment = lane / f.width * f.width, arg = f.wait_arg;
  switch (f.wait_op) {
    case kShuffle:
      return segment + (arg & (f.width - 1));
    case kShuffleUp:
      return lane - arg < segment ? lane : lane - arg;
    case kShuffleDown:
      return lane + arg >= segment + f.width ? lane : lane + arg;
    case kShuffleXor:
      return (lane ^ arg) >= segment + f.width ? lane : lane ^ arg;
  }
  return lane;
}

void report_inactive(const Fiber& f, unsigned block, int source) {
  EngineFinding* const finding = new_finding(Kind::kShuffleInactive, f.wait_pc);
  if (finding == nullptr) return;
  finding->in_kernel = 1;
  finding->who = thread_named(f.linear, block);
  if ((f.mask >> source & 1) != 0) {
    set_detail(*finding, "lane %d reads lane %d, which has ended", f.linear % 32, source);
  } else {
    set_detail(*finding, "lane %d reads lane %d, and the mask is 0x%08x", f.linear % 32, source,
               f.mask);
  }
  publish(finding);
}

void shuffle_values(unsigned first, unsigned mask) {
  std::uint8_t values[32][16];
  for_each_lane(first, mask, [&](unsigned lane, const Fiber& f) {
    std::memcpy(values[lane], f.value, f.value_size);
  });
  for_each_lane(first, mask, [&](unsigned lane, const Fiber& f) {
    const int source = source_lane(f, static_cast<int>(lane));
    if ((mask >> source & 1) != 0) {
      std::memcpy(f.value, values[source], f.value_size);
    } else {
      report_inactive(f, running.block, source);
    }
  });
}

void ballot(unsigned first, unsigned mask) {
  unsigned votes = 0;
  for_each_lane(first, mask,
                [&](unsigned lane, const Fiber& f) { votes |= unsigned{f.wait_arg != 0} << lane; });
  for_each_lane(first, mask, [&](unsigned, Fiber& f) { f.result = votes; });
}

void exchange_pointers(unsigned first, unsigned mask) {
  void* pointers[32] = {};
  for_each_lane(first, mask, [&](unsigned lane, const Fiber& f) {
    pointers[lane] = static_cast<void**>(f.value)[32];
  });
  for_each_lane(first, mask,
                [&](unsigned, const Fiber& f) { std::memcpy(f.value, pointers, sizeof pointers); });
}

unsigned ended_lanes(unsigned warp) {
  unsigned ended = 0;
  for_each_lane(warp * 32, existing_lanes(warp), [&](unsigned lane, const Fiber& f) {
    ended |= unsigned{f.state == State::kDone} << lane;
  });
  return ended;
}

/// Stamps of lanes that meet from now on lie after those of before.
void order_memory(unsigned warp, unsigned mask) {
  const std::uint32_t base = clock_.take();
  Warp& w = warps[warp];
  const bool all = (mask | ended_lanes(warp)) == existing_lanes(warp);
  if (!all && !w.partly_synced) {
    std::memset(w.met, 0, sizeof w.met);
    w.partly_synced = true;
  }
  if (all) w.key = Clock::warp_stamp(base, warp);
  for_each_lane(warp * 32, mask, [&](unsigned lane, Fiber& f) {
    f.own_key = clock_.write_stamp(base, f.linear);
    if (all) f.synced = base;
    if (!all)
      for_each_lane(warp * 32, mask, [&](unsigned other, Fiber&) { w.met[lane][other] = base; });
  });
}

void complete(unsigned warp, const Fiber& f) {
  const unsigned first = warp * 32, mask = lanes_of(first, f);
  switch (f.wait_op) {
    case kShuffle:
    case kShuffleUp:
    case kShuffleDown:
    case kShuffleXor:
      shuffle_values(first, mask);
      break;
    case kBallot:
      ballot(first, mask);
      break;
    case kExchange:
      exchange_pointers(first, mask);
      order_memory(warp, mask);
      break;
    case kWarpSync:
      order_memory(warp, mask);
      break;
  }
  for_each_lane(first, mask, [](unsigned, Fiber& lane) { lane.state = State::kReady; });
  ++totals.warp_collectives;
}

void must_be_in_mask(unsigned mask, const void* pc) {
  if ((mask >> (current->linear % 32) & 1) != 0) return;
  if (EngineFinding* finding = new_finding(Kind::kBadMask, pc)) {
    set_detail(*finding, "the mask is 0x%08x, and it is lane %d that calls", mask,
               current->linear % 32);
    publish(finding);
  }
  end_launch(kErrorLaunchFailure);
}

}  // namespace

unsigned existing_lanes(unsigned warp) {
  const unsigned lanes = running.threads - warp * 32;
  return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
}

void begin_epoch() {
  clock_.epoch_base = clock_.take();
  hot.epoch_key = clock_.epoch_base;
  for (unsigned w = 0; w < clock_.warps; ++w) {
    warps[w].key = Clock::warp_stamp(clock_.epoch_base, w);
    warps[w].partly_synced = false;
  }
}

bool synced_since(std::uint32_t stamp, unsigned thread) {
  if (stamp < current->synced) return true;
  const Warp& w = warps[current->linear / 32];
  return w.partly_synced && stamp < w.met[current->linear % 32][thread % 32];
}

bool complete_active_masks(unsigned warp) {
  const unsigned first = warp * 32, end = warp_end(warp, running.threads);
  const auto asks = [](const Fiber& f) {
    return f.state == State::kInCollective && f.wait_op == kActiveMask;
  };
  unsigned together[32] = {};
  bool any = false;
  for (unsigned i = first; i < end; ++i) {
    for (unsigned j = first; j < end && asks(fibers[i]); ++j) {
      const bool same = asks(fibers[j]) && fibers[j].wait_pc == fibers[i].wait_pc;
      together[i - first] |= unsigned{same} << (j - first);
    }
  }
  for (unsigned i = first; i < end; ++i) {
    if (together[i - first] == 0) continue;
    fibers[i].result = together[i - first];
    fibers[i].state = State::kReady;
    any = true;
  }
  return any;
}

bool complete_collectives(unsigned warp) {
  bool any = false;
  for (unsigned i = warp * 32; i < warp_end(warp, running.threads); ++i) {
    if (fibers[i].state == State::kInCollective && all_there(warp * 32, fibers[i])) {
      complete(warp, fibers[i]);
      any = true;
    }
  }
  return any;
}

unsigned warp_collective(WarpOp op, unsigned mask, void* value, unsigned size, int arg, int width,
                         const void* pc) {
  if (current == nullptr) return 0;
  Fiber& f = *current;
  mask &= existing_lanes(f.linear / 32);
  must_be_in_mask(mask, pc);
  if (op != kActiveMask) log_collective(mask, pc);
  f.wait_op = op;
  f.wait_arg = arg;
  f.width = width;
  f.wait_pc = pc;
  f.mask = mask;
  f.value = value;
  f.value_size = size;
  f.state = State::kInCollective;
  yield();
  return f.result;
}

void warp_exchange(void* mine, void** all, const void* pc, unsigned mask) {
  void* box[33] = {};  // 32 answers and the question
  box[32] = mine;
  warp_collective(kExchange, mask, box, 0, 0, 32, pc);
  std::memcpy(all, box, 32 * sizeof(void*));
}

}  // namespace nibble::simt
