// A kernel that starts another: refused as long as -rdc=true is not given.
#include "trial_kernel.hpp"

__global__ void child() {}

NIBBLE_KERNEL void add_to_all(const std::int32_t*, std::int32_t*, std::int32_t, std::int64_t) {
  // clang-format off
  child<<<1, 1>>>();
  // clang-format on
}
