// Lab 06, quantized_matmul_int8: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/apply_zero_points.hpp"
#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/product_with_scales.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

inline float multiplier(const Requantizing::Arguments& in, I column) {
  return in.a.a_scale * in.a.b_scales[column] / in.c;
}

inline Codes to_codes(const std::vector<double>& values) {
  return each_of(values, [](double value) { return static_cast<std::int8_t>(clamp8(value)); });
}

/// The contract's formula, from given sums.
template <class List>
Codes codes_of(const Requantizing::Arguments& in, const List& sums) {
  return to_codes(each_of(sums, [&](auto sum, I at) -> double {
    const I j = at % in.e.n;
    const std::int64_t total = static_cast<std::int64_t>(sum) + or_zero(in.b, j);
    return std::nearbyint(static_cast<float>(total) * multiplier(in, j)) + in.d;
  }));
}

/// One element on its way to a code.
struct Cell {
  I row, column;
  double sum, bias;
  float total;       ///< the sum and the bias
  float multiplier;  ///< of the column
  float v;           ///< what is to be rounded
};

inline constexpr const char* kWraps = "the code is not clamped, and wraps around";
inline constexpr const char* kClampedFirst =
    "the code is clamped before the zero point is added, and should be behind it";

/// Some v is so far off the grid that it may have wrapped around before it became a code.
inline bool is_far_off(const Requantizing::Arguments& in) {
  const Sums sums = by_definition(product_of(in.a, in.e));
  for (I at = 0; at < sums.size(); ++at) {
    const I j = at % in.e.n;
    const double total = double(sums[at]) + or_zero(in.b, j);
    if (std::fabs(total * multiplier(in, j)) > 1 << 16) return true;
  }
  return false;
}

/// suspect(code, words, codes) for each usual wrong way to these codes.
template <class Suspect>
void each_wrong_product(const Requantizing::Arguments& in, const Suspect& suspect) {
  const Product codes = product_of(in.a, in.e);
  const Sums sums = by_definition(codes);
  const float sa = in.a.a_scale, sc = in.c;
  const double zc = in.d;
  const auto sb = [&](I j) { return or_zero(in.a.b_scales, j); };
  // give(cell): the code before its last clamp.
  const auto looks = [&](const char* code, const char* words, const auto& give) {
    suspect(code, words, to_codes(each_of(sums, [&](double sum, I at) -> double {
              const I j = at % in.e.n;
              const double bias = or_zero(in.b, j);
              const auto total = static_cast<float>(sum + bias);
              const float m = multiplier(in, j);
              return give(Cell{at / in.e.n, j, sum, bias, total, m, total * m});
            })));
  };
  const auto rne = [](float x) { return static_cast<double>(std::nearbyint(x)); };
  // give(cell): another v.
  const auto rounds = [&](const char* code, const char* words, const auto& give) {
    looks(code, words, [&](const Cell& c) { return rne(static_cast<float>(give(c))) + zc; });
  };
  // Rows whose quotients are infinite say more.
  const bool is_far = std::isinf(sa / sc) || std::isinf(sb(0) / sc);
  const char* const divides_first =
      is_far ? ""
             : "one scale is divided before it is multiplied by the other, and should be after";
  rounds("N-FORMULA", divides_first,
         [=](const Cell& c) { return c.total * (sa / sc * sb(c.column)); });
  rounds("N-FORMULA", divides_first,
         [=](const Cell& c) { return c.total * (sb(c.column) / sc * sa); });
  each_wrong_code(zc, [&](const char* code, const char* words, const auto& from) {
    looks(code, zc == 0 ? "" : words, [&](const Cell& c) { return from(c.v); });
  });
  constexpr const char* late = "the bias is added behind the scale, and counts steps of acc";
  rounds("N-BIAS", "the bias is not added",
         [](const Cell& c) { return float(c.sum) * c.multiplier; });
  looks("N-BIAS", late,
        [=](const Cell& c) { return rne(float(c.sum) * c.multiplier) + zc + c.bias; });
  rounds("N-BIAS", late,
         [=](const Cell& c) { return (c.sum * (sa * sb(c.column)) + c.bias) / sc; });
  rounds("N-AXIS", kScaleOfTheRow, [=](const Cell& c) { return c.total * (sa * sb(c.row) / sc); });
  rounds("N-AXIS", kScaleOfColumn0, [=](const Cell& c) { return c.total * (sa * sb(0) / sc); });
  // Of a single row it may be that of column 0, too.
  rounds("N-AXIS", in.e.m > 1 ? kBiasOfTheRow : "", [&](const Cell& c) {
    return static_cast<float>(c.sum + or_zero(in.b, c.row)) * c.multiplier;
  });
  rounds("N-SCALE", "the scale of the result is left out",
         [=](const Cell& c) { return c.total * (sa * sb(c.column)); });
  rounds("N-SCALE", "the sum is multiplied by the scale of the result, and should be divided",
         [=](const Cell& c) { return c.total * (sa * sb(c.column) * sc); });
  rounds("N-SCALE", kNoColumnScales, [=](const Cell& c) { return c.total * (sa / sc); });
  rounds("N-SCALE", kNoLeftScale, [=](const Cell& c) { return c.total * (sb(c.column) / sc); });
  looks("N-SCALE", "the sums are not scaled", [=](const Cell& c) { return c.total + zc; });
  looks("N-CLAMP", is_far_off(in) ? "" : kWraps,
        [=](const Cell& c) { return wrap8(rne(c.v) + zc); });
  looks("N-CLAMP", kClampedFirst, [=](const Cell& c) { return wrap8(clamp8(rne(c.v)) + zc); });
  looks("N-CLAMP", kClampedFirst, [=](const Cell& c) { return clamp8(rne(c.v)) + zc; });
  looks("N-CLAMP", kClampedFirst, [=](const Cell& c) { return clamp8(clamp8(rne(c.v)) + zc); });
  rounds("N-CLAMP", "the sum is clamped to 8 bits before it is scaled",
         [=](const Cell& c) { return static_cast<float>(clamp8(c.sum + c.bias)) * c.multiplier; });
  looks("N-RANGE", "codes end at -127, and should end at -128",
        [=](const Cell& c) { return std::clamp(rne(c.v) + zc, -127.0, 127.0); });
  looks("N-SIGN", "codes are clamped to [0, 255], and should be to [-128, 127]",
        [=](const Cell& c) { return wrap8(std::clamp(rne(c.v) + zc, 0.0, 255.0)); });
  rounds("N-FLOAT32", "acc and bias are floats before they are added, and only their sum should be",
         [](const Cell& c) { return (float(c.sum) + float(c.bias)) * c.multiplier; });
  rounds("N-OVERFLOW", "the sum of acc and bias wraps around",
         [](const Cell& c) { return float(wrapped(c.sum + c.bias)) * c.multiplier; });
  rounds("N-OVERFLOW", "the sum of acc and bias is clamped to int32, and should be exact",
         [](const Cell& c) {
           return static_cast<float>(std::clamp<double>(c.sum + c.bias, kBottom, kTop)) *
                  c.multiplier;
         });
  for (const auto& [code, words, wrong] : wrong_sums(codes)) {
    suspect(code, words, codes_of(in, wrong));
  }
}

inline void suspect_codes(Expect& expect, const Requantizing::Arguments& in, const Codes&) {
  each_wrong_product(in, [&](const char* code, const char* words, const Codes& codes) {
    expect.suspect(code, "c", codes, words);
  });
}

inline const Requantizing requantizing{
    {"a", "a_zero_point", "a_scale", "b", "b_zero_point", "b_scales", "bias", "c_scale",
     "c_zero_point", "m", "n", "k"},
    {"c"},
    suspect_codes,
    {.sizes = [](const auto& in) { return rows_and_columns(in.e); },
     .smaller = smaller_scaled<Requantizing::Arguments>}};

/// Whether v, of the element at an index, is within rounding of a tie.
inline auto near_ties(const Requantizing::Arguments& in) {
  return [&in, sums = by_definition(product_of(in.a, in.e))](I at) {
    const I j = at % in.e.n;
    const auto total = static_cast<float>(std::int64_t{sums[at]} + or_zero(in.b, j));
    return is_near_tie(total, in.c / (in.a.a_scale * in.a.b_scales[j]));
  };
}

/// Codes are exact, except one step either way next to a tie.
inline void near_codes(Expect& expect, const Requantizing::Arguments& in, const Codes& got,
                       const Codes& want) {
  same_codes(expect, "c", got, want, near_ties(in), rows_and_columns(in.e));
}

inline constexpr const char* kDivideLast =
    "two scales are multiplied first, and then divided: their product is fine, the quotient of the "
    "larger one is infinite";

}  // namespace nibble::judge::lab_06_quantized_matmul
