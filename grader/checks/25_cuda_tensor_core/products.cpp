// Lab 25: the checks.
#include "checks/25_cuda_tensor_core/products.hpp"

namespace nibble::judge::lab_25_cuda_tensor_core {
namespace {

/// The same product with zeros up to a k that is allowed.
template <auto F>
Product allowed(Product c) {
  const int k = allowed_k<F>(c.shape.k);
  c.a = padded(c.a, c.shape.k, k, Codes(std::size_t(c.shape.m) * k));
  c.b_t = padded(c.b_t, c.shape.k, k, Codes(std::size_t(c.shape.n) * k));
  c.shape.k = k;
  c.step = kStep<F>;
  return c;
}

template <auto F>
void check_sums_without_products() {
  check_empty_sums(multiplying<F>, empty_products(128));
}

/// b_t [k,k] is 1 on its diagonal, and c is a: shows which place along k a code was taken from.
Product times_one(int m, int k) {
  Product c = constant_product("TimesOne", {m, k, k}, 0, 0);
  for (int i = 0; i < m * k; ++i) c.a[i] = std::int8_t(i % 251 - 125);
  for (int j = 0; j < k; ++j) c.b_t[std::size_t(j) * k + j] = 1;
  return c;
}

// By hand, all sizes different; the corners of the range;
// then what shows where each code and each sum went.
template <auto F>
void check_formula() {
  const auto row = [](const Product& c, const Sums& want) {
    Product padded = allowed<F>(c);
    const std::size_t k = std::size_t(padded.shape.k);
    // Where b_t is 0: halves that are exchanged show.
    for (std::size_t at = 16; k >= 32 && at < padded.a.size(); at += k) padded.a[at] = 7;
    return typename decltype(multiplying<F>)::Row{padded, want};
  };
  multiplying<F>.gives(
      {row({"RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2}}, {12, -3}),
       row({"AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40}},
           {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}),
       row({"Extremes", {2, 2, 1}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129})});
  multiplying<F>.is_right({allowed<F>(table_of_products(16, 16)), allowed<F>(times_one(16, 32))});
}

// One; one less than, as many as and one more than 8, 16, 32 and 64; n odd and even; tall and flat.
// And a sum that is long: more than a float counts, along a k that int16 does not hold.
const Shapes kShapes = {{1, 1, 31},   {1, 2, 1},    {2, 40, 2},    {40, 2, 2},    {7, 9, 15},
                        {8, 8, 16},   {9, 7, 17},   {15, 17, 32},  {16, 16, 33},  {17, 15, 65},
                        {31, 33, 47}, {33, 31, 48}, {64, 64, 64},  {63, 65, 97},  {65, 63, 96},
                        {3, 129, 40}, {129, 3, 40}, {64, 128, 32}, {67, 131, 128}};

template <auto F>
void check_shapes() {
  multiplying<F>.is_right(kShapes, seed);
  multiplying<F>.is_right({allowed<F>(constant_product("Long", {2, 1, 32801}, 127, 127))});
}

// Shapes that no tile divides, and then whole tiles of every usual size. The last that is counted
// is what `nibble traffic` shows.
const Shapes kCounted = {{45, 70, 50}, {64, 64, 128}};
const Shapes kCountedLarge = {{70, 140, 96}, {128, 128, 64}};

// Inside one tile, over the edge of one in each direction, and with steps enough to come back to
// the tile of the first.
const Shapes kWatched = {{3, 5, 7}, {17, 9, 33}, {33, 35, 70}, {9, 7, 300}};

/// One product for each tile of 16 x `columns` x `depth`.
template <auto F>
void check_products(int columns, int depth, const Shapes& shapes) {
  const auto tiles = [](int size, int edge) { return std::uint64_t(size + edge - 1) / edge; };
  const auto want = [&](const Product& c) {
    return tiles(c.shape.m, 16) * tiles(c.shape.n, columns) * tiles(c.shape.k, depth);
  };
  multiplying<F>.exactly(kMma, want, shapes);
}

// One tile; over its edge by one, which no warp beside it may make more of;
// and several steps along k.
const Shapes kProducts = {{16, 8, 16}, {17, 9, 17}, {45, 70, 50}, {64, 64, 128}};

// A grid has room for 65535 rows of blocks: a long k makes up for blocks of 16 rows.
template <auto F>
void check_far() {
  multiplying<F>.runs_far(products<F>({{1, 1, 2080}}, seed), products<F>({{1, 2080, 32}}, seed),
                          products<F>({{1, 5, 64}, {1, 6, 64}}, seed),
                          [](const Product& c) { return std::int64_t{c.shape.k}; });
}

TEST(matmul_wmma, EmptySumIsZero) { check_sums_without_products<&matmul_wmma>(); }
TEST(matmul_wmma, FollowsTheFormula) { check_formula<&matmul_wmma>(); }
TEST(matmul_wmma, EveryShape) { check_shapes<&matmul_wmma>(); }
TEST(matmul_wmma, RunsClean) {
  by_fragments.runs_clean(kWatched, kCounted);
  check_far<&matmul_wmma>();
}
TEST(matmul_wmma, MultipliesTilesOnce) { check_products<&matmul_wmma>(16, 16, kProducts); }
TEST(matmul_wmma, MovesAtMostThreeTimes) { by_fragments.at_most(kGlobalBytes, 3.0, kCounted); }
TEST(matmul_wmma, MovesNoMore) { by_fragments.at_most(kGlobalBytes, 1.1, kCounted); }

TEST(matmul_mma, EmptySumIsZero) { check_sums_without_products<&matmul_mma>(); }
TEST(matmul_mma, FollowsTheFormula) { check_formula<&matmul_mma>(); }
TEST(matmul_mma, EveryShape) { check_shapes<&matmul_mma>(); }
TEST(matmul_mma, RunsClean) {
  by_warps.runs_clean(kWatched, kCounted);
  check_far<&matmul_mma>();
}
TEST(matmul_mma, MultipliesTilesOnce) { check_products<&matmul_mma>(8, 32, kProducts); }
TEST(matmul_mma, AsksAtMostTwice) { by_warps.at_most(kGlobalRequests, 2.0, {kCounted.back()}); }
TEST(matmul_mma, AsksNoMore) { by_warps.at_most(kGlobalRequests, 1.1, {kCounted.back()}); }

TEST(matmul_mma_tiled, EmptySumIsZero) { check_sums_without_products<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, FollowsTheFormula) { check_formula<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, EveryShape) { check_shapes<&matmul_mma_tiled>(); }
TEST(matmul_mma_tiled, RunsClean) {
  tiled.runs_clean(kWatched, kCountedLarge);
  check_far<&matmul_mma_tiled>();
}
TEST(matmul_mma_tiled, MultipliesTilesOnce) {
  check_products<&matmul_mma_tiled>(8, 32, {kCountedLarge.back()});
}
TEST(matmul_mma_tiled, FetchesAtMostTwice) { tiled.at_most(kGlobalLoadBytes, 2.0, kCountedLarge); }
TEST(matmul_mma_tiled, FetchesNoMore) { tiled.at_most(kGlobalLoadBytes, 1.1, kCountedLarge); }
TEST(matmul_mma_tiled, AsksAtMostTwice) {
  tiled.at_most(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_mma_tiled, AsksNoMore) { tiled.at_most(kSharedRequests, 1.1, {kCountedLarge.back()}); }
TEST(matmul_mma_tiled, NoBankConflicts) {
  tiled.at_most(kBankConflicts, 1.0, {kCountedLarge.back()});
}

}  // namespace
}  // namespace nibble::judge::lab_25_cuda_tensor_core
