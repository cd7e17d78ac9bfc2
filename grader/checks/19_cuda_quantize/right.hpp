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

/// So many elements a thread takes at once; what is left behind whole vectors it makes one by one.
template <auto F>
inline constexpr std::size_t kVector = 1;
template <>
inline constexpr std::size_t kVector<&quantize_vectorized> = 4;
template <>
inline constexpr std::size_t kVector<&quantize_half> = 8;

/// What becomes of a number without a clamp: int32 stops at its ends, and wraps around in int8.
inline std::int8_t wrapped(float rounded) {
  if (std::isnan(rounded)) return 0;
  return static_cast<std::int8_t>(
      static_cast<std::int64_t>(std::fmin(0x1.fffffffcp30, std::fmax(-0x1p31, double{rounded}))));
}

/// What suspects are made of: the input, and what is right.
template <class X>
struct Quantizing {
  const std::vector<X>& x;
  float scale;
  const Codes& right;
  std::size_t vector;
};

/// A rule of others for all elements, and for those in whole vectors alone; `counts(i)`: it holds
/// for element i.
template <class X, class Rule, class Counts>
void suspect_rule(Expect& expect, const Quantizing<X>& c, const char* code, std::string_view words,
                  const Rule& rule, const Counts& counts) {
  const std::size_t n = c.x.size(), whole = n / c.vector * c.vector;
  for (const std::size_t end : {n, whole}) {
    Codes q = c.right;
    for (std::size_t i = 0; i < end; ++i) {
      if (counts(i)) q[i] = static_cast<std::int8_t>(rule(c.x[i]));
    }
    if (end == n || whole < n) expect.suspect(code, "q", q, words);
  }
}

inline constexpr auto kAll = [](std::size_t) { return true; };

/// Quotients that are no single division of floats.
template <class X>
void suspect_quotients(Expect& expect, const Quantizing<X>& c) {
  const float scale = c.scale;
  const auto rule = [&](const char* code, std::string_view words, const auto& quotient) {
    suspect_rule(
        expect, c, code, words,
        [&](X value) { return clamped(static_cast<float>(std::nearbyint(quotient(real(value))))); },
        kAll);
  };
  rule("N-FORMULA", "x / scale is one division of floats, and not of doubles",
       [=](float v) { return double{v} / scale; });
  rule("N-SCALE", "x is multiplied by its scale, and should be divided",
       [=](float v) { return v * scale; });
  rule("N-FORMULA", "x * (1 / scale) is rounded twice: divide",
       [=](float v) { return v * (1.0f / scale); });
  rule("N-FORMULA", "x * (1 / scale) is corrected by what is too small for a float: divide",
       [=](float v) {
         const float inverse = 1.0f / scale, rough = v * inverse;
         return std::fabs(rough) < 1024.0f ? std::fma(std::fma(-rough, scale, v), inverse, rough)
                                           : rough;
       });
  const auto as_half = [](float v) { return float_from_half(half_from_float(v)); };
  if constexpr (std::is_same_v<X, std::uint16_t>) {
    rule("N-SCALE", "the scale was rounded to a half first, and stays a float",
         [=](float v) { return v / as_half(scale); });
    rule("N-ROUND", "x / scale is rounded to a half before it is rounded to a code",
         [=](float v) { return as_half(v / scale); });
  }
}

/// What becomes of the bits of halves: in both halves of a word, or in one.
inline void suspect_bits(Expect& expect, const Quantizing<std::uint16_t>& c) {
  const auto rule = [&](const char* code, std::string_view words, const auto& number) {
    const auto answer = [&](std::uint16_t bits) {
      return clamped(std::nearbyint(number(bits) / c.scale));
    };
    for (const std::size_t others : {0, 1, 2}) {
      suspect_rule(expect, c, code, words, answer,
                   [=](std::size_t i) { return i % 2 + 1 != others; });
    }
  };
  rule("N-LAYOUT", "the bits of a half are taken for an integer, and stand for another number",
       [](std::uint16_t bits) { return float(bits); });
  rule("N-FLUSH", "halves below 2^-14 count as 0",
       [](std::uint16_t bits) { return std::fabs(real(bits)) < 0x1p-14f ? 0.0f : real(bits); });
}
inline void suspect_bits(Expect& /*expect*/, const Quantizing<float>& /*c*/) {}

/// What other rules than the contract's would answer.
template <class X>
void suspect_rules(Expect& expect, const Quantizing<X>& c) {
  const float scale = c.scale;
  const auto rule = [&](const char* code, std::string_view words, const auto& answer) {
    suspect_rule(
        expect, c, code, words, [&](X value) { return answer(real(value)); }, kAll);
  };
  const auto nan_is = [&](const auto& answer) {
    rule("N-NAN", "a NaN becomes 0", [&](float value) {
      return std::isnan(value) ? answer(value) : int{clamped(std::nearbyint(value / scale))};
    });
  };
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    rule(code, words, [&](float v) { return clamped(round(v / scale)); });
  });
  nan_is([](float) { return -128; });
  nan_is([](float) { return 127; });
  nan_is([](float v) { return std::signbit(v) ? -128 : 127; });
  rule("N-RANGE", "codes end at -127, and should end at -128",
       [&](float v) { return clamped(std::nearbyint(v / scale), -127.0f); });
  const auto wraps = [&](X value) { return wrapped(std::nearbyint(real(value) / scale)); };
  suspect_rule(expect, c, "N-CLAMP", "the code is not clamped, and wraps around", wraps, kAll);
  for (std::size_t one = 0; c.vector > 1 && one < c.vector; ++one) {
    suspect_rule(expect, c, "N-CLAMP", "one code of each vector is not clamped, and wraps around",
                 wraps, [&](std::size_t i) { return i % c.vector == one; });
  }
  suspect_quotients(expect, c);
  suspect_bits(expect, c);
}

/// What is left behind whole vectors, made from the first elements once more.
inline void suspect_rests(const Codes& want, Expect& expect) {
  for (const std::size_t vector : {4, 8}) {
    Codes moved = want;
    const std::size_t tile = vector * 256;
    for (std::size_t i = want.size() / vector * vector; i < want.size(); ++i) {
      moved[i] = want[i % tile];
    }
    expect.suspect("N-TAIL", "q", moved,
                   "what is left behind whole vectors is made from the first x");
  }
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
