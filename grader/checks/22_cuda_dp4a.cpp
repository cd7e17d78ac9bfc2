// Lab 22: the checks.
#include "cuda_dp4a.hpp"

#include "checks/marks/22_cuda_dp4a.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/kernels.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/run.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;

// --- A product of matrices whose rows are padded -------------------------------------------------

/// The operands of a product, and what lies behind their rows.
struct ProductCase {
  std::string name;
  PaddedShape shape;
  Codes a, b_t;               ///< [m,k], [n,k]: without padding
  std::uint64_t padding = 0;  ///< the seed of the padding; 0: zeros
};

std::string size_text(PaddedShape s) { return judge::size_text(MatmulShape{s.m, s.n, s.k}); }

std::string show(const ProductCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", pitch " + std::to_string(c.shape.pitch) +
         (c.padding == 0 ? "" : " (noise behind k)") + ", a = " + show_values(c.a) +
         ", b_t = " + show_values(c.b_t);
}

int least_pitch(int k) { return (k + 15) / 16 * 16; }

/// As many elements behind each row as before.
std::vector<ProductCase> smaller(const ProductCase& c) {
  std::vector<ProductCase> all;
  const auto [m, n, k, pitch] = c.shape;
  const int spare = pitch - least_pitch(k);
  for (const MatmulShape s : smaller_shapes({m, n, k})) {
    const PaddedShape to{s.m, s.n, s.k, least_pitch(s.k) + spare};
    all.push_back(
        {size_text(to), to, corner(c.a, k, to.m, to.k), corner(c.b_t, k, to.n, to.k), c.padding});
  }
  return all;
}

/// [rows,k] as it lies in memory.
Codes padded(const Codes& rows, int count, const ProductCase& c) {
  const auto [m, n, k, pitch] = c.shape;
  Codes memory(std::size_t(count) * pitch);
  if (c.padding != 0) memory = code_tensor<std::int8_t>(memory.size(), c.padding, -128, 127);
  for (std::ptrdiff_t row = 0; row < count; ++row) {
    std::copy_n(rows.begin() + row * k, k, memory.begin() + row * pitch);
  }
  return memory;
}
Codes padded_a(const ProductCase& c) { return padded(c.a, c.shape.m, c); }
Codes padded_b(const ProductCase& c) { return padded(c.b_t, c.shape.n, c); }

/// Sums of `length` products, of rows `stride` apart, with codes taken for numbers of type Code.
template <class Code = std::int8_t>
Sums sums_of(const Codes& a, const Codes& b_t, PaddedShape s, int length, int stride) {
  Sums sums;
  for (std::ptrdiff_t i = 0; i < s.m; ++i) {
    for (std::ptrdiff_t j = 0; j < s.n; ++j) {
      std::uint32_t sum = 0;  // a wrong sum may wrap around; the right one never does
      for (std::ptrdiff_t p = 0; p < length; ++p) {
        sum += std::uint32_t(Code(a[i * stride + p]) * Code(b_t[j * stride + p]));
      }
      sums.push_back(std::int32_t(sum));
    }
  }
  return sums;
}

Sums by_definition(const ProductCase& c) {
  return sums_of(c.a, c.b_t, c.shape, c.shape.k, c.shape.k);
}

/// What known mistakes answer: words that go on behind k, or stop before it; rows that are k apart;
/// codes without a sign; sums of 16 bits.
void suspect_the_usual(const ProductCase& c, Expect& expect) {
  const Codes a = padded_a(c), b_t = padded_b(c);
  const auto [m, n, k, pitch] = c.shape;
  expect.suspect("N-TAIL", "c", sums_of(a, b_t, c.shape, (k + 3) / 4 * 4, pitch));
  expect.suspect("N-TAIL", "c", sums_of(a, b_t, c.shape, pitch, pitch));
  expect.suspect("N-TAIL", "c", sums_of(a, b_t, c.shape, k / 4 * 4, pitch));
  expect.suspect("N-LAYOUT", "c", sums_of(a, b_t, c.shape, k, k));
  expect.suspect("N-SIGN", "c", sums_of<std::uint8_t>(a, b_t, c.shape, k, pitch));
  const Sums sums = by_definition(c);
  expect.suspect("N-OVERFLOW", "c", std::vector<std::int16_t>(sums.begin(), sums.end()));
}

/// `spare`: how much larger the pitch is than it has to be.
ProductCase random_case(MatmulShape s, int spare, std::uint64_t seed, bool noise) {
  const PaddedShape shape{s.m, s.n, s.k, least_pitch(s.k) + spare};
  const auto codes = [&](int rows, std::uint64_t salt) {
    return code_tensor<std::int8_t>(std::size_t(rows) * s.k, seed + salt, -128, 127);
  };
  return {size_text(shape), shape, codes(s.m, 0), codes(s.n, 1), noise ? seed + 2 : 0};
}

/// Every third has a pitch that is larger than it has to be.
std::vector<ProductCase> random_cases(const std::vector<MatmulShape>& shapes,
                                      std::uint64_t (*seeds)(std::uint64_t), bool noise = false) {
  std::vector<ProductCase> cases;
  for (const MatmulShape s : shapes) {
    const std::size_t at = cases.size();
    cases.push_back(random_case(s, at % 3 == 2 ? 32 : 0, seeds(at), noise));
  }
  return cases;
}

std::size_t outputs(PaddedShape s) { return std::size_t(s.m) * std::size_t(s.n); }

void expect_product(const ProductCase& c, const Sums& got, Expect& expect) {
  const Sums want = by_definition(c);
  if (want.size() > 100 && c.shape.k > 1) {
    Expect::healthy(distinct(want) > 50, "few different sums");
  }
  suspect_the_usual(c, expect);
  expect.equal("c", got, want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

template <auto F>
Sums called(const ProductCase& c) {
  return call<F>(padded_a(c), padded_b(c), out(outputs(c.shape)), c.shape);
}

template <auto F>
void gives_the_product(const std::vector<ProductCase>& cases) {
  each_case(cases,
            [](const ProductCase& c, Expect& expect) { expect_product(c, called<F>(c), expect); });
}

// --- Values --------------------------------------------------------------------------------------

// Without k, rows or columns. And a sum that is not 0: nobody earns this with zeros.
template <auto F>
void check_empty_sums() {
  each_case<ProductCase>({{"NoK", {2, 3, 0, 0}, {}, {}},
                          {"NoKButPadding", {2, 3, 0, 16}, {}, {}, 7},
                          {"NoRows", {0, 3, 2, 16}, {}, {1, 2, 3, 4, 5, 6}},
                          {"NoColumns", {2, 0, 3, 16}, {1, 2, 3, 4, 5, 6}, {}},
                          {"NotEmpty", {1, 1, 4, 16}, {2, 3, 1, 1}, {5, 7, 11, 13}}},
                         [](const ProductCase& c, Expect& expect) {
                           const Sums got = called<F>(c);
                           if (c.shape.k > 0 && !got.empty()) {
                             expect.that(got[0] != 0, "c is 0, and its sum is not empty");
                           } else {
                             suspect_the_usual(c, expect);
                             expect.equal("c", got, Sums(outputs(c.shape)));
                           }
                         });
}

// By hand: whole words, parts of one, a pitch that k does not explain;
// a table larger than small blocks.
struct HandCase {
  ProductCase product;
  Sums want;
  std::string name = product.name;
};
std::string show(const HandCase& c) { return show(c.product); }

HandCase table_of_products(int m, int n) {
  Codes a, b;
  Sums products;
  for (int i = 0; i < m; ++i) a.insert(a.end(), {0, std::int8_t(i - 3), 0, 0});
  for (int j = 0; j < n; ++j) b.insert(b.end(), {9, std::int8_t(2 * j + 1), 9, 9});
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) products.push_back((i - 3) * (2 * j + 1));
  }
  return {{"TableOfProducts", {m, n, 4, 16}, a, b}, products};
}

template <auto F>
void check_formula() {
  each_case<HandCase>(
      {{{"OneWord", {1, 2, 4, 16}, {1, 2, 3, 4}, {5, -6, 7, 8, 1, 1, 1, 1}}, {46, 10}},
       {{"TwoWords", {1, 1, 8, 16}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 0, 0, 0, 0, 10}}, {81}},
       {{"TwoRows", {2, 1, 4, 16}, {1, 1, 1, 1, 1, 2, 3, 4}, {1, -1, 2, 5}}, {7, 25}},
       {{"AllDifferent", {3, 2, 1, 16}, {1, -2, 3}, {10, 7}}, {10, 7, -20, -14, 30, 21}},
       {{"FiveCodes", {1, 2, 5, 16}, {1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 0, 0, 0, 0, -3}}, {15, -15}},
       {{"OneVector", {1, 1, 16, 16}, Codes(16, 2), Codes(16, 3)}, {96}},
       {{"WidePitch", {2, 2, 2, 48}, {1, 2, 3, 4}, {5, 6, 7, 8}}, {17, 23, 39, 53}},
       {{"Extremes", {2, 2, 1, 16}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129}},
       table_of_products(21, 18)},
      [](const HandCase& c, Expect& expect) {
        const ProductCase& p = c.product;
        suspect_the_usual(p, expect);
        expect.equal("c", called<F>(p), c.want, {std::size_t(p.shape.m), std::size_t(p.shape.n)});
      });
}

// A word of 127 * 127 passes int16. 261 words pass what a float counts exactly, if their sums are
// odd: hence 126 in every fourth place. 131071 is the longest k, with the largest sum there is,
// 2147467264: one product of padding more, and it wraps around.
template <auto F>
void check_exact_sums(int longest) {
  const auto constant = [](const char* name, MatmulShape s, int a, int b) {
    ProductCase c{name, {s.m, s.n, s.k, least_pitch(s.k)}, {}, {}};
    c.a.assign(std::size_t(s.m) * s.k, std::int8_t(a));
    c.b_t.assign(std::size_t(s.n) * s.k, std::int8_t(b));
    return c;
  };
  const auto odd_words = [&](const char* name, int sign) {
    ProductCase c = constant(name, {2, 1, 2051}, sign * 127, 127);
    for (std::size_t p = 3; p < c.b_t.size(); p += 4) --c.b_t[p];
    return c;
  };
  gives_the_product<F>({constant("PastInt16", {1, 2, 4}, 127, 127), odd_words("PastFloat", 1),
                        odd_words("PastFloatBelowZero", -1),
                        constant("Longest", {1, 1, longest}, -128, -128)});
}

// One; one less than, as many as and one more than a word, a vector of 16 codes, a warp, a tile of
// 64 and of 128; primes; tall and flat.
const std::vector<MatmulShape> kShapes = {
    {1, 2, 1},   {2, 1, 3},   {1, 1, 4},     {2, 3, 5},     {3, 2, 15},
    {2, 2, 16},  {1, 33, 17}, {33, 1, 31},   {9, 17, 32},   {5, 7, 33},
    {7, 65, 18}, {65, 7, 66}, {33, 34, 127}, {2, 3, 128},   {31, 32, 129},
    {64, 64, 8}, {129, 3, 6}, {3, 129, 40},  {128, 128, 4}, {67, 131, 79}};

template <auto F>
void check_shapes() {
  gives_the_product<F>(random_cases(kShapes, seed));
}

// Every length of a last word, and of a last vector;
// and pitches that are longer than they have to be.
const std::vector<MatmulShape> kPadded = {{2, 3, 1},  {3, 2, 2},  {2, 2, 3},  {3, 3, 4},
                                          {2, 3, 16}, {5, 4, 21}, {3, 5, 26}, {33, 9, 30}};

template <auto F>
void check_padding() {
  gives_the_product<F>(random_cases(kPadded, seed, true));
}

// --- Accesses ------------------------------------------------------------------------------------

// A shape that no tile divides, and one that all usual tiles do.
const std::vector<MatmulShape> kCounted = {{45, 70, 50}, {64, 64, 128}};
// The same for tiles of up to 128 x 128.
const std::vector<MatmulShape> kCountedLarge = {{70, 140, 33}, {128, 128, 64}};

// Inside one tile, and over the edge of one in each direction. And the shapes that are counted: who
// does less where it counts is found out here.
template <auto F>
void check_runs_clean(const std::vector<MatmulShape>& counted_shapes) {
  std::vector<MatmulShape> shapes = {{1, 1, 1},    {3, 5, 7},   {33, 34, 35},
                                     {66, 3, 130}, {3, 66, 33}, {2, 40, 20}};
  shapes.insert(shapes.end(), counted_shapes.begin(), counted_shapes.end());
  each_case(random_cases(shapes, seed), [](const ProductCase& c, Expect& expect) {
    expect_product(c, watched<F>(padded_a(c), padded_b(c), out(outputs(c.shape)), c.shape), expect);
  });
}

template <auto F, class Verdict>
void check_counts(const std::vector<MatmulShape>& shapes, const Verdict& verdict) {
  std::vector<CountedCase<ProductCase>> cases;
  for (const MatmulShape s : shapes) {
    const ProductCase product = random_case(s, 0, seed(cases.size()), false);
    cases.push_back({product.name, product});
  }
  each_case(cases, [&](const CountedCase<ProductCase>& c, Expect& expect) {
    const ProductCase& p = c.input;
    verdict(expect, p.shape, counted<F>(padded_a(p), padded_b(p), out(outputs(p.shape)), p.shape));
  });
}

template <auto F>
void check_at_most(const Measure& measure, double factor, const std::vector<MatmulShape>& shapes) {
  check_counts<F>(shapes, [&](Expect& expect, PaddedShape, const Counted& both) {
    at_most(expect, measure, factor, both);
  });
}

template <auto F>
void check_dp4a(const std::vector<MatmulShape>& shapes) {
  check_counts<F>(shapes, [](Expect& expect, PaddedShape s, const Counted& both) {
    exactly(expect, kDp4a, outputs(s) * std::size_t((s.k + 3) / 4), both);
  });
}

// --- The exercises -------------------------------------------------------------------------------

// The last that is counted is what `nibble traffic` shows.
TEST(matmul_dp4a_naive, EmptySumIsZero) { check_empty_sums<&matmul_dp4a_naive>(); }
TEST(matmul_dp4a_naive, FollowsTheFormula) { check_formula<&matmul_dp4a_naive>(); }
TEST(matmul_dp4a_naive, EveryShape) { check_shapes<&matmul_dp4a_naive>(); }
TEST(matmul_dp4a_naive, PaddingIsNoise) { check_padding<&matmul_dp4a_naive>(); }
TEST(matmul_dp4a_naive, SumsAreExact) { check_exact_sums<&matmul_dp4a_naive>(131071); }
TEST(matmul_dp4a_naive, RunsClean) { check_runs_clean<&matmul_dp4a_naive>(kCounted); }
TEST(matmul_dp4a_naive, FourProductsEach) { check_dp4a<&matmul_dp4a_naive>(kCounted); }
TEST(matmul_dp4a_naive, MovesAtMostTwice) {
  check_at_most<&matmul_dp4a_naive>(kGlobalBytes, 2.0, kCounted);
}
TEST(matmul_dp4a_naive, MovesNoMore) {
  check_at_most<&matmul_dp4a_naive>(kGlobalBytes, 1.1, kCounted);
}

TEST(matmul_dp4a_tiled, EmptySumIsZero) { check_empty_sums<&matmul_dp4a_tiled>(); }
TEST(matmul_dp4a_tiled, FollowsTheFormula) { check_formula<&matmul_dp4a_tiled>(); }
TEST(matmul_dp4a_tiled, EveryShape) { check_shapes<&matmul_dp4a_tiled>(); }
TEST(matmul_dp4a_tiled, PaddingIsNoise) { check_padding<&matmul_dp4a_tiled>(); }
TEST(matmul_dp4a_tiled, SumsAreExact) { check_exact_sums<&matmul_dp4a_tiled>(131071); }
TEST(matmul_dp4a_tiled, RunsClean) { check_runs_clean<&matmul_dp4a_tiled>(kCounted); }
TEST(matmul_dp4a_tiled, FourProductsEach) { check_dp4a<&matmul_dp4a_tiled>({kCounted.back()}); }
TEST(matmul_dp4a_tiled, MovesAtMostTwice) {
  check_at_most<&matmul_dp4a_tiled>(kGlobalBytes, 2.0, kCounted);
}
TEST(matmul_dp4a_tiled, MovesNoMore) {
  check_at_most<&matmul_dp4a_tiled>(kGlobalBytes, 1.1, kCounted);
}
TEST(matmul_dp4a_tiled, LoadsWords) {
  check_at_most<&matmul_dp4a_tiled>(kGlobalRequests, 2.0, {kCounted.back()});
}
TEST(matmul_dp4a_tiled, UsesWords) {
  check_at_most<&matmul_dp4a_tiled>(kSharedRequests, 1.5, {kCounted.back()});
}
TEST(matmul_dp4a_tiled, NoBankConflicts) {
  check_at_most<&matmul_dp4a_tiled>(kBankConflicts, 1.0, {kCounted.back()});
}

TEST(matmul_dp4a_register, EmptySumIsZero) { check_empty_sums<&matmul_dp4a_register>(); }
TEST(matmul_dp4a_register, FollowsTheFormula) { check_formula<&matmul_dp4a_register>(); }
TEST(matmul_dp4a_register, EveryShape) { check_shapes<&matmul_dp4a_register>(); }
TEST(matmul_dp4a_register, PaddingIsNoise) { check_padding<&matmul_dp4a_register>(); }
// All threads of a block walk along k, 64 sums each: half of the longest would take seconds.
TEST(matmul_dp4a_register, SumsAreExact) { check_exact_sums<&matmul_dp4a_register>(4099); }
TEST(matmul_dp4a_register, RunsClean) { check_runs_clean<&matmul_dp4a_register>(kCountedLarge); }
TEST(matmul_dp4a_register, FourProductsEach) {
  check_dp4a<&matmul_dp4a_register>({kCountedLarge.back()});
}
TEST(matmul_dp4a_register, MovesAtMostTwice) {
  check_at_most<&matmul_dp4a_register>(kGlobalBytes, 2.0, kCountedLarge);
}
TEST(matmul_dp4a_register, MovesNoMore) {
  check_at_most<&matmul_dp4a_register>(kGlobalBytes, 1.1, kCountedLarge);
}
TEST(matmul_dp4a_register, NoBankConflicts) {
  check_at_most<&matmul_dp4a_register>(kBankConflicts, 1.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksAtMostFourTimes) {
  check_at_most<&matmul_dp4a_register>(kSharedRequests, 4.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksAtMostTwice) {
  check_at_most<&matmul_dp4a_register>(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksNoMore) {
  check_at_most<&matmul_dp4a_register>(kSharedRequests, 1.25, {kCountedLarge.back()});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// One more than two tiles in each direction, long sums, and the shapes that are counted.
const std::vector<MatmulShape> kHiddenShapes = {
    {3, 5, 7},      {2, 3, 1025},  {65, 33, 97},  {45, 70, 50},  {64, 64, 128},
    {33, 129, 261}, {129, 65, 33}, {70, 140, 33}, {66, 67, 131}, {128, 128, 64}};

template <auto F>
void check_unseen() {
  gives_the_product<F>(random_cases(kHiddenShapes, hidden_seed, true));
}

TEST(matmul_dp4a_naive, UnseenData) { check_unseen<&matmul_dp4a_naive>(); }
TEST(matmul_dp4a_tiled, UnseenData) { check_unseen<&matmul_dp4a_tiled>(); }
TEST(matmul_dp4a_register, UnseenData) { check_unseen<&matmul_dp4a_register>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
