// What each lane of the running warp did since the last barrier, to be put together into what
// the warp asked for. Warps take turns, so there is room for one.
#pragma once

#include <cstdint>

#include "hot.hpp"
#include "race.hpp"

namespace nibble::simt {

void begin_log(bool on);

/// The room of a thread's log; null: nothing is logged.
Entry* log_begin(unsigned thread);
Entry* log_end(unsigned thread);

// The running lane's log. Where it is full the lane waits until the others have caught up. Out
// of line: a hook of a run that counts nothing is then a few instructions without a frame.

void log_access(Act act, std::uint64_t offset, unsigned size, const void* pc);

/// A basic block begins, `depth` bytes down the thread's stack.
void log_step(const void* pc, std::uint32_t depth);

void log_collective(unsigned mask, const void* pc);

/// A lane waits because its log is full.
bool has_full_log(unsigned warp);

/// Counts what the logs hold. `all`: every lane has come to a barrier or to its end; otherwise as
/// far as can be told, which makes room for one lane at least.
void count_log(unsigned warp, bool all);

}  // namespace nibble::simt
