// Lab 21: the checks.
#include "cuda_int8_matmul.hpp"

#include <numeric>

#include "checks/marks/21_cuda_int8_matmul.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/kernels.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/run.hpp"
#include "judge/same_function.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;

// --- A product, whichever way b is stored --------------------------------------------------------

/// The operands of a product. b is kept transposed, and stored as the exercise wants it.
struct ProductCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;
};

std::string show(const ProductCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
         ", columns of b = " + show_values(c.b_t);
}

std::vector<ProductCase> smaller(const ProductCase& c) {
  std::vector<ProductCase> all;
  const int k = c.shape.k;
  for (const MatmulShape to : smaller_shapes(c.shape)) {
    all.push_back({size_text(to), to, corner(c.a, k, to.m, to.k), corner(c.b_t, k, to.n, to.k)});
  }
  return all;
}

Sums by_definition(const ProductCase& c) {
  const auto [m, n, k] = c.shape;
  Sums sums;
  for (std::ptrdiff_t i = 0; i < m; ++i) {
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      const auto row = c.a.begin() + i * k;
      sums.push_back(std::inner_product(row, row + k, c.b_t.begin() + j * k, std::int32_t{0}));
    }
  }
  return sums;
}

/// [n,k] as [k,n].
Codes turned(const Codes& b_t, int n, int k) {
  Codes b(b_t.size());
  for (int j = 0; j < n; ++j) {
    for (int p = 0; p < k; ++p) b[std::size_t(p) * n + j] = b_t[std::size_t(j) * k + p];
  }
  return b;
}

template <auto F>
inline constexpr bool wants_transposed =
    same_function<F, &matmul_transposed> || same_function<F, &matmul_register>;

template <auto F>
Codes stored(const ProductCase& c) {
  return wants_transposed<F> ? c.b_t : turned(c.b_t, c.shape.n, c.shape.k);
}

/// What two known mistakes answer: the bytes of b taken for the other way to store it, and sums
/// that wrap around in 16 bits.
template <auto F>
void suspect_the_usual(const ProductCase& c, Expect& expect) {
  ProductCase misread = c;
  misread.b_t = wants_transposed<F> ? turned(c.b_t, c.shape.k, c.shape.n) : stored<F>(c);
  expect.suspect("N-TRANS", "c", by_definition(misread));
  const Sums sums = by_definition(c);
  expect.suspect("N-OVERFLOW", "c", std::vector<std::int16_t>(sums.begin(), sums.end()));
}

ProductCase random_case(MatmulShape s, std::uint64_t seed) {
  const auto codes = [&](int rows, std::uint64_t salt) {
    return code_tensor<std::int8_t>(std::size_t(rows) * s.k, seed + salt, -128, 127);
  };
  return {size_text(s), s, codes(s.m, 0), codes(s.n, 1)};
}

std::vector<ProductCase> random_cases(const std::vector<MatmulShape>& shapes,
                                      std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<ProductCase> cases;
  for (const MatmulShape s : shapes) cases.push_back(random_case(s, seeds(cases.size())));
  return cases;
}

template <auto F>
void expect_product(const ProductCase& c, const Sums& got, Expect& expect) {
  const Sums want = by_definition(c);
  if (want.size() > 100 && c.shape.k > 1) {
    Expect::healthy(distinct(want) > 50, "few different sums");
  }
  suspect_the_usual<F>(c, expect);
  expect.equal("c", got, want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

std::size_t outputs(MatmulShape s) { return std::size_t(s.m) * std::size_t(s.n); }

template <auto F>
void gives_the_product(const std::vector<ProductCase>& cases) {
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    expect_product<F>(c, call<F>(c.a, stored<F>(c), out(outputs(c.shape)), c.shape), expect);
  });
}

// --- Values --------------------------------------------------------------------------------------

// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
template <auto F>
void check_empty_sums() {
  each_case<ProductCase>({{"NoK", {2, 3, 0}, {}, {}},
                          {"NoRows", {0, 3, 2}, {}, {1, 2, 3, 4, 5, 6}},
                          {"NoColumns", {2, 0, 3}, {1, 2, 3, 4, 5, 6}, {}},
                          {"NotEmpty", {1, 2, 2}, {2, 3}, {5, 7, 11, 13}}},
                         [](const ProductCase& c, Expect& expect) {
                           const Sums got =
                               call<F>(c.a, stored<F>(c), out(outputs(c.shape)), c.shape);
                           if (c.shape.k > 0 && !got.empty()) {
                             expect.that(got[0] != 0, "c is 0, and its sum is not empty");
                           } else {
                             expect.equal("c", got, Sums(outputs(c.shape)));
                           }
                         });
}

// By hand, all sizes different: a = [1 2; 3 4; 5 6], columns of b 1 10, 2 20, 3 30, 4 40. The
// corners of the range. And a table of products, larger than a row or a column of threads is in
// small blocks.
struct HandCase {
  ProductCase product;
  Sums want;
  std::string name = product.name;
};
std::string show(const HandCase& c) { return show(c.product); }

HandCase table_of_products(int m, int n) {
  Codes a, b;
  Sums products;
  for (int i = 0; i < m; ++i) a.push_back(std::int8_t(i - 3));
  for (int j = 0; j < n; ++j) b.push_back(std::int8_t(2 * j + 1));
  for (const int left : a) {
    for (const int right : b) products.push_back(left * right);
  }
  return {{"TableOfProducts", {m, n, 1}, a, b}, products};
}

template <auto F>
void check_formula() {
  each_case<HandCase>(
      {{{"TwoProducts", {2, 1, 1}, {-3, 2}, {5}}, {-15, 10}},
       {{"RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2}}, {12, -3}},
       {{"ColumnTimesRow", {2, 3, 1}, {1, -2}, {3, 4, 5}}, {3, 4, 5, -6, -8, -10}},
       {{"AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40}},
        {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}},
       {{"Extremes", {2, 2, 1}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129}},
       table_of_products(21, 18)},
      [](const HandCase& c, Expect& expect) {
        const ProductCase& p = c.product;
        suspect_the_usual<F>(p, expect);
        expect.equal("c", call<F>(p.a, stored<F>(p), out(outputs(p.shape)), p.shape), c.want,
                     {std::size_t(p.shape.m), std::size_t(p.shape.n)});
      });
}

// 3 products of 127 * 127 pass int16; 1041 pass what a float counts exactly. 131071 is the longest
// k, with the largest sum that there is, 2147467264; for tiles a k that passes int16 has to do, for
// all threads of a block walk along it.
template <auto F>
void check_exact_sums(int longest) {
  const auto constant = [](const char* name, MatmulShape s, int a, int b) {
    return ProductCase{name, s, Codes(std::size_t(s.m) * s.k, std::int8_t(a)),
                       Codes(std::size_t(s.n) * s.k, std::int8_t(b))};
  };
  gives_the_product<F>({constant("PastInt16", {1, 2, 3}, 127, 127),
                        constant("PastFloat", {2, 1, 1043}, 127, 127),
                        constant("PastFloatBelowZero", {2, 1, 1043}, -127, 127),
                        constant("Longest", {1, 1, longest}, -128, -128)});
}

// One; one less than, as many as and one more than a warp, and than two; primes; tall and flat.
// k begins with what is less than one tile, for then there is no second step.
const std::vector<MatmulShape> kShapes = {
    {1, 2, 31},   {2, 40, 2},   {40, 2, 2},   {1, 33, 2},     {33, 1, 2},   {31, 32, 5},
    {5, 7, 32},   {3, 2, 33},   {7, 65, 17},  {65, 7, 17},    {33, 34, 35}, {64, 64, 64},
    {63, 65, 97}, {129, 3, 40}, {3, 129, 40}, {128, 128, 32}, {67, 131, 79}};

template <auto F>
void check_shapes() {
  gives_the_product<F>(random_cases(kShapes, seed));
}

// --- Accesses ------------------------------------------------------------------------------------

// A shape that no tile divides, and whole tiles of every usual size.
const std::vector<MatmulShape> kCounted = {{45, 70, 50}, {64, 64, 64}};
// The same for tiles of up to 128 x 128.
const std::vector<MatmulShape> kCountedLarge = {{70, 140, 33}, {128, 128, 32}};

// Inside one tile, and over the edge of one in each direction. And the shapes that are counted: who
// does less where it counts is found out here.
template <auto F>
void check_runs_clean(const std::vector<MatmulShape>& counted_shapes) {
  std::vector<MatmulShape> shapes = {{3, 5, 7}, {33, 34, 35}, {66, 3, 33}, {3, 66, 33}};
  shapes.insert(shapes.end(), counted_shapes.begin(), counted_shapes.end());
  each_case(random_cases(shapes, seed), [](const ProductCase& c, Expect& expect) {
    expect_product<F>(c, watched<F>(c.a, stored<F>(c), out(outputs(c.shape)), c.shape), expect);
  });
}

template <auto F>
void check_counts(const Measure& measure, double factor, const std::vector<MatmulShape>& shapes) {
  std::vector<CountedCase<ProductCase>> cases;
  for (const ProductCase& product : random_cases(shapes, seed)) {
    cases.push_back({product.name, product});
  }
  each_case(cases, [&](const CountedCase<ProductCase>& c, Expect& expect) {
    const ProductCase& p = c.input;
    at_most(expect, measure, factor, counted<F>(p.a, stored<F>(p), out(outputs(p.shape)), p.shape));
  });
}

// The last that is counted is what `nibble traffic` shows.
template <auto F>
void check_bytes(double factor) {
  check_counts<F>(kGlobalBytes, factor, kCounted);
}

template <auto F>
void check_conflicts() {
  check_counts<F>(kBankConflicts, 1.0, {kCounted.back()});
}

// With one step along k, and one block: that many barriers are a step's.
template <auto F>
void check_barriers() {
  check_counts<F>(kBarriers, 1.0, {{16, 16, 16}});
}

// --- The exercises -------------------------------------------------------------------------------

TEST(matmul_naive, EmptySumIsZero) { check_empty_sums<&matmul_naive>(); }
TEST(matmul_naive, FollowsTheFormula) { check_formula<&matmul_naive>(); }
TEST(matmul_naive, EveryShape) { check_shapes<&matmul_naive>(); }
TEST(matmul_naive, SumsAreExact) { check_exact_sums<&matmul_naive>(131071); }
TEST(matmul_naive, RunsClean) { check_runs_clean<&matmul_naive>(kCounted); }
TEST(matmul_naive, MovesAtMostTwice) { check_bytes<&matmul_naive>(2.0); }
TEST(matmul_naive, MovesNoMore) { check_bytes<&matmul_naive>(1.1); }

TEST(matmul_tiled, EmptySumIsZero) { check_empty_sums<&matmul_tiled>(); }
TEST(matmul_tiled, FollowsTheFormula) { check_formula<&matmul_tiled>(); }
TEST(matmul_tiled, EveryShape) { check_shapes<&matmul_tiled>(); }
TEST(matmul_tiled, SumsAreExact) { check_exact_sums<&matmul_tiled>(32801); }
TEST(matmul_tiled, RunsClean) { check_runs_clean<&matmul_tiled>(kCounted); }
TEST(matmul_tiled, TwoBarriersAStep) { check_barriers<&matmul_tiled>(); }
TEST(matmul_tiled, MovesAtMostThreeTimes) { check_bytes<&matmul_tiled>(3.0); }
TEST(matmul_tiled, MovesNoMore) { check_bytes<&matmul_tiled>(1.1); }
TEST(matmul_tiled, NoBankConflicts) { check_conflicts<&matmul_tiled>(); }

TEST(matmul_transposed, EmptySumIsZero) { check_empty_sums<&matmul_transposed>(); }
TEST(matmul_transposed, FollowsTheFormula) { check_formula<&matmul_transposed>(); }
TEST(matmul_transposed, EveryShape) { check_shapes<&matmul_transposed>(); }
TEST(matmul_transposed, SumsAreExact) { check_exact_sums<&matmul_transposed>(32801); }
TEST(matmul_transposed, RunsClean) { check_runs_clean<&matmul_transposed>(kCounted); }
TEST(matmul_transposed, TwoBarriersAStep) { check_barriers<&matmul_transposed>(); }
TEST(matmul_transposed, MovesAtMostThreeTimes) { check_bytes<&matmul_transposed>(3.0); }
TEST(matmul_transposed, MovesNoMore) { check_bytes<&matmul_transposed>(1.1); }
TEST(matmul_transposed, NoBankConflicts) { check_conflicts<&matmul_transposed>(); }

TEST(matmul_register, EmptySumIsZero) { check_empty_sums<&matmul_register>(); }
TEST(matmul_register, FollowsTheFormula) { check_formula<&matmul_register>(); }
TEST(matmul_register, EveryShape) { check_shapes<&matmul_register>(); }
TEST(matmul_register, SumsAreExact) { check_exact_sums<&matmul_register>(32801); }
TEST(matmul_register, RunsClean) { check_runs_clean<&matmul_register>(kCountedLarge); }
TEST(matmul_register, NoBankConflicts) { check_conflicts<&matmul_register>(); }
TEST(matmul_register, MovesNoMore) {
  check_counts<&matmul_register>(kGlobalBytes, 1.1, kCountedLarge);
}
TEST(matmul_register, AsksAtMostTwice) {
  check_counts<&matmul_register>(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_register, AsksNoMore) {
  check_counts<&matmul_register>(kSharedRequests, 1.1, {kCountedLarge.back()});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// One more than two tiles in each direction, long sums, and the shapes that are counted.
const std::vector<MatmulShape> kHiddenShapes = {{3, 5, 7},     {2, 3, 1025},  {45, 70, 50},
                                                {64, 64, 64},  {65, 33, 97},  {33, 129, 65},
                                                {129, 65, 33}, {70, 140, 33}, {66, 67, 131}};

template <auto F>
void check_unseen() {
  gives_the_product<F>(random_cases(kHiddenShapes, hidden_seed));
}

TEST(matmul_naive, UnseenData) { check_unseen<&matmul_naive>(); }
TEST(matmul_tiled, UnseenData) { check_unseen<&matmul_tiled>(); }
TEST(matmul_transposed, UnseenData) { check_unseen<&matmul_transposed>(); }
TEST(matmul_register, UnseenData) { check_unseen<&matmul_register>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
