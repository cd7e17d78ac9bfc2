// The logs of a warp, put together without looking at basic blocks.
#include <algorithm>
#include <cstring>
#include <vector>

#include "launch_state.hpp"
#include "log.hpp"
#include "requests.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

/// An access, and which visit of its place by its lane it is.
struct Visit {
  std::uint32_t site, number, lane, offset;
  auto key() const { return std::uint64_t{site} << 32 | number; }
};

void number_visits(const LogEntry* at, const LogEntry* end, unsigned lane,
                   std::vector<Visit>& visits) {
  const std::size_t begin = visits.size();
  for (; at != end; ++at) visits.push_back({at->site, 0, lane, at->offset});
  const auto mine = visits.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(mine, visits.end(),
                   [](const Visit& a, const Visit& b) { return a.site < b.site; });
  for (std::size_t i = begin + 1; i < visits.size(); ++i) {
    if (visits[i].site == visits[i - 1].site) visits[i].number = visits[i - 1].number + 1;
  }
}

}  // namespace

Lanes::Lanes(unsigned warp)
    : first_(warp * 32), count_(warp_end(warp, running.threads) - warp * 32) {
  for (unsigned lane = 0; lane < count_; ++lane) {
    at_[lane] = begin_[lane] = log_begin(lane);
    end_[lane] = fibers[first_ + lane].log;
  }
}

void Lanes::keep_rest() {
  for (unsigned lane = 0; lane < count_; ++lane) {
    const auto rest = static_cast<std::size_t>(end_[lane] - at_[lane]);
    if (rest != 0) std::memmove(begin_[lane], at_[lane], rest * sizeof(LogEntry));
    Fiber& f = fibers[first_ + lane];
    f.log = begin_[lane] + rest;
    if (f.state == State::kLogFull && at_[lane] != begin_[lane]) f.state = State::kReady;
  }
}

void Lanes::merge() {
  // While lanes agree on the sequence of places, entry k of each is one request.
  unsigned busy[32], lanes = 0;
  std::ptrdiff_t shortest = PTRDIFF_MAX;
  for (unsigned lane = 0; lane < count_; ++lane) {
    if (spent(lane)) continue;
    busy[lanes++] = lane;
    shortest = std::min(shortest, end_[lane] - at_[lane]);
  }
  if (lanes == 0) return;
  for (std::ptrdiff_t k = 0; k < shortest; ++k) {
    WarpRequest request;
    request.site = at_[busy[0]]->site;
    std::uint32_t differ = 0;
    for (unsigned i = 0; i < lanes; ++i) {
      const unsigned lane = busy[i];
      differ |= at_[lane]->site ^ request.site;
      request.offset[lane] = at_[lane]->offset;
      request.lanes |= 1u << lane;
    }
    if (differ != 0) break;
    count_request(request);
    for (unsigned i = 0; i < lanes; ++i) ++at_[busy[i]];
  }
  merge_visits();
}

void Lanes::merge_visits() {
  static std::vector<Visit> visits;
  visits.clear();
  for (unsigned lane = 0; lane < count_; ++lane) {
    number_visits(at_[lane], end_[lane], lane, visits);
    at_[lane] = end_[lane];
  }
  std::ranges::sort(visits, {}, [](const Visit& v) { return std::pair(v.key(), v.lane); });
  for (std::size_t i = 0; i < visits.size();) {
    WarpRequest request;
    request.site = visits[i].site;
    const std::uint64_t key = visits[i].key();
    for (; i < visits.size() && visits[i].key() == key; ++i) {
      request.lanes |= 1u << visits[i].lane;
      request.offset[visits[i].lane] = visits[i].offset;
    }
    count_request(request);
  }
}

}  // namespace nibble::simt
