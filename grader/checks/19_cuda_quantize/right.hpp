// Lab 19: what a binary16 stands for, and what is right.
#pragma once

#include "cuda_quantize.hpp"

#include <cmath>
#include <string_view>

#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"
#include "nibble/half.hpp"

namespace nibble::judge::lab_19_cuda_quantize {

using Halves = std::vector<std::uint16_t>;

inline float real(float x) { return x; }

/// A NaN keeps its sign: what somebody makes of it may depend on that.
inline float real(std::uint16_t bits) {
  return std::copysign(float_from_half(bits), bits >> 15 == 0 ? 1.0f : -1.0f);
}

/// The bits of a number that is a binary16.
inline std::uint16_t half_bits(float x) {
  const std::uint16_t bits = half_from_float(x);
  if (!std::isnan(x) && real(bits) != x) throw KitError(std::to_string(x) + " is no binary16");
  return bits;
}

template <class>
struct InputOf;
template <class X>
struct InputOf<void (*)(std::span<const X>, std::span<std::int8_t>, float)> {
  using Element = X;
};
/// What F quantizes: float, or the bits of a binary16.
template <auto F>
using Element = typename InputOf<decltype(F)>::Element;
template <auto F>
inline constexpr bool kTakesHalves = std::is_same_v<Element<F>, std::uint16_t>;

/// Numbers as F takes them.
template <auto F>
std::vector<Element<F>> input(const Reals& x) {
  if constexpr (kTakesHalves<F>) {
    return each_of(x, half_bits);
  } else {
    return x;
  }
}

inline std::int8_t clamped(float rounded, float low = -128.0f) {
  return static_cast<std::int8_t>(std::isnan(rounded) ? 0.0f
                                                      : std::fmin(127.0f, std::fmax(low, rounded)));
}

template <class X, class Rule>
Codes codes_by(const std::vector<X>& x, const Rule& rule) {
  return each_of(x, [&](X value) { return static_cast<std::int8_t>(rule(real(value))); });
}

template <class X>
Codes by_definition(const std::vector<X>& x, float scale) {
  return codes_by(x, [&](float value) { return clamped(std::nearbyint(value / scale)); });
}

/// What other rules than the contract's would answer.
template <class X>
void suspect_rules(const std::vector<X>& x, float scale, Expect& expect) {
  const auto rule = [&](const char* code, std::string_view words, const auto& answer) {
    expect.suspect(code, "q", codes_by(x, answer), words);
  };
  const auto nan_is = [&](const auto& answer) {
    rule("N-NAN", "a NaN becomes 0", [&](float value) {
      return std::isnan(value) ? answer(value) : int{clamped(std::nearbyint(value / scale))};
    });
  };
  rule("N-FORMULA", "x / scale is one division of floats, and not of doubles",
       [&](float v) { return clamped(static_cast<float>(std::nearbyint(double{v} / scale))); });
  each_wrong_rounding([&](const char* code, const auto& round) {
    rule(code, "", [&](float v) { return clamped(round(v / scale)); });
  });
  nan_is([](float) { return -128; });
  nan_is([](float) { return 127; });
  nan_is([](float v) { return std::signbit(v) ? -128 : 127; });
  rule("N-RANGE", "codes end at -127, and should end at -128",
       [&](float v) { return clamped(std::nearbyint(v / scale), -127.0f); });
  rule("N-SCALE", "x is multiplied by its scale, and should be divided",
       [&](float v) { return clamped(std::nearbyint(v * scale)); });
  rule("N-FORMULA", "x * (1 / scale) is rounded twice: divide",
       [&](float v) { return clamped(std::nearbyint(v * (1.0f / scale))); });
  rule("N-CLAMP", "the code is not clamped, and wraps around", [&](float v) {
    const float rounded = std::nearbyint(v / scale);
    return std::fabs(rounded) < 1e9f ? static_cast<int>(rounded) : 0;  // wraps around in int8
  });
}

/// Right codes that were joined wrongly: in each other's places, or under the sign of a neighbour.
inline void suspect_joints(const Codes& want, Expect& expect) {
  for (const std::size_t vector : {4, 8}) {
    const std::size_t whole = want.size() / vector * vector;
    for (std::size_t flip = 1; flip < vector; ++flip) {
      Codes moved = want;
      for (std::size_t i = 0; i < whole; ++i) moved[i] = want[i ^ flip];
      expect.suspect("N-LAYOUT", "q", moved, "the right codes are in the wrong places of a word");
    }
    Codes spilled = want;
    for (std::size_t i = 0; i < whole; ++i) {
      for (std::size_t below = i / 4 * 4; below < i; ++below) {
        if (want[below] < 0) spilled[i] = -1;
      }
    }
    expect.suspect("N-SIGN", "q", spilled, "the sign of a code reaches the codes above it");
  }
}

}  // namespace nibble::judge::lab_19_cuda_quantize
