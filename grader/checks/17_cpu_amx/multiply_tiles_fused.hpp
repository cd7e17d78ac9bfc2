// Lab 17, multiply_tiles_fused: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_17_cpu_amx {

inline const auto fusing = kernel_exercise<&multiply_tiles_fused>(
    [](const OnEngine<FusedProduct>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), c.scale, c.bias, out(c.outputs()), c.shape);
    },
    fused_product, equals("c", suspect_finishes));

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
