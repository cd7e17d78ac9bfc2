// Lab 10: half_to_float and bfloat16_to_float.
#pragma once

#include "half.hpp"

#include "checks/10_half/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {

inline bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// A -0 is no 0, and of a NaN every bit counts.
inline constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got,
                                     const Reals& want) {
  expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
};

using FromHalf = Exercise<&half_to_float>;
using FromBfloat16 = Exercise<&bfloat16_to_float>;

template <const Format& F>  // the arguments of both are a list of codes
inline void suspect_values(Expect& expect, const FromHalf::Arguments& in, const Reals& right) {
  Reals x = right;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if ((in.a[i] & 0x7FFF) < F.steps()) x[i] = 0;
  }
  if (x != right) expect.suspect("N-FLUSH", "x", x);
  expect.suspect("N-SIGN0", "x", right, "a 0 keeps its sign");  // equal, and wrong bit by bit
}

inline const FromHalf from_half{{"codes"}, {"x"}, suspect_values<kHalf>};

inline const FromBfloat16 from_bfloat16{{"codes"}, {"x"}, suspect_values<kBfloat16>};

}  // namespace nibble::judge::lab_10_half
