// Lab 01, saturate_to_int8: what is right, and what people write instead.
#pragma once

#include "grid.hpp"

#include "judge/exercise.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_01_grid {

using Saturating = Exercise<&saturate_to_int8>;

inline void suspect_ends(Expect& expect, float whole) {
  const auto suspect = [&](const char* code, const char* words, double value) {
    expect.suspect(code, "the int8", value, words);
  };
  const bool fits = std::fabs(whole) < 0x1p31f;
  const double early = fits ? double{whole} : -0x1p31;  // what x86 makes of it
  suspect("N-CLAMP", "numbers beyond the ends wrap around: they are clamped", wrap8(whole));
  suspect("N-CLAMP", "a number is made an int32 before it is clamped: not every one fits",
          clamp8(early));
  suspect("N-RANGE", "numbers end at -127: -128 is an int8, too",
          std::clamp(whole, -127.0f, 127.0f));
  suspect("N-RANGE", "numbers are clamped to 0 ... 255: they are to -128 ... 127",
          wrap8(std::clamp(whole, 0.0f, 255.0f)));
  suspect("N-RANGE", "the answer is always 0", 0);
}

inline void suspect_numbers(Expect& expect, const Saturating::Arguments& in, std::int8_t) {
  const float x = in.a;
  if (!std::isfinite(x)) return;  // these have a rule of their own
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    expect.suspect(code, "the int8", clamp8(round(x)), words);
  });
  expect.suspect("N-ROUND", "the int8", clamp8(std::nearbyint(std::nearbyint(x * 10) / 10)),
                 "a number is rounded to tenths first, which makes ties");
  suspect_ends(expect, std::nearbyint(x));
}

inline const Saturating saturating{{"x"}, {"the int8"}, suspect_numbers};

}  // namespace nibble::judge::lab_01_grid
