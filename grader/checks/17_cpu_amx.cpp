// Lab 17: the checks. Every point is earned on the model of the tiles; where the processor has
// tiles of its own, they have to give the same values.
#include "cpu_amx.hpp"

#include "checks/marks/17_cpu_amx.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge {
namespace {

using Sizes = std::vector<std::int32_t>;

// --- tile_config ---------------------------------------------------------------------------------

using Configuring = Exercise<&tile_config>;
const Configuring configuring{{"rows", "colsb"},
                              {"palette", "start_row", "reserved", "colsb", "rows"}};

Configuring::Row configured(const char* name, const Sizes& rows, const Sizes& colsb) {
  TileConfig want{.palette = 1};
  std::ranges::copy(rows, want.rows.begin());
  std::ranges::copy(colsb, want.colsb.begin());
  return {name, {rows, colsb}, want};
}

/// Sizes, not bits: as numbers that a person reads.
void compare_configs(Expect& expect, const Configuring::Arguments&, const TileConfig& got,
                     const TileConfig& want) {
  const auto listed = [](const auto& values) { return Sizes(values.begin(), values.end()); };
  expect.equal("palette", got.palette, want.palette);
  expect.equal("colsb", listed(got.colsb), listed(want.colsb));
  expect.equal("rows", listed(got.rows), listed(want.rows));
  expect.equal("start_row", got.start_row, want.start_row);
  expect.equal("reserved", listed(got.reserved), listed(want.reserved));
}

// Every number at one place only; the largest tile; one of each smallest size.
TEST(tile_config, FillsTheStruct) {
  configuring.gives(
      {configured("AllDifferent", {1, 2, 3, 4, 5, 6, 7, 8}, {60, 59, 58, 57, 56, 55, 54, 53}),
       configured("Whole", Sizes(8, 16), Sizes(8, 64)),
       configured("Smallest", {1, 16, 1, 16, 1, 16, 1, 16}, {1, 1, 64, 64, 1, 1, 64, 64})},
      compare_configs);
}

TEST(tile_config, UnlistedTilesAreUnused) {
  configuring.gives(
      {configured("One", {3}, {20}), configured("OneByMiddle", {0, 0, 9, 0}, {0, 0, 33, 0}),
       configured("Three", {16, 15, 14}, {64, 60, 56}), configured("None", {}, {})},
      compare_configs);
}

TEST(tile_config, RefusesImpossibleTiles) {
  configuring.refuses({configured("Whole", Sizes(8, 16), Sizes(8, 64))},
                      {{"N-RANGE", {{17}, {64}}},
                       {"N-RANGE", {{16}, {65}}},
                       {"N-RANGE", {{-1}, {64}}},
                       {"N-RANGE", {{4}, {-4}}},
                       {"N-RANGE", {{4}, {0}}},
                       {"N-RANGE", {{0}, {4}}},
                       {"N-RANGE", {{256}, {4}}},
                       {"N-RANGE", {{4}, {65536}}},
                       {"N-RANGE", {{16, 16, 17}, {64, 64, 64}}},
                       {"N-RANGE", {Sizes(9, 1), Sizes(9, 1)}},
                       {"N-RANGE", {{4}, {4, 4}}},
                       {"N-RANGE", {{4, 4}, {4}}},
                       // One that would be of no use is one too many, too.
                       {"N-RANGE", {Sizes(9, 0), Sizes(9, 0)}},
                       {"N-RANGE", {{4, 4, 4, 4, 4, 4, 4, 4, 0}, {4, 4, 4, 4, 4, 4, 4, 4, 0}}},
                       {"N-RANGE", {{4}, {4, 0}}},
                       {"N-RANGE", {{4, 0}, {4}}}});
}

// --- pack_a and pack_b ---------------------------------------------------------------------------

/// The contract's formulas, and 0 everywhere else: at(x, p) is where code p of row x goes in a
/// tile.
template <class Place>
Codes packed_by(const CodeRows& c, const Place& at) {
  const std::size_t k = c.k, steps = (k + 63) / 64;
  Codes packed(std::size_t(c.rows + 31) / 32 * 32 * steps * 64);
  for (std::size_t x = 0; x < std::size_t(c.rows); ++x) {
    for (std::size_t p = 0; p < k; ++p) {
      packed[(x / 16 * steps + p / 64) * 1024 + at(x, p)] = c.codes[x * k + p];
    }
  }
  return packed;
}

Codes a_by_definition(const CodeRows& c) {
  return packed_by(c, [](auto i, auto p) { return i % 16 * 64 + p % 64; });
}

Codes b_by_definition(const CodeRows& c) {
  return packed_by(c, [](auto j, auto p) { return p % 64 / 4 * 64 + j % 16 * 4 + p % 4; });
}

void suspect_packings(Expect& expect, const CodeRows& c) {
  CodeRows wrong = c;
  for (std::int8_t& code : wrong.codes) code = static_cast<std::int8_t>(code ^ -128);
  expect.suspect("N-SIGN", "packed", b_by_definition(wrong),
                 "128 is added to a code, as for vpdpbusd: tiles multiply signs, too");
  const std::size_t rows = c.rows, k = c.k;
  for (std::size_t at = 0; at < rows * k; ++at) wrong.codes[at] = c.codes[at % k * rows + at / k];
  expect.suspect("N-TRANS", "packed", b_by_definition(wrong), "b_t [n,k] is read as b [k,n]");
  constexpr const char* kPlaces = "four codes along k are neighbours, then come the columns";
  expect.suspect("N-LAYOUT", "packed", a_by_definition(c), kPlaces);
  expect.suspect("N-LAYOUT", "packed",
                 packed_by(c, [](auto j, auto p) { return p % 64 * 16 + j % 16; }), kPlaces);
}

// Neither looks at the third size.
template <int kN>
auto packing_a_beside() {
  return kernel_exercise<&pack_a>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{c.rows, kN, c.k};
        return std::tuple(c.codes, out(packed_a_size(shape)), shape);
      },
      a_by_definition, equals("packed", [](Expect& expect, const CodeRows& c) {
        expect.suspect("N-LAYOUT", "packed", b_by_definition(c),
                       "a is packed as b is: its rows stay rows of 64 codes");
        expect.suspect("N-TRANS", "packed",
                       packed_by(c, [](auto i, auto p) { return p % 64 * 16 + i % 16; }),
                       "a tile of a is packed by columns");
      }));
}
const auto packing_a = packing_a_beside<7>();

template <int kM>
auto packing_b_beside() {
  return kernel_exercise<&pack_b>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{kM, c.rows, c.k};
        return std::tuple(c.codes, out(packed_b_size(shape)), shape);
      },
      b_by_definition, equals("packed", suspect_packings));
}
const auto packing_b = packing_b_beside<7>();

// Nothing to pad. The codes of the first are their own places, so that a failure can be read. A
// single step of a would prove nothing: packed, it is what it was.
Named<CodeRows> counted_rows(int rows, int k) {
  Codes codes(std::size_t(rows) * std::size_t(k));
  std::iota(codes.begin(), codes.end(), std::int8_t{0});
  return code_rows(rows, k, codes);
}

TEST(pack_a, RowsInSteps) {
  packing_a.is_right({counted_rows(32, 128), random_rows(32, 192, seed(1))});
}
TEST(pack_b, QuadsOfOneStep) {
  packing_b.is_right({counted_rows(32, 64), random_rows(32, 64, seed(2))});
}

std::vector<Named<CodeRows>> rows_of_sizes(const std::vector<std::pair<int, int>>& sizes) {
  return each_of(sizes, [](auto size, std::uint64_t at) {
    return random_rows(size.first, size.second, seed(at));
  });
}

// Two steps, two row blocks, then more of both: none of the sizes is another's.
const std::vector<std::pair<int, int>> kWholeTiles = {{64, 128}, {96, 64}, {64, 192}, {96, 448}};

TEST(pack_a, StepsThenRowBlocks) { packing_a.is_right(rows_of_sizes(kWholeTiles)); }
TEST(pack_b, StepsThenColumnBlocks) { packing_b.is_right(rows_of_sizes(kWholeTiles)); }

// One code; one less and one more than a quad, a step, a tile and a pair of tiles; nothing at all.
const std::vector<std::pair<int, int>> kRaggedTiles = {{1, 1},   {0, 5},    {5, 0},   {3, 5},
                                                       {32, 3},  {32, 63},  {32, 65}, {15, 64},
                                                       {17, 64}, {33, 129}, {31, 70}};

const Named<CodeRows> kBesideZero{"BesideZero", {2, 3, {1, -2, 3, 4, 5, -6}}},
    kBesideMinusOne{"BesideMinusOne", kBesideZero};

TEST(pack_a, PadsWithZeros) {
  packing_a.is_right(rows_of_sizes(kRaggedTiles));
  packing_a_beside<0>().gives({{kBesideZero, a_by_definition(kBesideZero)}});
  packing_a_beside<-1>().gives({{kBesideMinusOne, a_by_definition(kBesideMinusOne)}});
}

TEST(pack_b, PadsWithZeros) {
  packing_b.is_right(rows_of_sizes(kRaggedTiles));
  packing_b_beside<0>().gives({{kBesideZero, b_by_definition(kBesideZero)}});
  packing_b_beside<-1>().gives({{kBesideMinusOne, b_by_definition(kBesideMinusOne)}});
}

/// Sizes that do not belong together. `shape(rows, k)` puts them where the function looks.
template <class Exercise, class Shape>
void refuses_sizes(const Exercise& packing, const Shape& shape) {
  typename Exercise::Refusals rows;
  const auto bad = [&](const char* what, std::size_t codes, std::size_t packed, int count, int k) {
    rows.push_back({"N-SIZE", what, {Codes(codes, 1), out(packed), shape(count, k)}});
  };
  bad("a code too few", 44, 2048, 5, 9);
  bad("a code too many", 46, 2048, 5, 9);
  bad("a tile too few", 45, 1024, 5, 9);
  bad("a tile too many", 45, 3072, 5, 9);
  bad("a negative number of rows", 0, 0, -1, 0);
  bad("a negative k", 0, 0, 0, -1);
  bad("two negative sizes", 1, 0, -1, -1);
  bad("k = 131072", 131072, 32 * 131072, 1, 131072);
  packing.refuses({random_rows(5, 9, seed(70))}, rows);
}

TEST(pack_a, RefusesWrongSizes) {
  refuses_sizes(packing_a, [](int rows, int k) { return MatmulShape{rows, 3, k}; });
}
TEST(pack_b, RefusesWrongSizes) {
  refuses_sizes(packing_b, [](int rows, int k) { return MatmulShape{3, rows, k}; });
}

// --- On the model, and on the processor ----------------------------------------------------------

/// A case, and whose tiles it is run on.
template <class Case>
struct OnEngine : Case {
  TileEngine engine = TileEngine::kModel;
};

/// Looks at c on the model, and on the processor's tiles where it has some. A system may deny
/// those to this one process: being refused there is no failure.
template <class Exercise, class Case>
void look_on_every_engine(const Exercise& exercise, const Case& c, Expect& expect) {
  const OnEngine<Case> model{c}, hardware{c, TileEngine::kHardware};
  exercise.look(expect, model, exercise(model));
  if (!cpu_has(Isa::kAmxInt8)) return;
  try {
    exercise.look(expect, hardware, exercise(hardware));
  } catch (const CallFailed& failed) {
    if (failed.failure.code != "N-REFUSED") throw;
  }
}

template <class Exercise, class Case>
void is_right_on_every_engine(const Exercise& exercise, const std::vector<Case>& cases) {
  each_case(cases,
            [&](const Case& c, Expect& expect) { look_on_every_engine(exercise, c, expect); });
}

/// `good` on engines that no kernel may run on here.
template <class Exercise, class Case>
typename Exercise::Refusals denied_engines(const Exercise& exercise, const Case& good) {
  std::vector<std::pair<std::string, TileEngine>> denied = {{"kDenied", TileEngine::kDenied},
                                                            {"number 9", TileEngine(9)}};
  if (!cpu_has(Isa::kAmxInt8)) denied.emplace_back("kHardware", TileEngine::kHardware);
  typename Exercise::Refusals rows;
  for (const auto& [name, engine] : denied) {
    rows.push_back(
        {"N-ISA", name + ", which grants no tiles here", exercise.arguments({good, engine})});
  }
  return rows;
}

Codes packed_b(const Product& c) { return b_by_definition({c.shape.n, c.shape.k, c.b_t}); }

// --- multiply_tile -------------------------------------------------------------------------------

const auto multiplying_tile = kernel_exercise<&multiply_tile>(
    [](const OnEngine<Product>& c) {
      Codes tile = packed_b(c);
      tile.resize(1024);
      return std::tuple(c.engine, c.a, tile, out(c.outputs()), c.shape);
    },
    by_definition,
    equals("c", [](Expect& expect, const Product& c) { suspect_sums(expect, c, "c"); }));

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

/// A small product, which is not square.
Product fitting_product() { return random_products({{3, 5, 8}}, seed)[0]; }

TEST(multiply_tile, RefusesDeniedTiles) {
  multiplying_tile.refuses({{fitting_product()}},
                           denied_engines(multiplying_tile, fitting_product()));
}

/// A row of sizes: a and b have so many codes, c so many sums.
template <class Exercise>
typename Exercise::Refused bad_size(const Exercise&, const char* what, std::size_t a, std::size_t b,
                                    std::size_t c, MatmulShape shape) {
  return {"N-SIZE", what, {TileEngine::kModel, Codes(a, 1), Codes(b, 1), out(c), shape}};
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

// --- multiply_tiles ------------------------------------------------------------------------------

/// Where k is long, only its last slice: each begins with sums of 0.
void suspect_slices(Expect& expect, const Product& c) {
  const std::size_t k = c.shape.k;
  for (std::size_t slice = 64; k > 512 && slice < k; slice *= 2) {
    const std::size_t last = (k - 1) / slice * slice;
    expect.suspect(
        "N-SLICE", "c",
        each_sum(c.shape, [&](auto i, auto j,
                              auto p) { return p < last ? 0 : c.a[i * k + p] * c.b_t[j * k + p]; }),
        "the sums of the slices before are forgotten, and only the last slice is left");
  }
}

const auto multiplying = kernel_exercise<&multiply_tiles>(
    [](const OnEngine<Product>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), out(c.outputs()), c.shape);
    },
    by_definition,
    [](Expect& expect, const Product& c, const std::tuple<TileCounts, Sums>& got,
       const Sums& right) {
      const Sums& sums = std::get<Sums>(got);
      if (sums != right && is_worth_suspecting(c)) suspect_slices(expect, c);
      if (sums != right) suspect_sums(expect, c, "c");
      expect.equal("c", sums, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

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

// Sums of several thousand codes; then more rows, and more columns, than stay in a cache at a depth
// that takes more than one slice.
TEST(multiply_tiles, LongSumsManyBlocks) {
  is_right_on_every_engine(
      multiplying,
      random_products(
          {{3, 5, 4099}, {33, 40, 1100}, {70, 70, 1500}, {530, 20, 600}, {20, 530, 600}}, seed));
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
              const std::int64_t tiles = c.shape.m / 16 * (c.shape.n / 16),
                                 products = tiles * (c.shape.k / 64);
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

// --- multiply_tiles_fused ------------------------------------------------------------------------

const auto fusing = kernel_exercise<&multiply_tiles_fused>(
    [](const OnEngine<FusedProduct>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), c.scale, c.bias, out(c.outputs()), c.shape);
    },
    fused_product, equals("c", suspect_finishes));

/// Multiples of 2^-10, so few of them that no product and no sum has to be rounded.
Reals exact_reals(std::size_t count, std::uint64_t seed, int low, int high) {
  return each_of(code_tensor<std::int32_t>(count, seed, low, high),
                 [](int steps) { return static_cast<float>(steps) * 0x1p-10f; });
}

/// Biases that keep about half of the results above 0. Rounding is another check's matter.
FusedProduct random_fused(MatmulShape s) {
  const std::size_t n = s.n;
  return {random_products({s}, seed)[0], exact_reals(n, seed(n + 2000), 3, 12),
          exact_reals(n, seed(n + 3000), -30000, 30000)};
}

/// Columns that hold 2 * b_t: 6, -8, 10, whatever the row.
FusedProduct by_hand(const Reals& scale, const Reals& bias) {
  return {{"ByHand", {1, 3, 1}, {2}, {3, -4, 5}}, scale, bias};
}

TEST(multiply_tiles_fused, ScalesAndShiftsEachColumn) {
  fusing.gives({{{by_hand({0.5f, -2.0f, 0.25f}, {1.0f, -3.0f, 0.5f})}, {4.0f, 13.0f, 3.0f}},
                // Every finite number is a scale, and a bias: 0, -0 and what is subnormal.
                {{by_hand({0.0f, -0.0f, 0x1p-140f}, {1.0f, 0x1p-130f, -0.0f})},
                 {1.0f, 0x1p-130f, 10 * 0x1p-140f}},
                {{by_hand({-FLT_MAX, -0x1p-140f, 0x1p-149f}, {1.0f, -0x1p-140f, FLT_MAX})},
                 {0.0f, 7 * 0x1p-140f, FLT_MAX}}});
  std::vector<FusedProduct> cases{by_hand({0.5f, -2.0f, 0.25f}, {1.0f, -3.0f, 0.5f})};
  for (const MatmulShape shape :
       {MatmulShape{32, 32, 64}, {5, 3, 7}, {33, 47, 66}, {20, 40, 1100}}) {
    cases.push_back(random_fused(shape));
  }
  cases.push_back(
      {constant_product("Infinite", {1, 2, 4}, 127, 127), {3e38f, -3e38f}, {1.0f, 1.0f}});
  cases.push_back({{"NoK", {2, 3, 0}, {}, {}}, {1, 2, 3}, {-1, 0, 1.5f}});
  is_right_on_every_engine(fusing, cases);
}

// The bias is the rounded product with its sign changed: what is left is 0 after two roundings, and
// the rounding error itself after one.
TEST(multiply_tiles_fused, RoundsTwice) {
  FusedProduct c = random_fused({1, 64, 70});
  c.scale = uniform_tensor(64, seed(321), 0.004f, 0.012f);
  const Sums sums = by_definition(c);
  for (std::size_t j = 0; j < c.bias.size(); ++j) {
    c.bias[j] = -(static_cast<float>(sums[j]) * c.scale[j]);
  }
  const Reals once_rounded = product_rounded_once(c);
  Expect::healthy(std::ranges::count(once_rounded, 0.0f) < 59,
                  "hardly a column shows how often it is rounded");
  constexpr int kDeep = 20001;  // a sum of parts that were rounded is another one
  const FusedProduct deep{{"PastFloat32",
                           {2, 8, kDeep},
                           code_tensor<std::int8_t>(2 * kDeep, seed(1), 100, 127),
                           code_tensor<std::int8_t>(8 * kDeep, seed(2), 100, 127)},
                          Reals(8, 1.0f),
                          Reals(8, 0.0f)};
  is_right_on_every_engine(fusing, std::vector{c, deep});
}

TEST(multiply_tiles_fused, ClipsAtZero) {
  const std::vector<FusedProduct> cases{
      {{"MinusZero", {1, 2, 1}, {0}, {1, 2}}, {-1.0f, 1.0f}, {-0.0f, -0.0f}},
      by_hand({1.0f, 1.0f, -1.0f}, {-7.0f, 8.5f, 0.0f}),
      random_fused({17, 33, 5})};
  each_case(cases, [](const FusedProduct& c, Expect& expect) {
    look_on_every_engine(fusing, c, expect);
    for (const float value : fusing({c})) {
      expect.that(!std::signbit(value), "a result is " + show_value(value), "N-CLAMP");
    }
  });
}

// More than 2 MiB: rows that begin with a cache line, then rows that do not.
TEST(multiply_tiles_fused, LargeResults) {
  is_right_on_every_engine(fusing,
                           std::vector{random_fused({801, 704, 3}), random_fused({803, 703, 3})});
}

TEST(multiply_tiles_fused, RefusesWhatItMust) {
  const FusedProduct good = random_fused({3, 5, 8});
  auto rows = denied_engines(fusing, good);
  rows.push_back({"N-ISA", "kDenied where there is nothing to compute",
                  fusing.arguments({random_fused({0, 5, 8}), TileEngine::kDenied})});
  const auto bad = [&](const char* code, const char* what, const auto& change) {
    FusedProduct c = good;
    change(c);
    rows.push_back({code, what, fusing.arguments({c})});
  };
  bad("N-SIZE", "4 scales for 5 columns", [](FusedProduct& c) { c.scale.pop_back(); });
  bad("N-SIZE", "6 scales for 5 columns", [](FusedProduct& c) { c.scale.push_back(1); });
  bad("N-SIZE", "4 biases for 5 columns", [](FusedProduct& c) { c.bias.pop_back(); });
  bad("N-SIZE", "6 biases for 5 columns", [](FusedProduct& c) { c.bias.push_back(1); });
  bad("N-SIZE", "a code of a too few", [](FusedProduct& c) { c.a.pop_back(); });
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes(good.shape, packed_b_size, 1024)) {
    const Reals reals(std::size_t(std::max(shape.n, 0)), 1.0f);
    rows.push_back(
        {"N-SIZE", what, {TileEngine::kModel, Codes(a), Codes(b), reals, reals, out(c), shape}});
  }
  for (const float value : {NAN, INFINITY, -INFINITY}) {
    bad("N-NAN", "a scale that is no finite number", [&](FusedProduct& c) { c.scale[4] = value; });
    bad("N-NAN", "a bias that is no finite number", [&](FusedProduct& c) { c.bias[4] = value; });
  }
  fusing.refuses({{good}}, rows);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the same exercises, on inputs that follow from the course's secret salt.

/// `count` sizes in [low, high] from the secret salt.
Sizes hidden_sizes(std::size_t count, std::uint64_t salt, int low, int high) {
  return code_tensor<std::int32_t>(count, hidden_seed(salt), low, high);
}

TEST(tile_config, EqualsTheReference) {
  std::vector<Configuring::Row> rows;
  for (const std::size_t tiles : {2, 7, 8}) {
    rows.push_back(
        configured("", hidden_sizes(tiles, tiles, 1, 16), hidden_sizes(tiles, tiles + 10, 1, 64)));
  }
  configuring.gives(rows, compare_configs);
}

std::vector<Named<CodeRows>> hidden_rows() {
  const Sizes rows = hidden_sizes(4, 0, 1, 80), k = hidden_sizes(4, 1, 1, 300);
  std::vector<Named<CodeRows>> all;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    all.push_back(random_rows(rows[x], k[x], hidden_seed(2 + x)));
  }
  return all;
}

TEST(pack_a, EqualsTheReference) { packing_a.is_right(hidden_rows()); }
TEST(pack_b, EqualsTheReference) { packing_b.is_right(hidden_rows()); }

std::vector<Product> hidden_products(std::size_t count, std::uint64_t salt, int size, int depth) {
  const Sizes m = hidden_sizes(count, salt, 1, size), n = hidden_sizes(count, salt + 1, 1, size),
              k = hidden_sizes(count, salt + 2, 1, depth);
  std::vector<MatmulShape> shapes;
  for (std::size_t x = 0; x < count; ++x) shapes.push_back({m[x], n[x], k[x]});
  return random_products(shapes, hidden_seed);
}

TEST(multiply_tile, EqualsTheReference) {
  is_right_on_every_engine(multiplying_tile, hidden_products(12, 0, 16, 64));
}

TEST(multiply_tiles, EqualsTheReference) {
  is_right_on_every_engine(multiplying, hidden_products(6, 0, 90, 200));
  is_right_on_every_engine(multiplying, hidden_products(2, 3, 70, 3000));
}

TEST(multiply_tiles_fused, EqualsTheReference) {
  is_right_on_every_engine(fusing, random_fused(hidden_products(5, 0, 70, 300), hidden_seed));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
