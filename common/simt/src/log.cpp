#include "log.hpp"

#include <vector>

#include "fiber.hpp"
#include "launch_state.hpp"
#include "requests.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

constexpr std::size_t kCapacity = 2048;
// One more for what ends a log, and off a power of two, so that lanes share no cache set.
constexpr std::size_t kLane = kCapacity + 8;
std::vector<Entry> room;

}  // namespace

void begin_log(bool on) {
  room.resize(on ? kLane * 32 : 0);
  begin_requests();
}

Entry* log_begin(unsigned thread) {
  return room.empty() ? nullptr : room.data() + kLane * (thread % 32);
}

Entry* log_end(unsigned thread) { return room.empty() ? nullptr : log_begin(thread) + kCapacity; }

void wait_for_room() {
  current->state = State::kLogFull;
  yield();
}

bool has_full_log(unsigned warp) {
  for (unsigned i = warp * 32; i < warp_end(warp, running.threads); ++i) {
    if (fibers[i].state == State::kLogFull) return true;
  }
  return false;
}

void count_log(unsigned warp, bool all) {
  if (room.empty()) return;
  Lanes lanes(warp);
  if (options.lockstep) {
    lanes.replay(all);
  } else {
    lanes.merge();
  }
  lanes.keep_rest();
}

}  // namespace nibble::simt
