// A kernel that multiplies matrices of integers, as its checks see it.
#pragma once

#include <vector>

#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"

namespace nibble::judge {

/// A kernel that makes the product. suspects(expect, product, right): what known mistakes answer.
template <auto F, class Arguments>
auto product_exercise(const Arguments& arguments,
                      void (*suspects)(Expect&, const Product&, const Sums&)) {
  return kernel_exercise<F>(
      arguments, by_definition,
      [suspects](Expect& expect, const Product& c, const Sums& got, const Sums& right) {
        if (right.size() > 100 && c.shape.k > 1) {
          Expect::healthy(distinct(Sums(right.begin(), right.begin() + 100)) > 5, "few sums");
        }
        if (got != right) suspects(expect, c, right);
        expect.equal("c", got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
      });
}

/// Of empty_products(): zeros, and one sum that is not 0.
template <class Exercise>
void check_empty_sums(const Exercise& exercise, const std::vector<Product>& cases) {
  each_case(cases, [&](const Product& c, Expect& expect) {
    const Sums got = exercise(c);
    if (c.shape.k == 0 || got.empty()) return exercise.look(expect, c, got);
    expect.that(got[0] != 0, "c is 0, and its sum is not empty");
  });
}

}  // namespace nibble::judge
