// Lab 17, multiply_tile: the checks.
#include "checks/17_cpu_amx/multiply_tile.hpp"

#include "judge/code_rows.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

TEST(multiply_tile, WholeTile) {
  const auto cases = random_products({{16, 16, 64}}, seed);
  Expect::healthy(distinct(by_definition(cases[0])) > 100, "few different sums");
  is_right_on_every_engine(multiplying_tile, cases);
}

// Each size short by itself, as short as it gets, then all of them.
const std::vector<MatmulShape> kShortTiles = {{1, 1, 4},    {1, 16, 64},  {16, 1, 64},  {16, 16, 4},
                                              {15, 16, 64}, {16, 15, 64}, {16, 16, 60}, {3, 5, 8},
                                              {5, 3, 12},   {11, 7, 44}};

TEST(multiply_tile, ShortTiles) {
  is_right_on_every_engine(multiplying_tile, random_products(kShortTiles, seed));
}

// One, two and three codes past a quad, and fewer than one.
// Behind the last row of a there is nothing.
const std::vector<MatmulShape> kTails = {{1, 1, 1},    {2, 3, 2},    {3, 2, 3},    {4, 6, 5},
                                         {16, 16, 61}, {16, 16, 62}, {16, 16, 63}, {7, 9, 33}};

TEST(multiply_tile, TailOfK) {
  is_right_on_every_engine(multiplying_tile, random_products(kTails, seed));
}

TEST(multiply_tile, ExactForEveryCode) {
  constexpr MatmulShape one{1, 1, 1};
  std::vector<Product> cases = extreme_products({16, 16, 64});
  cases.push_back(constant_product("NegativeA", one, -3, 5));
  cases.push_back(constant_product("NegativeB", one, 3, -5));
  is_right_on_every_engine(multiplying_tile, cases);
}

TEST(multiply_tile, RefusesDeniedTiles) {
  multiplying_tile.refuses({{fitting_product()}},
                           denied_engines(multiplying_tile, fitting_product()));
}

TEST(multiply_tile, RefusesWrongSizes) {
  const auto bad = [](auto... row) { return bad_size(multiplying_tile, row...); };
  const MatmulShape fits{3, 5, 8};
  multiplying_tile.refuses(
      {{fitting_product()}},
      {bad("m = 17", 17 * 8, 1024, 17 * 5, MatmulShape{17, 5, 8}),
       bad("n = 17", 3 * 8, 1024, 3 * 17, MatmulShape{3, 17, 8}),
       bad("k = 65", 3 * 65, 1024, 15, MatmulShape{3, 5, 65}),
       bad("m = 0", 0, 1024, 0, MatmulShape{0, 5, 8}),
       bad("n = 0", 24, 1024, 0, MatmulShape{3, 0, 8}),
       bad("k = 0", 0, 1024, 15, MatmulShape{3, 5, 0}),
       bad("a code of a too few", 23, 1024, 15, fits),
       bad("a code of a too many", 25, 1024, 15, fits), bad("half a tile of b", 24, 512, 15, fits),
       bad("two tiles of b", 24, 2048, 15, fits), bad("a result too few", 24, 1024, 14, fits),
       bad("a result too many", 24, 1024, 16, fits)});
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
