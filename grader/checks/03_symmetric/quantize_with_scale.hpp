// Lab 03, quantize_with_scale: what is right, and what people write instead.
#pragma once

#include "symmetric.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_03_symmetric {

using Quantizing = Exercise<&quantize_with_scale>;

/// The codes of x if it were rounded with `round`: what a known mistake would answer.
template <class Round>
Codes rounded_with(Round round, const Reals& x, float scale, double qmin, double qmax) {
  return each_of(x, [&](float value) {
    return static_cast<std::int8_t>(std::clamp<double>(round(value / scale), qmin, qmax));
  });
}

/// What the usual wrong roundings would make of x. `as` turns codes into what is compared.
template <class As>
void suspect_roundings(Expect& expect, std::string_view what, const Reals& x, float scale,
                       int num_bits, As as) {
  const IntRange range = signed_range(num_bits);
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    expect.suspect(code, what, as(rounded_with(round, x, scale, range.qmin, range.qmax)), words);
  });
}

inline void suspect_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const auto& [x, scale, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto to_even = [](float steps) { return std::nearbyint(steps); };
  suspect_roundings(expect, "q", x, scale, num_bits, [](const Codes& q) { return q; });
  expect.suspect(
      "N-CLAMP", "q",
      each_of(x, [scale = scale](float value) { return wrap8(std::nearbyint(value / scale)); }),
      "codes beyond the ends wrap around: they are clamped");
  const auto by_inverse = [scale = scale](float steps) {
    return std::nearbyint(steps * (1 / scale));
  };
  expect.suspect("N-FORMULA", "q", rounded_with(by_inverse, x, 1, qmin, qmax),
                 "x is multiplied by 1 / scale: it is divided by scale");
  expect.suspect("N-RANGE", "q", rounded_with(to_even, x, scale, -qmax, qmax),
                 "as if codes ended at -qmax, and not at qmin");
  expect.suspect("N-RANGE", "q", rounded_with(to_even, x, scale, -128, 127),
                 "codes have 8 bits: they have num_bits");
  expect.suspect("N-SCALE", "q", Codes(x.size()), "every code is 0");
  suspect_tail(expect, "q", right);
}

inline const Quantizing quantizing{{"x", "scale", "num_bits"}, {"q"}, suspect_codes};

}  // namespace nibble::judge::lab_03_symmetric
