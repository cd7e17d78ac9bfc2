// Lab 15, sigmoid: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include <string_view>

#include "checks/15_cpu_simd/element_by_element.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_15_cpu_simd {

/// code(1 / (1 + exp(-scale * of(x)))) of every x.
template <class Of, class Code>
std::vector<double> squashed(const Quantized& c, const Of& of, const Code& code) {
  return each_of(
      c.x, [&](int x) -> double { return code(1 / (1 + std::exp(-double{c.scale} * of(x)))); });
}

inline double itself(int x) { return x; }
inline double code_of_share(double s) { return clamp8(std::nearbyint(256 * s) - 128); }

inline void suspect_tables(Expect& expect, const Quantized& c) {
  const auto table = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "y", squashed(c, itself, code_of), words);
  };
  const auto input = [&](const char* code, std::string_view words, const auto& of) {
    expect.suspect(code, "y", squashed(c, of, code_of_share), words);
  };
  table("N-CLAMP", "the code is not clamped, and wraps around",
        [](double s) { return wrap8(std::nearbyint(256 * s) - 128); });
  table("N-SCALE", "a code is 1/256, and here 1/255",
        [](double s) { return clamp8(std::nearbyint(255 * s) - 128); });
  table("N-SCALE", "a code is 1/256, and here 1/127",
        [](double s) { return clamp8(std::nearbyint(127 * s)); });
  table("N-ZERO", "128 is not taken off", [](double s) { return clamp8(std::nearbyint(256 * s)); });
  table("N-TRUNC", "256 * s is cut off, and has to be rounded",
        [](double s) { return clamp8(std::floor(256 * s) - 128); });
  input("N-SIGN", "codes below 0 are read as 256 more", [](int x) { return x & 255; });
  input("N-SIGN", "the table is read at the byte of a code, and begins at -128",
        [](int x) { return (x & 255) - 128; });
  table("N-SIGN", "s is made of -x", [](double s) { return code_of_share(1 - s); });
  const auto by_floats = each_of(c.x, [&](int x) -> double {
    return code_of_share(1.0f / (1.0f + std::exp(-c.scale * static_cast<float>(x))));
  });
  expect.suspect("N-FORMULA", "y", by_floats, "s is made of floats, and should be of doubles");
  const auto sign = each_of(c.x, [](int x) { return x < 0 ? -128 : x > 0 ? 127 : 0; });
  expect.suspect("N-FORMULA", "y", sign, "only the sign of x counts: y is -128, 0 or 127");
  const double scale = c.scale;
  input("N-SCALE", "codes are not scaled: s is made of scale * x",
        [=](int x) { return x / scale; });
  input("N-SCALE", "a code is divided by its scale", [=](int x) { return x / scale / scale; });
}

/// A table in parts of 16, two of which answer one code, and what they say is put into one byte.
/// What whole vectors leave goes well.
inline void suspect_overlap(Expect& expect, const Quantized& c, const Codes& right) {
  const Quantized before =
      scaled(c.scale, each_of(c.x, [](std::int8_t x) {
               return static_cast<std::int8_t>(x - 16);  // the same place in the part before
             }));
  const std::vector<double> other = squashed(before, itself, code_of_share);
  for (const std::size_t width : {1, 16, 32, 64}) {
    Codes both = right;
    for (std::size_t i = 0; i < both.size() / width * width; ++i) {
      both[i] = static_cast<std::int8_t>(both[i] | int(other[i]));
    }
    expect.suspect("N-FORMULA", "y", both, "two parts of the table answer one code");
  }
}

// Two libraries' exp may differ in the last bit. That moves a code only where 256 * s is within
// 2^-40 of a tie, and no scale of these checks comes as near. Those of NearTie come within 2^-21:
// further than a double is off, nearer than a float32.
inline const auto squashing = kernel_exercise<&sigmoid>(
    [](const Quantized& c) { return std::tuple(c.x, c.scale, out(c.x.size())); },
    [](const Quantized& c) { return narrow(squashed(c, itself, code_of_share)); },

    [](Expect& expect, const Quantized& c, const Codes& got, const Codes& right) {
      expect_written<&sigmoid>(expect, "y", got, right, std::tuple(c.x, c.scale, out(c.x.size())));
      if (expect.asks_for_suspects(got, right)) {
        suspect_tables(expect, c);
        suspect_overlap(expect, c, right);
      }
      expect.equal("y", got, right);
    });

}  // namespace nibble::judge::lab_15_cpu_simd
