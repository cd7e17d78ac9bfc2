// Lab 04, quantize_with_parameters: what is right, and what people write instead.
#pragma once

#include "asymmetric.hpp"

#include "checks/04_asymmetric/asymmetric_parameters.hpp"
#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_04_asymmetric {

using Quantizing = Exercise<&quantize_with_parameters>;

/// The codes that `to_code(x / scale)` would give, for what a known mistake answers.
template <class ToCode>
std::vector<double> codes_by(const Reals& x, float scale, ToCode to_code) {
  return each_of(x, [&](float value) { return to_code(static_cast<double>(value / scale)); });
}

inline double wrapped(double code) {
  return static_cast<std::uint8_t>(static_cast<std::int64_t>(std::clamp(code, -0x1p60, 0x1p60)));
}

/// The usual wrong ways from x to q. `as` turns codes into what is compared.
template <class As>
void suspect_codes(Expect& expect, std::string_view what, const Reals& x, AsymmetricParameters p,
                   int num_bits, As as) {
  const double zp = p.zero_point, qmax = unsigned_range(num_bits).qmax;
  const auto grid = [=](double code) { return std::clamp(code, 0.0, qmax); };
  const auto suspect = [&](const char* code, const auto& to_code, std::string_view words) {
    expect.suspect(code, what, as(codes_by(x, p.scale, to_code)), words);
  };
  each_wrong_code(zp, [&](const char* code, std::string_view words, const auto& from) {
    // A sum that is cut is a fraction that is rounded down: no code tells them apart.
    suspect(
        code, [&](double steps) { return grid(from(steps)); },
        words.ends_with("the sum cut") ? kRoundedDown : words);
  });
  suspect(
      "N-CLAMP", [&](double steps) { return wrapped(to_even(steps) + zp); },
      "codes beyond the ends wrap around: they are clamped");
  suspect(
      "N-CLAMP", [&](double steps) { return wrapped(grid(to_even(steps)) + zp); },
      "steps are clamped, and the zero point comes after: it is added first");
  suspect(
      "N-RANGE", [&](double steps) { return std::clamp(to_even(steps) + zp, 0.0, 255.0); },
      "codes end at 255: they end at qmax");
  suspect(
      "N-SIGN",
      [&](double steps) {
        const double half = (qmax + 1) / 2;
        return wrapped(std::clamp(to_even(steps) + zp, -half, half - 1));
      },
      "codes are clamped to those of signed integers: they are 0 ... qmax");
}

inline constexpr const char* kFromLo =
    "as if codes were counted from lo: x / scale is rounded by itself, and then zero_point is "
    "added";

/// Codes counted from lo itself, not from real 0: the grid is shifted by part of a step.
inline std::vector<double> codes_from_lo(const Reals& x, float scale, float lo, int num_bits) {
  const double qmax = unsigned_range(num_bits).qmax;
  return codes_by(x, scale, [=](double steps) {
    return std::clamp(to_even(steps - static_cast<double>(lo / scale)), 0.0, qmax);
  });
}

inline void suspect_all_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const auto& [x, p, num_bits] = in;
  suspect_codes(expect, "q", x, p, num_bits, [](const auto& q) { return q; });
  const auto divided = [&expect, &x = x, zp = p.zero_point, qmax = unsigned_range(num_bits).qmax](
                           const char* code, const char* words, auto divide) {
    expect.suspect(code, "q",
                   each_of(x,
                           [&](float value) {
                             return std::clamp(to_even(divide(value)) + zp, 0.0, double(qmax));
                           }),
                   words);
  };
  divided("N-SCALE", "x is multiplied by the scale: it is divided",
          [scale = p.scale](float value) { return value * scale; });
  divided("N-FORMULA", "x is divided in double: it is divided in float32",
          [scale = p.scale](double value) { return value / scale; });
  divided("N-FORMULA", "x is multiplied by 1 / scale: it is divided by scale",
          [scale = p.scale](float value) { return value * (1 / scale); });
  const double byte = static_cast<std::uint8_t>(p.zero_point), most = unsigned_range(num_bits).qmax;
  expect.suspect(
      "N-OVERFLOW", "q",
      codes_by(x, p.scale, [=](double v) { return std::clamp(to_even(v) + byte, 0.0, most); }),
      "zero_point is kept in 8 bits: it is an int32");
  expect.suspect("N-SCALE", "q", Codes(x.size()), "every code is 0");
  suspect_tail(expect, "q", right);
}

inline const Quantizing quantizing{
    {"x", "scale", "zero_point", "num_bits"}, {"q"}, suspect_all_codes};

inline constexpr std::int32_t kFar = kLargestZeroPoint;

inline constexpr AsymmetricParameters kUnusable[] = {
    {0.0f, 0},        {-0.5f, 0},       {kNan, 0},        {kInfinity, 0},
    {FLT_MIN / 2, 0}, {1.0f, kFar + 1}, {1.0f, -kFar - 1}};

inline const char* code_of(AsymmetricParameters unusable) {
  return std::abs(unusable.zero_point) > kFar ? "N-OVERFLOW" : "N-DIV0";
}

}  // namespace nibble::judge::lab_04_asymmetric
