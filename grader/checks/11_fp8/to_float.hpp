// Lab 11: e4m3_to_float and e5m2_to_float.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_floats.hpp"

namespace nibble::judge::lab_11_fp8 {

using namespace wrong_floats;

inline bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// What else is true of a wrong answer: a NaN is equal to no suspect's. "": nothing.
inline const char* rule_of_nan(const Reals& got, const Reals& want) {
  bool is_off_by_a_nan = true, is_number_for_nan = true, is_infinity_for_nan = true;
  bool is_nan_for_number = true;
  for (std::size_t i = 0; i < want.size() && i < got.size(); ++i) {
    if (equal_bits(got[i], want[i])) continue;
    is_off_by_a_nan &= std::isnan(got[i]) && std::isnan(want[i]);
    is_number_for_nan &= std::isnan(got[i]) && std::isfinite(want[i]);
    is_infinity_for_nan &= std::isnan(got[i]) && std::isinf(want[i]);
    is_nan_for_number &= std::isfinite(got[i]) && std::isnan(want[i]);
  }
  if (is_off_by_a_nan) return "a NaN has the bits 7FC00000, or FFC00000 below 0";
  if (is_number_for_nan) return "numbers are taken for NaN: codes up to the largest are none";
  if (is_nan_for_number) return "a code of NaN is taken for a number";
  return is_infinity_for_nan ? "infinity is taken for a NaN: its fraction is 0" : "";
}

/// A -0 is no 0, and of a NaN every bit counts.
inline constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got,
                                     const Reals& want) {
  const bool is_right =
      expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
  if (!is_right && got.size() == want.size()) expect.recall(rule_of_nan(got, want));
};

using FromE4m3 = Exercise<&e4m3_to_float>;
using FromE5m2 = Exercise<&e5m2_to_float>;

/// What a known mistake takes a code for, its sign included.
struct ValueMistake {
  const char* code;
  const char* words;
  float (*value_of)(int code, const Format& f);
};

inline float with_sign(int code, double magnitude) {
  return static_cast<float>(code < 0x80 ? magnitude : -magnitude);
}
inline float right_value(int code, const Format& f) {
  const int magnitude = code & 0x7F;
  if (magnitude == f.largest + 1 && magnitude != f.nan) return with_sign(code, double{kInfinity});
  return with_sign(code, magnitude > f.largest ? double{kNan} : value_of(magnitude, f));
}

/// Where the exponent is 0: kUnits(fraction) times what the smallest number is.
template <double (*kUnits)(int fraction, int all)>
float subnormal_as(int code, const Format& f) {
  const int fraction = code & 0x7F;
  if (fraction >= f.steps()) return right_value(code, f);
  return with_sign(code, kUnits(fraction, f.steps()) * value_of(1, f));
}

template <int kMore>
float with_another_bias(int code, const Format& f) {
  const bool is_number = (code & 0x7F) <= f.largest;
  return is_number ? std::ldexp(right_value(code, f), -kMore) : right_value(code, f);
}
inline float value_in_the_other(int code, const Format& f) {
  return right_value(code, f.bias == kFour.bias ? kFive : kFour);
}
inline float without_the_sign(int code, const Format& f) { return right_value(code & 0x7F, f); }
inline float as_int8(int code, const Format&) { return static_cast<std::int8_t>(code); }
inline float as_uint8(int code, const Format&) { return static_cast<float>(code); }
inline float without_hidden_one(int code, const Format& f) {
  const int magnitude = code & 0x7F, exponent = magnitude / f.steps();
  if (magnitude > f.largest) return right_value(code, f);
  const double fraction = magnitude % f.steps();
  return with_sign(code, std::ldexp(fraction, std::max(exponent, 1) - f.bias - f.fraction_bits));
}

/// What is no number, taken for one like those before it; an infinity; of one sign only.
inline float as_a_number(int code, const Format& f) {
  return with_sign(code, value_of(code & 0x7F, f));
}
inline float nan_as_infinity(int code, const Format& f) {
  return (code & 0x7F) > f.largest ? with_sign(code, double{kInfinity}) : right_value(code, f);
}
inline float infinity_at_78(int code, const Format& f) {
  return (code & 0x7F) == 0x78 ? with_sign(code, double{kInfinity}) : right_value(code, f);
}
inline float infinity_without_sign(int code, const Format& f) {
  return (code & 0x7F) == 0x7C ? kInfinity : right_value(code, f);
}

constexpr const char* kOneTooMany =
    "subnormal codes get a 1 before their fraction: normal ones alone have it";
constexpr const char* kTakenForAnInteger = "a code is converted as an integer: its parts are read";

constexpr ValueMistake kValueMistakes[] = {
    {"N-FORMULA", "the bias is one too large: it is 7 in E4M3, 15 in E5M2", with_another_bias<1>},
    {"N-FORMULA", "the bias is one too small: it is 7 in E4M3, 15 in E5M2", with_another_bias<-1>},
    {"N-FORMULA", "as if it were the other format", value_in_the_other},
    {"N-FORMULA", "the sign is lost: it is the first bit of a code", without_the_sign},
    {"N-FORMULA", kTakenForAnInteger, as_int8},
    {"N-FORMULA", kTakenForAnInteger, as_uint8},
    {"N-FORMULA", "normal numbers are made of the fraction alone: 2^f is added to it",
     without_hidden_one},
    {"N-FLUSH", "subnormal codes become 0: they are the fraction times the smallest number",
     subnormal_as<no_units>},
    {"N-FLUSH", kOneTooMany, subnormal_as<units_with_a_one>},
    {"N-FLUSH", kOneTooMany, subnormal_as<half_units_with_a_one>},
    {"N-FLUSH", "subnormal numbers are half as large: their unit is 2^(1 - bias - f)",
     subnormal_as<half_units>},
    {"N-FLUSH", "subnormal numbers are twice as large: their unit is 2^(1 - bias - f)",
     subnormal_as<double_units>},
};
constexpr ValueMistake kEndValuesOfE4m3[] = {
    {"N-NAN", "7F and FF are taken for numbers: they are NaN", as_a_number},
    {"N-NAN", "7F and FF are taken for infinity: they are NaN", nan_as_infinity},
    {"N-NAN", "78 and F8 are taken for infinity: E4M3 has none", infinity_at_78},
};
constexpr ValueMistake kEndValuesOfE5m2[] = {
    {"N-NAN", "codes behind the largest are taken for numbers: 7C is infinite, the others NaN",
     as_a_number},
    {"N-NAN", "NaN are taken for infinity: in E5M2 the fraction of infinity is 0", nan_as_infinity},
    {"N-NAN", "infinity loses its sign", infinity_without_sign},
};

/// The arguments of both are a list of codes.
template <const Format& F>
void suspect_values(Expect& expect, const FromE4m3::Arguments& in, const Reals& right) {
  const auto suspect_each = [&](std::span<const ValueMistake> mistakes) {
    for (const ValueMistake& mistake : mistakes) {
      Reals x;
      for (const int code : in.a) x.push_back(mistake.value_of(code, F));
      if (x != right) expect.suspect(mistake.code, "x", x, mistake.words);
    }
  };
  if constexpr (F.bias == kFour.bias) {
    suspect_each(kEndValuesOfE4m3);
  } else {
    suspect_each(kEndValuesOfE5m2);
  }
  suspect_each(kValueMistakes);
  expect.suspect("N-SIGN0", "x", right, "a 0 keeps its sign");  // equal, and wrong bit by bit
}

inline const FromE4m3 from_e4m3{{"codes"}, {"x"}, suspect_values<kFour>};

inline const FromE5m2 from_e5m2{{"codes"}, {"x"}, suspect_values<kFive>};

}  // namespace nibble::judge::lab_11_fp8
