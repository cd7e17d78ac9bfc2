// CUDA's <cuda_pipeline.h> for the SIMT engine: cp.async under the toolkit's own names. A copy lands at
// its wait and not before.
#pragma once

#include "nibble/simt.hpp"
#include "nibble/simt/cp_async.hpp"

/// `size` is 4, 8 or 16; the last `zeros` of these bytes are 0 instead of what is copied.
NIBBLE_SIMT_UNSEEN inline void __pipeline_memcpy_async(void* shared, const void* global,
                                                       std::size_t size, std::size_t zeros = 0) {
  nibble::simt::copy_async(shared, global, unsigned(size), unsigned(size - zeros), NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void __pipeline_commit() { nibble::simt::commit_copies(); }
NIBBLE_SIMT_UNSEEN inline void __pipeline_wait_prior(std::size_t unfinished) {
  nibble::simt::wait_for_copies(unsigned(unfinished), NIBBLE_SIMT_PC);
}
