// __nv_fp8_e4m3 and __nv_fp8_e5m2: 8-bit floats to store, in ones, twos and fours; one computes in
// a wider type. The types saturate: too large, Inf included, becomes the largest finite value.
//
// The non-saturating conversions (__NV_NOSAT) give NaN for E4M3, which has no Inf,
// and Inf for E5M2.
#pragma once

#include <concepts>
#include <cstdint>

#include "nibble/float_format.hpp"
#include "nibble/simt/bfloat16.hpp"
#include "nibble/simt/half.hpp"
#include "nibble/simt/types.hpp"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;  // the first in the lowest byte
using __nv_fp8x4_storage_t = unsigned;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace nibble::simt::fp8 {

NIBBLE_SIMT_PURE constexpr unsigned code(double x, __nv_saturation_t saturation,
                                         __nv_fp8_interpretation_t kind) {
  const Overflow overflow =
      saturation == __NV_SATFINITE ? Overflow::kSaturate : Overflow::kToInfinity;
  return kind == __NV_E4M3 ? encode<E4m3Format>(x, Rounding::kNearestEven, overflow)
                           : encode<E5m2Format>(x, Rounding::kNearestEven, overflow);
}

/// A NaN that was a double keeps its sign and, in E5M2, the top of its payload: CUDA converts
/// doubles in software, floats in hardware.
NIBBLE_SIMT_PURE constexpr unsigned code_of_double(double x, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind) {
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  if ((bits & ~(std::uint64_t{1} << 63)) <= std::uint64_t{0x7FF} << 52) {
    return code(x, saturation, kind);
  }
  const unsigned sign = bits >> 63 != 0 ? 0x80 : 0;
  return sign | (kind == __NV_E4M3 ? 0x7Fu : 0x7Eu | static_cast<unsigned>(bits >> 50 & 3));
}

NIBBLE_SIMT_PURE constexpr float value(unsigned code, __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? decode<E4m3Format>(code) : decode<E5m2Format>(code);
}

NIBBLE_SIMT_PURE constexpr unsigned half_code(unsigned code, __nv_fp8_interpretation_t kind) {
  return encode<HalfFormat>(value(code, kind));
}

NIBBLE_SIMT_PURE constexpr float half_value(unsigned short code) {
  return decode<HalfFormat>(code);
}

NIBBLE_SIMT_PURE constexpr float bfloat16_value(unsigned short code) {
  return decode<Bfloat16Format>(code);
}

}  // namespace nibble::simt::fp8

// -- codes ----------------------------------------------------------------------------------------

NIBBLE_SIMT_PURE constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8_storage_t>(nibble::simt::fp8::code_of_double(x, saturation, kind));
}

NIBBLE_SIMT_PURE constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8_storage_t>(nibble::simt::fp8::code(x, saturation, kind));
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(nibble::simt::fp8::half_value(x.x), saturation, kind);
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(nibble::simt::fp8::bfloat16_value(x.x), saturation, kind);
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_double_to_fp8(x.y, saturation, kind) << 8);
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(
      {nibble::simt::fp8::half_value(x.x), nibble::simt::fp8::half_value(x.y)}, saturation, kind);
}

NIBBLE_SIMT_INLINE constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(
      {nibble::simt::fp8::bfloat16_value(x.x), nibble::simt::fp8::bfloat16_value(x.y)}, saturation,
      kind);
}

/// Exact: a half holds every fp8 value.
NIBBLE_SIMT_INLINE constexpr __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t code,
                                                                __nv_fp8_interpretation_t kind) {
  return {static_cast<unsigned short>(nibble::simt::fp8::half_code(code, kind))};
}

NIBBLE_SIMT_INLINE constexpr __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t codes, __nv_fp8_interpretation_t kind) {
  return {static_cast<unsigned short>(nibble::simt::fp8::half_code(codes & 0xFF, kind)),
          static_cast<unsigned short>(nibble::simt::fp8::half_code(codes >> 8, kind))};
}

// -- types ----------------------------------------------------------------------------------------

namespace nibble::simt::fp8 {

template <__nv_fp8_interpretation_t kind>
struct One {
  __nv_fp8_storage_t __x;  // public, and of this name, in CUDA too

  One() = default;
  NIBBLE_SIMT_INLINE constexpr explicit One(double x)
      : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}
  NIBBLE_SIMT_INLINE constexpr explicit One(float x)
      : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}
  // By way of a float, as CUDA does it: an integer above 2^24 is rounded twice.
  template <std::integral Integer>
  NIBBLE_SIMT_INLINE constexpr explicit One(Integer n) : One(static_cast<float>(n)) {}
  NIBBLE_SIMT_INLINE constexpr explicit One(__half x) : One(float(x)) {}
  NIBBLE_SIMT_INLINE constexpr explicit One(__nv_bfloat16 x) : One(float(x)) {}

  NIBBLE_SIMT_INLINE constexpr explicit operator float() const { return value(__x, kind); }
  NIBBLE_SIMT_INLINE constexpr explicit operator double() const { return value(__x, kind); }
  NIBBLE_SIMT_INLINE constexpr explicit operator bool() const { return (__x & 0x7F) != 0; }
  NIBBLE_SIMT_INLINE constexpr explicit operator __half() const {
    return __nv_cvt_fp8_to_halfraw(__x, kind);
  }
  NIBBLE_SIMT_INLINE constexpr explicit operator __nv_bfloat16() const { return value(__x, kind); }
  /// Towards zero, clamped; NaN becomes 0, or 0x8000... in 64 bits.
  template <std::integral Integer>
  NIBBLE_SIMT_INLINE constexpr explicit operator Integer() const {
    return to_integer<Integer>(value(__x, kind), Rounding::kTowardZero);
  }
};

template <__nv_fp8_interpretation_t kind>
struct alignas(2) Two {
  __nv_fp8x2_storage_t __x;

  Two() = default;
  NIBBLE_SIMT_INLINE constexpr explicit Two(float2 x)
      : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
  NIBBLE_SIMT_INLINE constexpr explicit Two(double2 x)
      : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
  NIBBLE_SIMT_INLINE constexpr explicit Two(__half2 x)
      : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
  NIBBLE_SIMT_INLINE constexpr explicit Two(__nv_bfloat162 x)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}

  NIBBLE_SIMT_INLINE constexpr explicit operator float2() const {
    const __nv_fp8x2_storage_t codes = __x;  // one load, as on the GPU
    return {value(codes & 0xFF, kind), value(codes >> 8, kind)};
  }
  NIBBLE_SIMT_INLINE constexpr explicit operator __half2() const {
    return __nv_cvt_fp8x2_to_halfraw2(__x, kind);
  }
};

template <__nv_fp8_interpretation_t kind>
struct alignas(4) Four {
  __nv_fp8x4_storage_t __x;

  Four() = default;
  NIBBLE_SIMT_INLINE constexpr explicit Four(float4 x)
      : __x(joined(Two<kind>(float2{x.x, x.y}), Two<kind>(float2{x.z, x.w}))) {}
  NIBBLE_SIMT_INLINE constexpr explicit Four(double4 x)
      : __x(joined(Two<kind>(double2{x.x, x.y}), Two<kind>(double2{x.z, x.w}))) {}
  NIBBLE_SIMT_INLINE constexpr explicit Four(__half2 low, __half2 high)
      : __x(joined(Two<kind>(low), Two<kind>(high))) {}
  NIBBLE_SIMT_INLINE constexpr explicit Four(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(joined(Two<kind>(low), Two<kind>(high))) {}

  NIBBLE_SIMT_INLINE constexpr explicit operator float4() const {
    const __nv_fp8x4_storage_t codes = __x;  // one load, as on the GPU
    return {value(codes & 0xFF, kind), value(codes >> 8 & 0xFF, kind),
            value(codes >> 16 & 0xFF, kind), value(codes >> 24, kind)};
  }

 private:
  NIBBLE_SIMT_INLINE static constexpr __nv_fp8x4_storage_t joined(Two<kind> low, Two<kind> high) {
    return low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16;
  }
};

}  // namespace nibble::simt::fp8

// The constructors are written out: an inherited one is a function of its own, and the store in it
// would be found at no line of the learner's.
// clang-format off
#define NIBBLE_SIMT_FP8(NAME, KIND)                                                                  \
  struct __nv_fp8_##NAME : nibble::simt::fp8::One<KIND> {                                            \
    __nv_fp8_##NAME() = default;                                                                     \
    template <class Number> requires std::constructible_from<One, Number>                            \
    NIBBLE_SIMT_INLINE constexpr explicit __nv_fp8_##NAME(Number x) : One(x) {} };                   \
  struct alignas(2) __nv_fp8x2_##NAME : nibble::simt::fp8::Two<KIND> {                               \
    __nv_fp8x2_##NAME() = default;                                                                   \
    template <class Pair> requires std::constructible_from<Two, Pair>                                \
    NIBBLE_SIMT_INLINE constexpr explicit __nv_fp8x2_##NAME(Pair x) : Two(x) {} };                   \
  struct alignas(4) __nv_fp8x4_##NAME : nibble::simt::fp8::Four<KIND> {                              \
    __nv_fp8x4_##NAME() = default;                                                                   \
    template <class... Parts> requires std::constructible_from<Four, Parts...>                       \
    NIBBLE_SIMT_INLINE constexpr explicit __nv_fp8x4_##NAME(Parts... x) : Four(x...) {} };
NIBBLE_SIMT_FP8(e4m3, __NV_E4M3)
NIBBLE_SIMT_FP8(e5m2, __NV_E5M2)
#undef NIBBLE_SIMT_FP8
// clang-format on
