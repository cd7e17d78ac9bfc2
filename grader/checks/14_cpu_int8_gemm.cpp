// Lab 14: the checks.
#include "cpu_int8_gemm.hpp"

#include <string_view>

#include "checks/marks/14_cpu_int8_gemm.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"
#include "judge/speed.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge {
namespace {

using Packed = std::vector<std::int16_t>;

// --- b, as an exercise wants it ------------------------------------------------------------------

/// Where the contract says that b_t[j,p] lies in a packed b.
std::size_t packed_place(MatmulShape shape, std::size_t j, std::size_t p) {
  const std::size_t columns = round_up(shape.n, 4), steps = round_up(shape.k, 32);
  const std::size_t begin = p / 256 * 256, depth = std::min<std::size_t>(256, steps - begin);
  return begin * columns + j * depth + (p - begin);
}

Packed pack_by_definition(const Codes& b_t, MatmulShape shape) {
  Packed packed(packed_size(shape));
  for (std::size_t at = 0; at < b_t.size(); ++at) {
    packed[packed_place(shape, at / shape.k, at % shape.k)] = b_t[at];
  }
  return packed;
}

Codes transposed(const Codes& b_t, MatmulShape shape) {
  Codes b(b_t.size());
  for (std::size_t at = 0; at < b.size(); ++at) b[at % shape.k * shape.n + at / shape.k] = b_t[at];
  return b;
}

enum class Storage { kRows, kTransposed, kPacked };
template <auto F>
inline constexpr Storage kStorage = Storage::kTransposed;
template <>
inline constexpr Storage kStorage<&multiply_naive> = Storage::kRows;
template <>
inline constexpr Storage kStorage<&multiply_rows> = Storage::kRows;
template <>
inline constexpr Storage kStorage<&multiply_packed> = Storage::kPacked;
template <>
inline constexpr Storage kStorage<&multiply_zero_points> = Storage::kPacked;

/// b, stored as F takes it.
template <auto F>
auto stored(const Codes& b_t, MatmulShape shape) {
  if constexpr (kStorage<F> == Storage::kRows) {
    return transposed(b_t, shape);
  } else if constexpr (kStorage<F> == Storage::kPacked) {
    return pack_by_definition(b_t, shape);
  } else {
    return b_t;
  }
}

// --- What the usual mistakes would give ----------------------------------------------------------

/// Sums as they come out when the operands are read in the wrong places. An index outside of an
/// operand reads a 0 here.
template <auto F>
class WrongPlaces {
 public:
  WrongPlaces(const Product& c, Expect& expect)
      : case_(c), b_(stored<F>(c.b_t, c.shape)), expect_(expect) {}

  template <class PlaceA, class PlaceB>
  void suspect(const char* code, std::string_view words, const PlaceA& place_a,
               const PlaceB& place_b) {
    const auto at = [](const auto& codes, std::size_t place) {
      return place < codes.size() ? codes[place] : 0;
    };
    expect_.suspect(code, "c",
                    each_sum(case_.shape,
                             [&](auto i, auto j, auto p) {
                               return at(case_.a, place_a(i, p)) * at(b_, place_b(p, j));
                             }),
                    words);
  }

  void suspect_all() {
    const std::size_t m = case_.shape.m, n = case_.shape.n, k = case_.shape.k;
    const auto right_a = [&](auto i, auto p) { return i * k + p; };
    const auto right_b = [&](auto p, auto j) {
      if constexpr (kStorage<F> == Storage::kRows) return p * n + j;
      if constexpr (kStorage<F> == Storage::kTransposed) return j * k + p;
      return packed_place(case_.shape, j, p);
    };
    const auto b_as = [&](const char* code, std::string_view words, const auto& place) {
      suspect(code, words, right_a, place);
    };
    const auto a_as = [&](std::string_view words, const auto& place) {
      suspect("N-LAYOUT", words, place, right_b);
    };
    if constexpr (kStorage<F> == Storage::kPacked) {
      const std::size_t columns = round_up(case_.shape.n, 4), steps = round_up(case_.shape.k, 32);
      // With one column these two slips answer alike: they have the same words.
      constexpr const char* kSlabs =
          "slab s begins at 256 * s * columns, and columns is n rounded up to a multiple of 4";
      b_as("N-LAYOUT", kSlabs, [&](auto p, auto j) { return j * steps + p; });
      b_as("N-LAYOUT", "the last slab is shorter, and is read as if it were 256 deep",
           [&](auto p, auto j) { return p / 256 * 256 * columns + j * 256 + p % 256; });
      b_as("N-LAYOUT", kSlabs,
           [&](auto p, auto j) { return right_b(p, j) - p / 256 * 256 * (columns - n); });
      b_as("N-TRANS", "packed is read along columns, and lies along k",
           [&](auto p, auto j) { return p * columns + j; });
      a_as("rows of a are k codes long, and not rounded up",
           [&](auto i, auto p) { return i * steps + p; });
    } else {
      constexpr bool rows = kStorage<F> == Storage::kRows;
      constexpr const char* kOther = rows ? "rows of b are n codes long, and are read as others"
                                          : "rows of b_t are k codes long, and are read as others";
      b_as("N-TRANS", rows ? "b [k,n] is read as b_t [n,k]" : "b_t [n,k] is read as b [k,n]",
           [&](auto p, auto j) { return rows ? j * k + p : p * n + j; });
      b_as("N-LAYOUT", kOther, [&](auto p, auto j) { return rows ? p * k + j : j * n + p; });
      b_as("N-LAYOUT", kOther, [&](auto p, auto j) { return rows ? p * m + j : j * m + p; });
    }
    a_as("a [m,k] is read as [k,m]", [&](auto i, auto p) { return p * m + i; });
    constexpr const char* kOfA = "rows of a are k codes long, and are read as others";
    a_as(kOfA, [&](auto i, auto p) { return i * n + p; });
    a_as(kOfA, [&](auto i, auto p) { return i * m + p; });
  }

 private:
  const Product& case_;
  decltype(stored<F>(Codes{}, MatmulShape{})) b_;
  Expect& expect_;
};

template <auto F>
void suspect_products(Expect& expect, const Product& c, const Sums&) {
  if (!is_worth_suspecting(c)) return;
  const bool uniform = distinct(c.a) + distinct(c.b_t) <= 2;  // it looks the same from everywhere
  if (!uniform) WrongPlaces<F>(c, expect).suspect_all();
  suspect_sums(expect, c, "c");
}

template <auto F>
const auto multiplying = product_exercise<F>(
    [](const Product& c) {
      return std::tuple(c.a, stored<F>(c.b_t, c.shape), out(c.outputs()), c.shape);
    },
    suspect_products<F>);

// --- The checks that all products share ----------------------------------------------------------

using HandRows = std::vector<std::pair<Product, Sums>>;

template <class Exercise>
void gives_by_hand(const Exercise& exercise, const HandRows& rows) {
  std::vector<typename Exercise::Row> all;
  for (const auto& [in, want] : rows) all.push_back({in, want});
  exercise.gives(all);
}

// The first cases have no sum to get wrong: what is missing was never written. The last one has,
// since whoever fills c with 0 has multiplied nothing; and it is smaller than any tile.
const std::vector<Product> kEmptySums = {
    constant_product("NoK", {2, 4, 0}, 1, 1), constant_product("NoRows", {0, 3, 2}, 1, 1),
    constant_product("NoColumns", {2, 0, 3}, 1, 1), constant_product("OneByOne", {1, 1, 1}, 2, 3)};

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1. Then one whole tile.
const HandRows kFormula = {
    {{"Wide", {1, 3, 2}, {1, 2}, {3, 6, 4, 7, 5, 9}}, {15, 18, 23}},
    {{"Tall", {2, 1, 3}, {1, 2, 3, 4, 5, 7}, {2, 1, -1}}, {1, 6}},
    {{"Both", {2, 3, 2}, {1, 2, 3, 4}, {5, 8, 6, 9, 7, -1}}, {21, 24, 5, 47, 54, 17}},
    {{"Tile", {2, 4, 2}, {1, 2, 3, -4}, {5, 6, 7, 8, -1, 2, 0, -3}},
     {17, 23, 3, -6, -9, -11, -11, 12}}};

// A whole tile, and a single element: whoever computes tiles may compute what is left of them
// elsewhere.
template <auto F>
void check_long_sums() {
  multiplying<F>.is_right(long_products(2, 4));
  multiplying<F>.is_right(long_products(1, 1));
}

// A row, a column, primes; then one less than, as many as and one more than a vector of 32 codes in
// each size in turn, and of 64 in k.
const std::vector<MatmulShape> kShapes = {{1, 17, 5}, {17, 1, 5}, {7, 11, 13}, {3, 5, 31},
                                          {3, 5, 32}, {3, 5, 33}, {3, 5, 64},  {3, 5, 65},
                                          {2, 31, 9}, {2, 33, 9}, {33, 2, 9}};

/// All rests of a pair of rows, with all rests of four columns, from no whole tile to two: once
/// where a vector is too long for k, once where it is too short.
std::vector<MatmulShape> tails() {
  std::vector<MatmulShape> shapes;
  for (const int k : {7, 37}) {
    for (int m = 1; m <= 5; ++m) {
      for (int n = 1; n <= 9; ++n) shapes.push_back({m, n, k});
    }
  }
  return shapes;
}

template <auto F>
void check_refusals() {
  typename decltype(multiplying<F>)::Refusals rows;
  const auto b_of = [](std::size_t count, MatmulShape s) { return stored<F>(Codes(count), s); };
  const auto b_size = [&](MatmulShape s) { return b_of(std::size_t(s.n) * s.k, s).size(); };
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes({2, 1, 3}, b_size)) {
    rows.push_back({code, what, {Codes(a), decltype(b_of(0, shape))(b), out(c), shape}});
  }
  multiplying<F>.refuses({{"Fits", {2, 1, 3}, {1, 2, 3, 4, 5, 6}, {7, 8, 9}}}, rows);
}

/// Random operands of this shape, against the published solution.
template <auto F>
void check_speed(MatmulShape shape, double zero_at, double full_at) {
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  const auto empty_b = stored<F>(Codes(n * k), shape);
  const std::size_t b_bytes = empty_b.size() * sizeof(empty_b[0]);
  speed<F>({.zero_at = zero_at,
            .full_at = full_at,
            .operations = 2.0 * double(m * n * k),
            .bytes = double(m * k + b_bytes + m * n * sizeof(std::int32_t)),
            .isa = Isa::kAvx2},
           [&](FreshData& fresh) {
             return std::tuple(fresh.codes<std::int8_t>(m * k, -128, 127),
                               stored<F>(fresh.codes<std::int8_t>(n * k, -128, 127), shape),
                               out(m * n), shape);
           });
}

// --- multiply_naive -----------------------------------------------------------------------------

TEST(multiply_naive, EmptySumIsZero) { multiplying<&multiply_naive>.is_right(kEmptySums); }
TEST(multiply_naive, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_naive>, kFormula); }
TEST(multiply_naive, SumsAreExact) { check_long_sums<&multiply_naive>(); }
TEST(multiply_naive, EveryShape) { multiplying<&multiply_naive>.is_right(kShapes, seed); }
TEST(multiply_naive, RefusesWrongSizes) { check_refusals<&multiply_naive>(); }
TEST(multiply_naive, Speed) { check_speed<&multiply_naive>({128, 128, 128}, 0.25, 0.6); }

// --- multiply_rows ------------------------------------------------------------------------------

TEST(multiply_rows, EmptySumIsZero) { multiplying<&multiply_rows>.is_right(kEmptySums); }
TEST(multiply_rows, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_rows>, kFormula); }
TEST(multiply_rows, SumsAreExact) { check_long_sums<&multiply_rows>(); }
TEST(multiply_rows, EveryShape) { multiplying<&multiply_rows>.is_right(kShapes, seed); }
TEST(multiply_rows, RefusesWrongSizes) { check_refusals<&multiply_rows>(); }
TEST(multiply_rows, Speed) { check_speed<&multiply_rows>({200, 200, 200}, 0.25, 0.6); }

// --- multiply_dots ------------------------------------------------------------------------------

TEST(multiply_dots, EmptySumIsZero) { multiplying<&multiply_dots>.is_right(kEmptySums); }
TEST(multiply_dots, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_dots>, kFormula); }
TEST(multiply_dots, SumsAreExact) { check_long_sums<&multiply_dots>(); }
TEST(multiply_dots, EveryShape) { multiplying<&multiply_dots>.is_right(kShapes, seed); }
TEST(multiply_dots, RefusesWrongSizes) { check_refusals<&multiply_dots>(); }
TEST(multiply_dots, Speed) { check_speed<&multiply_dots>({200, 200, 200}, 0.25, 0.6); }

// --- multiply_tiled ------------------------------------------------------------------------------

// Two tiles side by side and two below: where does a second one begin?
const HandRows kWholeTiles = {kFormula.back(),
                              {{"TwoWide", {2, 8, 1}, {1, -2}, {1, 2, 3, 4, 5, 6, 7, 9}},
                               {1, 2, 3, 4, 5, 6, 7, 9, -2, -4, -6, -8, -10, -12, -14, -18}},
                              {{"TwoTall", {4, 4, 1}, {1, 2, 3, -5}, {1, 2, 3, 5}},
                               {1, 2, 3, 5, 2, 4, 6, 10, 3, 6, 9, 15, -5, -10, -15, -25}}};

TEST(multiply_tiled, EmptySumIsZero) { multiplying<&multiply_tiled>.is_right(kEmptySums); }
TEST(multiply_tiled, WholeTiles) { gives_by_hand(multiplying<&multiply_tiled>, kWholeTiles); }
TEST(multiply_tiled, SumsAreExact) { check_long_sums<&multiply_tiled>(); }
TEST(multiply_tiled, EveryTail) { multiplying<&multiply_tiled>.is_right(tails(), seed); }
TEST(multiply_tiled, RefusesWrongSizes) { check_refusals<&multiply_tiled>(); }

// No points: dot products reach three quarters of it here, and a mark above that would be a mark
// for the compiler.
TEST(multiply_tiled, Speed) { check_speed<&multiply_tiled>({240, 240, 240}, 0.5, 0.75); }

// --- pack_b --------------------------------------------------------------------------------------

/// There need not be an a.
MatmulShape shape_of(const CodeRows& c) { return {0, c.rows, c.k}; }

/// What other layouts, other paddings and another sign make of the codes.
void suspect_packings(Expect& expect, const CodeRows& c) {
  const std::size_t n = c.rows, k = c.k, columns = round_up(c.rows, 4), steps = round_up(c.k, 32);
  const auto placed = [&](const char* code, const auto& place, const auto& convert, int padding) {
    Packed packed(packed_size(shape_of(c)), static_cast<std::int16_t>(padding));
    for (std::size_t at = 0; at < c.codes.size(); ++at) {
      const std::size_t to = place(at / k, at % k);
      if (to < packed.size()) packed[to] = static_cast<std::int16_t>(convert(c.codes[at]));
    }
    expect.suspect(code, "packed", packed);
  };
  const auto same = [](int code) { return code; };
  const auto byte = [](int code) { return code & 255; };
  const auto right = [&](auto j, auto p) { return packed_place(shape_of(c), j, p); };
  const auto laid = [&](const char* code, const auto& place) { placed(code, place, same, 0); };
  placed("N-SIGN", right, byte, 0);
  for (const int padding : {1, -1, -128, 127, 128}) placed("N-TAIL", right, same, padding);
  laid("N-TRANS", [&](auto j, auto p) { return p * columns + j; });
  laid("N-TRANS", [&](auto j, auto p) { return p * n + j; });
  laid("N-TRANS", [&](auto j, auto p) { return j / 4 * 4 * steps + p * 4 + j % 4; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * k + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * steps + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return p / 256 * 256 * columns + j * 256 + p % 256; });
  laid("N-LAYOUT", [&](auto j, auto p) { return right(j, p) - p / 256 * 256 * (columns - n); });
}

/// For a product with m rows, which packing has nothing to do with.
template <int kM>
auto packing_for() {
  return kernel_exercise<&pack_b>(
      [](const Named<CodeRows>& c) {
        return std::tuple(c.codes, out(packed_size(shape_of(c))), MatmulShape{kM, c.rows, c.k});
      },
      [](const CodeRows& c) { return pack_by_definition(c.codes, shape_of(c)); },
      equals("packed", suspect_packings));
}
const auto packing = packing_for<3>();

// 4 columns of 32 codes are a slab without padding: the same numbers in the same order. All codes
// are different, the negative ones too.
TEST(pack_b, OneSlab) {
  Codes b_t(128);
  std::iota(b_t.begin(), b_t.end(), std::int8_t{-128});
  packing.is_right({code_rows(0, 7, {}), code_rows(3, 0, {}), code_rows(4, 32, b_t)});
  const Named<CodeRows> no_rows_of_a{"NoRowsOfA", {4, 32, b_t}};
  packing_for<0>().gives({{no_rows_of_a, pack_by_definition(b_t, shape_of(no_rows_of_a))}});
}

// A shorter slab behind a whole one, one as long, two and a shorter one, several fours of columns.
// The oracle is held against places worked out by hand: 4 columns of 288 = 256 + 32 codes.
TEST(pack_b, SlabAfterSlab) {
  const std::vector<std::array<std::size_t, 3>> places = {
      {0, 0, 0},      {255, 0, 255},  {256, 1, 0},   {1023, 3, 255},
      {1024, 0, 256}, {1056, 1, 256}, {1151, 3, 287}};
  for (const auto& [place, j, p] : places) {
    Expect::healthy(packed_place({1, 4, 288}, j, p) == place, "the oracle is wrong");
  }
  packing.is_right({random_rows(4, 288, seed(1)), random_rows(4, 512, seed(2)),
                    random_rows(4, 544, seed(3)), random_rows(12, 320, seed(4))});
}

// 33 codes: 31 zeros. 5 columns: 3 of zeros. Then both, with a slab whose end is padding; codes are
// never 0, so that a zero is padding. The one before the last is full of the most negative code.
TEST(pack_b, PadsWithZeros) {
  const auto nonzero = [](int n, int k, std::uint64_t codes_seed) {
    Named<CodeRows> c = random_rows(n, k, codes_seed);
    std::ranges::replace(c.codes, std::int8_t{0}, std::int8_t{1});
    return c;
  };
  packing.is_right({nonzero(1, 1, seed(1)), nonzero(4, 33, seed(2)), nonzero(5, 32, seed(3)),
                    nonzero(3, 30, seed(4)), code_rows(3, 5, Codes(15, -128)),
                    nonzero(5, 300, seed(5))});
}

// All rests of four columns; one less than, as many as and one more than a step and than a slab.
TEST(pack_b, EveryShape) {
  std::vector<Named<CodeRows>> cases;
  for (const int k : {1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 797}) {
    for (const int n : {1, 2, 3, 4, 5, 7, 33}) {
      cases.push_back(random_rows(n, k, seed(cases.size())));
    }
  }
  packing.is_right(cases);
}

TEST(pack_b, RefusesWrongSizes) {
  const MatmulShape longer{1, 1, kLongestK + 1};
  packing.refuses({code_rows(1, 3, {7, 8, 9})},
                  {{"N-SIZE", "a b_t of 4 elements for 1x3", {Codes(4), out(128), {1, 1, 3}}},
                   {"N-SIZE", "a packed b of 129 for 1x3", {Codes(3), out(129), {1, 1, 3}}},
                   {"N-SIZE", "m = -1", {{}, out(0), {-1, 0, 0}}},
                   {"N-SIZE", "n = -1", {{}, out(0), {0, -1, 0}}},
                   {"N-SIZE", "k = -1", {{}, out(0), {0, 0, -1}}},
                   {"N-OVERFLOW",
                    "k = 131072: int8 codes exist whose sum is not an int32",
                    {Codes(kLongestK + 1), out(packed_size(longer)), longer}}});
}

// --- multiply_packed -----------------------------------------------------------------------------

TEST(multiply_packed, EmptySumIsZero) { multiplying<&multiply_packed>.is_right(kEmptySums); }
TEST(multiply_packed, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_packed>, kFormula); }

// One code less than, as many as and one more than one slab and than two, and a third that is
// neither short nor whole.
const std::vector<MatmulShape> kSlabs = {{1, 4, 255}, {1, 4, 256}, {2, 4, 257}, {3, 5, 300},
                                         {2, 8, 511}, {3, 5, 512}, {2, 3, 513}, {5, 7, 700}};

TEST(multiply_packed, AddsTheSlabs) { multiplying<&multiply_packed>.is_right(kSlabs, seed); }

TEST(multiply_packed, SumsAreExact) { check_long_sums<&multiply_packed>(); }

TEST(multiply_packed, EveryTail) {
  multiplying<&multiply_packed>.is_right(tails(), seed);
  multiplying<&multiply_packed>.is_right(kShapes, seed);
}

// Blocks of whatever size end somewhere: more columns, more rows and more slabs than any of them
// holds, none a multiple of 8.
TEST(multiply_packed, LargeProducts) {
  multiplying<&multiply_packed>.is_right({{3, 1029, 37}, {1027, 3, 37}, {141, 301, 1100}}, seed);
}

TEST(multiply_packed, RefusesWrongSizes) { check_refusals<&multiply_packed>(); }
TEST(multiply_packed, Speed) { check_speed<&multiply_packed>({360, 360, 384}, 0.4, 0.7); }

// --- multiply_zero_points ------------------------------------------------------------------------

struct ShiftedProduct : Product {
  ZeroPoints zero_points{0, 0};
};

std::string show(const ShiftedProduct& c) {
  return show(static_cast<const Product&>(c)) + ", zero points " + std::to_string(c.zero_points.a) +
         " and " + std::to_string(c.zero_points.b);
}

std::vector<ShiftedProduct> smaller(const ShiftedProduct& c) {
  return each_of(smaller(static_cast<const Product&>(c)), [&](const Product& of) {
    return ShiftedProduct{of, c.zero_points};
  });
}

Sums column_sums(const Product& c) {
  Sums sums(c.shape.n);
  for (std::size_t at = 0; at < c.b_t.size(); ++at) sums[at / c.shape.k] += c.b_t[at];
  return sums;
}

/// The contract's formula, in 64 bits.
Sums shifted_sums(const ShiftedProduct& c) {
  const std::size_t k = c.shape.k;
  const auto sums = each_sum(c.shape, [&](auto i, auto j, auto p) {
    return (c.a[i * k + p] - c.zero_points.a) * (c.b_t[j * k + p] - c.zero_points.b);
  });
  return {sums.begin(), sums.end()};
}

/// What comes out when one of the four terms is missing, has the wrong sign or the wrong partner.
void suspect_terms(Expect& expect, const ShiftedProduct& c) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  const int za = c.zero_points.a, zb = c.zero_points.b;
  const auto terms = [&](const char* code, int factor_a, int factor_b, int factor_both) {
    expect.suspect(code, "c", each_sum(c.shape, [&](auto i, auto j, auto p) {
                     const int a = c.a[i * k + p], b = c.b_t[j * k + p];
                     return a * b - factor_b * a - factor_a * b + factor_both;
                   }));
  };
  terms("N-ZERO", 0, 0, 0);
  terms("N-ZERO", za, zb, 0);
  terms("N-ZERO", 0, zb, 0);
  terms("N-ZERO", za, 0, 0);
  terms("N-ZERO", 0, zb, za * zb);
  terms("N-ZERO", za, 0, za * zb);
  for (int signs = 1; signs < 8; ++signs) {
    const auto sign = [&](int bit) { return (signs >> bit & 1) != 0 ? -1 : 1; };
    terms("N-ZP-SIGN", sign(0) * za, sign(1) * zb, sign(2) * za * zb);
  }
  terms("N-AXIS", zb, za, za * zb);
  const Sums right = shifted_sums(c);
  const auto off_by = [&](const char* code, const auto& error, const char* words = "") {
    std::vector<std::int64_t> sums(right.begin(), right.end());
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += error(at / n, at % n);
    expect.suspect(code, "c", sums, words);
  };
  const Sums columns = column_sums(c);
  const auto row_sum = [&](std::size_t i) {
    return std::accumulate(c.a.data() + i * k, c.a.data() + (i + 1) * k, std::int32_t{0});
  };
  const int padding = static_cast<int>(round_up(c.shape.k, 32)) - c.shape.k;
  off_by("N-ZERO", [&](auto, auto) { return za * zb; });  // once, not k times
  off_by("N-ZERO", [&](auto, auto) { return (1 - c.shape.k) * za * zb; });
  off_by(
      "N-TAIL", [&](auto, auto) { return padding * za * zb; },
      "as if zero_points.a * zero_points.b were taken k rounded up to 32 times, and not k");
  off_by("N-AXIS", [&](auto i, auto j) { return za * (columns[j] - columns[i % n]); });
  off_by("N-OVERFLOW",
         [&](auto i, auto) { return zb * (row_sum(i) - static_cast<std::int8_t>(row_sum(i))); });
}

const auto subtracting = kernel_exercise<&multiply_zero_points>(
    [](const ShiftedProduct& c) {
      return std::tuple(c.a, pack_by_definition(c.b_t, c.shape), column_sums(c), out(c.outputs()),
                        c.zero_points, c.shape);
    },
    shifted_sums,
    [](Expect& expect, const ShiftedProduct& c, const Sums& got, const Sums& right) {
      if (got != right && is_worth_suspecting(c)) {
        suspect_terms(expect, c);
        suspect_products<&multiply_zero_points>(expect, c, right);
      }
      expect.equal("c", got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

TEST(multiply_zero_points, EmptySumIsZero) {
  std::vector<ShiftedProduct> cases;
  for (const Product& of : kEmptySums) cases.push_back({of, {5, -3}});
  cases.back().zero_points = {0, 0};
  subtracting.is_right(cases);
}

// The zero points far apart, and different: codes at both ends reach a product of 58140.
TEST(multiply_zero_points, SubtractsBoth) {
  subtracting.gives(
      {{{{"OnlyA", {2, 2, 2}, {2, 3, 5, 2}, {7, 4, -1, 6}}, {2, 0}}, {4, 6, 21, -3}},
       {{{"OnlyB", {2, 2, 2}, {1, 2, 3, -4}, {-3, -2, 0, 1}}, {0, -3}}, {2, 11, -4, -7}},
       {{{"Both", {2, 2, 2}, {1, 4, -1, 2}, {-2, 5, 1, -3}}, {1, -2}}, {21, -3, 7, -7}},
       {{{"Far", {1, 1, 1}, {127}, {-128}}, {-128, 100}}, {-58140}}});
}

/// Zero points are odd: an even one hides a lost bit.
std::vector<ShiftedProduct> shifted_products(const std::vector<MatmulShape>& shapes, Seed seed_of) {
  return each_of(random_products(shapes, seed_of), [](const Product& of, std::size_t at) {
    return ShiftedProduct{of, at % 2 == 1 ? ZeroPoints{-7, 3} : ZeroPoints{101, -128}};
  });
}

// Rests of a tile, of a step of 32 and of a slab: what is added to the padding must not be summed.
TEST(multiply_zero_points, EveryShape) {
  std::vector<MatmulShape> shapes = kShapes;
  for (const int k : {255, 256, 257, 300, 545}) shapes.push_back({3, 5, k});
  subtracting.is_right(shifted_products(shapes, seed));
}

// longest = (2^31 - 1) / (reach(a) * reach(b)), rounded down. Refusing counts only where accepting
// works: with the codes that are furthest away. Then one more; and so many more that the bound has
// passed 2^32, and is positive again in int32.
TEST(multiply_zero_points, RefusesUnsafeSums) {
  std::vector<ShiftedProduct> longest;
  decltype(subtracting)::Refusals rows;
  const std::vector<std::array<int, 3>> bounds = {{0, 0, 131071},     {-1, 3, 128070},
                                                  {-128, 0, 65793},   {0, -128, 65793},
                                                  {127, -128, 33025}, {-128, -128, 33025}};
  for (const auto& [za, zb, k] : bounds) {
    const auto furthest = [](int z) { return z < 0 ? 127 : -128; };
    const std::string name = std::to_string(za) + "," + std::to_string(zb);
    const ZeroPoints zero_points{za, zb};
    longest.push_back({constant_product(name, {1, 1, k}, furthest(za), furthest(zb)), zero_points});
    for (const int longer : {k + 1, 2 * k + 100}) {
      if (longer > kLongestK + 1) continue;
      const ShiftedProduct c{constant_product("", {1, 1, longer}, 0, 0), zero_points};
      rows.push_back({"",
                      "k = " + std::to_string(longer) + " with zero points " + name +
                          ": int8 codes exist whose sum is not an int32",
                      subtracting.arguments(c)});
    }
  }
  subtracting.refuses(longest, rows);
}

TEST(multiply_zero_points, RefusesWrongSizes) {
  const auto bad = [](const char* code, const char* what, std::size_t a, std::size_t b,
                      std::size_t sums, std::size_t c, ZeroPoints zero_points = {0, 0},
                      MatmulShape shape = {2, 1, 3}) -> decltype(subtracting)::Refused {
    return {code, what, {Codes(a), Packed(b), Sums(sums), out(c), zero_points, shape}};
  };
  subtracting.refuses({{{"Fits", {2, 1, 3}, {1, 2, 3, 4, 5, 6}, {7, 8, 9}}, {1, -1}}},
                      {bad("N-SIZE", "an a of 7 elements for 2x3", 7, 128, 1, 2),
                       bad("N-SIZE", "a packed b of 129 elements for 1x3", 6, 129, 1, 2),
                       bad("N-SIZE", "2 column sums for n = 1", 6, 128, 2, 2),
                       bad("N-SIZE", "a c of 3 elements for 2x1", 6, 128, 1, 3),
                       bad("N-RANGE", "a zero point of 128 for a", 6, 128, 1, 2, {128, 0}),
                       bad("N-RANGE", "a zero point of -129 for a", 6, 128, 1, 2, {-129, 0}),
                       bad("N-RANGE", "a zero point of 128 for b", 6, 128, 1, 2, {0, 128}),
                       bad("N-RANGE", "a zero point of -129 for b", 6, 128, 1, 2, {0, -129}),
                       bad("N-SIZE", "m = -1", 0, 0, 0, 0, {0, 0}, {-1, 0, 0}),
                       bad("N-SIZE", "n = -1", 0, 0, 0, 0, {0, 0}, {0, -1, 0}),
                       bad("N-SIZE", "k = -1", 0, 0, 0, 0, {0, 0}, {0, 0, -1})});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the same exercises, on inputs that follow from the course's secret salt.

// One more than a tile of 64 in each direction, long sums, and a shape with a rest of everything.
const std::vector<MatmulShape> kHiddenShapes = {
    {1, 1, 1}, {4, 6, 10}, {5, 67, 19}, {67, 5, 23}, {65, 65, 65}, {2, 3, 4099}, {9, 130, 517}};

TEST(multiply_naive, EqualsTheReference) {
  multiplying<&multiply_naive>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_rows, EqualsTheReference) {
  multiplying<&multiply_rows>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_dots, EqualsTheReference) {
  multiplying<&multiply_dots>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_tiled, EqualsTheReference) {
  multiplying<&multiply_tiled>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_packed, EqualsTheReference) {
  multiplying<&multiply_packed>.is_right(kHiddenShapes, hidden_seed);
}

TEST(pack_b, EqualsTheReference) {
  packing.is_right(each_of(kHiddenShapes, [](MatmulShape s, std::uint64_t at) {
    return random_rows(s.n, s.k, hidden_seed(100 + at));
  }));
}

TEST(multiply_zero_points, EqualsTheReference) {
  auto cases = shifted_products(kHiddenShapes, hidden_seed);
  const auto drawn = code_tensor<std::int8_t>(2 * cases.size(), hidden_seed(200), -128, 127);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].zero_points = {drawn[2 * i], i % 2 == 0 ? -128 : drawn[2 * i + 1]};
  }
  subtracting.is_right(cases);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
