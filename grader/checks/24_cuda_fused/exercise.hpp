// Lab 24: the exercise.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>

#include "checks/24_cuda_fused/layer.hpp"
#include "checks/24_cuda_fused/other_rules.hpp"
#include "checks/24_cuda_fused/other_zero_points.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {

template <auto F>
auto arguments(const Layer& c) {
  const auto target = out(std::size_t(c.shape.m) * std::size_t(c.shape.n));
  const std::int64_t m = c.shape.m;
  if constexpr (kHasZeroPoints<F>) {
    return std::tuple(c.a, c.b_t, c.a_scale, c.zero_point, c.scales, c.b_zero_points, target,
                      c.shape);
  } else if constexpr (!kMultiplies<F> && !kMakesCodes<F>) {
    return std::tuple(c.acc, c.a_scale, c.scales, c.real_bias, target, m);
  } else if constexpr (!kMultiplies<F>) {
    return std::tuple(c.acc, c.scales, c.integer_bias, target, c.zero_point, m);
  } else if constexpr (!kMakesCodes<F>) {
    return std::tuple(c.a, c.b_t, c.a_scale, c.scales, c.real_bias, target, c.shape);
  } else {
    return std::tuple(c.a, c.b_t, c.scales, c.integer_bias, target, c.zero_point, c.shape);
  }
}

inline Shape as_matrix(const Layer& c) { return {std::size_t(c.shape.m), std::size_t(c.shape.n)}; }

/// `got` is what the formula says, up to an FMA.
template <auto F>
void look(Expect& expect, const Layer& c, const Reals& got, const Reals& right) {
  suspect_reals(c, expect);
  suspect_sums_of<F>(c, expect);
  expect.every(
      "c", got, right,
      [&](std::size_t at) {
        if (std::isnan(right[at])) return std::isnan(got[at]);
        const std::size_t j = at % std::size_t(c.shape.n);
        const double product = static_cast<float>(c.acc[at]) * (c.a_scale * c.scales[j]);
        if (is_non_finite(c.real_bias[j])) return is_near(got[at], right[at], Tolerance{});
        return is_near(got[at], right[at], fused_tolerance(product, c.real_bias[j]));
      },
      as_matrix(c));
  for (std::size_t at = 0; at < right.size(); ++at) {
    if (std::isnan(right[at]) && !std::isnan(got[at])) {
      return expect.recall("a NaN is not less than 0, and stays a NaN");
    }
    const float sum = static_cast<float>(c.acc[at]);
    const float most = std::max(c.a_scale, c.scales[at % std::size_t(c.shape.n)]);
    if (std::isfinite(sum * most) || !std::isfinite(right[at]) || std::isfinite(got[at])) continue;
    return expect.recall(
        "the product of the two scales comes first: a sum times one of them may be too large");
  }
}

template <auto F>
void look(Expect& expect, const Layer& c, const Codes& got, const Codes& right) {
  suspect_codes(c, expect);
  suspect_sums_of<F>(c, expect);
  expect.equal("c", got, right, as_matrix(c));
}

template <auto F>
inline const auto layer =
    kernel_exercise<F>(arguments<F>, by_definition<F>,
                       [](Expect& expect, const Layer& c, const auto& got, const auto& right) {
                         if (right.size() > 100)
                           Expect::healthy(distinct(right) > 15, "few different outputs");
                         if (!expect.asks_for_suspects(got, right)) return;
                         expect_written<F>(expect, "c", got, right, arguments<F>(c));
                         if constexpr (kHasZeroPoints<F>) {
                           suspect_zero_points(c, expect);
                           expect.equal("c", got, right, as_matrix(c));
                         } else {
                           look<F>(expect, c, got, right);
                         }
                       });

}  // namespace nibble::judge::lab_24_cuda_fused
