// __syncthreads.
#pragma once

namespace nibble::simt {

/// All threads of the block have stopped. Lets those at the barrier go on; false when the block is
/// finished, or can never go on, which is then a finding.
bool release_barrier();

}  // namespace nibble::simt
