// Codes that may honestly differ, by one step, where what is rounded lies as good as on a tie; and
// the rule where it lies beside one by a bit, and what is rounded is exact.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "judge/expect.hpp"

namespace nibble::judge {

inline constexpr const char* kNoTies =
    "these lie beside a tie, and only a tie goes to the even neighbour";

/// Codes agree, or differ by one where near_tie(i) says that the i-th may be either.
template <class Code, class NearTie>
void same_codes(Expect& expect, std::string_view what, const std::vector<Code>& got,
                const std::vector<Code>& want, const NearTie& near_tie, const Shape& shape = {}) {
  const auto is_same = [&](std::size_t i) {
    return got[i] == want[i] || (std::abs(std::int64_t{got[i]} - want[i]) == 1 && near_tie(i));
  };
  expect.every(what, got, want, is_same, shape);
}

/// The same where x / scale is rounded.
template <class Code>
void same_codes(Expect& expect, std::string_view what, const std::vector<Code>& got,
                const std::vector<Code>& want, const std::vector<float>& x, float scale) {
  same_codes(expect, what, got, want, [&](std::size_t i) { return is_near_tie(x[i], scale); });
}

}  // namespace nibble::judge
