// Lab 09: fake_quant. This header is the contract: read it, implement it, leave it be
// (the grader compiles your fake_quant.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// As many codes as can be added up without a thought: 2^22 * 255 < 2^31.
inline constexpr std::size_t kMostCodes = std::size_t{1} << 22;

/// Returns how many steps all codes together are away from the code that stands for 0.
///
///     sum = sum over i of (q[i] - zero_point)              exact; 0 for no codes
///
///     q       -2 -1  0  1  2  3  4  5          zero_point = 1
///              |--|--|--|--|--|--|--|
///     steps   -3 -2 -1  0  1  2  3  4
///
/// Requires: -128 <= zero_point <= 127, and at most kMostCodes codes. Otherwise throws
/// std::invalid_argument.
std::int32_t sum_of_steps(std::span<const std::int8_t> q, int zero_point);

NIBBLE_EXERCISES(sum_of_steps);

}  // namespace nibble
