// Lab 30, split_outliers: what is right, and what people write instead.
#pragma once

#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Splitting = Exercise<&split_outliers>;

inline Places outliers_by_definition(const Doubles& x, std::int32_t inputs, double threshold) {
  rows_of(x, inputs);
  Places all;
  for (std::int32_t i = 0; i < inputs; ++i) {
    double most = 0;
    for (std::size_t at = std::size_t(i); at < x.size(); at += std::size_t(inputs)) {
      most = std::max(most, std::fabs(x[at]));
    }
    if (most >= threshold) all.push_back(i);
  }
  return all;
}

/// The first input that is told and has none, or has one and is not told.
inline const auto kSameColumns = [](Expect& expect, const Splitting::Arguments& in,
                                    const Places& got, const Places& want) {
  for (const std::int32_t one : got) {
    expect.that(0 <= one && one < in.b, std::to_string(one) + " is told, and is no input");
  }
  for (std::int32_t i = 0; i < in.b; ++i) {
    const bool told = std::ranges::count(got, i) > 0, is_one = std::ranges::count(want, i) > 0;
    expect.that(told == is_one,
                "input " + std::to_string(i) +
                    (is_one ? " has an outlier, and is not told" : " is told, and has no outlier"));
  }
  expect.equal("outliers", got, want);
};

inline const Splitting splitting{{"x", "inputs", "threshold"}, {"outliers"}};

}  // namespace nibble::judge::lab_30_mixed_precision
