// Lab 13, ternarize: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/weights.hpp"
#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Ternarizing = Exercise<&ternarize>;

/// What a threshold makes of a row, with 0 where the weight is not above it.
inline void append_trits(Trits& trits, std::span<const float> row, double threshold) {
  for (const double x : row) trits.push_back(x > threshold ? 1 : -x > threshold ? -1 : 0);
}

inline Trits trits_by(const Matrix& in, const auto& threshold_of) {
  const auto& [w, rows, cols] = in;
  belong_together(w.size() == std::size_t(rows) * std::size_t(cols));
  Trits trits;
  for (int r = 0; r < rows; ++r) {
    append_trits(trits, row_of(w, r, cols), threshold_of(row_of(w, r, cols)));
  }
  return trits;
}

inline double threshold_of(std::span<const float> row) { return 0.7 * mean_magnitude(row); }

inline Kept kept_of(std::span<const float> row) { return kept_above(row, threshold_of(row)); }

inline constexpr const char* kFloatThreshold =
    "as if 0.7 and the mean were floats: the threshold is a double";

/// Trits that no threshold makes.
inline void suspect_trits(Expect& expect, const Matrix& in) {
  const auto looks = [&](const char* words, const auto& trit_of) {
    Trits trits;
    for (int r = 0; r < in.b; ++r) {
      const auto row = row_of(in.a, r, in.c);
      const double mean = mean_magnitude(row);
      for (const double x : row) trits.push_back(static_cast<std::int8_t>(trit_of(x, mean)));
    }
    expect.suspect("N-FORMULA", "trits", trits, words);
  };
  looks("what is below the threshold is -1: what is below -threshold is",
        [](double x, double mean) { return x > 0.7 * mean   ? 1
                                           : x < 0.7 * mean ? -1
                                                            : 0; });
  looks("digits are returned: a trit is -1, 0 or 1", [](double x, double mean) {
    return x > 0.7 * mean ? 2 : x < -(0.7 * mean) ? 0 : 1;
  });
  constexpr const char* kCompared = "w is not compared with 0.7 * mean, as a double";
  looks(kCompared, [](double x, double mean) {
    return x / mean > 0.7 ? 1 : x / mean < -0.7 ? -1 : 0;
  });
  looks(kCompared, [](double x, double mean) {
    return 10.0 * x > 7.0 * mean ? 1 : 10.0 * x < -7.0 * mean ? -1 : 0;
  });
}

inline void suspect_ternary(Expect& expect, const Matrix& in, const TernaryWeights&) {
  const auto threshold = [&](const char* code, const char* words, const auto& of_row) {
    expect.suspect(code, "trits", trits_by(in, of_row), words);
  };
  const auto alpha = [&](const char* code, const char* words, const auto& of_row) {
    expect.suspect(code, "alpha", of_rows(in, of_row), words);
  };
  const double of_all = threshold_of(in.a);
  threshold("N-FORMULA", "as if 0.7 were multiplied by the sum first",
            [](auto row) { return 0.7 * sum_of(row) / double(row.size()); });
  threshold("N-FLOAT32", kFloatThreshold, [](auto row) { return 0.7f * float_mean(row); });
  threshold("N-FLOAT32", kFloatThreshold,
            [](auto row) { return 0.7f * float(mean_magnitude(row)); });
  threshold("N-FLOAT32", "as if 0.7 were a float",
            [](auto row) { return 0.7f * mean_magnitude(row); });
  threshold("N-FLOAT32", "as if the mean were a float",
            [](auto row) { return 0.7 * float(mean_magnitude(row)); });
  threshold("N-FLOAT32", "as if the threshold were a float",
            [](auto row) { return float(threshold_of(row)); });
  threshold("N-FLOAT32", "", [](auto row) {  // a mean that is 0 in float32 alone, and taken for it
    const double mean = mean_magnitude(row);
    return float(mean) == 0 ? mean * double(row.size()) : 0.7 * mean;
  });
  threshold("N-FLUSH", "as if the threshold were never below FLT_MIN",
            [](auto row) { return std::max(threshold_of(row), double{FLT_MIN}); });
  threshold("N-DENOM", "as if zeros were not counted in the mean",
            [](auto row) { return 0.7 * kept_above(row, 0.0).mean(); });
  threshold("N-AXIS", "as if the threshold were that of all rows", [=](auto) { return of_all; });
  const auto times = [&](double factor, const char* words) {
    threshold("N-FORMULA", words, [=](auto row) { return factor * mean_magnitude(row); });
  };
  times(0.75, "as if the threshold were 0.75 times the mean");
  times(0.5, "as if the threshold were half of the mean");
  times(1.0, "as if the threshold were the mean");
  threshold("N-FORMULA", "as if the threshold were 0.7 times the largest magnitude",
            [](auto row) { return 0.7 * max_abs(row); });
  threshold("N-FORMULA", "as if the threshold were 0.05 times the largest magnitude",
            [](auto row) { return max_abs(row) / 20; });
  threshold("N-FORMULA", "as if a weight on the threshold were not 0",
            [](auto row) { return std::nextafter(threshold_of(row), 0.0); });
  suspect_trits(expect, in);
  const auto right = trits_by(in, threshold_of);
  const auto changed = [&](const char* words, int minus, int plus) {
    expect.suspect("N-SIGN", "trits",
                   each_of(right, [=](int trit) { return trit < 0   ? minus
                                                         : trit > 0 ? plus
                                                                    : 0; }),
                   words);
  };
  changed("as if a trit had no sign", 1, 1);
  changed("as if weights below 0 were all 0", 0, 1);
  changed("as if trits had the other sign", 1, -1);
  alpha("N-DIV0", "as if the alpha of zeros were 1",
        [](auto row) { return sum_of(row) == 0.0 ? 1.0 : kept_of(row).mean(); });
  alpha("N-AXIS", "as if the threshold were that of all rows",
        [=](auto row) { return kept_above(row, of_all).mean(); });
  alpha("N-DENOM", "as if alpha were the mean of all weights", mean_magnitude);
  alpha("N-DENOM", "as if what is kept were divided by cols",
        [](auto row) { return kept_of(row).sum / double(row.size()); });
  alpha("N-DENOM", "as if all were added, and divided by how many are kept",
        [](auto row) { return sum_of(row) / kept_of(row).count; });
  alpha("N-DENOM", "as if alpha were the sum of what is kept",
        [](auto row) { return kept_of(row).sum; });
  alpha("N-FORMULA", "as if alpha were the threshold", threshold_of);
  alpha("N-FORMULA", "weights on the threshold count in alpha: their trit is 0",
        [](auto row) { return kept_above(row, std::nextafter(threshold_of(row), 0.0)).mean(); });
  alpha("N-FLOAT32", "what is kept is summed as float32: the sum is a double", [](auto row) {
    return kept_of(row).count == 0 ? 0.0f : float_mean(row, threshold_of(row));
  });
}

inline const Ternarizing ternarizing{{"w", "rows", "cols"}, {"trits", "alpha"}, suspect_ternary};

inline void same_trits(Expect& expect, const Matrix& in, const TernaryWeights& got,
                       const TernaryWeights& want) {
  const auto& [w, rows, cols] = in;
  expect.equal("trits", got.trits, want.trits, {std::size_t(rows), std::size_t(cols)});
}

}  // namespace nibble::judge::lab_13_binary
