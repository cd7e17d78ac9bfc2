// Lock-step, played again from the logs. Which way a lane goes depends on what it loads, not on
// when, as long as nothing races; so lanes may run one after the other,
// and be put side by side afterwards.
#include <algorithm>
#include <cstdint>

#include "log.hpp"
#include "requests.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

// Behind the last entry of every log: higher than any place in the code.
constexpr std::uint32_t kSpent = 0xFFFFFFFF;
// Nobody's turn: a lane whose log is spent, or that waits at a collective.
constexpr std::uint64_t kNever = ~std::uint64_t{0};

bool is_step(std::uint32_t site) { return (site >> 3 & 3) == std::uint32_t(LogEvent::kStep); }
bool is_step(std::uint32_t site, std::uint32_t kind) {
  return site != kSpent && is_step(site) && (site & 7) == kind;
}

/// Deeper goes before less deep, then lower in the code before higher.
std::uint64_t turn_of(std::uint32_t depth, std::uint32_t site) {
  return std::uint64_t{~depth} << 32 | site;
}

void count(const WarpRequest& request) {
  is_step(request.site) ? count_step(request.lanes) : count_request(request);
}

}  // namespace

/// Where the lane stands now. A basic block says itself how far down the stack it is;
/// an access lies in the block before.
void Lanes::arrive(unsigned lane) {
  const LogEntry& entry = *at_[lane];
  waiting_ &= ~(1u << lane);
  turn_[lane] = kNever;
  if (entry.site == kSpent) return;
  if (is_step(entry.site, kStepCollective)) {
    waiting_ |= 1u << lane;
    return;
  }
  std::uint32_t& depth = fibers[first_ + lane].depth;
  if (is_step(entry.site, kStepBlock)) depth = entry.offset;
  turn_[lane] = turn_of(depth, entry.site);
}

bool Lanes::ended(unsigned lane) const {
  return spent(lane) && fibers[first_ + lane].state == State::kDone;
}

/// All lanes of the mask stand at a collective of that mask, but for those that have ended.
bool Lanes::can_come(unsigned mask) const {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (ended(lane)) continue;
    if ((waiting_ >> lane & 1) == 0 || at_[lane]->offset != mask) return false;
  }
  return true;
}

bool Lanes::release_collectives() {
  bool any = false;
  for (unsigned lane = 0; lane < count_; ++lane) {
    if ((waiting_ >> lane & 1) == 0) continue;
    const std::uint32_t mask = at_[lane]->offset;
    if (!can_come(mask)) continue;
    any = true;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<unsigned>(__builtin_ctz(rest));
      if (spent(other)) continue;
      ++at_[other];
      arrive(other);
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

/// Whoever has come together goes on; otherwise the lanes whose turn it is take one step. False:
/// all wait for others, or are at their end.
bool Lanes::go_together() {
  if (waiting_ != 0 && release_collectives()) return true;
  const std::uint64_t turn = *std::min_element(turn_, turn_ + count_);
  if (turn == kNever) return false;
  WarpRequest request;
  request.site = static_cast<std::uint32_t>(turn);
  bool alone = true;  // nobody else can go on
  for (unsigned lane = 0; lane < count_; ++lane) {
    alone &= turn_[lane] == turn || turn_[lane] == kNever;
    if (turn_[lane] != turn) continue;
    request.lanes |= 1u << lane;
    request.offset[lane] = at_[lane]++->offset;
  }
  count(request);
  if (alone) go_as_one(request.lanes);
  for (std::uint32_t rest = request.lanes; rest != 0; rest &= rest - 1) {
    arrive(static_cast<unsigned>(__builtin_ctz(rest)));
  }
  return true;
}

/// The usual case: nobody but these lanes can go on, they stand at one place, and do so after the
/// next step, too. As go_together would do it, without asking whose turn it is.
void Lanes::go_as_one(std::uint32_t lanes) {
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  const auto each = [&](auto act) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      act(static_cast<unsigned>(__builtin_ctz(rest)));
    }
  };
  std::uint32_t depth = fibers[first_ + first].depth;
  for (;;) {
    const LogEntry step = *at_[first];
    if (step.site == kSpent || is_step(step.site, kStepCollective)) break;
    const bool block = is_step(step.site);
    std::uint32_t elsewhere = 0, less_deep = 0;
    WarpRequest request;
    request.site = step.site;
    request.lanes = lanes;
    each([&](unsigned lane) {
      const LogEntry entry = *at_[lane];
      request.offset[lane] = entry.offset;
      elsewhere |= entry.site ^ step.site;
      less_deep |= entry.offset ^ step.offset;
    });
    if (elsewhere != 0 || (block && less_deep != 0)) break;
    each([&](unsigned lane) { ++at_[lane]; });
    if (block) depth = step.offset;
    count(request);
  }
  each([&](unsigned lane) { fibers[first_ + lane].depth = depth; });
}

void Lanes::replay(bool all) {
  for (unsigned lane = 0; lane < count_; ++lane) {
    end_[lane]->site = kSpent;
    arrive(lane);
  }
  for (;;) {
    if (!all && anyone_missing()) return;
    if (!go_together()) return;
  }
}

}  // namespace nibble::simt
