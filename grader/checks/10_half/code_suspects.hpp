// Lab 10, float_to_half and float_to_bfloat16: codes that known mistakes give.
#pragma once

#include "half.hpp"

#include "checks/10_half/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_floats.hpp"

namespace nibble::judge::lab_10_half {

using namespace wrong_floats;

/// What a known mistake makes of x, its sign included.
struct CodeMistake {
  const char* code;
  const char* words;
  int (*code_of)(float x, const Format& f);
};

/// |x| in steps of the numbers around it, where a code of this format counts them.
inline double steps_of(float x, const Format& f) {
  const int exponent = x == 0 ? 1 - f.bias : std::max(std::ilogb(x), 1 - f.bias);
  return std::ldexp(std::fabs(double{x}), f.fraction_bits - exponent);
}
inline bool is_subnormal(float x, const Format& f) {
  return x != 0 && std::isfinite(x) && steps_of(x, f) < f.steps();
}
inline bool is_too_large(float x, const Format& f) {
  return std::fabs(x) > value_of(f.infinity() - 1, f);
}

// --- The last bit of a normal number ------------------------------------------------------------

template <double (*kRound)(double)>
int rounded(float x, const Format& f) {
  return code_of(x, f, kRound);
}

/// With glue(exponent, fraction) where the fraction is rounded by itself, so that it may run over.
template <int (*kGlue)(int exponent, int fraction, int steps)>
int glued(float x, const Format& f) {
  if (!std::isfinite(x) || steps_of(x, f) < f.steps()) return code_of(x, f);
  const int fraction = static_cast<int>(std::nearbyint(steps_of(x, f))) - f.steps();
  const int code = kGlue(std::ilogb(x) + f.bias, fraction, f.steps());
  return with_sign_of(x, std::min(code, f.infinity()));
}
inline int through_bfloat16(float x, const Format& f) {
  if (std::isnan(x)) return code_of(x, f);
  return code_of(from_bits(std::uint32_t{code_of(x, kBfloat16)} << 16), f);
}

constexpr const char* kLostCarry =
    "a carry out of the fraction does not reach the exponent: it is added to it";
constexpr CodeMistake kRoundingMistakes[] = {
    {"N-TRUNC", "bits that do not fit are cut off: x is rounded to the nearest code", rounded<cut>},
    {"N-FORMULA", "what is more than a half is taken for a tie: all bits that are cut off count",
     rounded<by_the_first_bit>},
    {"N-FORMULA", "whatever is cut off rounds up: x is rounded to the nearest code",
     rounded<cut_or_up>},
    {"N-CARRY", kLostCarry, glued<with_or>},
    {"N-CARRY", kLostCarry, glued<without_carry>},
    {"N-CARRY", "a fraction of all ones is not rounded up: it carries into the exponent",
     glued<at_most_full>},
};

// --- Subnormal numbers --------------------------------------------------------------------------

/// kCount(|x|, steps): how many of the smallest number. Only where x is below all normal numbers.
template <int (*kCount)(double x, double steps, int all)>
int counted(float x, const Format& f) {
  if (!is_subnormal(x, f)) return code_of(x, f);
  return with_sign_of(x, kCount(std::fabs(double{x}), steps_of(x, f), f.steps()));
}

template <int kBits>  // of the fraction that is kept at first
int counted_twice(double, double steps, int) {
  return counted_with(kBits, steps);
}

constexpr const char* kRoundedTwice =
    "subnormal numbers are rounded twice: x is rounded once, to what fits";
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
    {"N-ROUND", kRoundedTwice, counted<counted_twice<10>>},
    {"N-ROUND", kRoundedTwice, counted<counted_twice<20>>},
    {"N-CARRY", "the largest subnormal number is not rounded up: it carries into the exponent",
     counted<at_most_subnormal>},
};

// --- The end, NaN, and all the rest -------------------------------------------------------------

template <bool kInfinityToo>
int saturated(float x, const Format& f) {
  const int code = code_of(x, f);
  const bool is_infinite = (code & 0x7FFF) == f.infinity() && !std::isnan(x);
  return is_infinite && (kInfinityToo || !std::isinf(x)) ? code - 1 : code;
}
inline int unended(float x, const Format& f, int bias) {
  if (!std::isfinite(x)) return code_of(x, f);
  const int exponent = std::max(x == 0 ? -127 : std::ilogb(x), 1 - bias);
  const double steps = std::ldexp(std::fabs(double{x}), f.fraction_bits - exponent);
  return with_sign_of(x, (exponent + bias - 1) * f.steps() + whole(steps));
}
inline int run_over(float x, const Format& f) { return unended(x, f, f.bias); }

template <int (*kFraction)(int fraction, int steps)>
int of_nan(float x, const Format& f) {
  if (!std::isnan(x)) return code_of(x, f);
  const auto bits = std::bit_cast<std::uint32_t>(x) >> (23 - f.fraction_bits);
  const int fraction = static_cast<int>(bits) & (f.steps() - 1);
  return with_sign_of(x, f.infinity() | kFraction(fraction, f.steps()));
}
inline int no_fraction(int, int) { return 0; }
inline int as_it_is(int fraction, int) { return fraction; }
inline int first_bit_alone(int, int steps) { return steps / 2; }
inline int nan_of_infinity(float x, const Format& f) {
  const int code = code_of(x, f);
  return std::isinf(x) ? code | f.steps() / 2 : code;
}
inline int one_nan(float x, const Format& f) {
  return std::isnan(x) ? f.infinity() | f.steps() / 2 : code_of(x, f);
}

template <int kMore, bool kEnds>
int with_bias(float x, const Format& f) {
  const int code = unended(x, f, f.bias + kMore);
  return kEnds ? with_sign_of(x, std::min(code & 0x7FFF, f.infinity())) : code;
}
inline int of_the_other(float x, const Format& f) {
  return code_of(x, f.bias == kHalf.bias ? kBfloat16 : kHalf);
}
inline int without_sign(float x, const Format& f) { return code_of(x, f) & 0x7FFF; }
inline int negated(float x, const Format& f) {
  const int magnitude = code_of(x, f) & 0x7FFF;
  return std::signbit(x) ? -magnitude : magnitude;
}

constexpr const char* kSaturated = "what is too large becomes the largest number: it is infinite";
constexpr const char* kLargeBias = "the bias is one too large: it is 15 in half, 127 in bfloat16";
constexpr const char* kSmallBias = "the bias is one too small: it is 15 in half, 127 in bfloat16";
constexpr CodeMistake kOtherMistakes[] = {
    {"N-FORMULA", kLargeBias, with_bias<1, false>},
    {"N-FORMULA", kLargeBias, with_bias<1, true>},
    {"N-FORMULA", kSmallBias, with_bias<-1, false>},
    {"N-FORMULA", kSmallBias, with_bias<-1, true>},
    {"N-FORMULA", "as if it were the other format", of_the_other},
    {"N-FORMULA", "the sign of x is lost: it is the first bit of its code", without_sign},
    {"N-FORMULA", "codes below 0 are two's complements: the sign is a bit of its own", negated},
    {"N-INF", kSaturated, saturated<false>},
    {"N-INF", kSaturated, saturated<true>},
    {"N-INF", "an infinity becomes a NaN: its fraction is 0", nan_of_infinity},
    {"N-NAN", "a NaN becomes infinity", of_nan<no_fraction>},
    {"N-NAN", "the first bit of a NaN's fraction is not set", of_nan<as_it_is>},
    {"N-NAN", "a NaN keeps its first bit alone: it keeps its first bits", of_nan<first_bit_alone>},
    {"N-NAN", "there is one NaN for all: each keeps its sign and its first bits", one_nan},
};

/// Of half alone.
inline int counted_up_to_2_to_the_minus_12(float x, const Format& f) {
  const bool is_small = std::fabs(x) < 0x1p-12f;
  return is_small ? with_sign_of(x, whole(std::fabs(double{x}) * 0x1p24)) : code_of(x, f);
}
constexpr CodeMistake kMistakesOfHalf[] = {
    {"N-FORMULA", "x is made a bfloat16 first: it loses bits that a half has", through_bfloat16},
    {"N-FORMULA", "some normal numbers are counted as subnormal ones are: these are below 2^-14",
     counted_up_to_2_to_the_minus_12},
    {"N-INF", "an exponent that has no room runs over: what is too large is infinite", run_over},
};

/// Of bfloat16 alone.
inline int lower_half(float x, const Format&) {
  return static_cast<int>(std::bit_cast<std::uint32_t>(x) & 0xFFFF);
}
inline int rounded_nan(float x, const Format& f) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::isnan(x) ? static_cast<int>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16) : code_of(x, f);
}
constexpr CodeMistake kMistakesOfBfloat16[] = {
    {"N-FORMULA", "a code is the lower half of the float: it is the upper one", lower_half},
    {"N-NAN", "a NaN is rounded as a number is", rounded_nan},
};

/// The arguments of both are a list of floats. How numbers are rounded is asked where nothing is
/// too large; where some are subnormal, how these are.
template <const Format& F>
void suspect_codes(Expect& expect, const ToHalf::Arguments& in, const Codes&) {
  const Codes of_ties_up = codes_of(in.a, F, half_up);  // N-ROUND says it better
  const auto suspect_each = [&](std::span<const CodeMistake> mistakes) {
    for (const CodeMistake& mistake : mistakes) {
      Codes codes;
      for (const float x : in.a) {
        codes.push_back(static_cast<std::uint16_t>(mistake.code_of(x, F)));
      }
      if (codes != of_ties_up) expect.suspect(mistake.code, "codes", codes, mistake.words);
    }
  };
  if (std::ranges::any_of(in.a, [](float x) { return is_subnormal(x, F); })) {
    suspect_each(kSubnormalMistakes);
  } else if (std::ranges::none_of(in.a, [](float x) { return is_too_large(x, F); })) {
    suspect_each(kRoundingMistakes);
  }
  suspect_each(kOtherMistakes);
  if constexpr (F.bias == kHalf.bias) {
    suspect_each(kMistakesOfHalf);
  } else {
    suspect_each(kMistakesOfBfloat16);
  }
}

}  // namespace nibble::judge::lab_10_half
