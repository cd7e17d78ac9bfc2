// Lab 15, dequantize: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include "checks/15_cpu_simd/element_by_element.hpp"
#include "checks/15_cpu_simd/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/isa_exercise.hpp"

namespace nibble::judge::lab_15_cpu_simd {

inline Reals dequantized(const Quantized& c) {
  return each_of(c.x, [&](float q) { return c.scale * q; });
}

inline void suspect_reals(Expect& expect, const Quantized& c) {
  expect.suspect("N-SIGN", "x", each_of(c.x, [&](std::uint8_t q) { return c.scale * q; }),
                 "codes below 0 are read as 256 more");
  expect.suspect("N-SCALE", "x", each_of(c.x, [&](float q) { return q / c.scale; }),
                 "a code is divided by its scale");
  Reals clamped = dequantized(c);
  for (float& value : clamped) value = std::max(value, -127 * c.scale);
  expect.suspect("N-RANGE", "x", clamped, "-128 is taken for -127");
  expect.suspect("N-SCALE", "x", each_of(c.x, [&](float q) { return c.scale * (q - 128); }),
                 "128 is taken off a code: it has no zero point");
  expect.suspect("N-SCALE", "x", Reals(c.x.size()), "all results are 0");
}

inline const auto dequantizing = kernel_exercise<&dequantize>(
    [](const Quantized& c) { return std::tuple(c.x, c.scale, out(c.x.size())); }, dequantized,
    [](Expect& expect, const Quantized& c, const Reals& got, const Reals& right) {
      expect_written<&dequantize>(expect, "x", got, right,
                                  std::tuple(c.x, c.scale, out(c.x.size())));
      if (expect.asks_for_suspects(got, right)) {
        suspect_reals(expect, c);
      }
      expect.equal("x", got, right);
    });

inline std::vector<Quantized> codes_of_every_length(float scale) {
  return each_of(every_length(),
                 [=](std::size_t n) { return scaled(scale, random_codes(n, seed(n))); });
}

}  // namespace nibble::judge::lab_15_cpu_simd
