// A contract of the tests' own: y[i] = x[i] + by.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

NIBBLE_KERNEL void add_to_all(const std::int32_t* x, std::int32_t* y, std::int32_t by,
                              std::int64_t n);

inline void sum_with(std::span<const std::int32_t> x, std::span<std::int32_t> y, std::int32_t by) {
  NIBBLE_RUN(add_to_all, (Work{.n = std::ssize(x)}), x, y, by, std::ssize(x));
}

NIBBLE_EXERCISES(sum_with);

}  // namespace nibble
