// Lab 06, apply_zero_points: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

using Correcting = Exercise<&apply_zero_points>;

inline std::int32_t wrapped(double value) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
}

inline void suspect_corrections(Expect& expect, const Correcting::Arguments& in, const Sums&) {
  const Sums &raw = in.a, &row_sums = in.b, &column_sums = in.c;
  const double za = in.d, zb = in.e, k = in.f.k;
  const I n = in.f.n;
  // give(raw, row sum, column sum) of each element.
  const auto suspect = [&](const char* code, const char* words, const auto& give,
                           bool swapped = false) {
    std::vector<double> c;
    for (I at = 0; at < raw.size(); ++at) {
      const I i = swapped ? at % n : at / n, j = swapped ? at / n : at % n;
      c.push_back(give(double(raw[at]), double(row_sums[i]), double(column_sums[j])));
    }
    expect.suspect(code, "c", c, words);
  };
  const auto terms = [&](const char* code, const char* words, double rows, double columns,
                         double both, bool swapped = false) {
    const auto give = [=](double raw, double r, double s) {
      return raw - rows * zb * r - columns * za * s + both * za * zb;
    };
    suspect(code, words, give, swapped);
  };
  const bool has_both = za != 0 && zb != 0;  // else there is one correction
  if (has_both) terms("N-ZERO", "nothing is corrected", 0, 0, 0);
  terms("N-ZERO", "as if k * a_zero_point * b_zero_point were left out", 1, 1, 0);
  terms("N-ZERO", "as if the last term were not k times as large", 1, 1, 1);
  terms("N-ZERO", "a_zero_point * column_sums[j] is left out", 1, 0, k);
  terms("N-ZERO", "b_zero_point * row_sums[i] is left out", 0, 1, k);
  constexpr const char* wrong_signs[] = {
      "",
      "b_zero_point * row_sums[i] is added, and should be subtracted",
      "a_zero_point * column_sums[j] is added, and should be subtracted",
      "the corrections by rows and by columns are added, and should be subtracted",
      "k * a_zero_point * b_zero_point is subtracted, and should be added",
      "b_zero_point has the other sign",
      "a_zero_point has the other sign",
      "all corrections have the other sign"};
  for (int signs = 1; signs < 8; ++signs) {
    if (signs > 2 && !has_both) break;
    const auto sign = [=](int bit) { return (signs >> bit & 1) != 0 ? -1.0 : 1.0; };
    terms("N-ZP-SIGN", wrong_signs[signs], sign(0), sign(1), sign(2) * k);
  }
  suspect("N-AXIS", "as if the zero points were exchanged: b_zero_point belongs to row_sums",
          [=](double raw, double r, double s) { return raw - za * r - zb * s + k * za * zb; });
  if (in.f.m == in.f.n) {
    terms("N-AXIS", "as if row_sums and column_sums were exchanged", 1, 1, k, /*swapped=*/true);
  }
  for (int narrow = 1; narrow < 8; ++narrow) {
    const auto some = [=](int bit, double value) {
      return (narrow >> bit & 1) != 0 ? wrapped(value) : value;
    };
    suspect("N-OVERFLOW", "a correction is kept in 32 bits, and only the result has to fit",
            [=](double raw, double r, double s) {
              return raw - some(0, zb * r) - some(1, za * s) + some(2, k * za * zb);
            });
  }
  suspect("N-FLOAT32", "a sum is kept in a float, which counts exactly to 2^24",
          [=](float raw, float r, float s) {
            const float by_rows = raw - float(zb) * r;
            return by_rows - float(za) * s + float(k) * float(za) * float(zb);
          });
}

inline const Correcting correcting{
    {"raw", "row_sums", "column_sums", "a_zero_point", "b_zero_point", "m", "n", "k"},
    {"c"},
    suspect_corrections,
    {.sizes = [](const auto& in) { return rows_and_columns(in.f); }}};

}  // namespace nibble::judge::lab_06_quantized_matmul
