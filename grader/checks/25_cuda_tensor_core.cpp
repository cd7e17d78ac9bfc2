// Lab 25: the checks.
#include "cuda_tensor_core.hpp"

#include <numeric>

#include "checks/marks/25_cuda_tensor_core.hpp"
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

// --- A product -----------------------------------------------------------------------------------

struct ProductCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;
};

std::string show(const ProductCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
         ", b_t = " + show_values(c.b_t);
}

/// The first `kept` codes of the first `rows` rows of x [.,k]; zeros where they end.
Codes first_columns(const Codes& x, int rows, int k, int kept) {
  Codes part(std::size_t(rows) * kept);
  for (int row = 0; row < rows; ++row) {
    std::copy_n(x.begin() + std::ptrdiff_t{row} * k, std::min(k, kept),
                part.begin() + std::ptrdiff_t{row} * kept);
  }
  return part;
}

ProductCase cut(const ProductCase& c, MatmulShape to) {
  return {size_text(to), to, first_columns(c.a, to.m, c.shape.k, to.k),
          first_columns(c.b_t, to.n, c.shape.k, to.k)};
}

/// Half of a size, and one less of it. A k that is a multiple of 32 stays one.
std::vector<ProductCase> smaller(const ProductCase& c) {
  const auto [m, n, k] = c.shape;
  const int half_k = k % 32 == 0 ? k / 64 * 32 : k / 2, less_k = k % 32 == 0 ? k - 32 : k - 1;
  std::vector<ProductCase> all;
  for (const MatmulShape to : {MatmulShape{m, n, half_k},
                               {m / 2, n, k},
                               {m, n / 2, k},
                               {m, n, less_k},
                               {m - 1, n, k},
                               {m, n - 1, k}}) {
    if (to.m > 0 && to.n > 0 && to.k > 0) all.push_back(cut(c, to));
  }
  return all;
}

/// With codes read as Code: std::uint8_t is what a confused kernel multiplies.
template <class Code = std::int8_t>
Sums by_definition(const ProductCase& c) {
  const auto [m, n, k] = c.shape;
  const std::vector<Code> a(c.a.begin(), c.a.end()), b_t(c.b_t.begin(), c.b_t.end());
  Sums sums;
  for (std::ptrdiff_t i = 0; i < m; ++i) {
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      const auto row = a.begin() + i * k;
      sums.push_back(std::inner_product(row, row + k, b_t.begin() + j * k, std::int32_t{0}));
    }
  }
  return sums;
}

ProductCase random_case(MatmulShape s, std::uint64_t seed) {
  const auto codes = [&](int rows, std::uint64_t salt) {
    return code_tensor<std::int8_t>(std::size_t(rows) * s.k, seed + salt, -128, 127);
  };
  return {size_text(s), s, codes(s.m, 0), codes(s.n, 1)};
}

/// What an exercise is given: the second and third want a k that is a multiple of 32.
template <auto F>
inline constexpr bool takes_any_k = same_function<F, &matmul_wmma>;

template <auto F>
int allowed_k(int k) {
  return takes_any_k<F> ? k : (k + 31) / 32 * 32;
}

/// The same product with zeros up to a k that is allowed.
template <auto F>
ProductCase allowed(const ProductCase& c) {
  ProductCase padded = cut(c, {c.shape.m, c.shape.n, allowed_k<F>(c.shape.k)});
  padded.name = c.name;
  return padded;
}

/// Random codes up to the k that is allowed, not zeros.
template <auto F>
std::vector<ProductCase> random_cases(const std::vector<MatmulShape>& shapes,
                                      std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<ProductCase> cases;
  for (const auto [m, n, k] : shapes) {
    cases.push_back(random_case({m, n, allowed_k<F>(k)}, seeds(cases.size())));
  }
  return cases;
}

std::size_t outputs(MatmulShape s) { return std::size_t(s.m) * std::size_t(s.n); }

void expect_product(const ProductCase& c, const Sums& got, Expect& expect) {
  const Sums want = by_definition(c);
  if (want.size() > 100 && c.shape.k > 1) {
    Expect::healthy(distinct(want) > 50, "few different sums");
  }
  expect.suspect("N-SIGN", "c", by_definition<std::uint8_t>(c));
  expect.equal("c", got, want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

template <auto F>
void gives_the_product(const std::vector<ProductCase>& cases) {
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    expect_product(c, call<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape), expect);
  });
}

// --- Values --------------------------------------------------------------------------------------

// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
template <auto F>
void check_empty_sums() {
  const ProductCase not_empty = allowed<F>({"NotEmpty", {1, 2, 2}, {2, 3}, {5, 7, 11, 13}});
  each_case<ProductCase>({{"NoK", {2, 3, 0}, {}, {}},
                          {"NoRows", {0, 3, 32}, {}, Codes(96, 1)},
                          {"NoColumns", {2, 0, 32}, Codes(64, 1), {}},
                          not_empty},
                         [](const ProductCase& c, Expect& expect) {
                           const Sums got = call<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape);
                           if (c.shape.k > 0 && !got.empty()) {
                             expect.that(got[0] != 0, "c is 0, and its sum is not empty");
                           } else {
                             expect.equal("c", got, Sums(outputs(c.shape)));
                           }
                         });
}

struct HandCase {
  ProductCase product;
  Sums want;
  std::string name = product.name;
};
std::string show(const HandCase& c) { return show(c.product); }

/// c[i,j] = a[i] * b[j]: shows which row and which column of c a sum went to.
HandCase table_of_products(int m, int n) {
  Codes a, b;
  Sums products;
  for (int i = 0; i < m; ++i) a.push_back(std::int8_t(i + 1));
  for (int j = 0; j < n; ++j) b.push_back(std::int8_t(2 * j + 1));
  for (const int left : a) {
    for (const int right : b) products.push_back(left * right);
  }
  return {{"TableOfProducts", {m, n, 1}, a, b}, products};
}

/// b_t [k,k] is 1 on its diagonal, and c is a: shows which place along k a code was taken from.
HandCase times_one(int m, int k) {
  Codes a, b_t(std::size_t(k) * k);
  for (int i = 0; i < m * k; ++i) a.push_back(std::int8_t(i % 251 - 125));
  for (int j = 0; j < k; ++j) b_t[std::size_t(j) * k + j] = 1;
  return {{"TimesOne", {m, k, k}, a, b_t}, Sums(a.begin(), a.end())};
}

// By hand, all sizes different; the corners of the range;
// then what shows where each code and each sum went.
template <auto F>
void check_formula() {
  std::vector<HandCase> cases = {
      {{"RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2}}, {12, -3}},
      {{"AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40}},
       {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}},
      {{"Extremes", {2, 2, 1}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129}},
      table_of_products(16, 16),
      times_one(16, 32)};
  for (HandCase& c : cases) c.product = allowed<F>(c.product);
  each_case(cases, [](const HandCase& c, Expect& expect) {
    const ProductCase& p = c.product;
    expect.suspect("N-SIGN", "c", by_definition<std::uint8_t>(p));
    expect.equal("c", call<F>(p.a, p.b_t, out(outputs(p.shape)), p.shape), c.want,
                 {std::size_t(p.shape.m), std::size_t(p.shape.n)});
  });
}

// One; one less than, as many as and one more than 8, 16, 32 and 64; n odd and even; tall and flat.
// And a sum that is long: 4129 times 127 * 127 is more than a float counts.
const std::vector<MatmulShape> kShapes = {{1, 1, 31},   {1, 2, 1},     {2, 40, 2},    {40, 2, 2},
                                          {7, 9, 15},   {8, 8, 16},    {9, 7, 17},    {15, 17, 32},
                                          {16, 16, 33}, {17, 15, 65},  {31, 33, 47},  {33, 31, 48},
                                          {64, 64, 64}, {63, 65, 97},  {65, 63, 96},  {3, 129, 40},
                                          {129, 3, 40}, {64, 128, 32}, {67, 131, 128}};

template <auto F>
void check_shapes() {
  std::vector<ProductCase> cases = random_cases<F>(kShapes, seed);
  cases.push_back(allowed<F>({"Long", {2, 1, 4129}, Codes(8258, 127), Codes(4129, 127)}));
  gives_the_product<F>(cases);
}

// --- Accesses and products -----------------------------------------------------------------------

// Shapes that no tile divides, and then whole tiles of every usual size. The last that is counted
// is what `nibble traffic` shows.
const std::vector<MatmulShape> kCounted = {{45, 70, 50}, {64, 64, 128}};
const std::vector<MatmulShape> kCountedLarge = {{70, 140, 96}, {128, 128, 64}};

// Inside one tile, over the edge of one in each direction, and with steps enough to come back to
// the tile of the first. And the shapes that are counted:
// who does less where it counts is found out here.
template <auto F>
void check_runs_clean(const std::vector<MatmulShape>& counted_shapes) {
  std::vector<MatmulShape> shapes = {{3, 5, 7}, {17, 9, 33}, {33, 35, 70}, {9, 7, 300}};
  shapes.insert(shapes.end(), counted_shapes.begin(), counted_shapes.end());
  each_case(random_cases<F>(shapes, seed), [](const ProductCase& c, Expect& expect) {
    expect_product(c, watched<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape), expect);
  });
}

template <auto F, class Check>
void each_counted(const std::vector<MatmulShape>& shapes, const Check& check) {
  std::vector<CountedCase<ProductCase>> cases;
  for (const ProductCase& product : random_cases<F>(shapes, seed)) {
    cases.push_back({product.name, product});
  }
  each_case(cases, [&](const CountedCase<ProductCase>& c, Expect& expect) {
    const ProductCase& p = c.input;
    check(p.shape, counted<F>(p.a, p.b_t, out(outputs(p.shape)), p.shape), expect);
  });
}

template <auto F>
void check_counts(const Measure& measure, double factor, const std::vector<MatmulShape>& shapes) {
  each_counted<F>(shapes, [&](MatmulShape, const Counted& both, Expect& expect) {
    at_most(expect, measure, factor, both);
  });
}

/// One product for each tile of 16 x `columns` x `depth`.
template <auto F>
void check_products(int columns, int depth, const std::vector<MatmulShape>& shapes) {
  each_counted<F>(shapes, [&](MatmulShape s, const Counted& both, Expect& expect) {
    const auto tiles = [](int size, int edge) { return std::uint64_t(size + edge - 1) / edge; };
    exactly(expect, kMma, tiles(s.m, 16) * tiles(s.n, columns) * tiles(s.k, depth), both);
  });
}

// One tile; over its edge by one, which no warp beside it may make more of;
// and several steps along k.
const std::vector<MatmulShape> kProducts = {{16, 8, 16}, {17, 9, 17}, {45, 70, 50}, {64, 64, 64}};

// --- The exercises -------------------------------------------------------------------------------

TEST(matmul_wmma, EmptySumIsZero) { check_empty_sums<&matmul_wmma>(); }
TEST(matmul_wmma, FollowsTheFormula) { check_formula<&matmul_wmma>(); }
TEST(matmul_wmma, EveryShape) { check_shapes<&matmul_wmma>(); }
TEST(matmul_wmma, RunsClean) { check_runs_clean<&matmul_wmma>(kCounted); }
TEST(matmul_wmma, MultipliesTilesOnce) { check_products<&matmul_wmma>(16, 16, kProducts); }
TEST(matmul_wmma, MovesAtMostThreeTimes) {
  check_counts<&matmul_wmma>(kGlobalBytes, 3.0, kCounted);
}
TEST(matmul_wmma, MovesNoMore) { check_counts<&matmul_wmma>(kGlobalBytes, 1.1, kCounted); }

TEST(matmul_mma, EmptySumIsZero) { check_empty_sums<&matmul_mma>(); }
TEST(matmul_mma, FollowsTheFormula) { check_formula<&matmul_mma>(); }
TEST(matmul_mma, EveryShape) { check_shapes<&matmul_mma>(); }
TEST(matmul_mma, RunsClean) { check_runs_clean<&matmul_mma>(kCounted); }
TEST(matmul_mma, MultipliesTilesOnce) { check_products<&matmul_mma>(8, 32, kProducts); }
TEST(matmul_mma, AsksAtMostTwice) {
  check_counts<&matmul_mma>(kGlobalRequests, 2.0, {kCounted.back()});
}
TEST(matmul_mma, AsksNoMore) { check_counts<&matmul_mma>(kGlobalRequests, 1.1, {kCounted.back()}); }

TEST(matmul_mma_tiled, EmptySumIsZero) { check_empty_sums<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, FollowsTheFormula) { check_formula<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, EveryShape) { check_shapes<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, RunsClean) { check_runs_clean<&matmul_mma_tiled>(kCountedLarge); }
TEST(matmul_mma_tiled, MultipliesTilesOnce) {
  check_products<&matmul_mma_tiled>(8, 32, {kCountedLarge.back()});
}
TEST(matmul_mma_tiled, FetchesAtMostTwice) {
  check_counts<&matmul_mma_tiled>(kGlobalLoadBytes, 2.0, kCountedLarge);
}
TEST(matmul_mma_tiled, FetchesNoMore) {
  check_counts<&matmul_mma_tiled>(kGlobalLoadBytes, 1.1, kCountedLarge);
}
TEST(matmul_mma_tiled, AsksAtMostTwice) {
  check_counts<&matmul_mma_tiled>(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_mma_tiled, AsksNoMore) {
  check_counts<&matmul_mma_tiled>(kSharedRequests, 1.1, {kCountedLarge.back()});
}
TEST(matmul_mma_tiled, NoBankConflicts) {
  check_counts<&matmul_mma_tiled>(kBankConflicts, 1.0, {kCountedLarge.back()});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// One more than two tiles in each direction, a long sum, and the shapes that are counted.
const std::vector<MatmulShape> kHiddenShapes = {{3, 5, 7},     {2, 3, 1025},  {17, 9, 17},
                                                {45, 70, 50},  {64, 64, 128}, {33, 129, 65},
                                                {129, 65, 33}, {70, 140, 96}, {128, 128, 64}};

template <auto F>
void check_unseen() {
  gives_the_product<F>(random_cases<F>(kHiddenShapes, hidden_seed));
}

TEST(matmul_wmma, UnseenData) { check_unseen<&matmul_wmma>(); }
TEST(matmul_mma, UnseenData) { check_unseen<&matmul_mma>(); }
TEST(matmul_mma_tiled, UnseenData) { check_unseen<&matmul_mma_tiled>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
