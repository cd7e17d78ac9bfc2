// Lab 11: what a wrong code looks like.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {

/// Whether x is rounded up to a power of two: its fraction runs over.
inline bool carries(float x, const Format& f, int magnitude) {
  return magnitude % f.steps() == 0 && std::fabs(x) < value_of(magnitude, f);
}

/// Whether a tie between two codes lies from `low` to `high`.
inline bool has_tie(float low, float high, const Format& f) {
  return code_of(low, f, kNonFinite, half_down) != code_of(high, f, kNonFinite, half_up);
}

/// 240, or the infinity behind it: E4M3 with an exponent kept for infinity, as larger formats have.
inline bool ends_at_240(int got, int magnitude, const Format& f) {
  return f.bias == kFour.bias && magnitude > 0x77 && (got == 0x77 || got == 0x78);
}

/// What one wrong code of x looks like; N-FORMULA: nothing in particular; "": beside a tie, as if
/// rounded twice.
inline const char* wrong_code(float x, const Format& f, Overflow overflow, int got, int right) {
  if (std::isnan(x)) return "N-NAN";
  const int sign = right & 0x80, magnitude = right & 0x7F, off = (got ^ sign) - magnitude;
  if (std::abs(off) == 0x80) return magnitude == 0 ? "N-SIGN0" : "N-FORMULA";
  if (ends_at_240(got ^ sign, magnitude, f)) return got % 2 == 1 ? "N-RANGE" : "N-INF";
  if ((code_of(x, f, kNonFinite) & 0x7F) > f.largest) {
    return overflow == kSaturate ? "N-CLAMP" : "N-INF";
  }
  if ((got & 0x7F) > f.largest) return "N-INF";
  if (off < 0 && got != sign && carries(x, f, magnitude)) return "N-CARRY";
  const bool beside_a_tie = has_tie(std::nextafter(x, 0.0f), std::nextafter(x, 2 * x), f);
  if (std::abs(off) == 1 && beside_a_tie) return has_tie(x, x, f) ? "N-ROUND" : "";
  return magnitude <= f.steps() && 2 * std::abs(off) >= magnitude ? "N-FLUSH" : "N-FORMULA";
}

/// Codes as the contract writes them.
inline std::u8string in_hexadecimal(const Codes& codes) { return {codes.begin(), codes.end()}; }

/// What is true instead, where one reason is all of it; "": the row says more.
inline const char* rule_of(std::string_view reason, Overflow overflow) {
  if (reason == "N-NAN") return "a NaN keeps its sign, and is no number";
  if (reason == "N-INF" && overflow == kNonFinite)
    return "kNonFinite begins at the tie above the largest number";
  if (reason == "N-SIGN0") return "a 0 keeps its sign";
  if (reason == "N-ROUND") return "a tie goes to the code whose last bit is 0";
  return "";
}

/// Codes that are wrong for one reason are told it. Some ties carry, and what loses a number may
/// lose a tie, or what is beside one.
inline void look_at_codes(Expect& expect, const Reals& x, const Format& f, Overflow overflow,
                          const Codes& got, const Codes& right) {
  if (const Codes wrong = codes_of(x, f, overflow, cut); wrong != right) {
    expect.suspect("N-TRUNC", "codes", wrong);
  }
  std::set<std::string> reasons;
  for (std::size_t i = 0; i < right.size() && got.size() == right.size(); ++i) {
    if (got[i] != right[i]) reasons.insert(wrong_code(x[i], f, overflow, got[i], right[i]));
  }
  if (reasons == std::set<std::string>{"N-CARRY", "N-ROUND"}) reasons.erase("N-CARRY");
  for (const char* const lesser : {"N-ROUND", ""}) {
    if (reasons.size() > 1) reasons.erase(lesser);
  }
  const bool is_known = reasons.size() == 1 && *reasons.begin() != "";
  if (!reasons.empty()) {
    const std::string reason = is_known ? *reasons.begin() : "N-FORMULA";
    expect.suspect(reason, "codes", got, rule_of(reason, overflow));
  }
  expect.equal("codes", in_hexadecimal(got), in_hexadecimal(right));
}

using ToE4m3 = Exercise<&float_to_e4m3>;
using ToE5m2 = Exercise<&float_to_e5m2>;

template <const Format& F>  // the arguments of both are a list of floats and an Overflow
inline void same_codes(Expect& expect, const ToE4m3::Arguments& in, const Codes& got,
                       const Codes& right) {
  look_at_codes(expect, in.a, F, in.b, got, right);
}

/// For each exponent there is: every tie between two neighbours, and the floats beside it. The last
/// lies between the largest number and what the next would be.
template <class Input>
std::vector<Input> every_tie(const Format& f) {
  std::vector<Input> inputs;
  int ties = 0;
  for (int first = 0; first <= f.largest; first += f.steps()) {
    Reals x;
    for (int code = first; code < first + f.steps() && code <= f.largest; ++code, ties += 2) {
      const auto tie = static_cast<float>((value_of(code, f) + value_of(code + 1, f)) / 2);
      for (const float value : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, kInfinity)}) {
        x.push_back(value);
        x.push_back(-value);
      }
    }
    for (const Overflow overflow : {kSaturate, kNonFinite}) {
      const std::string name = "Exponent" + std::to_string(first / f.steps());
      inputs.push_back({name + show(overflow), {x, overflow}});
    }
  }
  Expect::healthy(ties == 2 * (f.largest + 1), "a tie is missing");
  return inputs;
}

template <const Format& F>
Codes by_definition(const ToE4m3::Arguments& in) {
  return codes_of(in.a, F, in.b);
}

}  // namespace nibble::judge::lab_11_fp8
