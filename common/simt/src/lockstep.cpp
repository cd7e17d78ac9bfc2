// Lock-step, played again from the logs. Which way a lane goes depends on what it loads, not on
// when, as long as nothing races; so lanes may run one after the other,
// and be put side by side afterwards.
#include <cstring>

#include "log.hpp"
#include "requests.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

// Behind the last entry of every log: higher than any place in the code.
constexpr std::uint32_t kSpent = 0xFFFFFFFF;

bool is_step(std::uint32_t site) { return (site >> 3 & 3) == std::uint32_t(Event::kStep); }
bool is_block(std::uint32_t site) {
  return site != kSpent && is_step(site) && (site & 7) == kStepBlock;
}
bool is_collective(std::uint32_t site) {
  return site != kSpent && is_step(site) && (site & 7) == kStepCollective;
}

}  // namespace

bool Lanes::ended(unsigned lane) const {
  return spent(lane) && fibers[first_ + lane].state == State::kDone;
}

/// All lanes of the mask stand at a collective of that mask, but for those that have ended.
bool Lanes::can_come(unsigned mask) const {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (ended(lane)) continue;
    if (!is_collective(at_[lane]->site) || at_[lane]->offset != mask) return false;
  }
  return true;
}

bool Lanes::release_collectives() {
  bool any = false;
  for (unsigned lane = 0; lane < count_; ++lane) {
    if (!is_collective(at_[lane]->site)) continue;
    const std::uint32_t mask = at_[lane]->offset;
    if (!can_come(mask)) continue;
    any = true;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<unsigned>(__builtin_ctz(rest));
      if (!spent(other)) ++at_[other];
    }
  }
  return any;
}

/// A lane whose log is spent, and who will go on: nobody knows yet where it stands.
bool Lanes::anyone_missing() const {
  for (unsigned lane = 0; lane < count_; ++lane) {
    const State state = fibers[first_ + lane].state;
    if (spent(lane) && (state == State::kReady || state == State::kLogFull)) return true;
  }
  return false;
}

/// How far down its stack a lane is: a basic block says so itself,
/// an access lies in the block before.
std::uint32_t Lanes::depth_of(unsigned lane) const {
  return is_block(at_[lane]->site) ? at_[lane]->offset : fibers[first_ + lane].depth;
}

/// Whoever has come together goes on; otherwise the lanes that stand deepest and lowest take one
/// step. False: all wait for others, or are at their end.
bool Lanes::go_together() {
  Request request;
  request.site = kSpent;
  std::uint32_t deepest = 0;
  bool waits = false;
  for (unsigned lane = 0; lane < count_; ++lane) {
    const std::uint32_t site = at_[lane]->site;
    if (is_collective(site)) {
      waits = true;
    } else if (site != kSpent) {
      const std::uint32_t depth = depth_of(lane);
      if (depth < deepest || (depth == deepest && site >= request.site)) continue;
      deepest = depth;
      request.site = site;
    }
  }
  if (waits && release_collectives()) return true;
  if (request.site == kSpent) return false;
  for (unsigned lane = 0; lane < count_; ++lane) {
    if (at_[lane]->site != request.site || depth_of(lane) != deepest) continue;
    request.lanes |= 1u << lane;
    fibers[first_ + lane].depth = deepest;
    request.offset[lane] = at_[lane]++->offset;
  }
  if (is_step(request.site)) {
    count_step(request.lanes);
  } else {
    count_request(request);
  }
  return true;
}

void Lanes::replay(bool all) {
  for (unsigned lane = 0; lane < count_; ++lane) end_[lane]->site = kSpent;
  for (;;) {
    if (!all && anyone_missing()) return;
    if (!go_together()) return;
  }
}

}  // namespace nibble::simt
