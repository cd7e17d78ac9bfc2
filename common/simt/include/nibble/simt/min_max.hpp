// min and max as CUDA has them, without a namespace. Of a signed and an unsigned number the result
// is unsigned, -1 becoming the largest; of floats a number beats a NaN.
#pragma once

#include "nibble/pure.hpp"

// clang-format off
#define NIBBLE_SIMT_EXTREMES(A, B, RESULT)                                                           \
  NIBBLE_SIMT_PURE constexpr RESULT min(A a, B b) {                                                  \
    return static_cast<RESULT>(b) < static_cast<RESULT>(a) ? static_cast<RESULT>(b)                  \
                                                           : static_cast<RESULT>(a); }               \
  NIBBLE_SIMT_PURE constexpr RESULT max(A a, B b) {                                                  \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? static_cast<RESULT>(b)                  \
                                                           : static_cast<RESULT>(a); }
#define NIBBLE_SIMT_INTEGER_EXTREMES(SIGNED, UNSIGNED)                                               \
  NIBBLE_SIMT_EXTREMES(SIGNED, SIGNED, SIGNED) NIBBLE_SIMT_EXTREMES(SIGNED, UNSIGNED, UNSIGNED)      \
  NIBBLE_SIMT_EXTREMES(UNSIGNED, SIGNED, UNSIGNED) NIBBLE_SIMT_EXTREMES(UNSIGNED, UNSIGNED, UNSIGNED)
NIBBLE_SIMT_INTEGER_EXTREMES(int, unsigned)
NIBBLE_SIMT_INTEGER_EXTREMES(long, unsigned long)
NIBBLE_SIMT_INTEGER_EXTREMES(long long, unsigned long long)
#undef NIBBLE_SIMT_INTEGER_EXTREMES
#undef NIBBLE_SIMT_EXTREMES
// clang-format on
NIBBLE_SIMT_PURE constexpr long long llmin(long long a, long long b) { return min(a, b); }
NIBBLE_SIMT_PURE constexpr long long llmax(long long a, long long b) { return max(a, b); }
NIBBLE_SIMT_PURE constexpr unsigned umin(unsigned a, unsigned b) { return min(a, b); }
NIBBLE_SIMT_PURE constexpr unsigned umax(unsigned a, unsigned b) { return max(a, b); }
NIBBLE_SIMT_PURE constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
NIBBLE_SIMT_PURE constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}
NIBBLE_SIMT_PURE inline float min(float a, float b) { return __builtin_fminf(a, b); }
NIBBLE_SIMT_PURE inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
NIBBLE_SIMT_PURE inline double min(double a, double b) { return __builtin_fmin(a, b); }
NIBBLE_SIMT_PURE inline double max(double a, double b) { return __builtin_fmax(a, b); }
NIBBLE_SIMT_PURE inline double min(float a, double b) { return __builtin_fmin(a, b); }
NIBBLE_SIMT_PURE inline double max(float a, double b) { return __builtin_fmax(a, b); }
NIBBLE_SIMT_PURE inline double min(double a, float b) { return __builtin_fmin(a, b); }
NIBBLE_SIMT_PURE inline double max(double a, float b) { return __builtin_fmax(a, b); }
