// Lab 06, quantized_matmul_float: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/product_with_scales.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

/// The contract's formula, from given sums.
template <class List>
Reals reals_of(const Scaling::Arguments& in, const List& sums) {
  return each_of(sums, [&](auto sum, I at) {
    const I j = at % in.c.n;
    return static_cast<float>(sum) * (in.a.a_scale * in.a.b_scales[j]) + or_zero(in.b, j);
  });
}

inline void suspect_reals(Expect& expect, const Scaling::Arguments& in, const Reals&) {
  const Product codes = product_of(in.a, in.c);
  const Sums sums = by_definition(codes);
  const float sa = in.a.a_scale;
  const I n = in.c.n, k = in.c.k;
  const auto looks = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(code, "c",
                   each_of(sums,
                           [&](float sum, I at) -> float {
                             return give(sum, in.a.b_scales[at % n], or_zero(in.b, at % n), at);
                           }),
                   words);
  };
  const auto scale_at = [&](I j) { return or_zero(in.a.b_scales, j); };
  const auto bias_at = [&](I j) { return or_zero(in.b, j); };
  looks("N-FORMULA",
        "the sum is multiplied by one scale, then by the other: their product comes first",
        [=](float sum, float sb, float bias, I) { return sum * sa * sb + bias; });
  looks("N-FORMULA",
        "the product is not rounded before the bias is added, as in an fma or in double",
        [=](float s, float sb, float bias, I) { return std::fma(s, sa * sb, bias); });
  looks("N-BIAS", "the bias is not added",
        [=](float sum, float sb, float, I) { return sum * (sa * sb); });
  looks("N-BIAS", "the bias is added before the scale",
        [=](float sum, float sb, float bias, I) { return (sum + bias) * (sa * sb); });
  looks("N-BIAS", "the bias is taken away",
        [=](float sum, float sb, float bias, I) { return sum * (sa * sb) - bias; });
  looks("N-BIAS", "the bias is added between the two scales",
        [=](float sum, float sb, float bias, I) { return (sum * sa + bias) * sb; });
  looks("N-AXIS", kBiasOfTheRow,
        [&](float s, float sb, float, I at) { return s * (sa * sb) + bias_at(at / n); });
  looks("N-AXIS", "the bias is that of column 0, for all columns",
        [&](float s, float sb, float, I) { return s * (sa * sb) + bias_at(0); });
  looks("N-AXIS", kScaleOfTheRow,
        [&](float s, float, float b, I at) { return s * (sa * scale_at(at / n)) + b; });
  looks("N-AXIS", kScaleOfColumn0,
        [&](float s, float, float b, I) { return s * (sa * scale_at(0)) + b; });
  looks("N-SCALE", "the sums are not scaled",
        [](float sum, float, float bias, I) { return sum + bias; });
  looks("N-SCALE", kNoColumnScales,
        [=](float sum, float, float bias, I) { return sum * sa + bias; });
  looks("N-SCALE", kNoLeftScale,
        [](float sum, float sb, float bias, I) { return sum * sb + bias; });
  looks("N-SCALE", "the sum is divided by the scales, and should be multiplied",
        [=](float sum, float sb, float bias, I) { return sum / (sa * sb) + bias; });
  constexpr const char* whole = "c is made an integer, and is a real number";
  looks("N-TRUNC", whole,
        [=](float s, float sb, float b, I) { return std::trunc(s * (sa * sb) + b); });
  looks("N-ROUND", whole,
        [=](float s, float sb, float b, I) { return std::rint(s * (sa * sb) + b); });
  looks("N-FLOAT32",
        "codes are made real numbers before they are multiplied, and only their sum should be",
        [&](float, float sb, float bias, I at) {
          float real = 0;
          for (I p = 0; p < k; ++p) {
            real += sa * static_cast<float>(codes.a[at / n * k + p] - codes.b) *
                    (sb * static_cast<float>(codes.c[p * n + at % n] - codes.d));
          }
          return real + bias;
        });
  for (const auto& [code, words, wrong] : wrong_sums(codes)) {
    expect.suspect(code, "c", reals_of(in, wrong), words);
  }
}

inline const Scaling scaling{
    {"a", "a_zero_point", "a_scale", "b", "b_zero_point", "b_scales", "bias", "m", "n", "k"},
    {"c"},
    suspect_reals,
    {.sizes = [](const auto& in) { return rows_and_columns(in.c); },
     .smaller = smaller_scaled<Scaling::Arguments>}};

}  // namespace nibble::judge::lab_06_quantized_matmul
