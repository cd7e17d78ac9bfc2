// What a learner hands in.
#include "trial_kernel.hpp"

NIBBLE_LAUNCH(add_to_all, .block_x = 128, .tile_n = 256);

NIBBLE_KERNEL void add_to_all(const std::int32_t* x, std::int32_t* y, std::int32_t by,
                              std::int64_t n) {
  static_assert(2 * add_to_all_launch.block_x == add_to_all_launch.tile_n);
  const std::int64_t first = std::int64_t{blockIdx.x} * add_to_all_launch.tile_n + threadIdx.x;
  for (std::int64_t i = first; i < n && i < first + 256; i += 128) y[i] = x[i] + by;
}
