// CUDA's integer intrinsics: bits, high halves of products, words of small integers, dot products.
#pragma once

#include <cstdint>

#include "nibble/pure.hpp"
#include "nibble/simt/min_max.hpp"
#include "nibble/simt/packed_integers.hpp"
#include "nibble/simt/types.hpp"

// -- counted: the engine counts every call, since labs are graded by them -------------------------

/// c + the four products of the bytes of a and b, modulo 2^32.
int __dp4a(int a, int b, int c) noexcept;
unsigned __dp4a(unsigned a, unsigned b, unsigned c) noexcept;
/// How many bits are set.
int __popc(unsigned x) noexcept;
int __popcll(unsigned long long x) noexcept;

NIBBLE_SIMT_INLINE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
NIBBLE_SIMT_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

// -- two 16-bit numbers by two bytes, the lower or the upper two of b -----------------------------

// clang-format off
#define NIBBLE_SIMT_DP2A(NAME, FIRST)                                                                \
  NIBBLE_SIMT_PURE constexpr int NAME(int a, int b, int c) {                                         \
    return static_cast<int>(nibble::simt::dp2a_exact<std::int16_t, std::int8_t>(                     \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c), FIRST)); }     \
  NIBBLE_SIMT_PURE constexpr unsigned NAME(unsigned a, unsigned b, unsigned c) {                     \
    return nibble::simt::dp2a_exact<std::uint16_t, std::uint8_t>(a, b, c, FIRST); }                  \
  NIBBLE_SIMT_INLINE constexpr int NAME(short2 a, char4 b, int c) {                                  \
    return NAME(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); }                        \
  NIBBLE_SIMT_INLINE constexpr unsigned NAME(ushort2 a, uchar4 b, unsigned c) {                      \
    return NAME(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c); }
NIBBLE_SIMT_DP2A(__dp2a_lo, 0)
NIBBLE_SIMT_DP2A(__dp2a_hi, 2)
#undef NIBBLE_SIMT_DP2A
// clang-format on

// -- bits -----------------------------------------------------------------------------------------

/// The place of the lowest set bit, from 1; 0 if there is none.
NIBBLE_SIMT_PURE constexpr int __ffs(int x) { return __builtin_ffs(x); }
NIBBLE_SIMT_PURE constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }
/// Zeros above the highest set bit; all of them for 0.
NIBBLE_SIMT_PURE constexpr int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
NIBBLE_SIMT_PURE constexpr int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

/// The bits in reverse order.
NIBBLE_SIMT_PURE constexpr unsigned long long __brevll(unsigned long long x) {
  unsigned long long reversed = 0;
  for (int i = 0; i < 64; ++i) {
    reversed |= (x >> i & 1) << (63 - i);
  }
  return reversed;
}
NIBBLE_SIMT_PURE constexpr unsigned __brev(unsigned x) {
  return static_cast<unsigned>(__brevll(x) >> 32);
}

/// Byte i of the result is the byte of y:x (x is bytes 0 to 3) that nibble i of the selector names
/// by its lower three bits.
NIBBLE_SIMT_PURE constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned chosen = selector >> (4 * i) & 7;
    result |= static_cast<unsigned>(bytes >> (8 * chosen) & 0xFF) << (8 * i);
  }
  return result;
}

/// 32 bits out of high:low, shifted by `shift` modulo 32; the names in c clamp the shift to 32.
NIBBLE_SIMT_PURE constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
NIBBLE_SIMT_PURE constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
NIBBLE_SIMT_PURE constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
NIBBLE_SIMT_PURE constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// -- products, means, distances -------------------------------------------------------------------

NIBBLE_SIMT_PURE constexpr int __mulhi(int a, int b) {
  return static_cast<int>((std::int64_t{a} * b) >> 32);
}
NIBBLE_SIMT_PURE constexpr unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
NIBBLE_SIMT_PURE constexpr long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
NIBBLE_SIMT_PURE constexpr unsigned long long __umul64hi(unsigned long long a,
                                                         unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

/// The lower 32 bits of the product of the lower 24 of each.
NIBBLE_SIMT_PURE constexpr unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xFFFFFF) * (b & 0xFFFFFF);
}
NIBBLE_SIMT_PURE constexpr int __mul24(int a, int b) {
  const int a24 = static_cast<int>(static_cast<unsigned>(a) << 8) >> 8;
  const int b24 = static_cast<int>(static_cast<unsigned>(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(a24) * static_cast<unsigned>(b24));
}

/// The mean, rounded down; the names with an r round it up. (__hadd of two halves is their sum.)
NIBBLE_SIMT_PURE constexpr int __hadd(int a, int b) {
  return static_cast<int>((std::int64_t{a} + b) >> 1);
}
NIBBLE_SIMT_PURE constexpr int __rhadd(int a, int b) {
  return static_cast<int>((std::int64_t{a} + b + 1) >> 1);
}
NIBBLE_SIMT_PURE constexpr unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((std::uint64_t{a} + b) >> 1);
}
NIBBLE_SIMT_PURE constexpr unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((std::uint64_t{a} + b + 1) >> 1);
}

/// sum + |a - b|, modulo 2^32.
NIBBLE_SIMT_PURE constexpr unsigned __sad(int a, int b, unsigned sum) {
  const std::int64_t difference = std::int64_t{a} - b;
  return sum + static_cast<unsigned>(difference < 0 ? -difference : difference);
}
NIBBLE_SIMT_PURE constexpr unsigned __usad(unsigned a, unsigned b, unsigned sum) {
  return sum + (a > b ? a - b : b - a);
}

// -- words of two or four: __vadd2, __vadd4 and so on; s is signed, u unsigned, ss and us saturate

// clang-format off
#define NIBBLE_SIMT_WORDS(NAME2, NAME4, LANE2, LANE4, ...)                                           \
  NIBBLE_SIMT_PURE constexpr unsigned NAME2(unsigned a, unsigned b) {                                \
    using Lane [[maybe_unused]] = std::LANE2;                                                        \
    return nibble::simt::per_lane<std::LANE2, nibble::simt::__VA_ARGS__>(a, b); }                    \
  NIBBLE_SIMT_PURE constexpr unsigned NAME4(unsigned a, unsigned b) {                                \
    using Lane [[maybe_unused]] = std::LANE4;                                                        \
    return nibble::simt::per_lane<std::LANE4, nibble::simt::__VA_ARGS__>(a, b); }
#define NIBBLE_SIMT_SIGNED(NAME, ...)                                                                \
  NIBBLE_SIMT_WORDS(__v##NAME##2, __v##NAME##4, int16_t, int8_t, __VA_ARGS__)
#define NIBBLE_SIMT_UNSIGNED(NAME, ...)                                                              \
  NIBBLE_SIMT_WORDS(__v##NAME##2, __v##NAME##4, uint16_t, uint8_t, __VA_ARGS__)
NIBBLE_SIMT_SIGNED(add, lane_sum)
NIBBLE_SIMT_SIGNED(addss, lane_clamped_sum<Lane>)
NIBBLE_SIMT_UNSIGNED(addus, lane_clamped_sum<Lane>)
NIBBLE_SIMT_SIGNED(sub, lane_difference)
NIBBLE_SIMT_SIGNED(subss, lane_clamped_difference<Lane>)
NIBBLE_SIMT_UNSIGNED(subus, lane_clamped_difference<Lane>)
NIBBLE_SIMT_SIGNED(maxs, lane_larger)
NIBBLE_SIMT_UNSIGNED(maxu, lane_larger)
NIBBLE_SIMT_SIGNED(mins, lane_smaller)
NIBBLE_SIMT_UNSIGNED(minu, lane_smaller)
NIBBLE_SIMT_SIGNED(absdiffs, lane_distance)
NIBBLE_SIMT_UNSIGNED(absdiffu, lane_distance)
NIBBLE_SIMT_SIGNED(avgs, lane_mean)
NIBBLE_SIMT_UNSIGNED(avgu, lane_mean)
NIBBLE_SIMT_UNSIGNED(haddu, lane_floor_mean)
#define NIBBLE_SIMT_COMPARES(SUFFIX, LANE2, LANE4, QUESTION)                                         \
  NIBBLE_SIMT_WORDS(__vset##SUFFIX##2, __vset##SUFFIX##4, LANE2, LANE4, QUESTION)                    \
  NIBBLE_SIMT_WORDS(__vcmp##SUFFIX##2, __vcmp##SUFFIX##4, LANE2, LANE4,                              \
                    lane_mask<nibble::simt::QUESTION>)
NIBBLE_SIMT_COMPARES(eq, int16_t, int8_t, lane_equal)
NIBBLE_SIMT_COMPARES(ne, int16_t, int8_t, lane_different)
NIBBLE_SIMT_COMPARES(lts, int16_t, int8_t, lane_less)
NIBBLE_SIMT_COMPARES(ltu, uint16_t, uint8_t, lane_less)
NIBBLE_SIMT_COMPARES(les, int16_t, int8_t, lane_less_or_equal)
NIBBLE_SIMT_COMPARES(leu, uint16_t, uint8_t, lane_less_or_equal)
NIBBLE_SIMT_COMPARES(gts, int16_t, int8_t, lane_greater)
NIBBLE_SIMT_COMPARES(gtu, uint16_t, uint8_t, lane_greater)
NIBBLE_SIMT_COMPARES(ges, int16_t, int8_t, lane_greater_or_equal)
NIBBLE_SIMT_COMPARES(geu, uint16_t, uint8_t, lane_greater_or_equal)
#undef NIBBLE_SIMT_COMPARES
#undef NIBBLE_SIMT_UNSIGNED
#undef NIBBLE_SIMT_SIGNED
#undef NIBBLE_SIMT_WORDS
// clang-format on

NIBBLE_SIMT_PURE constexpr unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
NIBBLE_SIMT_PURE constexpr unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
NIBBLE_SIMT_PURE constexpr unsigned __vnegss2(unsigned a) { return __vsubss2(0, a); }
NIBBLE_SIMT_PURE constexpr unsigned __vnegss4(unsigned a) { return __vsubss4(0, a); }
/// The smallest number stays itself; in the names with ss it becomes the largest.
NIBBLE_SIMT_PURE constexpr unsigned __vabs2(unsigned a) { return __vabsdiffs2(a, 0); }
NIBBLE_SIMT_PURE constexpr unsigned __vabs4(unsigned a) { return __vabsdiffs4(a, 0); }
NIBBLE_SIMT_PURE constexpr unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
NIBBLE_SIMT_PURE constexpr unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }

NIBBLE_SIMT_PURE constexpr unsigned __vsads2(unsigned a, unsigned b) {
  return nibble::simt::sum_of_differences<std::int16_t>(a, b);
}
NIBBLE_SIMT_PURE constexpr unsigned __vsads4(unsigned a, unsigned b) {
  return nibble::simt::sum_of_differences<std::int8_t>(a, b);
}
NIBBLE_SIMT_PURE constexpr unsigned __vsadu2(unsigned a, unsigned b) {
  return nibble::simt::sum_of_differences<std::uint16_t>(a, b);
}
NIBBLE_SIMT_PURE constexpr unsigned __vsadu4(unsigned a, unsigned b) {
  return nibble::simt::sum_of_differences<std::uint8_t>(a, b);
}

// -- the larger or smaller of three, and of a sum and a number ------------------------------------

// clang-format off
#define NIBBLE_SIMT_OF_THREE(KIND, T)                                                                       \
  NIBBLE_SIMT_PURE constexpr T __vimax3_##KIND(T a, T b, T c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); } \
  NIBBLE_SIMT_PURE constexpr T __vimin3_##KIND(T a, T b, T c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); } \
  NIBBLE_SIMT_PURE constexpr T __viaddmax_##KIND(T a, T b, T c) {                                           \
    const T sum = static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));                      \
    return sum > c ? sum : c; }                                                                             \
  NIBBLE_SIMT_PURE constexpr T __viaddmin_##KIND(T a, T b, T c) {                                           \
    const T sum = static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));                      \
    return sum < c ? sum : c; }
NIBBLE_SIMT_OF_THREE(s32, int)
NIBBLE_SIMT_OF_THREE(u32, unsigned)
#undef NIBBLE_SIMT_OF_THREE

/// No less than 0.
NIBBLE_SIMT_PURE constexpr int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
NIBBLE_SIMT_PURE constexpr int __vimin_s32_relu(int a, int b) { return __vimax3_s32(a < b ? a : b, 0, 0); }
NIBBLE_SIMT_PURE constexpr int __vimax3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(a, b > c ? b : c); }
NIBBLE_SIMT_PURE constexpr int __vimin3_s32_relu(int a, int b, int c) { return __vimin_s32_relu(a, b < c ? b : c); }

NIBBLE_SIMT_PURE constexpr unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vmaxs2(a, b), c); }
NIBBLE_SIMT_PURE constexpr unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vmaxu2(a, b), c); }
NIBBLE_SIMT_PURE constexpr unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vmins2(a, b), c); }
NIBBLE_SIMT_PURE constexpr unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vminu2(a, b), c); }
// clang-format on
