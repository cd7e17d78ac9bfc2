// What each lane of a warp did since the last barrier, to be put together into what the warp asked for.
#pragma once

#include "hot.hpp"

namespace nibble::simt {

void begin_log(bool on);

/// The room of a thread's log; null: nothing is logged.
Entry* log_begin(unsigned thread);
Entry* log_end(unsigned thread);

void log_step(const void* pc);
void log_collective(unsigned mask, const void* pc);

/// A lane waits because its log is full: makes room for one lane at least.
bool has_full_log(unsigned warp);
void drain_log(unsigned warp);

/// All lanes have come to a barrier or their end.
void flush_log(unsigned warp);

}  // namespace nibble::simt
