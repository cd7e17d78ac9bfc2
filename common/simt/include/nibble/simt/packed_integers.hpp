// Several small integers in a 32-bit word, as the GPU's video and dot-product instructions see
// them.
//
//   word   b3 b2 b1 b0      four int8_t or uint8_t, b0 lowest
//          h1    h0         two int16_t or uint16_t
#pragma once

#include <cstdint>
#include <limits>

#include "nibble/pure.hpp"

namespace nibble::simt {

/// Lane number `index` of a word.
template <class Lane>
NIBBLE_SIMT_PURE constexpr int lane(std::uint32_t word, int index) {
  return static_cast<Lane>(word >> (index * 8 * static_cast<int>(sizeof(Lane))));
}

/// The word whose lanes are f of the lanes of a and b, cut to their width.
template <class Lane, int (*f)(int, int)>
NIBBLE_SIMT_PURE constexpr std::uint32_t per_lane(std::uint32_t a, std::uint32_t b) {
  constexpr int kBits = 8 * sizeof(Lane);
  constexpr std::uint32_t kMask = (1u << kBits) - 1;
  std::uint32_t result = 0;
  for (int i = 0; i < 32 / kBits; ++i) {
    const auto value = static_cast<std::uint32_t>(f(lane<Lane>(a, i), lane<Lane>(b, i)));
    result |= (value & kMask) << (i * kBits);
  }
  return result;
}

/// Sum of |a - b| over the lanes.
template <class Lane>
NIBBLE_SIMT_PURE constexpr std::uint32_t sum_of_differences(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(Lane)); ++i) {
    const int difference = lane<Lane>(a, i) - lane<Lane>(b, i);
    sum += static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
  }
  return sum;
}

/// c + a0*b0 + a1*b1 + a2*b2 + a3*b3, modulo 2^32. Byte is int8_t or uint8_t.
template <class Byte>
NIBBLE_SIMT_PURE constexpr std::uint32_t dp4a_exact(std::uint32_t a, std::uint32_t b,
                                                    std::uint32_t c) {
  // No loop: lab 22 spends two fifths of its time here, and not every compiler unrolls one.
  return c + static_cast<std::uint32_t>(lane<Byte>(a, 0) * lane<Byte>(b, 0)) +
         static_cast<std::uint32_t>(lane<Byte>(a, 1) * lane<Byte>(b, 1)) +
         static_cast<std::uint32_t>(lane<Byte>(a, 2) * lane<Byte>(b, 2)) +
         static_cast<std::uint32_t>(lane<Byte>(a, 3) * lane<Byte>(b, 3));
}

/// c + a0*b[first] + a1*b[first + 1], modulo 2^32: two 16-bit lanes of a, two bytes of b.
template <class Short, class Byte>
NIBBLE_SIMT_PURE constexpr std::uint32_t dp2a_exact(std::uint32_t a, std::uint32_t b,
                                                    std::uint32_t c, int first) {
  for (int i = 0; i < 2; ++i) {
    c += static_cast<std::uint32_t>(lane<Short>(a, i) * lane<Byte>(b, first + i));
  }
  return c;
}

// -- what per_lane can do -------------------------------------------------------------------------

template <class Lane>
NIBBLE_SIMT_PURE constexpr int clamped(int x) {
  constexpr int kMin = std::numeric_limits<Lane>::min();
  constexpr int kMax = std::numeric_limits<Lane>::max();
  return x < kMin ? kMin : x > kMax ? kMax : x;
}

NIBBLE_SIMT_PURE constexpr int lane_sum(int a, int b) { return a + b; }
NIBBLE_SIMT_PURE constexpr int lane_difference(int a, int b) { return a - b; }
NIBBLE_SIMT_PURE constexpr int lane_larger(int a, int b) { return a > b ? a : b; }
NIBBLE_SIMT_PURE constexpr int lane_smaller(int a, int b) { return a < b ? a : b; }
NIBBLE_SIMT_PURE constexpr int lane_distance(int a, int b) { return a > b ? a - b : b - a; }
/// Rounded down.
NIBBLE_SIMT_PURE constexpr int lane_floor_mean(int a, int b) { return (a + b) >> 1; }
/// Rounded to nearest, halves away from zero.
NIBBLE_SIMT_PURE constexpr int lane_mean(int a, int b) {
  return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
}
template <class Lane>
NIBBLE_SIMT_PURE constexpr int lane_clamped_sum(int a, int b) {
  return clamped<Lane>(a + b);
}
template <class Lane>
NIBBLE_SIMT_PURE constexpr int lane_clamped_difference(int a, int b) {
  return clamped<Lane>(a - b);
}

NIBBLE_SIMT_PURE constexpr int lane_equal(int a, int b) { return a == b ? 1 : 0; }
NIBBLE_SIMT_PURE constexpr int lane_different(int a, int b) { return a != b ? 1 : 0; }
NIBBLE_SIMT_PURE constexpr int lane_less(int a, int b) { return a < b ? 1 : 0; }
NIBBLE_SIMT_PURE constexpr int lane_less_or_equal(int a, int b) { return a <= b ? 1 : 0; }
NIBBLE_SIMT_PURE constexpr int lane_greater(int a, int b) { return a > b ? 1 : 0; }
NIBBLE_SIMT_PURE constexpr int lane_greater_or_equal(int a, int b) { return a >= b ? 1 : 0; }

/// The same answer as a mask: -1 has all bits set.
template <int (*question)(int, int)>
NIBBLE_SIMT_PURE constexpr int lane_mask(int a, int b) {
  return -question(a, b);
}

}  // namespace nibble::simt
