// Lab 10: half_to_float and bfloat16_to_float.
#pragma once

#include "half.hpp"

#include "checks/10_half/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_floats.hpp"

namespace nibble::judge::lab_10_half {

using namespace wrong_floats;

inline bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// What is true of a wrong answer: a NaN is equal to no suspect's. "": nothing in particular.
inline const char* rule_of_nan(const Reals& got, const Reals& want) {
  bool is_off_by_a_nan = true, is_nan_for_infinity = true, is_number_for_nan = true;
  for (std::size_t i = 0; i < want.size() && i < got.size(); ++i) {
    if (equal_bits(got[i], want[i])) continue;
    is_off_by_a_nan &= std::isnan(got[i]) && std::isnan(want[i]);
    is_nan_for_infinity &= std::isnan(got[i]) && std::isinf(want[i]);
    is_number_for_nan &= std::isfinite(got[i]) && std::isnan(want[i]);
  }
  if (is_off_by_a_nan) return "a NaN has other bits: the contract says which it keeps";
  if (is_number_for_nan) return "a code of NaN is taken for a number";
  return is_nan_for_infinity ? "infinity is taken for a NaN: its fraction is 0" : "";
}

/// A -0 is no 0, and of a NaN every bit counts.
inline constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got,
                                     const Reals& want) {
  const bool is_right =
      expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
  if (!is_right && got.size() == want.size()) expect.recall(rule_of_nan(got, want));
};

using FromHalf = Exercise<&half_to_float>;
using FromBfloat16 = Exercise<&bfloat16_to_float>;

/// What a known mistake takes a code for, its sign included.
struct ValueMistake {
  const char* code;
  const char* words;
  float (*value_of)(int code, const Format& f);
};

inline float with_sign(int code, double magnitude) {
  return static_cast<float>(code < 0x8000 ? magnitude : -magnitude);
}
inline float right_value(int code, const Format& f) {
  const int magnitude = code & 0x7FFF;
  if (magnitude == f.infinity()) return with_sign(code, double{kInfinity});
  return with_sign(code, magnitude > f.infinity() ? double{kNan} : value_of(magnitude, f));
}

/// Where the exponent is 0: kUnits(fraction) times what the smallest number is.
template <double (*kUnits)(int fraction, int all)>
float subnormal_as(int code, const Format& f) {
  const int fraction = code & 0x7FFF;
  if (fraction >= f.steps()) return right_value(code, f);
  return with_sign(code, kUnits(fraction, f.steps()) * value_of(1, f));
}

/// A bias that subnormal numbers do not have, or all have.
template <int kMore, bool kSubnormalToo>
float with_another_bias(int code, const Format& f) {
  const int magnitude = code & 0x7FFF;
  const bool is_moved = magnitude < f.infinity() && (kSubnormalToo || magnitude >= f.steps());
  return is_moved ? std::ldexp(right_value(code, f), -kMore) : right_value(code, f);
}
inline float value_in_the_other(int code, const Format& f) {
  return right_value(code, f.bias == kHalf.bias ? kBfloat16 : kHalf);
}
inline float without_the_sign(int code, const Format& f) { return right_value(code & 0x7FFF, f); }
inline float as_int16(int code, const Format&) { return static_cast<std::int16_t>(code); }
inline float as_uint16(int code, const Format&) { return static_cast<float>(code); }
inline float without_hidden_one(int code, const Format& f) {
  const int magnitude = code & 0x7FFF, exponent = magnitude / f.steps();
  if (magnitude >= f.infinity()) return right_value(code, f);
  const double fraction = magnitude % f.steps();
  return with_sign(code, std::ldexp(fraction, std::max(exponent, 1) - f.bias - f.fraction_bits));
}

inline float as_a_number(int code, const Format& f) {
  return with_sign(code, value_of(code & 0x7FFF, f));
}
inline float nan_as_infinity(int code, const Format& f) {
  return (code & 0x7FFF) > f.infinity() ? with_sign(code, double{kInfinity}) : right_value(code, f);
}
inline float infinity_without_sign(int code, const Format& f) {
  return (code & 0x7FFF) == f.infinity() ? kInfinity : right_value(code, f);
}
inline float infinity_as_largest(int code, const Format& f) {
  const float x = right_value(code, f);
  return std::isinf(x) ? std::copysign(FLT_MAX, x) : x;
}

constexpr const char* kLargerBias = "the bias is one too large: it is 15 in half, 127 in bfloat16";
constexpr const char* kSmallerBias = "the bias is one too small: it is 15 in half, 127 in bfloat16";
constexpr const char* kOneTooMany =
    "subnormal codes get a 1 before their fraction: normal ones alone have it";
constexpr const char* kTakenForAnInteger = "a code is converted as an integer: its parts are read";

constexpr ValueMistake kValueMistakes[] = {
    {"N-NAN", "an exponent of all ones is taken for one like others: it is of infinity and NaN",
     as_a_number},
    {"N-NAN", "NaN are taken for infinity: the fraction of infinity is 0", nan_as_infinity},
    {"N-NAN", "infinity loses its sign", infinity_without_sign},
    {"N-NAN", "infinity becomes the largest float", infinity_as_largest},
    {"N-FLUSH", "subnormal codes become 0: they are the fraction times the smallest number",
     subnormal_as<no_units>},
    {"N-FLUSH", kOneTooMany, subnormal_as<units_with_a_one>},
    {"N-FLUSH", kOneTooMany, subnormal_as<half_units_with_a_one>},
    {"N-FLUSH", "subnormal numbers are half as large: their unit is 2^(1 - bias - f)",
     subnormal_as<half_units>},
    {"N-FLUSH", "subnormal numbers are twice as large: their unit is 2^(1 - bias - f)",
     subnormal_as<double_units>},
    {"N-FORMULA", kLargerBias, with_another_bias<1, false>},
    {"N-FORMULA", kLargerBias, with_another_bias<1, true>},
    {"N-FORMULA", kSmallerBias, with_another_bias<-1, false>},
    {"N-FORMULA", kSmallerBias, with_another_bias<-1, true>},
    {"N-FORMULA", "as if it were the other format", value_in_the_other},
    {"N-FORMULA", "the sign is lost: it is the first bit of a code", without_the_sign},
    {"N-FORMULA", kTakenForAnInteger, as_int16},
    {"N-FORMULA", kTakenForAnInteger, as_uint16},
    {"N-FORMULA", "normal numbers are made of the fraction alone: 2^f is added to it",
     without_hidden_one},
};

/// Bits at another place. Of half, the exponent may be right.
inline float fraction_at_the_end(int code, const Format& f) {
  const int magnitude = code & 0x7FFF;
  if (magnitude < f.steps() || magnitude >= f.infinity()) return right_value(code, f);
  const int exponent = magnitude / f.steps() + 127 - f.bias, fraction = magnitude % f.steps();
  return with_sign(code, double{from_bits(std::uint32_t(exponent << 23 | fraction))});
}
template <int kPlaces>
float shifted(int code, const Format&) {
  return from_bits(std::uint32_t(code) << kPlaces);
}
inline float with_a_half_behind(int code, const Format&) {
  return from_bits(std::uint32_t(code) << 16 | 0x8000);
}
inline float repeated(int code, const Format&) {
  return from_bits(std::uint32_t(code) << 16 | std::uint32_t(code));
}
constexpr const char* kNotZero = "the lower half of the float is not 0";
constexpr ValueMistake kPlacesOfHalf[] = {
    {"N-FORMULA", "the fraction is at the wrong end: it begins behind the exponent",
     fraction_at_the_end},
};
constexpr ValueMistake kPlacesOfBfloat16[] = {
    {"N-FORMULA", "a code is shifted by 15 places: by 16 it is the upper half", shifted<15>},
    {"N-FORMULA", "a code is the lower half of the float: it is the upper one", shifted<0>},
    {"N-FORMULA", kNotZero, with_a_half_behind},
    {"N-FORMULA", kNotZero, repeated},
};

template <const Format& F>  // the arguments of both are a list of codes
inline void suspect_values(Expect& expect, const FromHalf::Arguments& in, const Reals& right) {
  const auto suspect_each = [&](std::span<const ValueMistake> mistakes) {
    for (const ValueMistake& mistake : mistakes) {
      Reals x;
      for (const int code : in.a) x.push_back(mistake.value_of(code, F));
      if (x != right) expect.suspect(mistake.code, "x", x, mistake.words);
    }
  };
  suspect_each(kValueMistakes);
  if constexpr (F.bias == kHalf.bias) {
    suspect_each(kPlacesOfHalf);
  } else {
    suspect_each(kPlacesOfBfloat16);
  }
  expect.suspect("N-SIGN0", "x", right, "a 0 keeps its sign");  // equal, and wrong bit by bit
}

inline const FromHalf from_half{{"codes"}, {"x"}, suspect_values<kHalf>};

inline const FromBfloat16 from_bfloat16{{"codes"}, {"x"}, suspect_values<kBfloat16>};

}  // namespace nibble::judge::lab_10_half
