// Lab 11, float_to_e4m3 and float_to_e5m2: codes that known mistakes give, each in both formats.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/wrong_codes.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_floats.hpp"

namespace nibble::judge::lab_11_fp8 {

using namespace wrong_floats;

/// x as a code writes it: |x| is steps * 2^(exponent - fraction_bits).
struct Parts {
  int exponent;
  double steps;
};
inline Parts parts_of(float x, const Format& f) {
  if (!std::isfinite(x)) return {128, double(f.steps())};
  const int exponent = x == 0.0f ? 1 - f.bias : std::max(std::ilogb(x), 1 - f.bias);
  return {exponent, std::ldexp(std::fabs(double{x}), f.fraction_bits - exponent)};
}

/// A code without its sign, and without an end: a learner's, before he looks at how large it is.
inline int magnitude_of(float x, const Format& f, Round round = std::nearbyint) {
  const Parts parts = parts_of(x, f);
  return (parts.exponent + f.bias - 1) * f.steps() + static_cast<int>(round(parts.steps));
}

inline int ended(float x, int magnitude, const Format& f, Overflow overflow) {
  const int end = overflow == kSaturate ? f.largest : f.largest + 1;
  if (std::isnan(x)) return with_sign_of(x, f.nan);
  return with_sign_of(x, magnitude > f.largest ? end : magnitude);
}

inline int right_code(float x, const Format& f, Overflow overflow) {
  return ended(x, magnitude_of(x, f), f, overflow);
}

inline bool is_too_large(float x, const Format& f) {
  return !std::isnan(x) && magnitude_of(x, f) > f.largest;
}

/// What a known mistake makes of x, its sign included.
struct CodeMistake {
  const char* code;
  const char* words;
  int (*code_of)(float x, const Format& f, Overflow overflow);
};

// --- The last bit of a normal number ------------------------------------------------------------

template <Round kRound>
int rounded(float x, const Format& f, Overflow overflow) {
  return ended(x, magnitude_of(x, f, kRound), f, overflow);
}

/// Rounded to a format with more bits first: 7 of bfloat16, 10 of half.
template <int kBits>
int rounded_twice(float x, const Format& f, Overflow overflow) {
  if (!std::isfinite(x) || x == 0.0f) return right_code(x, f, overflow);
  const int unit = std::ilogb(x) - kBits;
  const double first = std::ldexp(std::nearbyint(std::ldexp(double{x}, -unit)), unit);
  return right_code(static_cast<float>(first), f, overflow);
}

/// With glue(exponent, fraction) where the fraction is rounded by itself, so that it may run over.
template <int (*kGlue)(int exponent, int fraction, int steps)>
int glued(float x, const Format& f, Overflow overflow) {
  const Parts parts = parts_of(x, f);
  const int fraction = static_cast<int>(std::nearbyint(parts.steps)) - f.steps();
  if (parts.steps < f.steps()) return right_code(x, f, overflow);
  return ended(x, kGlue(parts.exponent + f.bias, fraction, f.steps()), f, overflow);
}

constexpr const char* kLostCarry =
    "a carry out of the fraction does not reach the exponent: it is added to it";
constexpr const char* kRoundedTwice =
    "x is rounded to a longer format first: what lies beside a tie becomes one";
constexpr CodeMistake kRoundingMistakes[] = {
    {"N-TRUNC", "bits that do not fit are cut off: x is rounded to the nearest code", rounded<cut>},
    {"N-FORMULA", "what is more than a half is taken for a tie: all bits that are cut off count",
     rounded<by_the_first_bit>},
    {"N-FORMULA", "whatever is cut off rounds up: x is rounded to the nearest code",
     rounded<cut_or_up>},
    {"N-FORMULA", kRoundedTwice, rounded_twice<7>},
    {"N-FORMULA", kRoundedTwice, rounded_twice<10>},
    {"N-CARRY", kLostCarry, glued<with_or>},
    {"N-CARRY", kLostCarry, glued<without_carry>},
    {"N-CARRY", "a fraction of all ones is not rounded up: it carries into the exponent",
     glued<at_most_full>},
};

// --- Subnormal numbers --------------------------------------------------------------------------

/// kCount(|x|, steps): how many of the smallest number. Only where x is below all normal numbers.
template <int (*kCount)(double x, double steps, int all)>
int counted(float x, const Format& f, Overflow overflow) {
  const double steps = parts_of(x, f).steps;
  if (std::isnan(x) || steps >= f.steps()) return right_code(x, f, overflow);
  return with_sign_of(x, kCount(std::fabs(double{x}), steps, f.steps()));
}

inline int counted_twice(double, double steps, int all) {
  return counted_with(std::ilogb(all), steps);
}

constexpr CodeMistake kSubnormalMistakes[] = {
    {"N-FLUSH", "what is below all normal numbers becomes 0: it has subnormal codes",
     counted<none>},
    {"N-TRUNC", "subnormal numbers are cut off: they are rounded to the nearest code",
     counted<cut_steps>},
    {"N-FLUSH", "a subnormal code is made of the fraction of x alone: a 1 comes before it",
     counted<without_the_one>},
    {"N-FLUSH", "subnormal codes are twice as large as they should be", counted<half_steps>},
    {"N-FLUSH", "subnormal codes are half as large as they should be", counted<double_steps>},
    {"N-FLUSH", "what is below the smallest number becomes 0: above its half it is rounded up",
     counted<from_the_smallest_on>},
    {"N-FORMULA", "subnormal numbers are rounded twice: x is rounded once, to what fits",
     counted<counted_twice>},
    {"N-CARRY", "the largest subnormal number is not rounded up: it carries into the exponent",
     counted<at_most_subnormal>},
};

// --- The end, NaN and the sign ------------------------------------------------------------------

inline int never_saturated(float x, const Format& f, Overflow) {
  return right_code(x, f, kNonFinite);
}
inline int always_saturated(float x, const Format& f, Overflow) {
  return right_code(x, f, kSaturate);
}
/// What overflow says for numbers, and the other for infinity.
template <Overflow kAsked, Overflow kGiven>
int infinity_as(float x, const Format& f, Overflow overflow) {
  return right_code(x, f, std::isinf(x) && overflow == kAsked ? kGiven : overflow);
}
inline int seven_bits(float x, const Format& f, Overflow overflow) {
  const bool is_cut = overflow == kSaturate && is_too_large(x, f);
  return is_cut ? with_sign_of(x, magnitude_of(x, f) & 0x7F) : right_code(x, f, overflow);
}
inline int saturated_above_0(float x, const Format& f, Overflow overflow) {
  return right_code(x, f, x < 0 ? kNonFinite : overflow);
}
inline int overflow_without_sign(float x, const Format& f, Overflow overflow) {
  const bool is_lost = overflow == kNonFinite && is_too_large(x, f);
  return is_lost ? f.largest + 1 : right_code(x, f, overflow);
}

// Who errs at infinity alone comes first: of a case of infinities all of them fit.
constexpr CodeMistake kEndMistakes[] = {
    {"N-CLAMP", "infinity is not saturated: with kSaturate it becomes the largest number",
     infinity_as<kSaturate, kNonFinite>},
    {"N-CLAMP", "kSaturate gives what kNonFinite gives: it ends at the largest number",
     never_saturated},
    {"N-CLAMP", "of a code that is too large seven bits are kept: it becomes the largest",
     seven_bits},
    {"N-CLAMP", "only what is above 0 is saturated: what is below ends at the largest, too",
     saturated_above_0},
    {"N-INF", "infinity becomes the largest number with kNonFinite, too",
     infinity_as<kNonFinite, kSaturate>},
    {"N-INF", "kNonFinite gives the largest number: it gives NaN in E4M3, infinity in E5M2",
     always_saturated},
    {"N-FORMULA", "what is too large loses its sign with kNonFinite", overflow_without_sign},
};

/// Ends that belong to E4M3 taken for a larger format, and to E5M2 taken for E4M3.
template <int kEnd, int kBehind>
int ends_at(float x, const Format& f, Overflow overflow) {
  const int magnitude = magnitude_of(x, f), end = overflow == kSaturate ? kEnd : kBehind;
  if (std::isnan(x)) return right_code(x, f, overflow);
  return with_sign_of(x, magnitude > kEnd ? end : magnitude);
}
inline int infinite_at_78(float x, const Format& f, Overflow overflow) {
  return overflow == kSaturate ? right_code(x, f, overflow) : ends_at<0x78, 0x78>(x, f, overflow);
}

/// With kNonFinite there is more than one way to go on, and each looks like another mistake.
inline int ends_at_77(float x, const Format& f, Overflow overflow) {
  return overflow == kSaturate ? ends_at<0x77, 0x77>(x, f, overflow) : right_code(x, f, overflow);
}

constexpr CodeMistake kEndMistakesOfE4m3[] = {
    {"N-RANGE", "codes end at 77: no exponent is kept for infinity in E4M3", ends_at_77},
    {"N-INF", "codes end at 78, as if it were infinite: E4M3 has numbers there, up to 7E",
     infinite_at_78},
};
constexpr CodeMistake kEndMistakesOfE5m2[] = {
    {"N-CLAMP", "codes go on to 7E, the largest of E4M3: the largest of E5M2 is 7B",
     ends_at<0x7E, 0x7C>},
    {"N-INF", "what is too large becomes a NaN: E5M2 has an infinity, 7C", ends_at<0x7B, 0x7E>},
};

/// Of a NaN, the code without its sign; what is none is right.
template <int (*kMagnitude)(std::uint32_t bits, const Format& f, Overflow overflow)>
int of_nan(float x, const Format& f, Overflow overflow) {
  if (!std::isnan(x)) return right_code(x, f, overflow);
  return with_sign_of(x, kMagnitude(std::bit_cast<std::uint32_t>(x), f, overflow));
}
inline int nan_too_large(std::uint32_t, const Format& f, Overflow overflow) {
  return overflow == kSaturate ? f.largest : f.largest + 1;
}
inline int nan_of_the_other(std::uint32_t, const Format& f, Overflow) {
  return f.bias == kFour.bias ? kFive.nan : kFour.nan;
}
inline int nan_with_its_fraction(std::uint32_t bits, const Format& f, Overflow) {
  const auto fraction = static_cast<int>(bits >> (23 - f.fraction_bits)) & (f.steps() - 1);
  return (0x80 - f.steps()) | fraction;
}
inline int nan_run_over(std::uint32_t bits, const Format& f, Overflow) {
  return bits == 0xFFFFFFFF ? 0 : f.nan;
}
inline int nan_without_sign(float x, const Format& f, Overflow overflow) {
  return std::isnan(x) ? f.nan : right_code(x, f, overflow);
}

constexpr CodeMistake kNanMistakes[] = {
    {"N-NAN", "a NaN is taken for a number that is too large", of_nan<nan_too_large>},
    {"N-NAN", "a NaN has the code of the other format: it is 7F in E4M3, 7E in E5M2",
     of_nan<nan_of_the_other>},
    {"N-NAN", "a NaN keeps bits of its fraction: it is 7F in E4M3, 7E in E5M2",
     of_nan<nan_with_its_fraction>},
    {"N-NAN", "a NaN whose bits are all 1 is rounded, and runs over to 0", of_nan<nan_run_over>},
    {"N-NAN", "a NaN loses its sign", nan_without_sign},
};

template <int kMore>
int with_bias(float x, const Format& f, Overflow overflow) {
  return right_code(x, {f.fraction_bits, f.bias + kMore, f.largest, f.nan}, overflow);
}
inline int of_the_other(float x, const Format& f, Overflow overflow) {
  return right_code(x, f.bias == kFour.bias ? kFive : kFour, overflow);
}
inline int without_sign(float x, const Format& f, Overflow overflow) {
  return right_code(x, f, overflow) & 0x7F;
}
inline int negated(float x, const Format& f, Overflow overflow) {
  const int magnitude = right_code(x, f, overflow) & 0x7F;
  return std::signbit(x) ? -magnitude & 0xFF : magnitude;
}

constexpr CodeMistake kOtherMistakes[] = {
    {"N-FORMULA", "the bias is one too large: it is 7 in E4M3, 15 in E5M2", with_bias<1>},
    {"N-FORMULA", "the bias is one too small: it is 7 in E4M3, 15 in E5M2", with_bias<-1>},
    {"N-FORMULA", "as if it were the other format", of_the_other},
    {"N-FORMULA", "the sign of x is lost: it is the first bit of its code", without_sign},
    {"N-FORMULA", "codes below 0 are two's complements: the sign is a bit of its own", negated},
};

/// The arguments of both exercises are a list of floats and an Overflow. How numbers are rounded is
/// asked where nothing is too large; where some are subnormal, how these are.
template <const Format& F>
void suspect_codes(Expect& expect, const ToE4m3::Arguments& in, const Codes&) {
  const Codes of_ties_up = codes_of(in.a, F, in.b, half_up);  // N-ROUND says it better
  const auto suspect_each = [&](std::span<const CodeMistake> mistakes) {
    for (const CodeMistake& mistake : mistakes) {
      Codes codes;
      for (const float x : in.a) {
        codes.push_back(static_cast<std::uint8_t>(mistake.code_of(x, F, in.b)));
      }
      if (codes != of_ties_up) expect.suspect(mistake.code, "codes", codes, mistake.words);
    }
  };
  const double largest = value_of(F.largest, F), normal = value_of(F.steps(), F);
  suspect_each(kOtherMistakes);
  if (std::ranges::any_of(in.a, [&](float x) { return x != 0 && std::fabs(x) < normal; })) {
    suspect_each(kSubnormalMistakes);
  } else if (std::ranges::none_of(in.a, [&](float x) { return std::fabs(x) > largest; })) {
    suspect_each(kRoundingMistakes);
  }
  suspect_each(kEndMistakes);
  if constexpr (F.bias == kFour.bias) {
    suspect_each(kEndMistakesOfE4m3);
  } else {
    suspect_each(kEndMistakesOfE5m2);
  }
  suspect_each(kNanMistakes);
}

}  // namespace nibble::judge::lab_11_fp8
