// Lab 21: what is right, and what people write instead.
#pragma once

#include "cuda_int8_matmul.hpp"

#include "judge/product_exercise.hpp"
#include "judge/same_function.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_21_cuda_int8_matmul {

template <auto F>
inline constexpr bool wants_transposed =
    same_function<F, &matmul_transposed> || same_function<F, &matmul_register>;

template <auto F>
Codes stored(const Product& c) {
  return wants_transposed<F> ? c.b_t : turned(c.b_t, c.shape.n, c.shape.k);
}

/// The bytes of b taken for the other way to store it, and what goes wrong with every product.
template <auto F>
void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  Product misread = c;
  misread.b_t = wants_transposed<F> ? turned(c.b_t, c.shape.k, c.shape.n) : stored<F>(c);
  expect.suspect(
      "N-TRANS", "c", by_definition(misread),
      wants_transposed<F> ? "b_t [n,k] is read as b [k,n]" : "b [k,n] is read as b_t [n,k]");
  if (c.shape.m == 1 && !right.empty()) {  // whatever made them so
    expect.suspect("N-LAYOUT", "c", Sums(right.size(), right.front()),
                   "all columns are as the first");
  }
  const std::size_t n = c.shape.n, k = c.shape.k;
  if (wants_transposed<F>) {
    Product mixed = c;
    for (std::size_t at = 0; at < n * k; ++at) {
      const std::size_t j = at / k, p = at % k;
      mixed.b_t[at] = j < k && p < n ? c.b_t[j * n + p] : std::int8_t{0};
    }
    const Sums sums = by_definition(mixed);
    const auto is_lost = [](std::int32_t sum, std::int32_t want) {
      return sum == 0 || sum == want;
    };
    if (!std::ranges::equal(sums, right, is_lost)) {  // other mistakes lose as much
      expect.suspect("N-LAYOUT", "c", sums,
                     "rows of b_t are taken to be n codes long: they have k");
    }
  }
  if (static_cast<std::int16_t>(c.shape.k) < 0) {
    expect.suspect("N-OVERFLOW", "c", Sums(right.size()),
                   "k is kept in 16 bits, where it is below 0: nothing is added");
  }
  suspect_sums(expect, c, "c");
}

template <auto F>
inline const auto multiplying = product_exercise<F>(
    [](const Product& c) { return std::tuple(c.a, stored<F>(c), out(c.outputs()), c.shape); },
    suspect_the_usual<F>);

inline const auto& naive = multiplying<&matmul_naive>;
inline const auto& tiled = multiplying<&matmul_tiled>;
inline const auto& transposed = multiplying<&matmul_transposed>;
inline const auto& in_registers = multiplying<&matmul_register>;

}  // namespace nibble::judge::lab_21_cuda_int8_matmul
