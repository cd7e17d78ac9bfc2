// Lab 10: both formats, by definition. The formulas of the contract are evaluated in double, where
// they are exact.
#pragma once

#include "half.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {

using Codes = std::vector<std::uint16_t>;

inline float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Format {
  int fraction_bits, bias;

  int steps() const { return 1 << fraction_bits; }  ///< from a power of two to the next
  int infinity() const { return (2 * bias + 1) * steps(); }
};
inline constexpr Format kHalf{10, 15}, kBfloat16{7, 127};

/// What `code` stands for; of infinity's, what it would be as a number like the others.
inline double value_of(int code, const Format& f) {
  const int magnitude = code & 0x7FFF, exponent = magnitude / f.steps();
  const int steps = magnitude % f.steps() + (exponent == 0 ? 0 : f.steps());
  const double value = std::ldexp(steps, std::max(exponent, 1) - f.bias - f.fraction_bits);
  return code == magnitude ? value : -value;
}

inline std::uint16_t with_sign_of(float x, int magnitude) {
  return static_cast<std::uint16_t>(std::signbit(x) ? magnitude | 0x8000 : magnitude);
}

/// |x| in steps of the numbers around it, rounded to a whole number: codes count these steps.
inline std::uint16_t code_of(float x, const Format& f, double (*round)(double) = std::nearbyint) {
  if (std::isnan(x)) {
    const auto fraction = std::bit_cast<std::uint32_t>(x) >> (23 - f.fraction_bits);
    return with_sign_of(x, f.infinity() | f.steps() / 2 | int(fraction & (f.steps() - 1u)));
  }
  if (std::isinf(x)) return with_sign_of(x, f.infinity());
  const int exponent = std::max(std::ilogb(x), 1 - f.bias);
  const double steps = round(std::ldexp(std::fabs(double{x}), f.fraction_bits - exponent));
  const int code = (exponent + f.bias - 1) * f.steps() + static_cast<int>(steps);
  return with_sign_of(x, std::min(code, f.infinity()));
}

inline Codes codes_of(const Reals& x, const Format& f, double (*round)(double) = std::nearbyint) {
  Codes codes;
  for (const float value : x) codes.push_back(code_of(value, f, round));
  return codes;
}

inline double cut(double steps) { return std::trunc(steps); }
inline double half_up(double steps) { return std::round(steps); }
inline double half_down(double steps) { return std::ceil(steps - 0.5); }

/// Whether x is rounded up to a power of two: its fraction runs over.
inline bool carries(float x, const Format& f, std::uint16_t right) {
  const int code = right & 0x7FFF;
  return code % f.steps() == 0 && code < f.infinity() && std::fabs(x) < value_of(code, f);
}

using ToHalf = Exercise<&float_to_half>;
using ToBfloat16 = Exercise<&float_to_bfloat16>;

/// Whether x is a tie between two codes, or a float next to one.
inline bool beside_a_tie(float x, const Format& f) {
  const float below = std::nextafter(x, 0.0f), above = std::nextafter(x, 2 * x);
  return code_of(below, f, half_down) != code_of(above, f, half_up);
}

/// What one wrong code of x looks like; "": as nothing in particular.
inline const char* wrong_code(float x, const Format& f, std::uint16_t got, std::uint16_t right) {
  if (std::isnan(x)) return "N-NAN";
  const int sign = right & 0x8000, magnitude = right & 0x7FFF, off = (got ^ sign) - magnitude;
  if (std::abs(off) == 0x8000) return magnitude == 0 ? "N-SIGN0" : "";
  if ((got & 0x7FFF) >= f.infinity() || magnitude == f.infinity()) return "N-INF";
  if (off < 0 && got != sign && carries(x, f, right)) return "N-CARRY";
  if (std::abs(off) == 1 && beside_a_tie(x, f)) return "N-ROUND";
  return magnitude <= f.steps() && 2 * std::abs(off) >= magnitude ? "N-FLUSH" : "";
}

/// What is true instead, where one reason is all of it; "": the row says more.
inline const char* rule_of(std::string_view reason) {
  if (reason == "N-NAN") return "a NaN keeps its sign and its first bits, and is a quiet one";
  if (reason == "N-INF") return "infinity begins at the tie above the largest number";
  if (reason == "N-SIGN0") return "a 0 keeps its sign";
  if (reason == "N-ROUND") return "a tie goes to the code whose last bit is 0";
  return "";
}

/// Codes that are wrong for one reason are told it. Some ties carry, and what loses a number may
/// lose a tie.
template <const Format& F>  // the arguments of both are a list of floats
inline void same_codes(Expect& expect, const ToHalf::Arguments& in, const Codes& got,
                       const Codes& right) {
  if (const Codes wrong = codes_of(in.a, F, cut); wrong != right) {
    expect.suspect("N-TRUNC", "codes", wrong);
  }
  std::set<std::string> reasons;
  for (std::size_t i = 0; i < right.size() && got.size() == right.size(); ++i) {
    if (got[i] != right[i]) reasons.insert(wrong_code(in.a[i], F, got[i], right[i]));
  }
  if (reasons == std::set<std::string>{"N-CARRY", "N-ROUND"}) reasons.erase("N-CARRY");
  if (reasons.size() > 1) reasons.erase("N-ROUND");
  if (reasons.size() == 1) {
    expect.suspect(*reasons.begin(), "codes", got, rule_of(*reasons.begin()));
  }
  expect.equal("codes", got, right);
}

/// For each exponent there is: every tie between two neighbours, and the floats beside it.
template <class Input>
std::vector<Input> every_tie(const Format& f) {
  std::vector<Input> inputs;
  std::size_t ties = 0;
  for (int first = 0; first < f.infinity(); first += f.steps()) {
    Reals x;
    for (int code = first; code < first + f.steps(); ++code, ties += 2) {
      const auto tie = static_cast<float>((value_of(code, f) + value_of(code + 1, f)) / 2);
      for (const float value : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, kInfinity)}) {
        x.push_back(value);
        x.push_back(-value);
      }
    }
    inputs.push_back({"Exponent" + std::to_string(first / f.steps()), {x}});
  }
  Expect::healthy(ties == 2 * std::size_t(f.infinity()), "a tie is missing");
  return inputs;
}

}  // namespace nibble::judge::lab_10_half
