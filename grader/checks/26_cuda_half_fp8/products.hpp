// Lab 26: products.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cmath>
#include <tuple>

#include "checks/26_cuda_half_fp8/gemm.hpp"
#include "checks/26_cuda_half_fp8/wrong_products.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/slips.hpp"
#include "judge/tensors.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

/// Within what a sum of tensor cores may be off by.
template <class Exercise>
bool is_close(const GemmCase& c, const Reals& got, std::size_t at) {
  const std::ptrdiff_t i = std::ptrdiff_t(at) / c.shape.n, j = std::ptrdiff_t(at) % c.shape.n;
  const Sum sum = sum_at(c, i, j);
  if (is_fp8<Exercise>) {
    const double scale = double{c.a_scales[i]} * c.b_scales[j];
    return is_near(got[at], scale * sum.value, short_sum_tolerance(scale * sum.magnitude));
  }
  const double rest = c.beta == 0 ? 0.0 : double{c.beta} * c.c[at];
  return is_near(
      got[at], c.alpha * sum.value + rest,
      tensor_sum_tolerance(std::fabs(c.alpha) * sum.magnitude + std::fabs(rest), c.shape.k));
}

/// alpha or beta, or both of them, as short as the numbers that are multiplied.
template <class Exercise>
void recall_short_scales(Expect& expect, const GemmCase& c, const Reals& got) {
  using Format = typename Exercise::Format;
  const auto rounded = [](float x) { return simt::decode<Format>(simt::encode<Format>(x)); };
  for (int which = 1; which < 4; ++which) {
    GemmCase other = c;
    if (which % 2 == 1) other.alpha = rounded(c.alpha);
    if (which >= 2) other.beta = rounded(c.beta);
    std::size_t close = 0;
    while (close < got.size() && is_close<Exercise>(other, got, close)) ++close;
    if (close == got.size()) {
      return expect.recall("alpha or beta is rounded to the format of a and b_t, and is a float");
    }
  }
}

template <class Exercise>
void expect_product(Expect& expect, const GemmCase& c, const Reals& got, const Reals& right) {
  const Shape shape{std::size_t(c.shape.m), std::size_t(c.shape.n)};
  if (c.exact) {
    if constexpr (is_fp8<Exercise>) {
      const auto is_huge = [](float one) { return one > 0x1p64f; };
      if (std::ranges::any_of(c.a_scales, is_huge) || std::ranges::any_of(c.b_scales, is_huge)) {
        expect.that(std::ranges::none_of(got, [](float one) { return std::isinf(one); }),
                    "the scales are multiplied first: a sum times one of them is beyond all floats",
                    "N-OVERFLOW");
      }
      if (expect.asks_for_suspects(got, right)) {
        suspect_scales(expect, c);
        suspect_parts(expect, c);
      }
    } else {
      const auto has_nan = [](const Reals& x) {
        return std::any_of(x.begin(), x.end(), [](float one) { return std::isnan(one); });
      };
      expect.that(c.beta != 0 || !has_nan(c.c) || !has_nan(got),
                  "with beta = 0, what c held is in d", "N-NAN");
      if (expect.asks_for_suspects(got, right)) suspect_products_of_16_bits(expect, c);
    }
    std::vector<Slip<Reals>> slips;
    if (expect.asks_for_suspects(got, right)) {
      suspect_places<Exercise>(expect, c);
      suspect_fragments<Exercise>(expect, c);
      slips = slips_of_product<Exercise>(c);
    }
    expect_no_slip(expect, "d", got, right, shape, slips);
    return;
  }
  const auto is_right = [&](std::size_t at) { return is_close<Exercise>(c, got, at); };
  if (expect.every("d", got, right, is_right, shape) || is_fp8<Exercise>) return;
  expect.otherwise("N-FORMULA");
  recall_short_scales<Exercise>(expect, c, got);
}

template <class Exercise>
inline const auto multiplying = kernel_exercise<Exercise::kCall>(arguments<Exercise>,
                                                                 right_product<Exercise>,
                                                                 expect_product<Exercise>);

}  // namespace nibble::judge::lab_26_cuda_half_fp8
