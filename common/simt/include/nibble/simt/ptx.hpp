// Instructions of inline PTX, as the rewriter names them: mma.sync.… is mma_sync_…. What goes to
// memory, or needs other threads, is told to the engine under the learner's line.
//
// Registers are unsigned, float, unsigned short, unsigned long long and bool.
#pragma once

#include "nibble/simt/ptx_memory.hpp"
#include "nibble/simt/ptx_threads.hpp"
#include "nibble/simt/ptx_values.hpp"
