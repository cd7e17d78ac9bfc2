// Lab 17: the checks. Every point is earned on the model of the tiles; where the processor has
// tiles of its own, they have to give the same values.
#include "cpu_amx.hpp"

#include "checks/marks/17_cpu_amx.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;
using Reals = std::vector<float>;
using Sizes = std::vector<std::int32_t>;

std::size_t area(int rows, int columns) { return std::size_t(rows) * std::size_t(columns); }

Codes random_codes(std::size_t count, std::uint64_t seed) {
  return code_tensor<std::int8_t>(count, seed, -128, 127);
}

// --- tile_config ---------------------------------------------------------------------------------

struct ConfigCase {
  std::string name;
  Sizes rows, colsb;
};

std::string show(const ConfigCase& c) {
  return "rows = " + show_values(c.rows) + ", colsb = " + show_values(c.colsb);
}

Sizes listed(const auto& values) { return {values.begin(), values.end()}; }

void configures(const ConfigCase& c, Expect& expect) {
  const TileConfig got = call<&tile_config>(c.rows, c.colsb);
  Sizes rows = c.rows, colsb = c.colsb;  // of all 16 places
  rows.resize(16);
  colsb.resize(16);
  expect.equal("palette", got.palette, 1);
  expect.equal("colsb", listed(got.colsb), colsb);
  expect.equal("rows", listed(got.rows), rows);
  expect.equal("start_row", got.start_row, 0);
  expect.equal("reserved", listed(got.reserved), Sizes(14));
}

// Every number at one place only; the largest tile; one of each smallest size.
TEST(tile_config, FillsTheStruct) {
  each_case<ConfigCase>(
      {{"AllDifferent", {1, 2, 3, 4, 5, 6, 7, 8}, {60, 59, 58, 57, 56, 55, 54, 53}},
       {"Whole", Sizes(8, 16), Sizes(8, 64)},
       {"Smallest", {1, 16, 1, 16, 1, 16, 1, 16}, {1, 1, 64, 64, 1, 1, 64, 64}}},
      configures);
}

TEST(tile_config, UnlistedTilesAreUnused) {
  each_case<ConfigCase>({{"One", {3}, {20}},
                         {"OneByMiddle", {0, 0, 9, 0}, {0, 0, 33, 0}},
                         {"Three", {16, 15, 14}, {64, 60, 56}},
                         {"None", {}, {}}},
                        configures);
}

TEST(tile_config, RefusesImpossibleTiles) {
  each_case<ConfigCase>({{"SeventeenRows", {17}, {64}},
                         {"SixtyFiveBytes", {16}, {65}},
                         {"NegativeRows", {-1}, {64}},
                         {"NegativeBytes", {4}, {-4}},
                         {"RowsAlone", {4}, {0}},
                         {"BytesAlone", {0}, {4}},
                         {"RowsOf256", {256}, {4}},
                         {"BytesOf65536", {4}, {65536}},
                         {"TheLastOfThree", {16, 16, 17}, {64, 64, 64}},
                         {"NineTiles", Sizes(9, 1), Sizes(9, 1)},
                         {"FewerRows", {4}, {4, 4}},
                         {"FewerBytes", {4, 4}, {4}}},
                        [](const ConfigCase& c, Expect& expect) {
                          configures({"", Sizes(8, 16), Sizes(8, 64)}, expect);
                          expect.that(refuses<&tile_config>(c.rows, c.colsb), "accepted " + show(c),
                                      "N-RANGE");
                        });
}

// --- Packing -------------------------------------------------------------------------------------

/// Rows of k codes: those of a, or of b_t.
struct PackCase {
  std::string name;
  int rows, k;
  Codes codes;
};

std::string show(const PackCase& c) {
  return std::to_string(c.rows) + " rows of " + std::to_string(c.k) + " codes, " +
         show_values(c.codes);
}

PackCase random_rows(int rows, int k, std::uint64_t seed) {
  return {std::to_string(rows) + "x" + std::to_string(k), rows, k,
          random_codes(area(rows, k), seed)};
}

std::vector<PackCase> smaller(const PackCase& c) {
  std::vector<PackCase> all;
  for (const auto& [rows, k] : {std::pair(c.rows / 2, c.k), std::pair(c.rows, c.k / 2),
                                std::pair(c.rows - 1, c.k), std::pair(c.rows, c.k - 1)}) {
    if (rows < 1 || k < 1) continue;
    all.push_back(
        {std::to_string(rows) + "x" + std::to_string(k), rows, k, corner(c.codes, c.k, rows, k)});
  }
  return all;
}

/// The contract's formulas, and 0 everywhere else. at(x,
/// p) is where code p of row x goes in a tile.
template <class Place>
Codes packed_by(const PackCase& c, const Place& at) {
  const std::size_t k = c.k, steps = (k + 63) / 64;
  Codes packed(std::size_t(c.rows + 31) / 32 * 32 * steps * 64);
  for (std::size_t x = 0; x < std::size_t(c.rows); ++x) {
    for (std::size_t p = 0; p < k; ++p) {
      packed[(x / 16 * steps + p / 64) * 1024 + at(x, p)] = c.codes[x * k + p];
    }
  }
  return packed;
}

Codes a_by_definition(const PackCase& c) {
  return packed_by(c, [](auto i, auto p) { return i % 16 * 64 + p % 64; });
}

Codes b_by_definition(const PackCase& c) {
  return packed_by(c, [](auto j, auto p) { return p % 64 / 4 * 64 + j % 16 * 4 + p % 4; });
}

void packs_a(const PackCase& c, Expect& expect) {
  const Codes want = a_by_definition(c);
  const MatmulShape shape{c.rows, 7, c.k};
  expect.equal("packed", call<&pack_a>(c.codes, out(want.size()), shape), want);
}

void packs_b(const PackCase& c, Expect& expect) {
  const Codes want = b_by_definition(c);
  PackCase wrong = c;
  for (std::int8_t& code : wrong.codes) code = static_cast<std::int8_t>(code ^ -128);
  expect.suspect("N-SIGN", "packed", b_by_definition(wrong));  // excess 128, as vpdpbusd wants it
  const std::size_t rows = c.rows, k = c.k;
  for (std::size_t at = 0; at < wrong.codes.size(); ++at) {
    wrong.codes[at] = c.codes[at % k * rows + at / k];
  }
  expect.suspect("N-TRANS", "packed", b_by_definition(wrong));  // read as [k,n]
  const MatmulShape shape{7, c.rows, c.k};
  expect.equal("packed", call<&pack_b>(c.codes, out(want.size()), shape), want);
}

template <class Check>
void every_packing(const std::vector<std::pair<int, int>>& sizes, std::uint64_t salt,
                   const Check& packs) {
  std::vector<PackCase> cases;
  for (const auto& [rows, k] : sizes) cases.push_back(random_rows(rows, k, seed(salt++)));
  each_case(cases, [&](const PackCase& c, Expect& expect) {
    if (area(c.rows, c.k) > 1000) Expect::healthy(distinct(c.codes) > 100, "few different codes");
    packs(c, expect);
  });
}

// Nothing to pad. The codes of the first are their own places, so that a failure can be read. A
// single step of a would prove nothing: packed, it is what it was.
PackCase counted_rows(int rows, int k) {
  PackCase c{"Counted", rows, k, Codes(area(rows, k))};
  for (std::size_t at = 0; at < c.codes.size(); ++at) c.codes[at] = static_cast<std::int8_t>(at);
  return c;
}

TEST(pack_a, RowsInSteps) {
  each_case<PackCase>({counted_rows(32, 128), random_rows(32, 192, seed(1))}, packs_a);
}

TEST(pack_b, QuadsOfOneStep) {
  each_case<PackCase>({counted_rows(32, 64), random_rows(32, 64, seed(2))}, packs_b);
}

// Two steps, two row blocks, then more of both: none of the sizes is another's.
const std::vector<std::pair<int, int>> kWholeTiles = {{64, 128}, {96, 64}, {64, 192}, {96, 448}};

TEST(pack_a, StepsThenRowBlocks) { every_packing(kWholeTiles, 10, packs_a); }
TEST(pack_b, StepsThenColumnBlocks) { every_packing(kWholeTiles, 20, packs_b); }

// One code; one less and one more than a quad, a step, a tile and a pair of tiles; nothing at all.
const std::vector<std::pair<int, int>> kRaggedTiles = {{1, 1},   {0, 5},    {5, 0},   {3, 5},
                                                       {32, 3},  {32, 63},  {32, 65}, {15, 64},
                                                       {17, 64}, {33, 129}, {31, 70}};

TEST(pack_a, PadsWithZeros) { every_packing(kRaggedTiles, 30, packs_a); }
TEST(pack_b, PadsWithZeros) { every_packing(kRaggedTiles, 50, packs_b); }

/// Sizes that do not belong together. `shape(rows, k)` puts them where the function looks.
template <auto Pack, class Shape, class Check>
void refuses_sizes(const Shape& shape, const Check& packs) {
  once([&](Expect& expect) {
    packs(random_rows(5, 9, seed(70)), expect);
    const auto refused = [&](const char* what, std::size_t codes, std::size_t packed, int rows,
                             int k) {
      expect.that(refuses<Pack>(Codes(codes, 1), out(packed), shape(rows, k)),
                  std::string("accepted ") + what, "N-SIZE");
    };
    refused("a code too few", 44, 2048, 5, 9);
    refused("a code too many", 46, 2048, 5, 9);
    refused("a tile too few", 45, 1024, 5, 9);
    refused("a tile too many", 45, 3072, 5, 9);
    refused("a negative number of rows", 0, 0, -1, 0);
    refused("a negative k", 0, 0, 0, -1);
    refused("two negative sizes", 1, 0, -1, -1);
    refused("k = 131072", 131072, 32 * 131072, 1, 131072);
  });
}

TEST(pack_a, RefusesWrongSizes) {
  refuses_sizes<&pack_a>([](int rows, int k) { return MatmulShape{rows, 3, k}; }, packs_a);
}
TEST(pack_b, RefusesWrongSizes) {
  refuses_sizes<&pack_b>([](int rows, int k) { return MatmulShape{3, rows, k}; }, packs_b);
}

// --- Products: data, oracle, and what goes wrong -------------------------------------------------

struct MatmulCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;

  std::size_t results() const { return area(shape.m, shape.n); }
  Codes packed_b() const { return b_by_definition({"", shape.n, shape.k, b_t}); }
};

std::string show(const MatmulCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
         ", b_t = " + show_values(c.b_t);
}

MatmulCase random_case(MatmulShape s, std::uint64_t salt) {
  return {size_text(s), s, random_codes(area(s.m, s.k), seed(salt)),
          random_codes(area(s.n, s.k), seed(salt + 1000))};
}

std::vector<MatmulCase> random_cases(const std::vector<MatmulShape>& shapes, std::uint64_t salt) {
  std::vector<MatmulCase> cases;
  for (const MatmulShape shape : shapes) cases.push_back(random_case(shape, salt++));
  return cases;
}

std::vector<MatmulCase> smaller(const MatmulCase& c) {
  std::vector<MatmulCase> all;
  const int k = c.shape.k;
  for (const MatmulShape s : smaller_shapes(c.shape)) {
    all.push_back({size_text(s), s, corner(c.a, k, s.m, s.k), corner(c.b_t, k, s.n, s.k)});
  }
  return all;
}

/// c[i,j] = sum over p of term(a[i,p], b_t[j,p]), for p < end.
template <class Term>
Sums each_sum(const MatmulCase& c, std::size_t end, const Term& term) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  Sums sums;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int32_t acc = 0;
      for (std::size_t p = 0; p < end; ++p) acc += term(c.a[i * k + p], c.b_t[j * k + p]);
      sums.push_back(acc);
    }
  }
  return sums;
}

/// The contract's formula. int32 holds every sum of a legal k.
Sums by_definition(const MatmulCase& c) {
  return each_sum(c, c.shape.k, [](int a, int b) { return a * b; });
}

/// What the usual mistakes make of these codes.
void suspect_sums(const MatmulCase& c, Expect& expect) {
  const std::size_t k = c.shape.k;
  const auto product = [](int a, int b) { return a * b; };
  for (const std::size_t unit : {4, 16, 64}) {
    expect.suspect("N-TAIL", "c", each_sum(c, k / unit * unit, product));
  }
  const auto byte = [](int code) { return code & 255; };
  const auto signs = [&](const auto& term) { expect.suspect("N-SIGN", "c", each_sum(c, k, term)); };
  signs([&](int a, int b) { return byte(a) * b; });
  signs([&](int a, int b) { return a * byte(b); });
  signs([&](int a, int b) { return byte(a) * byte(b); });
  Sums rounded = by_definition(c), saturated(c.results());
  for (std::int32_t& sum : rounded) {
    sum = static_cast<std::int32_t>(std::int64_t(static_cast<float>(sum)));
  }
  expect.suspect("N-FLOAT32", "c", rounded);
  const auto at = [k](const Codes& codes, std::size_t row, std::size_t p) {
    return p < k ? codes[row * k + p] : 0;
  };
  for (std::size_t x = 0; x < saturated.size(); ++x) {  // pairs in int16, as vpmaddubsw has them
    const std::size_t i = x / std::size_t(c.shape.n), j = x % std::size_t(c.shape.n);
    for (std::size_t p = 0; p < k; p += 2) {
      const int pair = at(c.a, i, p) * at(c.b_t, j, p) + at(c.a, i, p + 1) * at(c.b_t, j, p + 1);
      saturated[x] += std::clamp(pair, -32768, 32767);
    }
  }
  expect.suspect("N-OVERFLOW", "c", saturated);
}

/// Runs `body` on the model, and on the processor's tiles where it has some. A system may deny
/// those to this one process: being refused there is no failure.
template <class Body>
void on_every_engine(const Body& body) {
  body(TileEngine::kModel);
  if (!cpu_has(Isa::kAmxInt8)) return;
  try {
    body(TileEngine::kHardware);
  } catch (const CallFailed& failed) {
    if (failed.failure.code != "N-REFUSED") throw;
  }
}

// --- multiply_tile -------------------------------------------------------------------------------

Codes first_tile(const MatmulCase& c) {
  Codes tile = c.packed_b();
  tile.resize(1024);
  return tile;
}

void multiplies_tile(const MatmulCase& c, Expect& expect) {
  suspect_sums(c, expect);
  const Sums want = by_definition(c);
  const std::size_t m = c.shape.m, n = c.shape.n;
  on_every_engine([&](TileEngine engine) {
    const Codes b = first_tile(c);
    expect.equal("c", call<&multiply_tile>(engine, c.a, b, out(m * n), c.shape), want, {m, n});
  });
}

TEST(multiply_tile, WholeTile) {
  each_case(random_cases({{16, 16, 64}, {16, 16, 64}}, 100),
            [](const MatmulCase& c, Expect& expect) {
              Expect::healthy(distinct(by_definition(c)) > 100, "few different sums");
              multiplies_tile(c, expect);
            });
}

// Each size short by itself, as short as it gets, then all of them.
TEST(multiply_tile, ShortTiles) {
  each_case(random_cases({{1, 1, 4},
                          {1, 16, 64},
                          {16, 1, 64},
                          {16, 16, 4},
                          {15, 16, 64},
                          {16, 15, 64},
                          {16, 16, 60},
                          {3, 5, 8},
                          {5, 3, 12},
                          {11, 7, 44}},
                         110),
            multiplies_tile);
}

// One, two and three codes past a quad, and fewer than one.
// Behind the last row of a there is nothing.
TEST(multiply_tile, TailOfK) {
  each_case(random_cases({{1, 1, 1},
                          {2, 3, 2},
                          {3, 2, 3},
                          {4, 6, 5},
                          {16, 16, 61},
                          {16, 16, 62},
                          {16, 16, 63},
                          {7, 9, 33}},
                         130),
            multiplies_tile);
}

MatmulCase constant_case(std::string name, MatmulShape s, int a, int b) {
  return {std::move(name), s, Codes(area(s.m, s.k), static_cast<std::int8_t>(a)),
          Codes(area(s.n, s.k), static_cast<std::int8_t>(b))};
}

// Pairs of products past int16, with each sign.
TEST(multiply_tile, ExactForEveryCode) {
  constexpr MatmulShape one{1, 1, 1}, all{16, 16, 64};
  each_case<MatmulCase>(
      {constant_case("NegativeA", one, -3, 5), constant_case("NegativeB", one, 3, -5),
       constant_case("SmallestBySmallest", all, -128, -128),
       constant_case("SmallestByLargest", all, -128, 127),
       constant_case("LargestBySmallest", all, 127, -128),
       constant_case("LargestByLargest", all, 127, 127)},
      multiplies_tile);
}

/// Engines that no kernel may run on here.
std::vector<std::pair<std::string, TileEngine>> denied_engines() {
  std::vector<std::pair<std::string, TileEngine>> all = {{"kDenied", TileEngine::kDenied},
                                                         {"number 9", static_cast<TileEngine>(9)}};
  if (!cpu_has(Isa::kAmxInt8)) all.emplace_back("kHardware", TileEngine::kHardware);
  return all;
}

TEST(multiply_tile, RefusesDeniedTiles) {
  once([](Expect& expect) {
    const MatmulCase c = random_case({3, 5, 8}, 150);
    multiplies_tile(c, expect);
    for (const auto& [name, engine] : denied_engines()) {
      expect.that(refuses<&multiply_tile>(engine, c.a, first_tile(c), out(15), c.shape),
                  "accepted " + name + ", which grants no tiles here", "N-ISA");
    }
  });
}

TEST(multiply_tile, RefusesWrongSizes) {
  once([](Expect& expect) {
    multiplies_tile(random_case({3, 5, 8}, 151), expect);
    const auto refused = [&](const char* what, std::size_t a, std::size_t b, std::size_t c,
                             MatmulShape shape) {
      expect.that(
          refuses<&multiply_tile>(TileEngine::kModel, Codes(a, 1), Codes(b, 1), out(c), shape),
          std::string("accepted ") + what, "N-SIZE");
    };
    refused("m = 17", 17 * 8, 1024, 17 * 5, {17, 5, 8});
    refused("n = 17", 3 * 8, 1024, 3 * 17, {3, 17, 8});
    refused("k = 65", 3 * 65, 1024, 15, {3, 5, 65});
    refused("m = 0", 0, 1024, 0, {0, 5, 8});
    refused("n = 0", 24, 1024, 0, {3, 0, 8});
    refused("k = 0", 0, 1024, 15, {3, 5, 0});
    refused("a code of a too few", 23, 1024, 15, {3, 5, 8});
    refused("a code of a too many", 25, 1024, 15, {3, 5, 8});
    refused("half a tile of b", 24, 512, 15, {3, 5, 8});
    refused("two tiles of b", 24, 2048, 15, {3, 5, 8});
    refused("a result too few", 24, 1024, 14, {3, 5, 8});
    refused("a result too many", 24, 1024, 16, {3, 5, 8});
  });
}

// --- multiply_tiles ------------------------------------------------------------------------------

/// The sums, and what the tiles did.
std::pair<Sums, TileCounts> product_of(TileEngine engine, const MatmulCase& c) {
  auto [counts, sums] = call<&multiply_tiles>(engine, c.a, c.packed_b(), out(c.results()), c.shape);
  return {std::move(sums), counts};
}

void multiplies(const MatmulCase& c, Expect& expect, const Sums& want) {
  if (c.results() * std::size_t(c.shape.k) < 1000000) suspect_sums(c, expect);
  const std::size_t m = c.shape.m, n = c.shape.n;
  on_every_engine([&](TileEngine engine) {
    expect.equal("c", product_of(engine, c).first, want, {m, n});
  });
}

void multiplies_by_definition(const MatmulCase& c, Expect& expect) {
  multiplies(c, expect, by_definition(c));
}

TEST(multiply_tiles, WholeBlocks) {
  each_case(
      random_cases({{32, 32, 64}, {32, 64, 64}, {64, 32, 64}, {32, 32, 192}, {96, 64, 128}}, 200),
      [](const MatmulCase& c, Expect& expect) {
        if (c.name == "96x64x128") {
          Expect::healthy(distinct(by_definition(c)) > 1000, "few different sums");
        }
        multiplies_by_definition(c, expect);
      });
}

// One; one less and one more than a tile, and than a pair of tiles, in each size; tall, flat,
// prime. What a larger product left behind must not show in a smaller one,
// so there is one before each.
TEST(multiply_tiles, EveryShape) {
  const MatmulCase larger = constant_case("", {65, 70, 140}, 127, 127);
  each_case(random_cases({{1, 1, 1},
                          {2, 3, 5},
                          {15, 17, 63},
                          {17, 15, 65},
                          {31, 33, 64},
                          {33, 31, 66},
                          {16, 16, 64},
                          {48, 16, 67},
                          {16, 48, 62},
                          {1, 100, 40},
                          {100, 1, 41},
                          {37, 41, 97}},
                         220),
            [&](const MatmulCase& c, Expect& expect) {
              product_of(TileEngine::kModel, larger);
              multiplies_by_definition(c, expect);
            });
}

// Sums of several thousand codes; then more rows, and more columns, than stay in a cache at a depth
// that takes more than one slice.
TEST(multiply_tiles, LongSumsManyBlocks) {
  each_case(
      random_cases({{3, 5, 4099}, {33, 40, 1100}, {70, 70, 1500}, {530, 20, 600}, {20, 530, 600}},
                   240),
      multiplies_by_definition);
}

TEST(multiply_tiles, EmptySumIsZero) {
  each_case<MatmulCase>({{"NoK", {3, 40, 0}, {}, {}},
                         {"NoRows", {0, 3, 2}, {}, Codes(6, 1)},
                         {"NoColumns", {2, 0, 3}, Codes(6, 1), {}},
                         {"Nothing", {0, 0, 0}, {}, {}},
                         constant_case("OneByOne", {1, 1, 1}, 2, 3)},
                        multiplies_by_definition);
}

// 131071 * 128 * 128 is less than 2^15 short of 2^31.
TEST(multiply_tiles, ExactAtTheLongestK) {
  each_case<MatmulCase>({constant_case("PastInt16", {1, 1, 3}, 127, 127),
                         constant_case("PastFloat32", {1, 1, 2001}, 127, 127),
                         constant_case("Longest", {1, 1, 131071}, -128, -128),
                         constant_case("LongestNegative", {1, 2, 131071}, 127, -128)},
                        multiplies_by_definition);
}

// Four products by four loads; twice the rows, the columns, and a depth of several slices.
TEST(multiply_tiles, SharesItsLoads) {
  each_case(random_cases({{64, 64, 64}, {96, 64, 128}, {64, 128, 1024}}, 250),
            [](const MatmulCase& c, Expect& expect) {
              const auto [m, n, k] = c.shape;
              const auto [sums, counts] = product_of(TileEngine::kModel, c);
              expect.equal("c", sums, by_definition(c), {area(m, 1), area(n, 1)});
              const std::int64_t products = std::int64_t{m / 16} * (n / 16) * (k / 64);
              expect.equal("products", counts.dots, products);
              expect.that(counts.stores >= m / 16 * (n / 16),
                          "fewer stores than tiles of the result", "N-LOADS");
              expect.that(4 * counts.loads <= 5 * products,
                          std::to_string(counts.loads) + " loads for " + std::to_string(products) +
                              " products: each tile that is loaded serves too few of them",
                          "N-LOADS");
            });
}

TEST(multiply_tiles, RefusesWhatItMust) {
  once([](Expect& expect) {
    const MatmulCase c = random_case({3, 5, 8}, 260);
    multiplies_by_definition(c, expect);
    for (const auto& [name, engine] : denied_engines()) {
      expect.that(refuses<&multiply_tiles>(engine, c.a, c.packed_b(), out(15), c.shape),
                  "accepted " + name + ", which grants no tiles here", "N-ISA");
    }
    const auto refused = [&](const char* what, std::size_t a, std::size_t b, std::size_t c_size,
                             MatmulShape shape) {
      expect.that(refuses<&multiply_tiles>(TileEngine::kModel, Codes(a, 1), Codes(b, 1),
                                           out(c_size), shape),
                  std::string("accepted ") + what, "N-SIZE");
    };
    refused("m = -1", 0, 2048, 0, {-1, 5, 0});
    refused("n = -1", 24, 0, 0, {3, -1, 8});
    refused("k = -1", 0, 0, 15, {3, 5, -1});
    refused("k = 131072", 131072, 32 * 131072, 1, {1, 1, 131072});
    refused("a code of a too few", 23, 2048, 15, {3, 5, 8});
    refused("a code of a too many", 25, 2048, 15, {3, 5, 8});
    refused("a tile of b too few", 24, 1024, 15, {3, 5, 8});
    refused("a tile of b too many", 24, 3072, 15, {3, 5, 8});
    refused("a result too few", 24, 2048, 14, {3, 5, 8});
    refused("a result too many", 24, 2048, 16, {3, 5, 8});
  });
}

// --- multiply_tiles_fused ------------------------------------------------------------------------

struct RealCase {
  std::string name;
  MatmulCase codes;
  Reals scale, bias;
};

std::string show(const RealCase& c) {
  return show(c.codes) + ", scale = " + show_values(c.scale) + ", bias = " + show_values(c.bias);
}

std::vector<RealCase> smaller(const RealCase& c) {
  std::vector<RealCase> all;
  for (const MatmulCase& codes : smaller(c.codes)) {
    const std::size_t n = codes.shape.n;
    all.push_back({codes.name, codes, Reals(c.scale.begin(), c.scale.begin() + n),
                   Reals(c.bias.begin(), c.bias.begin() + n)});
  }
  return all;
}

/// result(float(acc), scale, bias) of each column.
template <class Result>
Reals each_real(const RealCase& c, const Sums& sums, const Result& result) {
  Reals reals;
  for (const std::int32_t sum : sums) {
    const std::size_t j = reals.size() % c.scale.size();
    reals.push_back(result(static_cast<float>(sum), c.scale[j], c.bias[j]));
  }
  return reals;
}

float clip(float v) { return v > 0.0f ? v : 0.0f; }

Reals reals_by_definition(const RealCase& c) {
  return each_real(c, by_definition(c.codes), [](float sum, float scale, float bias) {
    const float product = sum * scale;
    return clip(product + bias);
  });
}

void suspect_reals(const RealCase& c, Expect& expect) {
  const Sums sums = by_definition(c.codes);
  const auto real = [&](const char* code, const auto& result) {
    expect.suspect(code, "c", each_real(c, sums, result));
  };
  real("N-CLAMP", [](float sum, float scale, float bias) { return sum * scale + bias; });
  real("N-CLAMP", [](float sum, float scale, float bias) { return clip(sum * scale) + bias; });
  real("N-BIAS", [](float sum, float scale, float) { return clip(sum * scale); });
  real("N-BIAS", [](float sum, float scale, float bias) { return clip((sum + bias) * scale); });
  real("N-BIAS", [](float sum, float scale, float bias) { return clip(sum * scale - bias); });
  real("N-ROUND",
       [](float sum, float scale, float bias) { return clip(std::fma(sum, scale, bias)); });
  real("N-SCALE", [](float sum, float, float bias) { return clip(sum + bias); });
  real("N-SCALE", [](float sum, float scale, float bias) { return clip(sum / scale + bias); });
  const auto axis = [&](std::size_t i, const Reals& values) { return values[i % values.size()]; };
  Reals rows;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const std::size_t i = at / c.scale.size();
    rows.push_back(clip(static_cast<float>(sums[at]) * axis(i, c.scale) + axis(i, c.bias)));
  }
  expect.suspect("N-AXIS", "c", rows);
  real("N-AXIS", [&](float sum, float, float) {
    const float product = sum * c.scale[0];
    return clip(product + c.bias[0]);
  });
}

Reals reals_from(TileEngine engine, const RealCase& c) {
  return call<&multiply_tiles_fused>(engine, c.codes.a, c.codes.packed_b(), c.scale, c.bias,
                                     out(c.codes.results()), c.codes.shape);
}

void fuses(const RealCase& c, Expect& expect) {
  if (c.codes.results() < 10000) suspect_reals(c, expect);
  const Reals want = reals_by_definition(c);
  const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
  on_every_engine([&](TileEngine engine) {
    expect.equal("c", reals_from(engine, c), want, {m, n});
  });
}

/// Multiples of 2^-10, so few of them that no product and no sum has to be rounded.
Reals exact_reals(std::size_t count, std::uint64_t seed, int low, int high) {
  Reals reals;
  for (const int steps : code_tensor<std::int32_t>(count, seed, low, high)) {
    reals.push_back(static_cast<float>(steps) * 0x1p-10f);
  }
  return reals;
}

/// Biases that keep about half of the results above 0. Rounding is another check's matter.
RealCase random_real_case(MatmulShape s, std::uint64_t salt) {
  const std::size_t n = s.n;
  return {size_text(s), random_case(s, salt), exact_reals(n, seed(salt + 2000), 3, 12),
          exact_reals(n, seed(salt + 3000), -30000, 30000)};
}

/// Columns that hold 2 * b_t: 6, -8, 10, whatever the row.
RealCase hand_case(Reals scale, Reals bias) {
  return {"ByHand", {"1x3x1", {1, 3, 1}, {2}, {3, -4, 5}}, std::move(scale), std::move(bias)};
}

TEST(multiply_tiles_fused, ScalesAndShiftsEachColumn) {
  std::vector<RealCase> cases{hand_case({0.5f, -2.0f, 0.25f}, {1.0f, -3.0f, 0.5f})};
  for (const MatmulShape shape :
       {MatmulShape{32, 32, 64}, {5, 3, 7}, {33, 47, 66}, {20, 40, 1100}}) {
    cases.push_back(random_real_case(shape, 300 + cases.size()));
  }
  cases.push_back(
      {"PastFloat32", constant_case("", {2, 2, 131071}, -128, -127), {1.0f, 0.125f}, {0.0f, 0.5f}});
  cases.push_back(
      {"Infinite", constant_case("", {1, 2, 4}, 127, 127), {3e38f, -3e38f}, {1.0f, 1.0f}});
  cases.push_back({"NoK", {"", {2, 3, 0}, {}, {}}, {1, 2, 3}, {-1, 0, 1.5f}});
  each_case(cases, [](const RealCase& c, Expect& expect) {
    fuses(c, expect);
    if (c.name == "ByHand") {
      expect.equal("c", reals_from(TileEngine::kModel, c), Reals{4.0f, 13.0f, 3.0f});
    }
  });
}

// The bias is the rounded product with its sign changed: what is left is 0 after two roundings, and
// the rounding error itself after one.
TEST(multiply_tiles_fused, RoundsTwice) {
  RealCase c = random_real_case({1, 64, 70}, 320);
  c.scale = uniform_tensor(64, seed(321), 0.004f, 0.012f);
  const Sums sums = by_definition(c.codes);
  std::size_t visible = 0;
  for (std::size_t j = 0; j < c.bias.size(); ++j) {
    const float sum = static_cast<float>(sums[j]), product = sum * c.scale[j];
    c.bias[j] = -product;
    visible += std::fma(sum, c.scale[j], c.bias[j]) > 0.0f ? 1 : 0;
  }
  each_case<RealCase>({c}, [&](const RealCase& real, Expect& expect) {
    Expect::healthy(visible > 5, "hardly a column shows how often it is rounded");
    fuses(real, expect);
  });
}

TEST(multiply_tiles_fused, ClipsAtZero) {
  std::vector<RealCase> cases{
      {"MinusZero", {"", {1, 2, 1}, {0}, {1, 2}}, {-1.0f, 1.0f}, {-0.0f, -0.0f}},
      hand_case({1.0f, 1.0f, -1.0f}, {-7.0f, 8.5f, 0.0f}),
      random_real_case({17, 33, 5}, 330)};
  each_case(cases, [](const RealCase& c, Expect& expect) {
    fuses(c, expect);
    for (const float value : reals_from(TileEngine::kModel, c)) {
      expect.that(!std::signbit(value), "a result is " + show_value(value), "N-CLAMP");
    }
  });
}

// More than 2 MiB: rows that begin with a cache line, then rows that do not.
TEST(multiply_tiles_fused, LargeResults) {
  each_case<RealCase>({random_real_case({801, 704, 3}, 340), random_real_case({803, 703, 3}, 341)},
                      fuses);
}

TEST(multiply_tiles_fused, RefusesWhatItMust) {
  once([](Expect& expect) {
    const RealCase fine = random_real_case({3, 5, 8}, 350);
    fuses(fine, expect);
    const auto refused = [&](const char* code, const std::string& what, TileEngine engine,
                             const RealCase& c, std::size_t results = 15) {
      const MatmulCase& codes = c.codes;
      expect.that(refuses<&multiply_tiles_fused>(engine, codes.a, fine.codes.packed_b(), c.scale,
                                                 c.bias, out(results), codes.shape),
                  "accepted " + what, code);
    };
    for (const auto& [name, engine] : denied_engines()) {
      refused("N-ISA", name + ", which grants no tiles here", engine, fine);
    }
    const auto with = [&](const char* code, const char* what, const auto& change,
                          std::size_t results = 15) {
      RealCase c = fine;
      change(c);
      refused(code, what, TileEngine::kModel, c, results);
    };
    with("N-SIZE", "4 scales for 5 columns", [](RealCase& c) { c.scale.pop_back(); });
    with("N-SIZE", "6 scales for 5 columns", [](RealCase& c) { c.scale.push_back(1); });
    with("N-SIZE", "4 biases for 5 columns", [](RealCase& c) { c.bias.pop_back(); });
    with("N-SIZE", "6 biases for 5 columns", [](RealCase& c) { c.bias.push_back(1); });
    with("N-SIZE", "a code of a too few", [](RealCase& c) { c.codes.a.pop_back(); });
    with(
        "N-SIZE", "a result too many", [](RealCase&) {}, 16);
    for (const float value : {NAN, INFINITY, -INFINITY}) {
      with("N-NAN", "a scale that is no finite number", [&](RealCase& c) { c.scale[4] = value; });
      with("N-NAN", "a bias that is no finite number", [&](RealCase& c) { c.bias[4] = value; });
    }
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

/// `count` sizes in [low, high] from the secret salt.
Sizes hidden_sizes(std::size_t count, std::uint64_t salt, int low, int high) {
  return code_tensor<std::int32_t>(count, hidden_seed(salt), low, high);
}

TEST(tile_config, EqualsTheReference) {
  std::vector<ConfigCase> cases;
  for (const std::size_t tiles : {2, 7, 8}) {
    cases.push_back({std::to_string(tiles), hidden_sizes(tiles, tiles, 1, 16),
                     hidden_sizes(tiles, tiles + 10, 1, 64)});
  }
  each_case(cases, [](const ConfigCase& c, Expect& expect) {
    const TileConfig want = tile_config(c.rows, c.colsb);
    const TileConfig got = call<&tile_config>(c.rows, c.colsb);
    expect.equal("rows", listed(got.rows), listed(want.rows));
    expect.equal("colsb", listed(got.colsb), listed(want.colsb));
    expect.that(got == want, "the rest of the struct differs");
  });
}

std::vector<PackCase> hidden_rows(std::uint64_t salt) {
  const Sizes rows = hidden_sizes(4, salt, 1, 80), k = hidden_sizes(4, salt + 1, 1, 300);
  std::vector<PackCase> cases;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    cases.push_back(random_rows(rows[x], k[x], hidden_seed(salt + 2 + x)));
  }
  return cases;
}

TEST(pack_a, EqualsTheReference) {
  each_case(hidden_rows(20), [](const PackCase& c, Expect& expect) {
    const MatmulShape shape{c.rows, 0, c.k};
    Codes want(packed_a_size(shape));
    pack_a(c.codes, want, shape);
    expect.equal("packed", call<&pack_a>(c.codes, out(want.size()), shape), want);
  });
}

TEST(pack_b, EqualsTheReference) {
  each_case(hidden_rows(40), [](const PackCase& c, Expect& expect) {
    const MatmulShape shape{0, c.rows, c.k};
    Codes want(packed_b_size(shape));
    pack_b(c.codes, want, shape);
    expect.equal("packed", call<&pack_b>(c.codes, out(want.size()), shape), want);
  });
}

std::vector<MatmulCase> hidden_cases(std::size_t count, std::uint64_t salt, int size, int depth) {
  const Sizes m = hidden_sizes(count, salt, 1, size), n = hidden_sizes(count, salt + 1, 1, size),
              k = hidden_sizes(count, salt + 2, 1, depth);
  std::vector<MatmulCase> cases;
  for (std::size_t x = 0; x < count; ++x) {
    const MatmulShape s{m[x], n[x], k[x]};
    cases.push_back({size_text(s), s, random_codes(area(s.m, s.k), hidden_seed(salt + 10 + x)),
                     random_codes(area(s.n, s.k), hidden_seed(salt + 30 + x))});
  }
  return cases;
}

TEST(multiply_tile, EqualsTheReference) {
  each_case(hidden_cases(12, 100, 16, 64), [](const MatmulCase& c, Expect& expect) {
    Sums want(c.results());
    multiply_tile(TileEngine::kModel, c.a, first_tile(c), want, c.shape);
    suspect_sums(c, expect);
    on_every_engine([&](TileEngine engine) {
      expect.equal("c", call<&multiply_tile>(engine, c.a, first_tile(c), out(want.size()), c.shape),
                   want, {area(c.shape.m, 1), area(c.shape.n, 1)});
    });
  });
}

Sums reference(const MatmulCase& c) {
  Sums sums(c.results());
  multiply_tiles(TileEngine::kModel, c.a, c.packed_b(), sums, c.shape);
  return sums;
}

TEST(multiply_tiles, EqualsTheReference) {
  std::vector<MatmulCase> cases = hidden_cases(6, 200, 90, 200);
  std::ranges::copy(hidden_cases(2, 300, 40, 3000), std::back_inserter(cases));
  each_case(cases, [](const MatmulCase& c, Expect& expect) {
    const Sums want = reference(c);
    if (want.size() > 500) Expect::healthy(distinct(want) > 200, "few different sums");
    multiplies(c, expect, want);
  });
}

TEST(multiply_tiles_fused, EqualsTheReference) {
  std::vector<RealCase> cases;
  for (MatmulCase& codes : hidden_cases(5, 400, 70, 300)) {
    const std::size_t n = codes.shape.n, salt = 500 + 2 * cases.size();
    cases.push_back({codes.name, codes, uniform_tensor(n, hidden_seed(salt), -0.01f, 0.01f),
                     normal_tensor(n, hidden_seed(salt + 1), 30.0f)});
  }
  each_case(cases, [](const RealCase& c, Expect& expect) {
    Reals want(c.codes.results());
    multiply_tiles_fused(TileEngine::kModel, c.codes.a, c.codes.packed_b(), c.scale, c.bias, want,
                         c.codes.shape);
    suspect_reals(c, expect);
    on_every_engine([&](TileEngine engine) {
      expect.equal("c", reals_from(engine, c), want,
                   {area(c.codes.shape.m, 1), area(c.codes.shape.n, 1)});
    });
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
