// A kernel that multiplies matrices of integers, as its checks see it.
#pragma once

#include <utility>
#include <vector>

#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"

namespace nibble::judge {

/// A kernel exercise whose cases may be given as shapes: their codes are random.
template <class Kernel>
class ProductExercise : public Kernel {
 public:
  using Shapes = std::vector<MatmulShape>;
  using Cases = std::vector<Product> (*)(const Shapes&, Seed);

  ProductExercise(Kernel kernel, Cases cases) : Kernel(std::move(kernel)), cases_(cases) {}

  using Kernel::at_least, Kernel::at_most, Kernel::exactly, Kernel::is_right, Kernel::runs_clean,
      Kernel::runs_far;

  void is_right(const Shapes& shapes, Seed seeds) const { Kernel::is_right(cases_(shapes, seeds)); }
  /// These, and the shapes that are counted: who does less where it counts is found out here.
  void runs_clean(Shapes shapes, const Shapes& counted) const {
    shapes.insert(shapes.end(), counted.begin(), counted.end());
    Kernel::runs_clean(cases_(shapes, seed));
  }
  /// The last rows of a, the last rows of a wide c, and the last columns of b_t, where so many come
  /// before that an index passes 2^32. apart(c): elements from one row of a and of b_t to the next.
  void runs_far(const std::vector<Product>& long_rows, const std::vector<Product>& wide,
                const std::vector<Product>& columns, std::int64_t (*apart)(const Product&)) const {
    Kernel::runs_far(long_rows, [=](const Product& c) {
      return more_rows({/*a=*/apart(c), 0, /*c=*/c.shape.n, /*m=*/1});
    });
    Kernel::runs_far(wide, [=](const Product& c) {
      return ends_of_more_rows({/*a=*/apart(c), 0, /*c=*/c.shape.n, /*m=*/1});
    });
    if (columns.empty()) return;
    Kernel::runs_far(columns, [=](const Product& c) {
      return more_columns({0, /*b_t=*/apart(c), /*c=*/1, 0, /*n=*/1});
    });
  }
  void at_most(const Measure& measure, double factor, const Shapes& counted) const {
    Kernel::at_most(measure, factor, cases_(counted, counted_seed));
  }
  void at_least(const Measure& measure, double share, const Shapes& counted) const {
    Kernel::at_least(measure, share, cases_(counted, counted_seed));
  }
  template <class Want>
  void exactly(const Measure& measure, const Want& want, const Shapes& counted) const {
    Kernel::exactly(measure, want, cases_(counted, counted_seed));
  }

 private:
  Cases cases_;
};

/// A kernel that makes the product. suspects(expect, product, right): what known mistakes answer.
/// cases(shapes, seeds): products that it takes.
template <auto F, class Arguments>
auto product_exercise(const Arguments& arguments,
                      void (*suspects)(Expect&, const Product&, const Sums&),
                      std::vector<Product> (*cases)(const std::vector<MatmulShape>&,
                                                    Seed) = random_products) {
  auto kernel = kernel_exercise<F>(
      arguments, by_definition,
      [suspects](Expect& expect, const Product& c, const Sums& got, const Sums& right) {
        if (right.size() > 100 && c.shape.k > 1) {
          Expect::healthy(distinct(Sums(right.begin(), right.begin() + 100)) > 5, "few sums");
        }
        if (expect.asks_for_suspects(got, right)) suspects(expect, c, right);
        expect.equal("c", got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
      });
  return ProductExercise<decltype(kernel)>(std::move(kernel), cases);
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
