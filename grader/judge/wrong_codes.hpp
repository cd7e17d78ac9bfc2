// What the usual mistakes make of codes: rounded, moved, wrapped or cut off in a wrong way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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

inline constexpr const char* kRoundedDown =
    "a fraction is rounded down: it is rounded to the nearest integer";

/// suspect(code, words, round) for each usual wrong way to round to the nearest integer.
template <class Suspect>
void each_wrong_rounding(const Suspect& suspect) {
  suspect("N-TRUNC", "a fraction is cut off: it is rounded",
          [](auto steps) { return std::trunc(steps); });
  suspect("N-TRUNC", kRoundedDown, [](auto steps) { return std::floor(steps); });
  suspect("N-ROUND", "ties go away from zero: they go to the even neighbour",
          [](auto steps) { return std::round(steps); });
  suspect("N-ROUND", "ties go up: they go to the even neighbour",
          [](auto steps) { return std::floor(steps + decltype(steps){0.5}); });
  suspect("N-ROUND", "what lies beside a tie is taken for one", [](auto steps) {
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
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    suspect(code, words, [&](auto steps) { return round(steps) + zero_point; });
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

/// One `value` for the last element, or for those behind the last whole block.
template <class T>
void suspect_tail_of(Expect& expect, std::string_view what, const std::vector<T>& right, T value,
                     const char* last, const char* behind_blocks) {
  const auto ends_at = [&](std::size_t count, const char* words) {
    std::vector<T> cut = right;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(count), cut.end(), value);
    expect.suspect("N-TAIL", what, cut, words);
  };
  if (right.empty()) return;
  ends_at(right.size() - 1, last);
  for (const std::size_t block : {8, 32}) {
    const bool is_long = right.size() > block;
    ends_at(is_long ? right.size() / block * block : right.size(), behind_blocks);
  }
}

/// The same, left at what a new vector has; or no last element at all.
template <class T>
void suspect_tail(Expect& expect, std::string_view what, const std::vector<T>& right) {
  suspect_tail_of(expect, what, right, T{}, "the last element is left at 0",
                  "the last elements are left at 0: fewer than a whole block");
  if (right.empty()) return;
  expect.suspect("N-TAIL", what, std::vector<T>(right.begin(), right.end() - 1),
                 "the last element is left out");
}

/// A number of half steps, rounded as contracts say, in integers: of two neighbours, the even one.
inline int half_steps_to_even(int count) {
  const int below = (count - (count & 1)) / 2;
  return (count & 1) == 0 || below % 2 == 0 ? below : below + 1;
}

}  // namespace nibble::judge
