// Lab 11: e4m3_to_float and e5m2_to_float.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {

inline bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// A -0 is no 0, and of a NaN every bit counts.
inline constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got,
                                     const Reals& want) {
  const bool is_right =
      expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
  const bool is_off_by_a_nan = std::ranges::equal(got, want, [](float one, float right) {
    return equal_bits(one, right) || (std::isnan(one) && std::isnan(right));
  });
  if (!is_right && is_off_by_a_nan)
    expect.recall("a NaN has the bits 7FC00000, or FFC00000 below 0");
};

using FromE4m3 = Exercise<&e4m3_to_float>;
using FromE5m2 = Exercise<&e5m2_to_float>;

/// The arguments of both are a list of codes.
template <const Format& F>
void suspect_values(Expect& expect, const FromE4m3::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const auto& change) {
    Reals x = right;
    for (std::size_t i = 0; i < x.size(); ++i) change(in.a[i], x[i]);
    if (x != right) expect.suspect(code, "x", x);
  };
  looks("N-FLUSH", [](int code, float& x) {
    if ((code & 0x7F) < F.steps()) x = 0;
  });
  looks("N-FLUSH", [](int code, float& x) {
    if ((code & 0x7F) < F.steps()) x /= 2;
  });
  expect.suspect("N-SIGN0", "x", right, "a 0 keeps its sign");  // equal, and wrong bit by bit
}

inline const FromE4m3 from_e4m3{{"codes"}, {"x"}, suspect_values<kFour>};

inline const FromE5m2 from_e5m2{{"codes"}, {"x"}, suspect_values<kFive>};

}  // namespace nibble::judge::lab_11_fp8
