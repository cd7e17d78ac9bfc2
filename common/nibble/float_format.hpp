// The small float formats, bits in and bits out: fp16, bf16, E4M3 and E5M2.
//
//   s eeee mmm  (E4M3)     value = (-1)^s * 2^(e - bias) * 1.m       e > 0
//                                = (-1)^s * 2^(1 - bias) * 0.m       e = 0, the subnormals
//
// The largest e holds Inf (m = 0) and NaN (m > 0), except in E4M3, which has no Inf and whose only
// NaN is all ones: it spends the other codes on numbers.
//
// A conversion is what the GPU's cvt does: a NaN becomes the one canonical NaN, sign clear and all
// ones below it; subnormals are kept. Every double goes in, so a float, which is a double too, is
// rounded once.
#pragma once

#include <cstdint>

#include "nibble/pure.hpp"

namespace nibble::simt {

enum class Rounding { kNearestEven, kTowardZero, kUp, kDown };
enum class Overflow { kToInfinity, kSaturate };

/// kAboveLargest: the code after the largest finite one, where values that are too large go.
template <int kExponent, int kMantissa, std::uint32_t kLargest, std::uint32_t kAboveLargest>
struct FloatFormat {
  static constexpr int kExponentBits = kExponent;
  static constexpr int kMantissaBits = kMantissa;
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr int kMinExponent = 1 - kBias;
  static constexpr std::uint32_t kSign = 1u << (kExponent + kMantissa);
  static constexpr std::uint32_t kMaxFinite = kLargest;
  static constexpr std::uint32_t kOverflow = kAboveLargest;
  static constexpr std::uint32_t kNan = kSign - 1;
  static constexpr bool kHasInfinity = kOverflow != kNan;
};

using HalfFormat = FloatFormat<5, 10, 0x7BFF, 0x7C00>;     // largest 65504, smallest 2^-24
using Bfloat16Format = FloatFormat<8, 7, 0x7F7F, 0x7F80>;  // the upper half of a float
using E4m3Format = FloatFormat<4, 3, 0x7E, 0x7F>;          // largest 448, smallest 2^-9
using E5m2Format = FloatFormat<5, 2, 0x7B, 0x7C>;          // largest 57344, smallest 2^-16
using Float32Format = FloatFormat<8, 23, 0x7F7FFFFF, 0x7F800000>;

template <class Format>
NIBBLE_SIMT_PURE constexpr bool code_is_nan(std::uint32_t code) {
  const std::uint32_t magnitude = code & (Format::kSign - 1);
  return magnitude > Format::kMaxFinite &&
         !(Format::kHasInfinity && magnitude == Format::kOverflow);
}

template <class Format>
NIBBLE_SIMT_PURE constexpr bool code_is_infinite(std::uint32_t code) {
  return Format::kHasInfinity && (code & (Format::kSign - 1)) == Format::kOverflow;
}

/// Whether a magnitude that lies between two codes goes to the larger one.
///   rest / 2^shift   how far it is above the lower code, of one step
NIBBLE_SIMT_PURE constexpr bool rounds_away(std::uint64_t rest, int shift, bool lower_is_odd,
                                            bool negative, Rounding rounding) {
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  switch (rounding) {
    case Rounding::kNearestEven:
      return rest > half || (rest == half && lower_is_odd);
    case Rounding::kUp:
      return rest != 0 && !negative;
    case Rounding::kDown:
      return rest != 0 && negative;
    case Rounding::kTowardZero:
      break;
  }
  return false;
}

/// Whether a finite value beyond the largest code stays there instead of going on to infinity.
NIBBLE_SIMT_PURE constexpr bool stays_finite(bool negative, Rounding rounding) {
  return rounding == Rounding::kTowardZero || (rounding == Rounding::kUp && negative) ||
         (rounding == Rounding::kDown && !negative);
}

/// The code of x. Too large, Inf included: Inf (NaN in E4M3), or the largest finite code if wanted.
template <class Format>
NIBBLE_SIMT_PURE constexpr std::uint32_t encode(double x,
                                                Rounding rounding = Rounding::kNearestEven,
                                                Overflow overflow = Overflow::kToInfinity) {
  constexpr int kDoubleMantissa = 52;
  constexpr std::uint64_t kHidden = std::uint64_t{1} << kDoubleMantissa;
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7FF} << kDoubleMantissa;
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x);
  const bool negative = bits >> 63 != 0;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  if (magnitude > kInfinity) {
    return Format::kNan;
  }

  const int exponent = static_cast<int>(magnitude >> kDoubleMantissa) - 1023;
  const int below = exponent < Format::kMinExponent ? Format::kMinExponent - exponent : 0;
  // A double below 2^-1022 has no hidden bit, but is far below half of the smallest code anyway.
  const std::uint64_t significand = (magnitude & (kHidden - 1)) | (magnitude != 0 ? kHidden : 0);
  // 60 moves all 53 bits below the point and keeps them below one half.
  const int wanted = kDoubleMantissa - Format::kMantissaBits + below;
  const int shift = wanted < 60 ? wanted : 60;

  std::uint64_t code = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  code += rounds_away(rest, shift, (code & 1) != 0, negative, rounding) ? 1 : 0;
  // A normal number's hidden bit adds the last one to the exponent; so does a carry of rounding.
  if (exponent > Format::kMinExponent) {
    code += static_cast<std::uint64_t>(exponent - Format::kMinExponent) << Format::kMantissaBits;
  }
  if (code > Format::kMaxFinite) {
    const bool finite = magnitude != kInfinity && stays_finite(negative, rounding);
    code = finite || overflow == Overflow::kSaturate ? Format::kMaxFinite : Format::kOverflow;
  }
  return static_cast<std::uint32_t>(code) | (negative ? Format::kSign : 0);
}

/// The value of a code: exact, since each of these formats fits into a float.
template <class Format>
NIBBLE_SIMT_PURE constexpr float decode(std::uint32_t code) {
  if constexpr (Format::kExponentBits == 8) {  // bf16: a float cut short, its NaN included
    return __builtin_bit_cast(float, code << (23 - Format::kMantissaBits));
  } else {
    const std::uint32_t sign = (code & Format::kSign) != 0 ? 1u << 31 : 0;
    const std::uint32_t magnitude = code & (Format::kSign - 1);
    std::uint32_t bits = 0;
    if (code_is_nan<Format>(code)) {
      return __builtin_bit_cast(float, 0x7FFFFFFFu);
    }
    if (code_is_infinite<Format>(code)) {
      bits = 0x7F800000u;
    } else if (magnitude >> Format::kMantissaBits == 0) {
      constexpr int kSmallest = Format::kMinExponent - Format::kMantissaBits;
      constexpr float kStep = __builtin_bit_cast(float, (127u + kSmallest) << 23);
      bits = __builtin_bit_cast(std::uint32_t, static_cast<float>(magnitude) * kStep);
    } else {
      bits = (magnitude << (23 - Format::kMantissaBits)) + ((127u - Format::kBias) << 23);
    }
    return __builtin_bit_cast(float, sign | bits);
  }
}

}  // namespace nibble::simt
