// The integer interval [qmin, qmax] a quantized value lives in.
#pragma once

#include <cstdint>

namespace nibble {

/// Closed interval of representable codes.
struct IntRange {
  std::int32_t qmin;  ///< the smallest code
  std::int32_t qmax;  ///< the largest code
};

/// Two's-complement range of `num_bits` bits: 8 -> [-128, 127], 4 -> [-8, 7].
constexpr IntRange signed_range(int num_bits) {
  return {-(std::int32_t{1} << (num_bits - 1)), (std::int32_t{1} << (num_bits - 1)) - 1};
}

/// Unsigned range of `num_bits` bits: 8 -> [0, 255], 4 -> [0, 15].
constexpr IntRange unsigned_range(int num_bits) { return {0, (std::int32_t{1} << num_bits) - 1}; }

static_assert(signed_range(8).qmin == -128 && signed_range(8).qmax == 127);
static_assert(unsigned_range(4).qmax == 15);

}  // namespace nibble
