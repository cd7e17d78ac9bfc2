// What __half and __nv_bfloat16 have in common: 16 bits, and CUDA's names for what one does with
// them. The names are friends, found by the type of their arguments, so that one text serves both.
//
// Every argument is copied once and taken apart at once. That copy is the learner's load, at the
// learner's line; a second one would only be more for the checked build to look at.
#pragma once

#include <concepts>
#include <cstdint>

#include "nibble/pure.hpp"
#include "nibble/simt/float_arithmetic.hpp"
#include "nibble/simt/round_integer.hpp"

namespace nibble::simt::float16 {

/// A real function of one number, computed in double and rounded once. The GPU's own are
/// approximations and may differ from these in the last place.
template <class Format, double (*function)(double)>
NIBBLE_SIMT_PURE inline std::uint32_t of_double(std::uint32_t a) {
  return encode<Format>(function(value<Format>(a)));
}

NIBBLE_SIMT_PURE inline double reciprocal(double x) { return 1 / x; }
NIBBLE_SIMT_PURE inline double reciprocal_root(double x) { return 1 / __builtin_sqrt(x); }
NIBBLE_SIMT_PURE inline double exponential(double x) { return __builtin_exp(x); }
NIBBLE_SIMT_PURE inline double exponential2(double x) { return __builtin_exp2(x); }
NIBBLE_SIMT_PURE inline double exponential10(double x) { return __builtin_pow(10, x); }
NIBBLE_SIMT_PURE inline double logarithm(double x) { return __builtin_log(x); }
NIBBLE_SIMT_PURE inline double logarithm2(double x) { return __builtin_log2(x); }
NIBBLE_SIMT_PURE inline double logarithm10(double x) { return __builtin_log10(x); }
NIBBLE_SIMT_PURE inline double sine(double x) { return __builtin_sin(x); }
NIBBLE_SIMT_PURE inline double cosine(double x) { return __builtin_cos(x); }
NIBBLE_SIMT_PURE inline double hyperbolic_tangent(double x) { return __builtin_tanh(x); }

template <class Format, Rounding rounding>
NIBBLE_SIMT_PURE constexpr std::uint32_t to_whole(std::uint32_t a) {
  return encode<Format>(round_to_whole(value<Format>(a), rounding));
}

template <class Format, class Integer>
NIBBLE_SIMT_PURE constexpr Integer truncated(std::uint32_t a) {
  return to_integer<Integer>(decode<Format>(a), Rounding::kTowardZero);
}

/// One number; T is the class made of it.
template <class T, class Format>
class Number {
 public:
  Number() = default;

  NIBBLE_SIMT_INLINE constexpr operator float() const { return decode<Format>(__x); }
  NIBBLE_SIMT_INLINE constexpr operator bool() const { return (__x & (Format::kSign - 1)) != 0; }
  NIBBLE_SIMT_INLINE constexpr operator char() const { return truncated<Format, char>(__x); }
  NIBBLE_SIMT_INLINE constexpr operator signed char() const {
    return truncated<Format, signed char>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator unsigned char() const {
    return truncated<Format, unsigned char>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator short() const { return truncated<Format, short>(__x); }
  NIBBLE_SIMT_INLINE constexpr operator unsigned short() const {
    return truncated<Format, unsigned short>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator int() const { return truncated<Format, int>(__x); }
  NIBBLE_SIMT_INLINE constexpr operator unsigned() const {
    return truncated<Format, unsigned>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator long() const { return truncated<Format, long>(__x); }
  NIBBLE_SIMT_INLINE constexpr operator unsigned long() const {
    return truncated<Format, unsigned long>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator long long() const {
    return truncated<Format, long long>(__x);
  }
  NIBBLE_SIMT_INLINE constexpr operator unsigned long long() const {
    return truncated<Format, unsigned long long>(__x);
  }

  friend NIBBLE_SIMT_INLINE constexpr T __hadd(T a, T b) {
    return number(add<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hsub(T a, T b) {
    return number(subtract<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmul(T a, T b) {
    return number(multiply<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE T __hdiv(T a, T b) { return number(divide<Format>(a.__x, b.__x)); }
  friend NIBBLE_SIMT_INLINE constexpr T __hfma(T a, T b, T c) {
    return number(multiply_add<Format>(a.__x, b.__x, c.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hneg(T a) { return number(negate<Format>(a.__x)); }
  friend NIBBLE_SIMT_INLINE constexpr T __habs(T a) { return number(absolute<Format>(a.__x)); }

  // nvcc may join a product and a sum into one fma; with these names it does not.
  // Here it never happens.
  friend NIBBLE_SIMT_INLINE constexpr T __hadd_rn(T a, T b) {
    return number(add<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hsub_rn(T a, T b) {
    return number(subtract<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmul_rn(T a, T b) {
    return number(multiply<Format>(a.__x, b.__x));
  }

  // Clamped to [0, 1], or to [0, Inf]. 0 and 1 are codes, so rounding first changes nothing.
  friend NIBBLE_SIMT_INLINE constexpr T __hadd_sat(T a, T b) {
    return number(saturate<Format>(add<Format>(a.__x, b.__x)));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hsub_sat(T a, T b) {
    return number(saturate<Format>(subtract<Format>(a.__x, b.__x)));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmul_sat(T a, T b) {
    return number(saturate<Format>(multiply<Format>(a.__x, b.__x)));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hfma_sat(T a, T b, T c) {
    return number(saturate<Format>(multiply_add<Format>(a.__x, b.__x, c.__x)));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hfma_relu(T a, T b, T c) {
    return number(rectify<Format>(multiply_add<Format>(a.__x, b.__x, c.__x)));
  }

  friend NIBBLE_SIMT_INLINE constexpr T __hmax(T a, T b) {
    return number(maximum<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmin(T a, T b) {
    return number(minimum<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmax_nan(T a, T b) {
    return number(maximum_nan<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T __hmin_nan(T a, T b) {
    return number(minimum_nan<Format>(a.__x, b.__x));
  }

  // With a NaN the answer is no; of the names that end in u (unordered) it is yes.
  friend NIBBLE_SIMT_INLINE constexpr bool __heq(T a, T b) {
    return is_equal<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hne(T a, T b) {
    return is_different<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hlt(T a, T b) { return is_less<Format>(a.__x, b.__x); }
  friend NIBBLE_SIMT_INLINE constexpr bool __hle(T a, T b) {
    return is_less_or_equal<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hgt(T a, T b) {
    return is_greater<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hge(T a, T b) {
    return is_greater_or_equal<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hequ(T a, T b) {
    return unless<is_different<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hneu(T a, T b) {
    return unless<is_equal<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hltu(T a, T b) {
    return unless<is_greater_or_equal<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hleu(T a, T b) {
    return unless<is_greater<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hgtu(T a, T b) {
    return unless<is_less_or_equal<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hgeu(T a, T b) {
    return unless<is_less<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool __hisnan(T a) { return code_is_nan<Format>(a.__x); }
  /// 1 for +Inf, -1 for -Inf, else 0.
  friend NIBBLE_SIMT_INLINE constexpr int __hisinf(T a) { return infinity_sign<Format>(a.__x); }

  friend NIBBLE_SIMT_INLINE constexpr T htrunc(T a) {
    return number(to_whole<Format, Rounding::kTowardZero>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T hceil(T a) {
    return number(to_whole<Format, Rounding::kUp>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T hfloor(T a) {
    return number(to_whole<Format, Rounding::kDown>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T hrint(T a) {
    return number(to_whole<Format, Rounding::kNearestEven>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE T hsqrt(T a) { return number(square_root<Format>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hrcp(T a) { return number(of_double<Format, reciprocal>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hrsqrt(T a) {
    return number(of_double<Format, reciprocal_root>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE T hexp(T a) { return number(of_double<Format, exponential>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hexp2(T a) { return number(of_double<Format, exponential2>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hexp10(T a) {
    return number(of_double<Format, exponential10>(a.__x));
  }
  friend NIBBLE_SIMT_INLINE T hlog(T a) { return number(of_double<Format, logarithm>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hlog2(T a) { return number(of_double<Format, logarithm2>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hlog10(T a) { return number(of_double<Format, logarithm10>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hsin(T a) { return number(of_double<Format, sine>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T hcos(T a) { return number(of_double<Format, cosine>(a.__x)); }
  friend NIBBLE_SIMT_INLINE T htanh(T a) {
    return number(of_double<Format, hyperbolic_tangent>(a.__x));
  }

  friend NIBBLE_SIMT_INLINE constexpr T operator+(T a, T b) {
    return number(add<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T operator-(T a, T b) {
    return number(subtract<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T operator*(T a, T b) {
    return number(multiply<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE T operator/(T a, T b) { return number(divide<Format>(a.__x, b.__x)); }
  friend NIBBLE_SIMT_INLINE constexpr T operator+(T a) { return a; }
  friend NIBBLE_SIMT_INLINE constexpr T operator-(T a) { return number(negate<Format>(a.__x)); }
  friend NIBBLE_SIMT_INLINE constexpr T& operator+=(T& a, T b) {
    return a = number(add<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T& operator-=(T& a, T b) {
    return a = number(subtract<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T& operator*=(T& a, T b) {
    return a = number(multiply<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE T& operator/=(T& a, T b) {
    return a = number(divide<Format>(a.__x, b.__x));
  }
  friend NIBBLE_SIMT_INLINE constexpr T& operator++(T& a) { return a += T(1); }
  friend NIBBLE_SIMT_INLINE constexpr T& operator--(T& a) { return a -= T(1); }
  friend NIBBLE_SIMT_INLINE constexpr T operator++(T& a, int) {
    const T before = a;
    ++a;
    return before;
  }
  friend NIBBLE_SIMT_INLINE constexpr T operator--(T& a, int) {
    const T before = a;
    --a;
    return before;
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator==(T a, T b) {
    return is_equal<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator!=(T a, T b) {
    return unless<is_equal<Format>>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator<(T a, T b) {
    return is_less<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator>(T a, T b) {
    return is_greater<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator<=(T a, T b) {
    return is_less_or_equal<Format>(a.__x, b.__x);
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator>=(T a, T b) {
    return is_greater_or_equal<Format>(a.__x, b.__x);
  }

 protected:
  /// Requires: the number is a float, a double, or an integer; rounded once.
  template <class Real>
  NIBBLE_SIMT_INLINE constexpr explicit Number(Real x)
      : __x(static_cast<unsigned short>(encode<Format>(as_double_to_odd(x)))) {}

  unsigned short __x;  // protected, and of this name, in CUDA too

 private:
  NIBBLE_SIMT_INLINE static constexpr T number(std::uint32_t code) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(code));
  }
};

#define NIBBLE_SIMT_WORD(pair) __builtin_bit_cast(std::uint32_t, pair)

/// Two numbers in one word; Pair is the class made of them.
template <class Pair, class Format>
class Numbers {
 public:
  friend NIBBLE_SIMT_INLINE constexpr Pair __hadd2(Pair a, Pair b) {
    return pair(in_both<add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hsub2(Pair a, Pair b) {
    return pair(in_both<subtract<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmul2(Pair a, Pair b) {
    return pair(in_both<multiply<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE Pair __h2div(Pair a, Pair b) {
    return pair(in_both<divide<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hfma2(Pair a, Pair b, Pair c) {
    return pair(in_both<multiply_add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b),
                                              NIBBLE_SIMT_WORD(c)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hneg2(Pair a) {
    return pair(in_both<negate<Format>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __habs2(Pair a) {
    return pair(in_both<absolute<Format>>(NIBBLE_SIMT_WORD(a)));
  }

  friend NIBBLE_SIMT_INLINE constexpr Pair __hadd2_rn(Pair a, Pair b) {
    return pair(in_both<add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hsub2_rn(Pair a, Pair b) {
    return pair(in_both<subtract<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmul2_rn(Pair a, Pair b) {
    return pair(in_both<multiply<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hadd2_sat(Pair a, Pair b) {
    return pair(
        in_both<saturate<Format>>(in_both<add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b))));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hsub2_sat(Pair a, Pair b) {
    return pair(in_both<saturate<Format>>(
        in_both<subtract<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b))));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmul2_sat(Pair a, Pair b) {
    return pair(in_both<saturate<Format>>(
        in_both<multiply<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b))));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hfma2_sat(Pair a, Pair b, Pair c) {
    return pair(in_both<saturate<Format>>(in_both<multiply_add<Format>>(
        NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b), NIBBLE_SIMT_WORD(c))));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hfma2_relu(Pair a, Pair b, Pair c) {
    return pair(in_both<rectify<Format>>(in_both<multiply_add<Format>>(
        NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b), NIBBLE_SIMT_WORD(c))));
  }

  friend NIBBLE_SIMT_INLINE constexpr Pair __hmax2(Pair a, Pair b) {
    return pair(in_both<maximum<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmin2(Pair a, Pair b) {
    return pair(in_both<minimum<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmax2_nan(Pair a, Pair b) {
    return pair(in_both<maximum_nan<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __hmin2_nan(Pair a, Pair b) {
    return pair(in_both<minimum_nan<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }

  // Each comparison in three forms: 1.0 or 0.0 in each half, all bits set in each half, and whether
  // the answer is yes in both.
// clang-format off
#define NIBBLE_SIMT_COMPARES(NAME, QUESTION)                                                         \
  friend NIBBLE_SIMT_INLINE constexpr unsigned __h##NAME##2_mask(Pair a, Pair b) {                   \
    return mask_of_both<QUESTION>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)); }                       \
  friend NIBBLE_SIMT_INLINE constexpr Pair __h##NAME##2(Pair a, Pair b) {                            \
    return pair(ones<Format>(__h##NAME##2_mask(a, b))); }                                            \
  friend NIBBLE_SIMT_INLINE constexpr bool __hb##NAME##2(Pair a, Pair b) {                           \
    return __h##NAME##2_mask(a, b) == 0xFFFFFFFFu; }
  NIBBLE_SIMT_COMPARES(eq, is_equal<Format>)
  NIBBLE_SIMT_COMPARES(ne, is_different<Format>)
  NIBBLE_SIMT_COMPARES(lt, is_less<Format>)
  NIBBLE_SIMT_COMPARES(le, is_less_or_equal<Format>)
  NIBBLE_SIMT_COMPARES(gt, is_greater<Format>)
  NIBBLE_SIMT_COMPARES(ge, is_greater_or_equal<Format>)
  NIBBLE_SIMT_COMPARES(equ, unless<is_different<Format>>)
  NIBBLE_SIMT_COMPARES(neu, unless<is_equal<Format>>)
  NIBBLE_SIMT_COMPARES(ltu, unless<is_greater_or_equal<Format>>)
  NIBBLE_SIMT_COMPARES(leu, unless<is_greater<Format>>)
  NIBBLE_SIMT_COMPARES(gtu, unless<is_less_or_equal<Format>>)
  NIBBLE_SIMT_COMPARES(geu, unless<is_less<Format>>)
#undef NIBBLE_SIMT_COMPARES
  // clang-format on
  friend NIBBLE_SIMT_INLINE constexpr Pair __hisnan2(Pair a) {
    return pair(ones<Format>(
        mask_of_both<unless<is_equal<Format>>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(a))));
  }

  friend NIBBLE_SIMT_INLINE constexpr float __low2float(Pair a) {
    return decode<Format>(NIBBLE_SIMT_WORD(a) & 0xFFFF);
  }
  friend NIBBLE_SIMT_INLINE constexpr float __high2float(Pair a) {
    return decode<Format>(NIBBLE_SIMT_WORD(a) >> 16);
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair __lowhigh2highlow(Pair a) {
    return pair(NIBBLE_SIMT_WORD(a) >> 16 | NIBBLE_SIMT_WORD(a) << 16);
  }

  friend NIBBLE_SIMT_INLINE constexpr Pair h2trunc(Pair a) {
    return pair(in_both<to_whole<Format, Rounding::kTowardZero>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair h2ceil(Pair a) {
    return pair(in_both<to_whole<Format, Rounding::kUp>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair h2floor(Pair a) {
    return pair(in_both<to_whole<Format, Rounding::kDown>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair h2rint(Pair a) {
    return pair(in_both<to_whole<Format, Rounding::kNearestEven>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2sqrt(Pair a) {
    return pair(in_both<square_root<Format>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2rcp(Pair a) {
    return pair(in_both<of_double<Format, reciprocal>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2rsqrt(Pair a) {
    return pair(in_both<of_double<Format, reciprocal_root>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2exp(Pair a) {
    return pair(in_both<of_double<Format, exponential>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2exp2(Pair a) {
    return pair(in_both<of_double<Format, exponential2>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2exp10(Pair a) {
    return pair(in_both<of_double<Format, exponential10>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2log(Pair a) {
    return pair(in_both<of_double<Format, logarithm>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2log2(Pair a) {
    return pair(in_both<of_double<Format, logarithm2>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2log10(Pair a) {
    return pair(in_both<of_double<Format, logarithm10>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2sin(Pair a) {
    return pair(in_both<of_double<Format, sine>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2cos(Pair a) {
    return pair(in_both<of_double<Format, cosine>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE Pair h2tanh(Pair a) {
    return pair(in_both<of_double<Format, hyperbolic_tangent>>(NIBBLE_SIMT_WORD(a)));
  }

  friend NIBBLE_SIMT_INLINE constexpr Pair operator+(Pair a, Pair b) {
    return pair(in_both<add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair operator-(Pair a, Pair b) {
    return pair(in_both<subtract<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair operator*(Pair a, Pair b) {
    return pair(in_both<multiply<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE Pair operator/(Pair a, Pair b) {
    return pair(in_both<divide<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair operator+(Pair a) { return a; }
  friend NIBBLE_SIMT_INLINE constexpr Pair operator-(Pair a) {
    return pair(in_both<negate<Format>>(NIBBLE_SIMT_WORD(a)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair& operator+=(Pair& a, Pair b) {
    return a = pair(in_both<add<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair& operator-=(Pair& a, Pair b) {
    return a = pair(in_both<subtract<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr Pair& operator*=(Pair& a, Pair b) {
    return a = pair(in_both<multiply<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE Pair& operator/=(Pair& a, Pair b) {
    return a = pair(in_both<divide<Format>>(NIBBLE_SIMT_WORD(a), NIBBLE_SIMT_WORD(b)));
  }
  friend NIBBLE_SIMT_INLINE constexpr bool operator==(Pair a, Pair b) { return __hbeq2(a, b); }
  friend NIBBLE_SIMT_INLINE constexpr bool operator!=(Pair a, Pair b) { return __hbneu2(a, b); }
  friend NIBBLE_SIMT_INLINE constexpr bool operator<(Pair a, Pair b) { return __hblt2(a, b); }
  friend NIBBLE_SIMT_INLINE constexpr bool operator>(Pair a, Pair b) { return __hbgt2(a, b); }
  friend NIBBLE_SIMT_INLINE constexpr bool operator<=(Pair a, Pair b) { return __hble2(a, b); }
  friend NIBBLE_SIMT_INLINE constexpr bool operator>=(Pair a, Pair b) { return __hbge2(a, b); }

 private:
  NIBBLE_SIMT_INLINE static constexpr Pair pair(std::uint32_t word) {
    return __builtin_bit_cast(Pair, word);
  }
};

#undef NIBBLE_SIMT_WORD

}  // namespace nibble::simt::float16
