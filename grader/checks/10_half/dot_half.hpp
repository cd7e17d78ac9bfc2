// Lab 10, dot_half: what is right, and what people write instead.
#pragma once

#include "half.hpp"

#include "checks/10_half/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {

using Dot = Exercise<&dot_half>;

inline float as_float(std::uint16_t code) {
  const auto value = static_cast<float>(value_of(code, kHalf));
  return std::fabs(value) < 65536 ? value : std::copysign(kInfinity, value);
}
inline float half_of(float x) { return as_float(code_of(x, kHalf)); }

/// By definition. Finite codes only.
inline HalfDot dot_of(const Dot::Arguments& in) {
  const auto& [a, b] = in;
  NIBBLE_EXPECTS(a.size() == b.size(), a.size());
  HalfDot sum{0, 0.0f};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float product = as_float(a[i]) * as_float(b[i]);
    sum.in_half = code_of(as_float(sum.in_half) + half_of(product), kHalf);
    sum.in_float += product;
  }
  return sum;
}

/// The half of a sum whose products are rounded as `rounded` says.
inline std::uint16_t half_of_sum(const Dot::Arguments& in, const auto& rounded) {
  std::uint16_t sum = 0;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    sum = code_of(as_float(sum) + rounded(as_float(in.a[i]) * as_float(in.b[i])), kHalf);
  }
  return sum;
}

/// Both sums, of product(i).
inline HalfDot dot_of_products(std::size_t count, const auto& product) {
  HalfDot sum{0, 0.0f};
  for (std::size_t i = 0; i < count; ++i) {
    sum.in_half = code_of(as_float(sum.in_half) + half_of(product(i)), kHalf);
    sum.in_float += product(i);
  }
  return sum;
}

inline void suspect_sums(Expect& expect, const Dot::Arguments& in, const HalfDot& right) {
  const auto& [a, b] = in;
  if (a.empty()) return;
  float of_rounded = 0.0f, backwards = 0.0f;
  double in_double = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) of_rounded += half_of(as_float(a[i]) * as_float(b[i]));
  for (std::size_t i = 0; i < a.size(); ++i) in_double += double{as_float(a[i])} * as_float(b[i]);
  for (std::size_t i = a.size(); i-- > 0;) backwards += as_float(a[i]) * as_float(b[i]);
  const auto in_float = [&](const char* code, float wrong, const char* words) {
    if (wrong != right.in_float) expect.suspect(code, "in_float", wrong, words);
  };
  const auto in_half = [&](const char* code, std::uint16_t wrong, const char* words) {
    if (wrong != right.in_half) expect.suspect(code, "in_half", wrong, words);
  };
  in_float("N-FLOAT32", as_float(right.in_half), "as if in_float were in_half");
  in_float("N-FLOAT32", of_rounded, "as if products were rounded to half");
  in_half("N-FORMULA", code_of(right.in_float, kHalf),
          "as if the sum were rounded to half once, at its end");
  in_half("N-FORMULA", code_of(of_rounded, kHalf),
          "as if products alone were rounded to half, and the sum last");
  in_half("N-FORMULA", half_of_sum(in, [](float product) { return product; }),
          "as if the product were not rounded to half before it is added");
  in_half("N-FORMULA",
          half_of_sum(in,
                      [](float product) {
                        return std::fabs(product) < 0x1p-14f ? product : half_of(product);
                      }),
          "products below 2^-14 are not rounded to half: all products are");
  const bool is_either = backwards == static_cast<float>(in_double);
  constexpr const char* otherwise =
      "the products are not added in float32, from the first to the last";
  in_float("N-FORMULA", backwards,
           is_either ? otherwise : "as if the products were added from the last to the first");
  in_float("N-FORMULA", static_cast<float>(in_double),
           is_either ? otherwise : "the sum is a double: each sum is rounded to float32");
  const float first = as_float(a[0]) * as_float(b[0]);
  if (right.in_half == 0 && first == 0 && std::signbit(first) && a.size() == 1) {
    expect.suspect("N-SIGN0", "in_half", 0x8000, "0 + -0 is 0");
  }
  const auto both = [&](const char* code, const char* words, const HalfDot& wrong) {
    in_half(code, wrong.in_half, words);
    in_float(code, wrong.in_float, words);
  };
  const auto right_product = [&, &a = a, &b = b](std::size_t i) {
    return as_float(a[i]) * as_float(b[i]);
  };
  both("N-TAIL", "the last product is not added", dot_of_products(a.size() - 1, right_product));
  constexpr const char* of_codes = "codes are multiplied: what they stand for is";
  both("N-FORMULA", of_codes, dot_of_products(a.size(), [&, &a = a, &b = b](std::size_t i) {
         return as_float(static_cast<std::uint16_t>(a[i] * 1u * b[i] >> 16));
       }));
  both("N-FORMULA", of_codes, dot_of_products(a.size(), [&, &a = a, &b = b](std::size_t i) {
         return static_cast<float>(a[i]) * static_cast<float>(b[i]);
       }));
}

inline const Dot dot{{"a", "b"}, {"in_half", "in_float"}, suspect_sums};

inline constexpr std::uint16_t kOne = 0x3C00, kTwo = 0x4000, k2048 = 0x6800, k4096 = 0x6C00;
inline constexpr std::uint16_t kLargest = 0x7BFF, kHalfInfinity = 0x7C00, kHalfNan = 0x7E00;
inline constexpr std::uint16_t kMinus = 0x8000;

/// Halves from 2^-5 to 8, of both signs.
inline Codes halves(std::size_t count, std::uint64_t from) {
  Codes codes;
  for (const int draw : code_tensor<int>(count, from, 0, 0x3FFF)) {
    codes.push_back(static_cast<std::uint16_t>((0x2800 + draw % 0x2000) | (draw & 0x2000) << 2));
  }
  return codes;
}

inline std::vector<Dot::Input> lists(Seed seed_of, std::size_t longest) {
  std::vector<Dot::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{257}, longest}) {
    inputs.push_back({std::to_string(count),
                      {halves(count, seed_of(2 * count)), halves(count, seed_of(2 * count + 1))}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_10_half
