// Lab 27: signs and their scale.
#pragma once

#include "cuda_binary.hpp"

#include <cmath>
#include <string_view>

#include "checks/27_cuda_binary/products.hpp"
#include "checks/27_cuda_binary/rows.hpp"
#include "judge/bits.hpp"
#include "judge/product_exercise.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_27_cuda_binary {

/// The mean of magnitude(w) over the columns that count.
template <class Magnitude, class Counts>
Reals means(const Rows& c, double count, const Magnitude& magnitude, const Counts& counts) {
  Reals all;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    double sum = 0.0;  // exact, as every partial sum of it is in float32
    for (std::size_t column = 0; column < std::size_t(c.cols); ++column) {
      if (counts(column)) sum += magnitude(double{c.row(r)[column]});
    }
    all.push_back(float(sum) / float(count));
  }
  return all;
}
inline bool is_any(std::size_t) { return true; }

inline Reals means_by_definition(const Rows& c) {
  return means(
      c, c.cols, [](double w) { return w < 0.0 ? -w : w; }, is_any);
}

inline void suspect_means(Expect& expect, const Rows& c) {
  const auto magnitude = [](double w) { return std::fabs(w); };
  const auto divided = [&](std::string_view words, std::size_t count) {
    expect.suspect("N-DENOM", "alpha", means(c, double(count), magnitude, is_any), words);
  };
  divided("the sum is not divided by cols", 1);
  divided("the sum is divided by the bits of its words, and not by cols", 32 * words_of(c.cols));
  divided("the sum is divided by the words of a row, and not by cols", words_of(c.cols));
  divided("the sum is divided by the number of rows, and not by cols", c.rows());
  const auto signs = [&](std::string_view words, const auto& of) {
    expect.suspect("N-FORMULA", "alpha", means(c, c.cols, of, is_any), words);
  };
  signs("w is added up with its sign: magnitudes are asked for", [](double w) { return w; });
  signs("what is below 0 is left out: it has a magnitude, too",
        [](double w) { return std::max(w, 0.0); });
  const auto some = [&](const char* code, std::string_view words, const auto& counts) {
    expect.suspect(code, "alpha", means(c, c.cols, magnitude, counts), words);
  };
  Reals largest, products;
  const Reals sums = means(c, 1, magnitude, is_any);
  for (std::size_t r = 0; r < c.rows(); ++r) {
    double most = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      double sum = 0;
      for (std::size_t at = lane; at < std::size_t(c.cols); at += 32)
        sum += std::fabs(c.row(r)[at]);
      most = std::max(most, sum);
    }
    largest.push_back(float(most) / float(c.cols));
    products.push_back(sums[r] * (1 / float(c.cols)));
  }
  expect.suspect("N-FORMULA", "alpha", largest,
                 "the largest of the lanes' sums is taken: they are added up");
  expect.suspect("N-FORMULA", "alpha", products,
                 "the sum is multiplied by 1 / cols, which is rounded: it is divided by cols");
  for (const std::size_t apart : {1, 2, 4, 8, 16}) {
    some("N-FORMULA", "an exchange is missing: some lanes never meet the others",
         [=](std::size_t at) { return (at & apart) == 0; });
  }
  some("N-FORMULA", "the sum is that of lane 0 alone", [](std::size_t at) { return at % 32 == 0; });
  const std::size_t words = words_of(c.cols);
  some("N-TAIL", "the last word of a row is not added",
       [=](std::size_t at) { return at / 32 + 1 < words; });
  some("N-TAIL", "only the last 1024 columns are added",
       [=](std::size_t at) { return at / 1024 == (words - 1) / 32; });
  some("N-TAIL", "only the first 1024 columns are added", [](std::size_t at) { return at < 1024; });
}

/// What is no number, or has no end, and is passed over.
inline void suspect_passing_over(Expect& expect, const Rows& c) {
  const auto suspect = [&](std::string_view words, const auto& counts) {
    expect.suspect("N-NAN", "alpha",
                   means(
                       c, c.cols, [&](double w) { return counts(w) ? std::fabs(w) : 0.0; }, is_any),
                   words);
  };
  suspect("NaN is left out of the mean, which has to be NaN",
          [](double w) { return !std::isnan(w); });
  suspect("infinity is left out of the mean, which has to be infinite",
          [](double w) { return !std::isinf(w); });
}

inline const auto binarizing = kernel_exercise<&binarize_rows>(
    [](const Rows& c) { return std::tuple(c.x, out(words_in(c)), out(c.rows()), c.cols); },
    [](const Rows& c) { return means_by_definition(c); },
    [](Expect& expect, const Rows& c, const std::tuple<Words, Reals>& got, const Reals& right) {
      const auto& [bits, alpha] = got;
      const bool is_finite = std::ranges::all_of(right, [](float x) { return std::isfinite(x); });
      if (is_finite || expect.is_hearing()) suspect_means(expect, c);
      if (!is_finite) suspect_passing_over(expect, c);
      expect_same(expect, "alpha", alpha, right);
      expect_signs(expect, c, bits, signs_by_definition(c));
    });

}  // namespace nibble::judge::lab_27_cuda_binary
