// Lab 17, multiply_tiles_fused: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// The sums of c, where those of slices are rounded to float32 before they go on.
inline Sums sums_of_rounded_slices(const Product& c, std::size_t slice) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  Sums all;
  for (std::size_t x = 0; x < m * n; ++x) {
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < k; ++p) {
      if (p % slice == 0) sum = static_cast<std::int32_t>(static_cast<float>(sum));
      sum += c.a[x / n * k + p] * c.b_t[x % n * k + p];
    }
    all.push_back(sum);
  }
  return all;
}

inline void suspect_fused(Expect& expect, const FusedProduct& c) {
  suspect_finishes(expect, c);
  expect.suspect("N-SCALE", "c", Reals(c.outputs()), "all of c is 0");
  if (c.shape.k <= 512 || !is_worth_suspecting(c)) return;
  for (const std::size_t slice : {64, 128, 256, 512, 1024}) {
    const Sums sums = sums_of_rounded_slices(c, slice);
    expect.suspect(
        "N-ROUND", "c",
        finished(c, sums,
                 [&](float acc, auto, auto j) { return fused(acc, c.scale[j], c.bias[j]); }),
        "unfinished sums are rounded to float32: a sum is rounded once, when it is finished");
  }
}

inline const auto fusing = kernel_exercise<&multiply_tiles_fused>(
    [](const OnEngine<FusedProduct>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), c.scale, c.bias, out(c.outputs()), c.shape);
    },
    fused_product, equals("c", suspect_fused));

/// Multiples of 2^-10, so few of them that no product and no sum has to be rounded.
inline Reals exact_reals(std::size_t count, std::uint64_t seed, int low, int high) {
  return each_of(code_tensor<std::int32_t>(count, seed, low, high),
                 [](int steps) { return static_cast<float>(steps) * 0x1p-10f; });
}

/// Biases that keep about half of the results above 0. Rounding is another check's matter.
inline FusedProduct random_fused(MatmulShape s) {
  const std::size_t n = s.n;
  return {random_products({s}, seed)[0], exact_reals(n, seed(n + 2000), 3, 12),
          exact_reals(n, seed(n + 3000), -30000, 30000)};
}

}  // namespace nibble::judge::lab_17_cpu_amx
