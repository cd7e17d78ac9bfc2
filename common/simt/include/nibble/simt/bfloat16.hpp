// __nv_bfloat16 and __nv_bfloat162: the upper half of a float, 1 sign bit, 8 exponent bits, 7
// mantissa bits.
#pragma once

#include <concepts>

#include "nibble/simt/float16.hpp"
#include "nibble/simt/half.hpp"
#include "nibble/simt/types.hpp"

/// The bits alone, as CUDA's own functions take them.
struct alignas(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct alignas(2) __nv_bfloat16
    : nibble::simt::float16::Number<__nv_bfloat16, nibble::simt::Bfloat16Format> {
  __nv_bfloat16() = default;
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat16(float x) : Number(x) {}
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat16(double x) : Number(x) {}
  template <std::integral Integer>
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat16(Integer n) : Number(n) {}
  NIBBLE_SIMT_INLINE explicit __nv_bfloat16(__half x) : Number(float(x)) {}
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat16(__nv_bfloat16_raw bits)
      : Number(__builtin_bit_cast(Number, bits)) {}
  NIBBLE_SIMT_INLINE constexpr operator __nv_bfloat16_raw() const { return {__x}; }
};

struct alignas(4) __nv_bfloat162
    : nibble::simt::float16::Numbers<__nv_bfloat162, nibble::simt::Bfloat16Format> {
  __nv_bfloat16 x, y;  // x lies in the lower half of the word
  __nv_bfloat162() = default;
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
      : x(low), y(high) {}
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat162(__nv_bfloat162_raw bits)
      : x(__nv_bfloat16_raw{bits.x}), y(__nv_bfloat16_raw{bits.y}) {}
  NIBBLE_SIMT_INLINE constexpr operator __nv_bfloat162_raw() const {
    return __builtin_bit_cast(__nv_bfloat162_raw, *this);  // one load of four bytes
  }
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

namespace nibble::simt {

/// x as a bfloat16, rounded once as wanted.
template <Rounding rounding, class Real>
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 to_bfloat16(Real x) {
  return __nv_bfloat16_raw{
      static_cast<unsigned short>(encode<Bfloat16Format>(as_double_to_odd(x), rounding))};
}

}  // namespace nibble::simt

// -- floats ---------------------------------------------------------------------------------------

NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __double2bfloat16(double x) { return x; }
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __float2bfloat16(float x) { return x; }
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __float2bfloat16_rz(float x) {
  return nibble::simt::to_bfloat16<nibble::simt::Rounding::kTowardZero>(x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __float2bfloat16_rd(float x) {
  return nibble::simt::to_bfloat16<nibble::simt::Rounding::kDown>(x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __float2bfloat16_ru(float x) {
  return nibble::simt::to_bfloat16<nibble::simt::Rounding::kUp>(x);
}
NIBBLE_SIMT_INLINE constexpr float __bfloat162float(__nv_bfloat16 a) { return a; }

NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __nv_bfloat162(x, x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162(low, high);
}
NIBBLE_SIMT_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 x) {
  return __nv_bfloat162(x.x, x.y);
}
NIBBLE_SIMT_INLINE float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }

// -- integers: __bfloat162int_rn(h), __int2bfloat16_rn(n) and so on -------------------------------

// clang-format off
#define NIBBLE_SIMT_BFLOAT16_ROUNDED(NAME, TYPE, SUFFIX, ROUNDING)                                       \
  NIBBLE_SIMT_INLINE constexpr TYPE __bfloat162##NAME##_##SUFFIX(__nv_bfloat16 a) {                             \
    return nibble::simt::to_integer<TYPE>(float(a), nibble::simt::Rounding::ROUNDING); }             \
  NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __##NAME##2bfloat16_##SUFFIX(TYPE n) {                             \
    return nibble::simt::to_bfloat16<nibble::simt::Rounding::ROUNDING>(n); }                           
#define NIBBLE_SIMT_BFLOAT16_INTEGER(NAME, TYPE)                                                         \
  NIBBLE_SIMT_BFLOAT16_ROUNDED(NAME, TYPE, rn, kNearestEven)                                             \
  NIBBLE_SIMT_BFLOAT16_ROUNDED(NAME, TYPE, rz, kTowardZero)                                              \
  NIBBLE_SIMT_BFLOAT16_ROUNDED(NAME, TYPE, ru, kUp)                                                      \
  NIBBLE_SIMT_BFLOAT16_ROUNDED(NAME, TYPE, rd, kDown)
NIBBLE_SIMT_BFLOAT16_INTEGER(short, short)
NIBBLE_SIMT_BFLOAT16_INTEGER(ushort, unsigned short)
NIBBLE_SIMT_BFLOAT16_INTEGER(int, int)
NIBBLE_SIMT_BFLOAT16_INTEGER(uint, unsigned)
NIBBLE_SIMT_BFLOAT16_INTEGER(ll, long long)
NIBBLE_SIMT_BFLOAT16_INTEGER(ull, unsigned long long)
#undef NIBBLE_SIMT_BFLOAT16_INTEGER
#undef NIBBLE_SIMT_BFLOAT16_ROUNDED
// clang-format on
NIBBLE_SIMT_INLINE constexpr signed char __bfloat162char_rz(__nv_bfloat16 a) { return a; }
NIBBLE_SIMT_INLINE constexpr unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) { return a; }

// -- bits and pairs -------------------------------------------------------------------------------

NIBBLE_SIMT_INLINE constexpr unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return __nv_bfloat16_raw(a).x;
}
NIBBLE_SIMT_INLINE constexpr short __bfloat16_as_short(__nv_bfloat16 a) {
  return static_cast<short>(__nv_bfloat16_raw(a).x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16_raw{bits};
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}

NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low,
                                                               __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
NIBBLE_SIMT_INLINE constexpr __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.x, a.x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.y);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
NIBBLE_SIMT_INLINE constexpr __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}

NIBBLE_SIMT_INLINE __half::__half(__nv_bfloat16 x) : Number(float(x)) {}
