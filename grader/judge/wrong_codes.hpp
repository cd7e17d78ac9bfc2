// What the usual mistakes make of codes: rounded, moved, wrapped or cut off in a wrong way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "judge/expect.hpp"

namespace nibble::judge {

/// On the grid of int8: stopped at its ends, as contracts say, and wrapped around, as a cast does.
inline double clamp8(double code) { return std::clamp(code, -128.0, 127.0); }
inline double wrap8(double code) {
  return static_cast<std::int8_t>(static_cast<std::int64_t>(std::clamp(code, -1e15, 1e15)));
}

/// suspect(code, round) for each usual wrong way to round to the nearest integer.
template <class Suspect>
void each_wrong_rounding(const Suspect& suspect) {
  suspect("N-TRUNC", [](auto steps) { return std::trunc(steps); });
  suspect("N-TRUNC", [](auto steps) { return std::floor(steps); });
  suspect("N-ROUND", [](auto steps) { return std::round(steps); });
  suspect("N-ROUND", [](auto steps) { return std::floor(steps + decltype(steps){0.5}); });
  suspect("N-ROUND", [](auto steps) {  // takes what lies beside a tie for one
    const auto from_tie = steps - std::floor(steps) - decltype(steps){0.5};
    const bool is_near = std::fabs(from_tie) < decltype(steps){1e-6};
    return is_near ? 2 * std::nearbyint(steps / 2) : std::nearbyint(steps);
  });
}

/// suspect(code, words, from) for each usual wrong way to nearbyint(steps) + zero_point:
/// from(steps), which is still to be clamped.
template <class Suspect>
void each_wrong_code(double zero_point, const Suspect& suspect) {
  constexpr const char* first = "as if the zero point were added before rounding";
  const auto to_even = [](auto steps) { return std::nearbyint(steps); };
  const auto moved = [zero_point](auto steps) {
    return steps + static_cast<decltype(steps)>(zero_point);
  };
  each_wrong_rounding([&](const char* code, const auto& round) {
    suspect(code, "", [&](auto steps) { return round(steps) + zero_point; });
  });
  suspect("N-TRUNC", "as if the zero point were added and the sum cut",
          [&](auto steps) { return std::trunc(moved(steps)); });
  suspect("N-ROUND", first, [&](auto steps) { return to_even(moved(steps)); });
  suspect("N-ROUND", first, [&](auto steps) { return std::round(moved(steps)); });
  suspect("N-ROUND", "as if the zero point and 1/2 were added and the sum cut",
          [&](auto steps) { return std::trunc(moved(steps) + decltype(steps){0.5}); });
  suspect("N-ZP-SIGN", "as if the zero point were subtracted",
          [&](auto steps) { return to_even(steps) - zero_point; });
  suspect("N-ZERO", "as if there were no zero point", [&](auto steps) { return to_even(steps); });
}

/// A last element that was forgotten, or left at 0.
template <class T>
void suspect_lost_tail(Expect& expect, std::string_view what, std::vector<T> right) {
  if (right.empty()) return;
  right.back() = 0;
  expect.suspect("N-TAIL", what, right);
  right.pop_back();
  expect.suspect("N-TAIL", what, right);
}

/// A number of half steps, rounded as contracts say, in integers: of two neighbours, the even one.
inline int half_steps_to_even(int count) {
  const int below = (count - (count & 1)) / 2;
  return (count & 1) == 0 || below % 2 == 0 ? below : below + 1;
}

}  // namespace nibble::judge
