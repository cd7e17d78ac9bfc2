// Lab 06, quantized_matmul: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

inline const Multiplying multiplying{
    {"a", "a_zero_point", "b", "b_zero_point", "m", "n", "k"},
    {"c"},
    suspect_sums,
    {.sizes = [](const auto& in) { return rows_and_columns(in.e); }, .smaller = smaller_products}};

/// k products of the same two codes.
inline Product constant_product(int k, int za, int a, int zb, int b) {
  const Codes as(k, static_cast<std::int8_t>(a)), bs(k, static_cast<std::int8_t>(b));
  return {as, za, bs, zb, {1, 1, k}};
}

inline Product random_product(MatmulShape s, int za, int zb, std::uint64_t seed_a,
                              std::uint64_t seed_b) {
  return {code_tensor<std::int8_t>(I(s.m) * s.k, seed_a, -128, 127), za,
          code_tensor<std::int8_t>(I(s.k) * s.n, seed_b, -128, 127), zb, s};
}

/// Agreeing where few sums differ proves little.
inline void expect_different(const Product& in, std::size_t least) {
  Expect::healthy(distinct(by_definition(in)) > least, "few different sums");
}

}  // namespace nibble::judge::lab_06_quantized_matmul
