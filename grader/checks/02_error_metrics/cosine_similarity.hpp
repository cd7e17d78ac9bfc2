// Lab 02, cosine_similarity: what is right, and what people write instead.
#pragma once

#include <cmath>

#include "error_metrics.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {

using Turning = Exercise<&cosine_similarity>;

/// What PyTorch's function of this name divides by at least.
inline constexpr double kLeastOfPyTorch = 1e-8;

/// Sums of products over the first `end` elements: a cosine's parts.
struct Products {
  double both = 0, x = 0, x_hat = 0;

  double lengths() const { return std::sqrt(x) * std::sqrt(x_hat); }
  double cosine() const { return both / lengths(); }  // NaN, which nobody has answered, of zeros
};

inline Products products_of(const Pair& in, std::size_t end) {
  Products sums;
  for (std::size_t i = 0; i < end; ++i) {
    sums.both += double{in.a[i]} * in.b[i];
    sums.x += double{in.a[i]} * in.a[i];
    sums.x_hat += double{in.b[i]} * in.b[i];
  }
  return sums;
}

inline void suspect_least(Expect& expect, const Pair& in, double cosine) {
  const double lengths = products_of(in, in.a.size()).lengths();
  const bool differs = lengths < kLeastOfPyTorch && lengths > kLeastOfPyTorch / 1000;
  if (!differs) return;  // or it would be 0, which much else is
  expect.suspect("N-DIV0", "cosine", cosine * lengths / kLeastOfPyTorch,
                 "as if the lengths' product were 1e-8 at least: 0 alone has no direction");
}

/// A cosine of 1 may be that of x and x, or what one always answers.
inline void suspect_one_direction(Expect& expect, const Pair& in) {
  const Products before_last = products_of(in, in.a.size() - 1);
  const bool is_early = 1 - before_last.cosine() < 0x1p-20;  // that gives 1 as well
  if (is_early || products_of(in, in.a.size()).lengths() == 0) return;
  expect.suspect("N-FORMULA", "cosine", 1.0, "1, as if x and x_hat had the same direction");
}

inline void suspect_cosines(Expect& expect, const Pair& in, double right) {
  suspect_least(expect, in, right);
  const Products all = products_of(in, in.a.size());
  if (all.lengths() == 0) return;  // that has a rule of its own
  const auto suspect = [&](const char* words, double value) {
    expect.suspect("N-FORMULA", "cosine", value, words);
  };
  suspect("the product is not divided by the lengths", all.both);
  for (const double square : {all.x, all.x_hat}) {
    suspect("one length twice: the product is divided by both", all.both / square);
  }
  suspect("a length is the root of the sum of squares", all.both / (all.x * all.x_hat));
  suspect("1 - cosine is a distance", 1 - right);
  if (right < 0) suspect("the sign is lost: the opposite direction is -1", -right);
  suspect("the mean of the products is divided by the lengths: it is the sum",
          right / static_cast<double>(in.a.size()));
  suspect_one_direction(expect, in);
  for (const std::size_t end : early_ends(in.a.size())) {
    expect.suspect("N-TAIL", "cosine", products_of(in, end).cosine(), kTailIsLost);
  }
}

inline const Turning turning{
    {"x", "x_hat"}, {"cosine"}, suspect_cosines, {.tolerance = cancelling_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
