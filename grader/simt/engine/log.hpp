// What each lane of the running warp did since the last barrier, to be put together into what
// the warp asked for. Warps take turns, so there is room for one.
#pragma once

#include <cstdint>

#include "hot.hpp"
#include "race.hpp"

namespace nibble::simt {

void begin_log(bool on);

/// The room of a thread's log; null: nothing is logged.
LogEntry* log_begin(unsigned thread);
LogEntry* log_end(unsigned thread);

/// Waits, with a log that is full, until the other lanes have caught up.
void wait_for_room();

/// Adds to the running lane's log.
inline void log_entry(std::uint32_t site, std::uint32_t offset) {
  if (hot.log == hot.log_end) [[unlikely]] {
    wait_for_room();
  }
  *hot.log++ = {site, offset};
}

inline std::uint32_t site_of(LogEvent event, unsigned size_log2, const void* pc) {
  return place_of(pc) << 5 | static_cast<std::uint32_t>(event) << 3 | size_log2;
}

/// A basic block begins, `depth` bytes down the thread's stack.
inline void log_step(const void* pc, std::uint32_t depth) {
  log_entry(site_of(LogEvent::kStep, kStepBlock, pc), depth);
}

/// Out of line: a hook of a run that counts nothing is then a few instructions without a frame.
void log_access(Act act, std::uint64_t offset, unsigned size, const void* pc);

void log_collective(unsigned mask, const void* pc);

/// Counts what the logs hold. `all`: every lane has come to a barrier or to its end; otherwise as
/// far as can be told, which makes room for one lane at least.
void count_log(unsigned warp, bool all);

}  // namespace nibble::simt
