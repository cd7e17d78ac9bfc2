// An instruction that only sm_90a has.
#include "trial_kernel.hpp"

NIBBLE_LAUNCH(add_to_all, .block_x = 128);

NIBBLE_KERNEL void add_to_all(const std::int32_t*, std::int32_t*, std::int32_t, std::int64_t) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
