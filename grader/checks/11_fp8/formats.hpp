// Lab 11: both formats, by definition. The formulas of the contract are evaluated in double, where
// they are exact.
#pragma once

#include "fp8.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble {

inline std::string show(Overflow overflow) {
  return overflow == Overflow::kSaturate ? "kSaturate" : "kNonFinite";
}
inline std::string show(Fp8Format format) { return format == Fp8Format::kE4m3 ? "kE4m3" : "kE5m2"; }

}  // namespace nibble

namespace nibble::judge::lab_11_fp8 {

using Codes = std::vector<std::uint8_t>;

inline constexpr auto kSaturate = Overflow::kSaturate, kNonFinite = Overflow::kNonFinite;
inline constexpr auto kE4m3 = Fp8Format::kE4m3, kE5m2 = Fp8Format::kE5m2;

inline float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Format {
  int fraction_bits, bias;
  int largest, nan;  ///< codes; the one after the largest is where kNonFinite goes

  int steps() const { return 1 << fraction_bits; }  ///< from a power of two to the next
};
inline constexpr Format kFour{3, 7, 0x7E, 0x7F}, kFive{2, 15, 0x7B, 0x7E};

inline const Format& format_of(Fp8Format format) { return format == kE4m3 ? kFour : kFive; }

/// What `code` stands for, or would, if all codes were numbers.
inline double value_of(int code, const Format& f) {
  const int magnitude = code & 0x7F, exponent = magnitude / f.steps();
  const int steps = magnitude % f.steps() + (exponent == 0 ? 0 : f.steps());
  const double value = std::ldexp(steps, std::max(exponent, 1) - f.bias - f.fraction_bits);
  return code == magnitude ? value : -value;
}

inline float largest_of(const Format& f) { return static_cast<float>(value_of(f.largest, f)); }

inline std::uint8_t with_sign_of(float x, int magnitude) {
  return static_cast<std::uint8_t>(std::signbit(x) ? magnitude | 0x80 : magnitude);
}

using Round = double (*)(double);
inline double cut(double steps) { return std::trunc(steps); }
inline double half_up(double steps) { return std::round(steps); }
inline double half_down(double steps) { return std::ceil(steps - 0.5); }

/// |x| in steps of the numbers around it, rounded to a whole number: codes count these steps.
inline std::uint8_t code_of(double x, const Format& f, Overflow overflow,
                            Round round = std::nearbyint) {
  int code = f.largest + 1;
  if (std::isnan(x)) return with_sign_of(static_cast<float>(x), f.nan);
  if (std::fabs(x) < 2 * value_of(f.largest, f)) {
    const int exponent = x == 0.0 ? 1 - f.bias : std::max(std::ilogb(x), 1 - f.bias);
    const double steps = round(std::ldexp(std::fabs(x), f.fraction_bits - exponent));
    code = (exponent + f.bias - 1) * f.steps() + static_cast<int>(steps);
  }
  const int end = overflow == kSaturate ? f.largest : f.largest + 1;
  return static_cast<std::uint8_t>(std::min(code, end) | (std::signbit(x) ? 0x80 : 0));
}

inline Codes codes_of(const Reals& x, const Format& f, Overflow overflow,
                      Round round = std::nearbyint) {
  Codes codes;
  for (const float value : x) codes.push_back(code_of(value, f, overflow, round));
  return codes;
}

}  // namespace nibble::judge::lab_11_fp8
