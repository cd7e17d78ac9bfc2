// PTX's bar.sync and bar.arrive with a number of threads: some of a block wait for each other, and
// some come by without waiting.
#pragma once

#include <cstdint>

namespace nibble::simt {

/// What a fiber's wait_op is that waits here; wait_arg is the barrier, width how many it is for.
inline constexpr int kAtNamedBarrier = 16;

/// A block begins, or all of its threads have met.
void forget_named_barriers();
void forget_named_meetings();

/// All threads have stopped. Lets those go on whose barrier is complete; false: there is none.
bool release_named_barriers();

/// Where threads wait at such a barrier for ever, a finding; false: there is none.
bool report_named_barrier();

/// Such a barrier lies between the stamp of that thread and the running one.
bool met_at_named_barrier(std::uint32_t stamp, unsigned thread);

}  // namespace nibble::simt
