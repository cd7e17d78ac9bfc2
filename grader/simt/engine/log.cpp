#include "log.hpp"

#include <vector>

#include "fiber.hpp"
#include "launch_state.hpp"
#include "requests.hpp"
#include "seen_stores.hpp"
#include "warp.hpp"

namespace nibble::simt {
namespace {

constexpr std::size_t kCapacity = 2048;
// One more for what ends a log, and off a power of two, so that lanes share no cache set.
constexpr std::size_t kLane = kCapacity + 8;
std::vector<LogEntry> room;

}  // namespace

void begin_log(bool on) {
  room.resize(on ? kLane * 32 : 0);
  begin_requests();
}

LogEntry* log_begin(unsigned thread) {
  return room.empty() ? nullptr : room.data() + kLane * (thread % 32);
}

LogEntry* log_end(unsigned thread) {
  return room.empty() ? nullptr : log_begin(thread) + kCapacity;
}

void wait_for_room() {
  current->state = State::kLogFull;
  yield();
}

void log_access(Act act, std::uint64_t offset, unsigned size, const void* pc) {
  const auto size_log2 = static_cast<unsigned>(__builtin_ctz(size));
  if (act != Act::kRead) note_seen_store(offset, size);
  log_entry(site_of(static_cast<LogEvent>(act), size_log2, pc), static_cast<std::uint32_t>(offset));
}

void log_collective(unsigned mask, const void* pc) {
  if (hot.log_steps != 0) log_entry(site_of(LogEvent::kStep, kStepCollective, pc), mask);
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
