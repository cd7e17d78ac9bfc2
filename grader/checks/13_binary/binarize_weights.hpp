// Lab 13, binarize_weights: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/pack_signs.hpp"
#include "checks/13_binary/weights.hpp"
#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Binarizing = Exercise<&binarize_weights>;

/// The signs of something else than w, row by row.
inline void suspect_other_weights(Expect& expect, const Matrix& in) {
  const auto& [w, rows, cols] = in;
  Reals centred;
  for (int r = 0; r < rows; ++r) {
    const auto row = row_of(w, r, cols);
    const auto mean = static_cast<float>(std::accumulate(row.begin(), row.end(), 0.0) / cols);
    for (const float weight : row) centred.push_back(weight - mean);
  }
  expect.suspect("N-FORMULA", "bits", bits_where({centred, rows, cols}, is_below_zero),
                 "as if the mean were subtracted first: signs are those of w");
  Bits run_on = bits_where(in, is_below_zero);
  const Bits in_one_row = bits_where({w, 1, int(w.size())}, is_below_zero);
  std::copy(in_one_row.begin(), in_one_row.end(), run_on.begin());
  expect.suspect("N-FORMULA", "bits", run_on, "as if a row went on in the word of the row before");
}

inline void suspect_alphas(Expect& expect, const Matrix& in, const BinaryWeights&) {
  const auto& [w, rows, cols] = in;
  const auto suspect = [&](const char* code, const char* words, const auto& alpha) {
    expect.suspect(code, "alpha", of_rows(in, alpha), words);
  };
  suspect_signs(expect, in, {});
  suspect("N-DIV0", "as if the alpha of zeros were 1",
          [](auto row) { return sum_of(row) == 0.0 ? 1.0 : mean_magnitude(row); });
  suspect("N-FLUSH", "as if a small alpha were 0",
          [](auto row) { return sum_of(row) < FLT_MIN ? 0.0 : mean_magnitude(row); });
  suspect("N-AXIS", "as if alpha were that of all rows",
          [&all = w](auto) { return mean_magnitude(all); });
  constexpr const char* of_floats =
      "as if the sum or the division were of float32: both are float64";
  suspect("N-FLOAT32", of_floats, [](auto row) { return float_mean(row); });
  suspect("N-FLOAT32", of_floats, [](auto row) { return float(sum_of(row)) / float(row.size()); });
  suspect("N-DENOM", "as if alpha were the sum", sum_of);
  suspect("N-DENOM", "as if it were divided by cols - 1",
          [](auto row) { return sum_of(row) / double(row.size() - 1); });
  suspect("N-DENOM", "as if zeros were not counted",
          [](auto row) { return kept_above(row, 0.0).mean(); });
  suspect("N-DENOM", "as if it were divided by rows",
          [rows = rows](auto row) { return sum_of(row) / rows; });
  suspect("N-TAIL", "as if the last column were left out",
          [](auto row) { return sum_of(row.first(row.size() - 1)) / double(row.size()); });
  const auto signed_mean = [](auto row) {
    return std::reduce(row.begin(), row.end(), 0.0) / double(row.size());
  };
  constexpr const char* with_signs = "as if the weights were added, and not their magnitudes";
  suspect("N-FORMULA", with_signs, signed_mean);
  suspect("N-FORMULA", with_signs, [=](auto row) { return std::fabs(signed_mean(row)); });
  suspect("N-FORMULA", "as if alpha were the largest magnitude",
          [](auto row) { return max_abs(row); });
  suspect("N-FORMULA", "as if alpha were the root of the mean square", [](auto row) {
    double squares = 0.0;
    for (const double x : row) squares += x * x;
    return std::sqrt(squares / double(row.size()));
  });
  suspect("N-FORMULA", "as if the sum were multiplied by 1 / cols: it is divided, and rounded once",
          [](auto row) { return sum_of(row) * (1.0 / double(row.size())); });
  suspect("N-FORMULA", "as if alpha were never below FLT_MIN", [](auto row) {
    const double mean = mean_magnitude(row);
    return float(mean) == 0 ? mean : std::max<double>(float(mean), FLT_MIN);
  });
  suspect_other_weights(expect, in);
  Reals of_columns;
  for (int c = 0; c < cols; ++c) {
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) sum += std::fabs(row_of(w, r, cols)[std::size_t(c)]);
    of_columns.push_back(static_cast<float>(sum / rows));
  }
  expect.suspect("N-AXIS", "alpha", of_columns, "as if alpha were that of the columns");
}

inline const Binarizing binarizing{{"w", "rows", "cols"}, {"bits", "alpha"}, suspect_alphas};

inline const auto same_alphas = [](Expect& expect, const auto&, const auto& got, const auto& want) {
  expect.near("alpha", got.alpha, want.alpha, one_ulp());
};
inline const auto exact_alphas = [](Expect& expect, const auto&, const auto& got,
                                    const auto& want) {
  expect.equal("alpha", got.alpha, want.alpha);
};
inline void same_weights(Expect& expect, const Matrix& in, const BinaryWeights& got,
                         const BinaryWeights& want) {
  same_bits(expect, in, got.bits, want.bits);
  same_alphas(expect, in, got, want);
}

}  // namespace nibble::judge::lab_13_binary
