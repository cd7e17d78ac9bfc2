// A float as the 16 bits of a half (binary16), for what is stored: 1 sign, 5 exponent, 10 mantissa.
#pragma once

#include <cstdint>

#include "nibble/float_format.hpp"

namespace nibble {

/// The half next to x; ties go to the even one. From 65520 on it is Inf, up to 2^-25 it is 0.
inline std::uint16_t half_from_float(float x) {
  return static_cast<std::uint16_t>(simt::encode<simt::HalfFormat>(x));
}

/// The value of a half: exact, since every half is a float.
inline float float_from_half(std::uint16_t bits) { return simt::decode<simt::HalfFormat>(bits); }

}  // namespace nibble
