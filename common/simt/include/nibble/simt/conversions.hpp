// Conversions and single-precision arithmetic under CUDA's names, with the rounding in the name:
// _rn to nearest even, _rz towards zero, _ru up, _rd down.
//
// Float to integer saturates; NaN becomes 0, or 0x8000... where the source is a double or
// the result has 64 bits. A cast in C++ is undefined in both cases,
// and the checked build reports it.
//
// The fast approximations (__expf and its like) are the plain functions here: a GPU may differ from
// them in the last places.
#pragma once

#include <cmath>
#include <cstdint>

#include "nibble/pure.hpp"
#include "nibble/simt/float_arithmetic.hpp"
#include "nibble/simt/round_integer.hpp"

namespace nibble::simt {

/// x as a float, rounded once as wanted.
template <class Number>
NIBBLE_SIMT_PURE constexpr float to_float(Number x, Rounding rounding) {
  const std::uint32_t code = encode<Float32Format>(as_double_to_odd(x), rounding);
  return __builtin_bit_cast(float, code);
}

/// a + b, rounded to odd on the way. Rounding down turns an exact zero into -0, unless both are +0.
NIBBLE_SIMT_PURE constexpr float add_to_float(double a, double b, Rounding rounding) {
  const double sum = sum_to_odd(a, b);
  const bool minus_zero = sum == 0 && rounding == Rounding::kDown &&
                          (__builtin_signbit(a) != 0 || __builtin_signbit(b) != 0);
  return minus_zero ? -0.0f : to_float(sum, rounding);
}

NIBBLE_SIMT_PURE constexpr float add_floats(float a, float b, Rounding rounding) {
  return add_to_float(a, b, rounding);
}

// A product of two floats is exact in double.
NIBBLE_SIMT_PURE constexpr float multiply_floats(float a, float b, Rounding rounding) {
  return to_float(double{a} * double{b}, rounding);
}
NIBBLE_SIMT_PURE constexpr float multiply_add_floats(float a, float b, float c, Rounding rounding) {
  return add_to_float(double{a} * double{b}, c, rounding);
}

}  // namespace nibble::simt

// -- between floats and integers ------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_ROUNDED(FROM, SOURCE, TO, RESULT, SUFFIX, ROUNDING)                              \
  NIBBLE_SIMT_PURE constexpr RESULT __##FROM##2##TO##_##SUFFIX(SOURCE x) {                           \
    return nibble::simt::to_integer<RESULT>(x, nibble::simt::Rounding::ROUNDING); }
#define NIBBLE_SIMT_TO_INTEGER(FROM, SOURCE, TO, RESULT)                                             \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, TO, RESULT, rn, kNearestEven)                                    \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, TO, RESULT, rz, kTowardZero)                                     \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, TO, RESULT, ru, kUp)                                             \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, TO, RESULT, rd, kDown)
NIBBLE_SIMT_TO_INTEGER(float, float, int, int)
NIBBLE_SIMT_TO_INTEGER(float, float, uint, unsigned)
NIBBLE_SIMT_TO_INTEGER(float, float, ll, long long)
NIBBLE_SIMT_TO_INTEGER(float, float, ull, unsigned long long)
NIBBLE_SIMT_TO_INTEGER(double, double, int, int)
NIBBLE_SIMT_TO_INTEGER(double, double, uint, unsigned)
NIBBLE_SIMT_TO_INTEGER(double, double, ll, long long)
NIBBLE_SIMT_TO_INTEGER(double, double, ull, unsigned long long)
#undef NIBBLE_SIMT_TO_INTEGER
#undef NIBBLE_SIMT_ROUNDED

#define NIBBLE_SIMT_ROUNDED(FROM, SOURCE, SUFFIX, ROUNDING)                                          \
  NIBBLE_SIMT_PURE constexpr float __##FROM##2float_##SUFFIX(SOURCE x) {                             \
    return nibble::simt::to_float(x, nibble::simt::Rounding::ROUNDING); }
#define NIBBLE_SIMT_TO_FLOAT(FROM, SOURCE)                                                           \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, rn, kNearestEven)                                                \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, rz, kTowardZero)                                                 \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, ru, kUp)                                                         \
  NIBBLE_SIMT_ROUNDED(FROM, SOURCE, rd, kDown)
NIBBLE_SIMT_TO_FLOAT(int, int)
NIBBLE_SIMT_TO_FLOAT(uint, unsigned)
NIBBLE_SIMT_TO_FLOAT(ll, long long)
NIBBLE_SIMT_TO_FLOAT(ull, unsigned long long)
NIBBLE_SIMT_TO_FLOAT(double, double)
#undef NIBBLE_SIMT_TO_FLOAT
#undef NIBBLE_SIMT_ROUNDED
// clang-format on

NIBBLE_SIMT_PURE constexpr double __int2double_rn(int n) { return n; }
NIBBLE_SIMT_PURE constexpr double __uint2double_rn(unsigned n) { return n; }
NIBBLE_SIMT_PURE constexpr double __ll2double_rn(long long n) { return static_cast<double>(n); }
NIBBLE_SIMT_PURE constexpr double __ull2double_rn(unsigned long long n) {
  return static_cast<double>(n);
}

// -- the same bits under another type -------------------------------------------------------------

NIBBLE_SIMT_PURE constexpr int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
NIBBLE_SIMT_PURE constexpr float __int_as_float(int bits) {
  return __builtin_bit_cast(float, bits);
}
NIBBLE_SIMT_PURE constexpr unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}
NIBBLE_SIMT_PURE constexpr float __uint_as_float(unsigned bits) {
  return __builtin_bit_cast(float, bits);
}
NIBBLE_SIMT_PURE constexpr long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
NIBBLE_SIMT_PURE constexpr double __longlong_as_double(long long bits) {
  return __builtin_bit_cast(double, bits);
}
NIBBLE_SIMT_PURE constexpr int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
NIBBLE_SIMT_PURE constexpr int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
NIBBLE_SIMT_PURE constexpr double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

// -- arithmetic -----------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_ARITHMETIC(SUFFIX, ROUNDING)                                                     \
  NIBBLE_SIMT_PURE constexpr float __fadd_##SUFFIX(float a, float b) {                               \
    return nibble::simt::add_floats(a, b, nibble::simt::Rounding::ROUNDING); }                       \
  NIBBLE_SIMT_PURE constexpr float __fsub_##SUFFIX(float a, float b) {                               \
    return nibble::simt::add_floats(a, -b, nibble::simt::Rounding::ROUNDING); }                      \
  NIBBLE_SIMT_PURE constexpr float __fmul_##SUFFIX(float a, float b) {                               \
    return nibble::simt::multiply_floats(a, b, nibble::simt::Rounding::ROUNDING); }                  \
  NIBBLE_SIMT_PURE constexpr float __fmaf_##SUFFIX(float a, float b, float c) {                      \
    return nibble::simt::multiply_add_floats(a, b, c, nibble::simt::Rounding::ROUNDING); }
NIBBLE_SIMT_ARITHMETIC(rz, kTowardZero)
NIBBLE_SIMT_ARITHMETIC(ru, kUp)
NIBBLE_SIMT_ARITHMETIC(rd, kDown)
#undef NIBBLE_SIMT_ARITHMETIC
// clang-format on

// Never inlined: these names promise that no product and sum are joined into an fma, and a compiler
// for a CPU that has one would do just that.
__attribute__((noinline)) NIBBLE_SIMT_PURE inline float __fmul_rn(float a, float b) {
  return a * b;
}
__attribute__((noinline)) NIBBLE_SIMT_PURE inline float __fadd_rn(float a, float b) {
  return a + b;
}
__attribute__((noinline)) NIBBLE_SIMT_PURE inline float __fsub_rn(float a, float b) {
  return a - b;
}
NIBBLE_SIMT_PURE inline float __fdiv_rn(float a, float b) { return a / b; }
NIBBLE_SIMT_PURE inline float __frcp_rn(float a) { return 1 / a; }
NIBBLE_SIMT_PURE inline float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
NIBBLE_SIMT_PURE inline float __frsqrt_rn(float a) {
  return static_cast<float>(1 / __builtin_sqrt(double{a}));
}
NIBBLE_SIMT_PURE inline float __fmaf_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
__attribute__((noinline)) NIBBLE_SIMT_PURE inline double __dmul_rn(double a, double b) {
  return a * b;
}
__attribute__((noinline)) NIBBLE_SIMT_PURE inline double __dadd_rn(double a, double b) {
  return a + b;
}
__attribute__((noinline)) NIBBLE_SIMT_PURE inline double __dsub_rn(double a, double b) {
  return a - b;
}
NIBBLE_SIMT_PURE inline double __ddiv_rn(double a, double b) { return a / b; }
NIBBLE_SIMT_PURE inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
NIBBLE_SIMT_PURE inline double __fma_rn(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// x clamped to [0, 1]; NaN becomes 0.
NIBBLE_SIMT_PURE constexpr float __saturatef(float x) {
  const float at_least_0 = x > 0 ? x : 0;
  return at_least_0 < 1 ? at_least_0 : 1;
}

NIBBLE_SIMT_PURE inline float rsqrtf(float x) { return __frsqrt_rn(x); }
NIBBLE_SIMT_PURE inline double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
NIBBLE_SIMT_PURE inline float fdividef(float a, float b) { return a / b; }
NIBBLE_SIMT_PURE inline float __fdividef(float a, float b) { return a / b; }

// glibc declares some of these names for itself, as C: so must they be here. Always inlined, so
// that no object defines them.
#define NIBBLE_SIMT_FAST __attribute__((always_inline)) NIBBLE_SIMT_PURE inline
extern "C" {
NIBBLE_SIMT_FAST float __expf(float x) noexcept { return __builtin_expf(x); }
NIBBLE_SIMT_FAST float __exp10f(float x) noexcept { return __builtin_powf(10, x); }
NIBBLE_SIMT_FAST float __logf(float x) noexcept { return __builtin_logf(x); }
NIBBLE_SIMT_FAST float __log2f(float x) noexcept { return __builtin_log2f(x); }
NIBBLE_SIMT_FAST float __log10f(float x) noexcept { return __builtin_log10f(x); }
NIBBLE_SIMT_FAST float __powf(float x, float y) noexcept { return __builtin_powf(x, y); }
NIBBLE_SIMT_FAST float __sinf(float x) noexcept { return __builtin_sinf(x); }
NIBBLE_SIMT_FAST float __cosf(float x) noexcept { return __builtin_cosf(x); }
NIBBLE_SIMT_FAST float __tanf(float x) noexcept { return __builtin_tanf(x); }
// Not a function of its arguments alone: its stores are the caller's.
__attribute__((always_inline)) inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}
}  // extern "C"
#undef NIBBLE_SIMT_FAST
