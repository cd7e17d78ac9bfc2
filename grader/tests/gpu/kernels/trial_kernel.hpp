// A contract of the tests' own: y[i] = x[i] + by.
#pragma once

#include "nibble/launch.hpp"

NIBBLE_KERNEL void add_to_all(const std::int32_t* x, std::int32_t* y, std::int32_t by,
                              std::int64_t n);
