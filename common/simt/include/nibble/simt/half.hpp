// __half and __half2: CUDA's 16-bit float, 1 sign bit, 5 exponent bits, 10 mantissa bits.
#pragma once

#include <concepts>

#include "nibble/simt/float16.hpp"
#include "nibble/simt/types.hpp"

struct __nv_bfloat16;

/// The bits alone, as CUDA's own functions take them.
struct alignas(2) __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};

struct alignas(2) __half : nibble::simt::float16::Number<__half, nibble::simt::HalfFormat> {
  __half() = default;
  NIBBLE_SIMT_INLINE constexpr __half(float x) : Number(x) {}
  NIBBLE_SIMT_INLINE constexpr __half(double x) : Number(x) {}
  template <std::integral Integer>
  NIBBLE_SIMT_INLINE constexpr __half(Integer n) : Number(n) {}
  NIBBLE_SIMT_INLINE explicit __half(__nv_bfloat16 x);  // in bfloat16.hpp
  NIBBLE_SIMT_INLINE constexpr __half(__half_raw bits) : Number(__builtin_bit_cast(Number, bits)) {}
  NIBBLE_SIMT_INLINE constexpr operator __half_raw() const { return {__x}; }
};

struct alignas(4) __half2 : nibble::simt::float16::Numbers<__half2, nibble::simt::HalfFormat> {
  __half x, y;  // x lies in the lower half of the word
  __half2() = default;
  NIBBLE_SIMT_INLINE constexpr __half2(__half low, __half high) : x(low), y(high) {}
  NIBBLE_SIMT_INLINE constexpr __half2(__half2_raw bits)
      : x(__half_raw{bits.x}), y(__half_raw{bits.y}) {}
  NIBBLE_SIMT_INLINE constexpr operator __half2_raw() const {
    return __builtin_bit_cast(__half2_raw, *this);  // one load of four bytes
  }
};

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

namespace nibble::simt {

/// x as a half, rounded once as wanted.
template <Rounding rounding, class Real>
NIBBLE_SIMT_INLINE constexpr __half to_half(Real x) {
  return __half_raw{static_cast<unsigned short>(encode<HalfFormat>(as_double_to_odd(x), rounding))};
}

}  // namespace nibble::simt

// -- floats ---------------------------------------------------------------------------------------

NIBBLE_SIMT_INLINE constexpr __half __double2half(double x) { return x; }
NIBBLE_SIMT_INLINE constexpr __half __float2half(float x) { return x; }
NIBBLE_SIMT_INLINE constexpr __half __float2half_rn(float x) { return x; }
NIBBLE_SIMT_INLINE constexpr __half __float2half_rz(float x) {
  return nibble::simt::to_half<nibble::simt::Rounding::kTowardZero>(x);
}
NIBBLE_SIMT_INLINE constexpr __half __float2half_rd(float x) {
  return nibble::simt::to_half<nibble::simt::Rounding::kDown>(x);
}
NIBBLE_SIMT_INLINE constexpr __half __float2half_ru(float x) {
  return nibble::simt::to_half<nibble::simt::Rounding::kUp>(x);
}
NIBBLE_SIMT_INLINE constexpr float __half2float(__half a) { return a; }

NIBBLE_SIMT_INLINE constexpr __half2 __float2half2_rn(float x) { return __half2(x, x); }
NIBBLE_SIMT_INLINE constexpr __half2 __floats2half2_rn(float low, float high) {
  return __half2(low, high);
}
NIBBLE_SIMT_INLINE __half2 __float22half2_rn(float2 x) { return __half2(x.x, x.y); }
NIBBLE_SIMT_INLINE float2 __half22float2(__half2 a) { return {a.x, a.y}; }

// -- integers: __half2int_rn(h), __int2half_rn(n) and so on ---------------------------------------

// clang-format off
#define NIBBLE_SIMT_HALF_ROUNDED(NAME, TYPE, SUFFIX, ROUNDING)                                       \
  NIBBLE_SIMT_INLINE constexpr TYPE __half2##NAME##_##SUFFIX(__half a) {                             \
    return nibble::simt::to_integer<TYPE>(float(a), nibble::simt::Rounding::ROUNDING); }             \
  NIBBLE_SIMT_INLINE constexpr __half __##NAME##2half_##SUFFIX(TYPE n) {                             \
    return nibble::simt::to_half<nibble::simt::Rounding::ROUNDING>(n); }                           
#define NIBBLE_SIMT_HALF_INTEGER(NAME, TYPE)                                                         \
  NIBBLE_SIMT_HALF_ROUNDED(NAME, TYPE, rn, kNearestEven)                                             \
  NIBBLE_SIMT_HALF_ROUNDED(NAME, TYPE, rz, kTowardZero)                                              \
  NIBBLE_SIMT_HALF_ROUNDED(NAME, TYPE, ru, kUp)                                                      \
  NIBBLE_SIMT_HALF_ROUNDED(NAME, TYPE, rd, kDown)
NIBBLE_SIMT_HALF_INTEGER(short, short)
NIBBLE_SIMT_HALF_INTEGER(ushort, unsigned short)
NIBBLE_SIMT_HALF_INTEGER(int, int)
NIBBLE_SIMT_HALF_INTEGER(uint, unsigned)
NIBBLE_SIMT_HALF_INTEGER(ll, long long)
NIBBLE_SIMT_HALF_INTEGER(ull, unsigned long long)
#undef NIBBLE_SIMT_HALF_INTEGER
#undef NIBBLE_SIMT_HALF_ROUNDED
// clang-format on
NIBBLE_SIMT_INLINE constexpr signed char __half2char_rz(__half a) { return a; }
NIBBLE_SIMT_INLINE constexpr unsigned char __half2uchar_rz(__half a) { return a; }

// -- bits and pairs -------------------------------------------------------------------------------

NIBBLE_SIMT_INLINE constexpr unsigned short __half_as_ushort(__half a) { return __half_raw(a).x; }
NIBBLE_SIMT_INLINE constexpr short __half_as_short(__half a) {
  return static_cast<short>(__half_raw(a).x);
}
NIBBLE_SIMT_INLINE constexpr __half __ushort_as_half(unsigned short bits) {
  return __half_raw{bits};
}
NIBBLE_SIMT_INLINE constexpr __half __short_as_half(short bits) {
  return __half_raw{static_cast<unsigned short>(bits)};
}

NIBBLE_SIMT_INLINE constexpr __half2 make_half2(__half x, __half y) { return __half2(x, y); }
NIBBLE_SIMT_INLINE constexpr __half2 __halves2half2(__half low, __half high) {
  return __half2(low, high);
}
NIBBLE_SIMT_INLINE constexpr __half2 __half2half2(__half a) { return __half2(a, a); }
NIBBLE_SIMT_INLINE constexpr __half __low2half(__half2 a) { return a.x; }
NIBBLE_SIMT_INLINE constexpr __half __high2half(__half2 a) { return a.y; }
NIBBLE_SIMT_INLINE constexpr __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
NIBBLE_SIMT_INLINE constexpr __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
NIBBLE_SIMT_INLINE constexpr __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
NIBBLE_SIMT_INLINE constexpr __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
