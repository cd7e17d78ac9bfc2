// Lab 15, quantize: what is right, and what people write instead.
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

/// code(x) of every element, and `of_nan` for a NaN.
template <class Code>
std::vector<double> codes_of(const Reals& x, const Code& code, double of_nan = 0) {
  return each_of(x, [&](float value) { return std::isnan(value) ? of_nan : code(value); });
}

inline std::vector<double> by_quotient(const Values& c, double of_nan = 0) {
  return codes_of(
      c.x, [&](float x) { return clamp8(std::nearbyint(x / c.scale)); }, of_nan);
}
inline std::vector<double> by_product(const Values& c) {
  const float inverse = 1 / c.scale;
  return codes_of(c.x, [&](float x) { return clamp8(std::nearbyint(x * inverse)); });
}

inline void suspect_codes(Expect& expect, const Values& c) {
  // Of x / scale and x.
  const auto suspect = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", codes_of(c.x, [&](float x) { return code_of(x / c.scale, x); }),
                   words);
  };
  for (const double of_nan : {-128.0, 127.0, -1.0, 1.0}) {
    expect.suspect("N-NAN", "q", by_quotient(c, of_nan), "a NaN becomes 0");
  }
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    suspect(code, words, [&](float steps, float) { return clamp8(round(steps)); });
  });
  suspect("N-CLAMP", "an infinity becomes 0, as a NaN does: it is clamped",
          [](float steps, float x) { return std::isinf(x) ? 0 : clamp8(std::nearbyint(steps)); });
  suspect("N-CLAMP", "a quotient too large for a float becomes 0: it is clamped",
          [](float steps, float x) {
            return std::isinf(steps) && !std::isinf(x) ? 0 : clamp8(std::nearbyint(steps));
          });
  for (const std::size_t width : {1, 8, 16, 32, 64}) {  // what vectors leave may go well
    std::vector<double> codes = by_quotient(c);
    for (std::size_t i = 0; i < codes.size() / width * width; ++i) {
      if (std::fabs(std::nearbyint(c.x[i] / c.scale)) >= 0x1p31f) codes[i] = -128;
    }
    expect.suspect("N-CLAMP", "q", codes, "what is beyond int32 becomes -2^31, and then -128");
  }
  expect.suspect("N-ROUND", "q", by_product(c), "x * (1 / scale) is rounded twice: divide");
  suspect("N-ROUND", "x / scale is one division of floats, and not of doubles",
          [&](float, double x) { return clamp8(std::nearbyint(x / c.scale)); });
  suspect("N-CLAMP", "the code is not clamped, and wraps around",
          [](float steps, float) { return wrap8(std::nearbyint(steps)); });
  suspect("N-RANGE", "codes end at -127, and should end at -128",
          [](float steps, float) { return std::max(-127.0, clamp8(std::nearbyint(steps))); });
  suspect("N-RANGE", "codes below 0 become 0: they go down to -128",
          [](double steps, float) { return std::clamp(std::nearbyint(steps), 0.0, 127.0); });
  suspect("N-SCALE", "x is multiplied by its scale, and should be divided",
          [&](float, float x) { return clamp8(std::nearbyint(x * c.scale)); });
}

inline const auto quantizing = kernel_exercise<&quantize>(
    [](const Values& c) { return std::tuple(c.x, c.scale, out(c.x.size())); },
    [](const Values& c) { return narrow(by_quotient(c)); },
    [](Expect& expect, const Values& c, const Codes& got, const Codes& right) {
      expect_written<&quantize>(expect, "q", got, right, std::tuple(c.x, c.scale, out(c.x.size())));
      if (expect.asks_for_suspects(got, right)) {
        suspect_codes(expect, c);
        expect.suspect("N-SCALE", "q", Codes(c.x.size()), "all codes are 0");
      }
      expect.equal("q", got, right);
    });

/// The list often enough to fill vectors, whole ones: what is left of a vector is EveryLength.
inline Values repeated(std::string name, float scale, const Reals& x) {
  Reals often;
  while (often.size() < 160) often.insert(often.end(), x.begin(), x.end());
  often.resize(160);
  return {std::move(name), {often, scale}};
}

}  // namespace nibble::judge::lab_15_cpu_simd
