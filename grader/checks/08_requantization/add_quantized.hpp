// Lab 08, add_quantized: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"
#include "checks/08_requantization/quantize_multiplier.hpp"
#include "checks/08_requantization/requantize.hpp"
#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Adding = Exercise<&add_quantized>;

/// The contract's formula, with its bits and its products left open.
struct Addition {
  int bits = 20;
  Rule rule = kRight;
  int a_sign = 1, b_sign = 1, c_sign = 1;  ///< of the zero points
  bool exchanges = false;                  ///< each tensor with the other's scale
  double (*unit_of)(double, double) = [](double a, double b) { return 2 * std::max(a, b); };
  bool rounds_sum_once = false;  ///< whatever is asked
  bool inverts = false;          ///< c_scale, as a float

  Codes operator()(const Adding::Arguments& in) const {
    const auto& [a, b, c_scale, c_zero_point, rounding] = in;
    NIBBLE_EXPECTS(a.q.size() == b.q.size(), a.q.size());
    const double unit = unit_of(a.scale, b.scale);
    const Factors f =
        Quantized{}({(exchanges ? b : a).scale / unit, (exchanges ? a : b).scale / unit,
                     inverts ? unit * std::ldexp(double{1.0f / c_scale}, -bits)
                             : unit / std::ldexp(double{c_scale}, bits)});
    const auto times = [&](Real x, std::size_t at) {
      const bool is_once = rounds_sum_once && at == 2;
      return rule(x, f.multiplier[at], f.shift[at], is_once ? Rounding::kSingle : in.e);
    };
    Codes c;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      const Real sum = times(std::ldexp(Real(a.q[i] - a_sign * a.zero_point), bits), 0) +
                       times(std::ldexp(Real(b.q[i] - b_sign * b.zero_point), bits), 1);
      c.push_back(on_grid(times(saturated(sum), 2) + c_sign * c_zero_point));
    }
    return c;
  }
};

/// In real numbers, rounded once.
inline Codes added_as_reals(const Adding::Arguments& in, double a_scale, double b_scale,
                            Real (*round)(Real)) {
  const auto& [a, b, c_scale, c_zero_point, rounding] = in;
  Codes c;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const Real real =
        Real(a_scale) * (a.q[i] - a.zero_point) + Real(b_scale) * (b.q[i] - b.zero_point);
    c.push_back(on_grid(round(real / c_scale) + c_zero_point));
  }
  return c;
}

inline void suspect_added(Expect& expect, const Adding::Arguments& in, const Codes&) {
  const auto& [a, b, c_scale, c_zero_point, rounding] = in;
  const auto looks = [&](const char* code, const char* words, const Addition& wrong) {
    expect.suspect(code, "c", wrong(in), words);
  };
  const bool has_both = a.zero_point != 0 && b.zero_point != 0;  // of a 0 nothing is forgotten
  looks("N-ZERO", "the zero point of a is not subtracted", {.a_sign = 0});
  looks("N-ZERO", "the zero point of b is not subtracted", {.b_sign = 0});
  if (has_both) {
    looks("N-ZERO", "the zero points of a and b are not subtracted", {.a_sign = 0, .b_sign = 0});
  }
  looks("N-ZERO", "", {.c_sign = 0});  // left out, or lost before the last product
  looks("N-ZP-SIGN", "the zero point of a is added, and should be subtracted", {.a_sign = -1});
  looks("N-ZP-SIGN", "the zero point of b is added, and should be subtracted", {.b_sign = -1});
  if (has_both) {
    looks("N-ZP-SIGN", "the zero points of a and b are added, and should be subtracted",
          {.a_sign = -1, .b_sign = -1});
  }
  looks("N-ZP-SIGN", "the zero point of c is subtracted, and should be added", {.c_sign = -1});
  looks("N-SCALE", "a has the factor of b, and b that of a", {.exchanges = true});
  looks("N-FORMULA", "unit is the larger scale, and should be twice that",
        {.unit_of = [](double x, double y) { return std::max(x, y); }});
  looks("N-SCALE", "unit is made of the smaller scale, and should be of the larger",
        {.unit_of = [](double x, double y) { return 2 * std::min(x, y); }});
  looks("N-SCALE", "unit is made of the scale of a, and should be of the larger scale",
        {.unit_of = [](double x, double) { return 2 * x; }});
  looks("N-SCALE", "unit is made of the scale of b, and should be of the larger scale",
        {.unit_of = [](double, double x) { return 2 * x; }});
  looks("N-FORMULA", "the last product is rounded with kSingle, whatever is asked",
        {.rounds_sum_once = true});
  looks("N-FORMULA", "unit is multiplied by 1 / c_scale, a float, and should be divided in double",
        {.inverts = true});
  looks("N-FORMULA", "terms are multiplied as they are, and should be times 2^20 first",
        {.bits = 0});
  for (const int bits : {1, 4, 8, 15, 19}) {
    looks("N-FORMULA", "terms have less than 20 bits behind their point", {.bits = bits});
  }
  looks("N-FORMULA", kOtherRounding, {.rule = other_rounding});
  for (const auto& [code, words, rule, is_of_first] : kWrongProducts) {
    const bool is_of_factors = std::string_view(code) == "N-SHIFT";  // or of how they were made
    looks(code, is_of_factors ? "" : words, {.rule = rule});
  }
  const auto adds_reals = [&](const char* code, const char* words, double a_scale, double b_scale,
                              Real (*round)(Real)) {
    expect.suspect(code, "c", added_as_reals(in, a_scale, b_scale, round), words);
  };
  adds_reals("N-SCALE", "steps of a and b are added as if they were steps of c", c_scale, c_scale,
             half_up);
  adds_reals("N-SCALE", "steps of b are taken for steps of a", a.scale, a.scale, half_up);
  adds_reals("N-SCALE", "steps of a are taken for steps of b", b.scale, b.scale, half_up);
  constexpr const char* lost_2 =
      "the 2 of unit is in some of the three factors, and should be in all";
  adds_reals("N-SCALE", lost_2, a.scale / 2.0, b.scale / 2.0, half_up);
  adds_reals("N-SCALE", lost_2, 2.0 * a.scale, 2.0 * b.scale, half_up);
  adds_reals("N-ROUND", "real numbers are added, and a half goes to the even neighbour", a.scale,
             b.scale, to_even);
  adds_reals("N-ROUND", "real numbers are added, and a half goes away from 0", a.scale, b.scale,
             half_away);
}

inline constexpr std::array<const char*, 9> kAddends = {"a.q",     "a.scale",      "a.zero_point",
                                                        "b.q",     "b.scale",      "b.zero_point",
                                                        "c_scale", "c_zero_point", "rounding"};
inline const Adding adding{kAddends, {"c"}, suspect_added};

/// a and b with zero points of 0.
inline Adding::Arguments sum(const Codes& a, float a_scale, const Codes& b, float b_scale,
                             float c_scale, std::int32_t c_zero_point = 0,
                             Rounding rounding = kAny) {
  return {{a, a_scale, 0}, {b, b_scale, 0}, c_scale, c_zero_point, rounding};
}

}  // namespace nibble::judge::lab_08_requantization
