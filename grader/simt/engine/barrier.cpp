// Where threads wait for each other, who is let go, and the finding when some of them never come.
#include "barrier.hpp"

#include <utility>

#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "grid_barrier.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "named_barrier.hpp"
#include "runtime_state.hpp"
#include "warp.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {
namespace {

enum Vote { kNoVote, kCount, kAnd, kOr, kWholeGrid };

/// Where two threads wait at two calls they wait for ever, unless it was the optimizer who made two
/// of one.
bool same_barrier(const Fiber& a, const Fiber& b) {
  const bool same_kind = (a.wait_op == kWholeGrid) == (b.wait_op == kWholeGrid);
  return same_kind && (!instrumented || a.wait_pc == b.wait_pc);
}

/// The first thread at a barrier, the first at another one, those that have ended, and the first
/// that waits for lanes that never come.
struct Stopped {
  const Fiber *waiting = nullptr, *elsewhere = nullptr, *ended = nullptr, *stuck = nullptr;
  unsigned ended_count = 0;
};

Stopped look() {
  Stopped s;
  for (unsigned i = 0; i < running.threads; ++i) {
    const Fiber& f = fibers[i];
    if (f.state == State::kInCollective) {
      if (s.stuck == nullptr) s.stuck = &f;
    } else if (f.state == State::kDone) {
      ++s.ended_count;
      if (s.ended == nullptr) s.ended = &f;
    } else if (s.waiting == nullptr) {
      s.waiting = &f;
    } else if (s.elsewhere == nullptr && !same_barrier(f, *s.waiting)) {
      s.elsewhere = &f;
    }
  }
  return s;
}

EngineFinding* finding_about(Kind kind, const Fiber& f) {
  EngineFinding* const finding = new_finding(kind, f.wait_pc);
  if (finding != nullptr) finding->who = thread_named(f.linear, running.block);
  return finding;
}

void report_stuck(const Fiber& f) {
  EngineFinding* const finding = finding_about(Kind::kWarpDeadlock, f);
  if (finding == nullptr) return;
  unsigned missing = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((f.mask >> lane & 1) == 0) continue;
    const Fiber& other = fibers[f.linear / 32 * 32 + lane];
    if (other.state != State::kInCollective || other.mask != f.mask || other.wait_op != f.wait_op) {
      missing |= 1u << lane;
    }
  }
  if (const char* instruction = instruction_of(f.linear)) {
    set_detail(*finding, "%s needs all 32 lanes, and lanes 0x%08x do not come", instruction,
               missing);
  } else {
    set_detail(*finding, "the mask is 0x%08x, and lanes 0x%08x do not come", f.mask, missing);
  }
  publish(finding);
}

/// Of two barriers the one that stands first in the code is told: the others have gone by it.
void report_divergence(Stopped s) {
  if (s.elsewhere != nullptr && s.elsewhere->wait_pc < s.waiting->wait_pc) {
    std::swap(s.waiting, s.elsewhere);
  }
  EngineFinding* const finding = finding_about(Kind::kBarrierDivergence, *s.waiting);
  if (finding == nullptr) return;
  const Fiber& other = s.elsewhere != nullptr ? *s.elsewhere : *s.ended;
  finding->other_who = thread_named(other.linear, running.block);
  if (s.elsewhere != nullptr) {
    finding->other = {place_of(other.wait_pc), 0, 0};
    set_detail(*finding, "another thread waits at another barrier");
  } else {
    set_detail(*finding, "%u of %u threads have returned already", s.ended_count, running.threads);
  }
  publish(finding);
}

unsigned answer(int vote, unsigned yes) {
  if (vote == kAnd) return yes == running.threads;
  return vote == kOr ? yes != 0 : yes;
}

void let_go() {
  unsigned yes = 0;
  for (unsigned i = 0; i < running.threads; ++i) yes += fibers[i].wait_arg != 0;
  begin_epoch();
  forget_named_meetings();
  for (unsigned i = 0; i < running.threads; ++i) {
    Fiber& f = fibers[i];
    f.state = State::kReady;
    f.own_key = clock_.write_stamp(clock_.epoch_base, i);
    f.synced = 0;
    f.result = answer(f.wait_op, yes);
  }
  ++totals.barriers;
}

int wait_at_barrier(Vote vote, int predicate, const void* pc) {
  if (current == nullptr) return 0;
  current->state = State::kAtBarrier;
  current->wait_op = vote;
  current->wait_arg = predicate;
  current->wait_pc = pc;
  yield();
  return static_cast<int>(current->result);
}

}  // namespace

bool release_barrier() {
  if (release_named_barriers()) return true;
  const Stopped s = look();
  if (s.stuck == nullptr && s.waiting == nullptr) return false;
  if (s.stuck != nullptr) report_stuck(*s.stuck);
  if (s.stuck == nullptr && report_named_barrier()) {
    set_sticky_error(kErrorLaunchFailure);
    launch_ended = true;
    return false;
  }
  if (s.stuck == nullptr && s.elsewhere == nullptr && s.ended == nullptr) {
    if (s.waiting->wait_op == kWholeGrid) {
      put_block_aside();
      return false;
    }
    let_go();
    return true;
  }
  if (s.stuck == nullptr) report_divergence(s);
  set_sticky_error(kErrorLaunchFailure);
  launch_ended = true;
  return false;
}

}  // namespace nibble::simt

using nibble::simt::wait_at_barrier;

void nibble::simt::block_barrier(const void* pc) { wait_at_barrier(kNoVote, 0, pc); }

void nibble::simt::grid_barrier(const void* pc) {
  if (current != nullptr && !running.cooperative) refuse_grid_barrier(pc);
  wait_at_barrier(kWholeGrid, 0, pc);
}

extern "C" {
void __syncthreads() { wait_at_barrier(nibble::simt::kNoVote, 0, NIBBLE_SIMT_PC); }
int __syncthreads_count(int p) { return wait_at_barrier(nibble::simt::kCount, p, NIBBLE_SIMT_PC); }
int __syncthreads_and(int p) { return wait_at_barrier(nibble::simt::kAnd, p, NIBBLE_SIMT_PC); }
int __syncthreads_or(int p) { return wait_at_barrier(nibble::simt::kOr, p, NIBBLE_SIMT_PC); }
}
