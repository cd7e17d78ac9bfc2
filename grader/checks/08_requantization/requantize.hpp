// Lab 08, requantize: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"
#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Requantizing = Exercise<&requantize>;

/// One element on its way from a sum to a code.
struct Element {
  std::int64_t acc, bias;
  std::int32_t multiplier;
  int shift;
  std::int64_t zero_point;
  Rounding rounding;

  Real times(Real x, Rule rule = kRight) const { return rule(x, multiplier, shift, rounding); }
  Real sum() const { return saturated(acc + bias); }
  Real steps() const { return times(sum()); }
};

inline std::int8_t on_grid(Real value, Real low = -128, Real high = 127) {
  return static_cast<std::int8_t>(std::clamp(value, low, high));
}

/// give(element) for every element of acc.
template <class Give>
Codes each_code(const Requantizing::Arguments& in, const Give& give) {
  const auto& [acc, bias, factors, zero_point, rounding] = in;
  const std::size_t n = factors.multiplier.size();
  NIBBLE_EXPECTS(n == factors.shift.size() && (bias.empty() || bias.size() == n), n);
  NIBBLE_EXPECTS(n == 0 ? acc.empty() : acc.size() % n == 0, n);
  Codes c;
  for (std::size_t at = 0; at < acc.size(); ++at) {
    const std::size_t j = at % n;
    c.push_back(give(Element{acc[at], bias.empty() ? 0 : bias[j], factors.multiplier[j],
                             factors.shift[j], zero_point, rounding}));
  }
  return c;
}

inline std::int8_t right_code(const Element& e) { return on_grid(e.steps() + e.zero_point); }

inline void suspect_requantized(Expect& expect, const Requantizing::Arguments& in, const Codes&) {
  const auto looks = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(code, "c", each_code(in, give), words);
  };
  using E = const Element&;
  looks("N-BIAS", "the bias is not added",
        [](E e) { return on_grid(e.times(e.acc) + e.zero_point); });
  looks("N-BIAS", "the bias is added behind the factor, and should be before it",
        [](E e) { return on_grid(e.times(e.acc) + e.bias + e.zero_point); });
  looks("N-BIAS", "the bias is taken away",
        [](E e) { return on_grid(e.times(saturated(e.acc - e.bias)) + e.zero_point); });
  looks("N-ZERO", "the zero point is added before the factor, and should be behind it",
        [](E e) { return on_grid(e.times(saturated(e.sum() + e.zero_point))); });
  looks("N-ZERO", "the zero point is not added", [](E e) { return on_grid(e.steps()); });
  looks("N-ZP-SIGN", "the zero point is taken away, and should be added",
        [](E e) { return on_grid(e.steps() - e.zero_point); });
  looks("N-RANGE", "codes end at -127, and should end at -128",
        [](E e) { return on_grid(e.steps() + e.zero_point, -127); });
  looks("N-RANGE", "codes are clamped to [0, 255], and should be to [-128, 127]",
        [](E e) { return on_grid(e.steps() + e.zero_point, 0, 255); });
  looks("N-CLAMP", "the code is not clamped, and wraps around", [](E e) {
    return static_cast<std::int8_t>(static_cast<std::int64_t>(e.steps() + e.zero_point));
  });
  constexpr const char* clamped_first =
      "the code is clamped before the zero point is added, and should be behind it";
  looks("N-FORMULA", clamped_first, [](E e) { return on_grid(on_grid(e.steps()) + e.zero_point); });
  looks("N-CLAMP", clamped_first,
        [](E e) { return static_cast<std::int8_t>(on_grid(e.steps()) + e.zero_point); });
  looks("N-CLAMP", "the sum of acc and bias is not clamped to int32",
        [](E e) { return on_grid(e.times(e.acc + e.bias) + e.zero_point); });
  looks("N-OVERFLOW", "the sum of acc and bias wraps around",
        [](E e) { return on_grid(e.times(wrapped(e.acc + e.bias)) + e.zero_point); });
  looks("N-OVERFLOW", "y + zero_point wraps around in 32 bits",
        [](E e) { return on_grid(wrapped(static_cast<std::int64_t>(e.steps()) + e.zero_point)); });
  for (const Mistake& wrong : wrong_products(in.c)) {
    looks(wrong.code, wrong.words,
          [rule = wrong.rule](E e) { return on_grid(e.times(e.sum(), rule) + e.zero_point); });
  }
  if (in.b.size() > 1) {
    const auto take_first = [](Sums& list) { std::ranges::fill(list, list.front()); };
    Requantizing::Arguments one_bias = in, one_factor = in;
    take_first(one_bias.b);
    take_first(one_factor.c.multiplier);
    take_first(one_factor.c.shift);
    const bool has_rows = in.a.size() > in.b.size();  // row 0 alone has what column 0 has, too
    expect.suspect("N-AXIS", "c", each_code(one_bias, right_code),
                   has_rows ? "the bias is that of column 0, for all columns" : "");
    expect.suspect("N-AXIS", "c", each_code(one_factor, right_code),
                   has_rows ? kFactorOfColumn0 : "");
  }
}

inline const Requantizing requantizing{
    {"acc", "bias", "multiplier", "shift", "zero_point", "rounding"}, {"c"}, suspect_requantized};

inline constexpr Rounding kAny = Rounding::kSingle;
inline const Factors kThree{{kHalf, kHalf, kThreeQuarters}, {0, 1, -1}};

/// What every layer refuses, with `more` arguments between the factors and the zero point.
template <class Refused, class... More>
std::vector<Refused> refused_layers(More... more) {
  const Factors two{{kHalf, kHalf}, {0, 0}};
  const auto row = [&](const char* code, const Sums& acc, const Sums& bias, const Factors& factors,
                       std::int32_t zero_point) {
    if constexpr (sizeof...(More) == 0) {
      return Refused{code, {acc, bias, factors, zero_point, kAny}};
    } else {
      return Refused{code, {acc, bias, factors, more..., zero_point, Activation::kRelu, kAny}};
    }
  };
  return {row("N-SIZE", {4, 4}, {1}, two, 0),     row("N-SIZE", {4, 4}, {1, 2, 3}, two, 0),
          row("N-SIZE", {4, 4, 4}, {}, two, 0),   row("N-SHIFT", {4}, {}, {{kHalf}, {31}}, 0),
          row("N-RANGE", {4}, {}, {{1}, {0}}, 0), row("N-RANGE", {4, 4}, {}, two, 128),
          row("N-RANGE", {4, 4}, {}, two, -129),  row("N-SIZE", {}, {1}, {}, 0)};
}

}  // namespace nibble::judge::lab_08_requantization
