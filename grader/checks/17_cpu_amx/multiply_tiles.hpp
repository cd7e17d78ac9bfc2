// Lab 17, multiply_tiles: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// Where k is long, only its last slice: each begins with sums of 0.
inline void suspect_slices(Expect& expect, const Product& c) {
  const std::size_t k = c.shape.k;
  for (std::size_t slice = 64; k > 512 && slice < k; slice *= 2) {
    const std::size_t last = (k - 1) / slice * slice;
    expect.suspect(
        "N-SLICE", "c",
        each_sum(c.shape, [&](auto i, auto j,
                              auto p) { return p < last ? 0 : c.a[i * k + p] * c.b_t[j * k + p]; }),
        "the sums of the slices before are forgotten, and only the last slice is left");
  }
}

inline const auto multiplying = kernel_exercise<&multiply_tiles>(
    [](const OnEngine<Product>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), out(c.outputs()), c.shape);
    },
    by_definition,
    [](Expect& expect, const Product& c, const std::tuple<TileCounts, Sums>& got,
       const Sums& right) {
      const Sums& sums = std::get<Sums>(got);
      if (sums != right && is_worth_suspecting(c)) suspect_slices(expect, c);
      if (sums != right) suspect_sums(expect, c, "c");
      expect.equal("c", sums, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

}  // namespace nibble::judge::lab_17_cpu_amx
