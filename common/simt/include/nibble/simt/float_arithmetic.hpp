// Arithmetic on the codes of fp16 and bf16, each result rounded once.
//
// p is 11 bits for fp16 and 8 for bf16; a double has 53 and a far wider range.
//   a * b       2p <= 22 bits: exact in double, so the encoding is the only rounding.
//   a + b       rounded to 53 bits first, which changes nothing since 53 >= 2p + 2 (Figueroa 1995:
//   a / b       the same holds for these two, and for every shorter p, hence for subnormal results)
//   sqrt(a)
//   a * b + c   no such luck in bf16: beside 1.5 a double cannot hold 2^-133, which may be all that
//               takes the sum off a tie. So the sum is rounded *to odd*: when inexact, its last bit
//               is one, and a second rounding to at most 51 bits sees that this is no tie (Boldo
//               and Melquiond 2008).
#pragma once

#include <cstdint>

#include "nibble/float_format.hpp"

namespace nibble::simt {

/// a + b to 53 bits, rounded to odd: of the two doubles around an inexact sum, the odd one.
/// Requires: no overflow.
NIBBLE_SIMT_PURE constexpr double sum_to_odd(double a, double b) {
  const double sum = a + b;
  // Knuth's two-sum: error = (a + b) - sum, exactly.
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const auto bits = __builtin_bit_cast(std::uint64_t, sum);
  const bool finite = (bits >> 52 & 0x7FF) != 0x7FF;
  if (!finite || error == 0 || (bits & 1) != 0) {
    return sum;
  }
  // An even sum is one step from the odd one: outwards when the error has the sign of the sum.
  return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr double value(std::uint32_t code) {
  return static_cast<double>(decode<Format>(code));
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) {
  return encode<Format>(value<Format>(a) + value<Format>(b));
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t subtract(std::uint32_t a, std::uint32_t b) {
  return encode<Format>(value<Format>(a) - value<Format>(b));
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  return encode<Format>(value<Format>(a) * value<Format>(b));
}

template <class Format>
NIBBLE_SIMT_PURE inline std::uint32_t divide(std::uint32_t a, std::uint32_t b) {
  return encode<Format>(value<Format>(a) / value<Format>(b));
}

template <class Format>
NIBBLE_SIMT_PURE inline std::uint32_t square_root(std::uint32_t a) {
  return encode<Format>(__builtin_sqrt(value<Format>(a)));
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t multiply_add(std::uint32_t a, std::uint32_t b,
                                                      std::uint32_t c) {
  return encode<Format>(sum_to_odd(value<Format>(a) * value<Format>(b), value<Format>(c)));
}

/// The sign turned; a NaN becomes the canonical one.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t negate(std::uint32_t a) {
  return code_is_nan<Format>(a) ? Format::kNan : a ^ Format::kSign;
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t absolute(std::uint32_t a) {
  return code_is_nan<Format>(a) ? Format::kNan : a & (Format::kSign - 1);
}

/// The larger one; +0 is above -0. A number beats a NaN.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t maximum(std::uint32_t a, std::uint32_t b) {
  if (code_is_nan<Format>(a)) {
    return code_is_nan<Format>(b) ? Format::kNan : b;
  }
  if (code_is_nan<Format>(b)) {
    return a;
  }
  const float x = decode<Format>(a);
  const float y = decode<Format>(b);
  const bool a_is_larger = x > y || (x == y && (a & Format::kSign) == 0);
  return a_is_larger ? a : b;
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t minimum(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t opposite = maximum<Format>(negate<Format>(a), negate<Format>(b));
  return negate<Format>(opposite);
}

/// As maximum, but a NaN beats a number.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t maximum_nan(std::uint32_t a, std::uint32_t b) {
  const bool nan = code_is_nan<Format>(a) || code_is_nan<Format>(b);
  return nan ? Format::kNan : maximum<Format>(a, b);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t minimum_nan(std::uint32_t a, std::uint32_t b) {
  const bool nan = code_is_nan<Format>(a) || code_is_nan<Format>(b);
  return nan ? Format::kNan : minimum<Format>(a, b);
}

/// Clamped to [0, 1]; NaN becomes 0.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t saturate(std::uint32_t a) {
  constexpr std::uint32_t kOne = static_cast<std::uint32_t>(Format::kBias) << Format::kMantissaBits;
  if (code_is_nan<Format>(a) || (a & Format::kSign) != 0) {
    return 0;
  }
  return a > kOne ? kOne : a;
}

/// max(a, 0); NaN stays NaN.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t rectify(std::uint32_t a) {
  if (code_is_nan<Format>(a)) {
    return Format::kNan;
  }
  return (a & Format::kSign) != 0 ? 0 : a;
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_equal(std::uint32_t a, std::uint32_t b) {
  return decode<Format>(a) == decode<Format>(b);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_less(std::uint32_t a, std::uint32_t b) {
  return decode<Format>(a) < decode<Format>(b);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_less_or_equal(std::uint32_t a, std::uint32_t b) {
  return decode<Format>(a) <= decode<Format>(b);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_greater(std::uint32_t a, std::uint32_t b) {
  return is_less<Format>(b, a);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_greater_or_equal(std::uint32_t a, std::uint32_t b) {
  return is_less_or_equal<Format>(b, a);
}

/// Two numbers, and not the same: false when one is NaN, unlike the != of C++.
template <class Format>
NIBBLE_SIMT_PURE constexpr bool is_different(std::uint32_t a, std::uint32_t b) {
  return is_less<Format>(a, b) || is_less<Format>(b, a);
}

/// The opposite answer: true when an operand is NaN.
template <auto question>
NIBBLE_SIMT_PURE constexpr bool unless(std::uint32_t a, std::uint32_t b) {
  return !question(a, b);
}

/// 1 for +Inf, -1 for -Inf, else 0.
template <class Format>
NIBBLE_SIMT_PURE constexpr int infinity_sign(std::uint32_t a) {
  if (!code_is_infinite<Format>(a)) {
    return 0;
  }
  return (a & Format::kSign) != 0 ? -1 : 1;
}

// Two 16-bit codes in one word, the first in the lower half.

template <auto function, class... Words>
NIBBLE_SIMT_PURE constexpr std::uint32_t in_both(Words... words) {
  return function((words & 0xFFFF)...) | function((words >> 16)...) << 16;
}

/// All bits of a half set where the answer is yes.
template <auto question>
NIBBLE_SIMT_PURE constexpr std::uint32_t mask_of_both(std::uint32_t a, std::uint32_t b) {
  return (question(a & 0xFFFF, b & 0xFFFF) ? 0xFFFFu : 0u) |
         (question(a >> 16, b >> 16) ? 0xFFFF0000u : 0u);
}

/// 1.0 in a half where the answer is yes, 0.0 where it is no.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t ones(std::uint32_t mask) {
  constexpr std::uint32_t kOne = encode<Format>(1.0);
  return mask & (kOne | kOne << 16);
}

}  // namespace nibble::simt
