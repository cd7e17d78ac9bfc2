// Lab 17, multiply_tiles: the checks.
#include "checks/17_cpu_amx/multiply_tiles.hpp"

#include "checks/17_cpu_amx/multiply_tile.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

TEST(multiply_tiles, WholeBlocks) {
  const auto cases = random_products(
      {{32, 32, 64}, {32, 64, 64}, {64, 32, 64}, {32, 32, 192}, {96, 64, 128}}, seed);
  Expect::healthy(distinct(by_definition(cases.back())) > 1000, "few different sums");
  is_right_on_every_engine(multiplying, cases);
}

// One; one less and one more than a tile, and than a pair of tiles, in each size; tall, flat,
// prime.
const std::vector<MatmulShape> kShapes = {{1, 1, 1},    {2, 3, 5},    {15, 17, 63}, {17, 15, 65},
                                          {31, 33, 64}, {33, 31, 66}, {16, 16, 64}, {48, 16, 67},
                                          {16, 48, 62}, {1, 100, 40}, {100, 1, 41}, {37, 41, 97}};

// What a larger product left behind must not show in a smaller one, so there is one before each.
TEST(multiply_tiles, EveryShape) {
  const Product larger = constant_product("", {65, 70, 140}, 127, 127);
  each_case(random_products(kShapes, seed), [&](const Product& c, Expect& expect) {
    multiplying({larger});
    look_on_every_engine(multiplying, c, expect);
  });
}

// Sums of several thousand codes; of a few slices, the last of which is longer than any step; then
// more rows, and more columns, than stay in a cache at a depth
// that takes more than one slice.
TEST(multiply_tiles, LongSumsManyBlocks) {
  is_right_on_every_engine(multiplying, random_products({{3, 5, 4099},
                                                         {2, 3, 1300},
                                                         {33, 40, 1100},
                                                         {70, 70, 1500},
                                                         {530, 20, 600},
                                                         {20, 530, 600}},
                                                        seed));
}

TEST(multiply_tiles, EmptySumIsZero) {
  is_right_on_every_engine<decltype(multiplying), Product>(
      multiplying,
      {constant_product("NoK", {3, 40, 0}, 1, 1), constant_product("NoRows", {0, 3, 2}, 1, 1),
       constant_product("NoColumns", {2, 0, 3}, 1, 1), constant_product("None", {0, 0, 0}, 1, 1),
       constant_product("OneByOne", {1, 1, 1}, 2, 3)});
}

TEST(multiply_tiles, ExactAtTheLongestK) {
  is_right_on_every_engine(multiplying, long_products(1, 2));
}

// Four products by four loads; twice the rows, the columns, and a depth of several slices.
TEST(multiply_tiles, SharesItsLoads) {
  each_case(random_products({{64, 64, 64}, {96, 64, 128}, {64, 128, 1024}}, seed),
            [](const Product& c, Expect& expect) {
              const auto answer = multiplying({c});
              multiplying.look(expect, {c}, answer);
              const TileCounts counts = std::get<TileCounts>(answer);
              const std::int64_t tiles = std::int64_t{c.shape.m} / 16 * (c.shape.n / 16),
                                 products = tiles * (c.shape.k / 64);
              expect.suspect("N-LOADS", "products", 0,
                             "no product of tiles is counted: what with_tiles() counts is wanted");
              expect.equal("products", counts.dots, products);
              expect.that(counts.stores >= tiles, "fewer stores than tiles of the result",
                          "N-LOADS");
              expect.that(4 * counts.loads <= 5 * products,
                          std::to_string(counts.loads) + " loads for " + std::to_string(products) +
                              " products: each tile that is loaded serves too few of them",
                          "N-LOADS");
            });
}

TEST(multiply_tiles, RefusesWhatItMust) {
  auto rows = denied_engines(multiplying, fitting_product());
  const Product empty = random_products({{0, 5, 8}}, seed)[0];
  rows.push_back({"N-ISA", "kDenied where there is nothing to compute",
                  multiplying.arguments({empty, TileEngine::kDenied})});
  const auto bad = [&](auto... row) { rows.push_back(bad_size(multiplying, row...)); };
  const MatmulShape fits{3, 5, 8};
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes(fits, packed_b_size, 1024)) {
    bad(what, a, b, c, shape);
  }
  bad("a code of a too few", 23, 2048, 15, fits);
  bad("a tile of b too few", 24, 1024, 15, fits);
  bad("a result too few", 24, 2048, 14, fits);
  multiplying.refuses({{fitting_product()}}, rows);
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
