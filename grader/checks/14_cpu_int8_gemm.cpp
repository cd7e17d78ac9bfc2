// Lab 14: the checks.
#include "cpu_int8_gemm.hpp"

#include "checks/marks/14_cpu_int8_gemm.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/freivalds.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Packed = std::vector<std::int16_t>;
using Sums = std::vector<std::int32_t>;

// --- A product, whichever way b is stored --------------------------------------------------------

/// The operands of a product. b is kept transposed, and stored as the exercise wants it.
struct ProductCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;
  ZeroPoints zero_points{0, 0};
};

std::string show(const ProductCase& c) {
  const auto [za, zb] = c.zero_points;
  std::string text = "m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
                     ", b_t = " + show_values(c.b_t);
  if (za != 0 || zb != 0) {
    text += ", zero points " + std::to_string(za) + " and " + std::to_string(zb);
  }
  return text;
}

/// The product's upper left corner, summed over the first k.
ProductCase crop(const ProductCase& c, MatmulShape to) {
  return {size_text(to), to, corner(c.a, c.shape.k, to.m, to.k),
          corner(c.b_t, c.shape.k, to.n, to.k), c.zero_points};
}

std::vector<ProductCase> smaller(const ProductCase& c) {
  std::vector<ProductCase> all;
  for (const MatmulShape s : smaller_shapes(c.shape)) all.push_back(crop(c, s));
  return all;
}

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

Sums column_sums(const ProductCase& c) {
  Sums sums(c.shape.n);
  for (std::size_t at = 0; at < c.b_t.size(); ++at) sums[at / c.shape.k] += c.b_t[at];
  return sums;
}

template <auto F>
Sums product_from(const ProductCase& c) {
  const std::size_t count = std::size_t(c.shape.m) * c.shape.n;
  const auto b = stored<F>(c.b_t, c.shape);
  return call<F>(c.a, b, out(count), c.shape);
}
template <>
Sums product_from<&multiply_zero_points>(const ProductCase& c) {
  const std::size_t count = std::size_t(c.shape.m) * c.shape.n;
  return call<&multiply_zero_points>(c.a, pack_by_definition(c.b_t, c.shape), column_sums(c),
                                     out(count), c.zero_points, c.shape);
}

// --- What is right, and what the usual mistakes would give ---------------------------------------

/// c[i,j] = sum over p of term(i, j, p), wrapped to Sum after every addition.
template <class Sum, class Term>
std::vector<Sum> each_sum(MatmulShape shape, const Term& term) {
  std::vector<Sum> c;
  for (std::size_t i = 0; i < std::size_t(shape.m); ++i) {
    for (std::size_t j = 0; j < std::size_t(shape.n); ++j) {
      Sum acc = 0;
      for (std::size_t p = 0; p < std::size_t(shape.k); ++p) {
        acc = static_cast<Sum>(acc + static_cast<Sum>(term(i, j, p)));
      }
      c.push_back(acc);
    }
  }
  return c;
}

/// The contract's formula, in 64 bits. No public check calls the reference: this is the oracle.
Sums by_definition(const ProductCase& c) {
  const std::size_t k = c.shape.k;
  const int za = c.zero_points.a, zb = c.zero_points.b;
  const auto sums = each_sum<std::int64_t>(c.shape, [&](auto i, auto j, auto p) {
    return (c.a[i * k + p] - za) * (c.b_t[j * k + p] - zb);
  });
  return {sums.begin(), sums.end()};
}

/// Sums as they come out when the operands are read in the wrong places. An index outside of an
/// operand reads a 0 here.
template <auto F>
class WrongPlaces {
 public:
  WrongPlaces(const ProductCase& c, Expect& expect)
      : case_(c), b_(stored<F>(c.b_t, c.shape)), expect_(expect) {}

  template <class PlaceA, class PlaceB>
  void suspect(const char* code, const PlaceA& place_a, const PlaceB& place_b) {
    const auto at = [](const auto& codes, std::size_t place) {
      return place < codes.size() ? codes[place] : 0;
    };
    expect_.suspect(code, "c", each_sum<std::int64_t>(case_.shape, [&](auto i, auto j, auto p) {
                      return at(case_.a, place_a(i, p)) * at(b_, place_b(p, j));
                    }));
  }

  void suspect_all() {
    const std::size_t m = case_.shape.m, n = case_.shape.n, k = case_.shape.k;
    const auto right_a = [&](auto i, auto p) { return i * k + p; };
    const auto right_b = [&](auto p, auto j) {
      if constexpr (kStorage<F> == Storage::kRows) return p * n + j;
      if constexpr (kStorage<F> == Storage::kTransposed) return j * k + p;
      return packed_place(case_.shape, j, p);
    };
    const auto b_as = [&](const char* code, const auto& place) { suspect(code, right_a, place); };
    const auto a_as = [&](const auto& place) { suspect("N-LAYOUT", place, right_b); };
    if constexpr (kStorage<F> == Storage::kPacked) {
      const std::size_t columns = round_up(case_.shape.n, 4), steps = round_up(case_.shape.k, 32);
      b_as("N-LAYOUT", [&](auto p, auto j) { return j * steps + p; });  // no slabs
      b_as("N-LAYOUT", [&](auto p, auto j) { return p / 256 * 256 * columns + j * 256 + p % 256; });
      b_as("N-LAYOUT", [&](auto p, auto j) {
        return right_b(p, j) - p / 256 * 256 * (columns - n);  // slabs of n columns
      });
      b_as("N-TRANS", [&](auto p, auto j) { return p * columns + j; });
      a_as([&](auto i, auto p) { return i * steps + p; });
    } else {
      constexpr bool rows = kStorage<F> == Storage::kRows;
      b_as("N-TRANS", [&](auto p, auto j) { return rows ? j * k + p : p * n + j; });
      b_as("N-LAYOUT", [&](auto p, auto j) { return rows ? p * k + j : j * n + p; });
      b_as("N-LAYOUT", [&](auto p, auto j) { return rows ? p * m + j : j * m + p; });
    }
    a_as([&](auto i, auto p) { return p * m + i; });
    a_as([&](auto i, auto p) { return i * n + p; });
    a_as([&](auto i, auto p) { return i * m + p; });
  }

 private:
  const ProductCase& case_;
  decltype(stored<F>(Codes{}, MatmulShape{})) b_;
  Expect& expect_;
};

/// Sums that lack products, elements that were never computed (and are 0), codes taken for others.
void suspect_values(const ProductCase& c, Expect& expect) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  const auto product = [&](auto i, auto j, auto p) { return c.a[i * k + p] * c.b_t[j * k + p]; };
  const auto only = [&](const char* code, const auto& counts) {
    expect.suspect(code, "c", each_sum<std::int64_t>(c.shape, [&](auto i, auto j, auto p) {
                     return counts(i, j, p) ? product(i, j, p) : 0;
                   }));
  };
  Sums right = by_definition(c), by_columns(right.size());
  for (std::size_t at = 0; at < right.size(); ++at) by_columns[at % n * m + at / n] = right[at];
  expect.suspect("N-LAYOUT", "c", by_columns);
  for (const std::size_t block : {2, 4, 8, 16, 32, 64, 256}) {
    only("N-TAIL", [=](auto, auto, auto p) { return p < k / block * block; });
    only("N-TAIL", [=](auto, auto j, auto) { return j < n / block * block; });
    only("N-TAIL", [=](auto i, auto, auto) { return i < m / block * block; });
  }
  only("N-TAIL", [=](auto, auto, auto p) { return p + 1 < k; });
  only("N-TAIL", [=](auto, auto, auto p) { return p + 1 == k; });
  only("N-TAIL", [=](auto, auto, auto p) { return p < 256; });                   // one slab
  only("N-TAIL", [=](auto, auto, auto p) { return p >= (k - 1) / 256 * 256; });  // the last slab
  const auto as = [&](const char* code, auto sum, const auto& read_a, const auto& read_b) {
    expect.suspect(code, "c", each_sum<decltype(sum)>(c.shape, [&](auto i, auto j, auto p) {
                     return read_a(c.a[i * k + p]) * read_b(c.b_t[j * k + p]);
                   }));
  };
  const auto same = [](int code) { return code; };
  const auto unsigned_code = [](int code) { return int{static_cast<std::uint8_t>(code)}; };
  const auto symmetric = [](int code) { return std::max(code, -127); };
  constexpr std::int64_t exact = 0;
  as("N-SIGN", exact, unsigned_code, same);
  as("N-SIGN", exact, same, unsigned_code);
  as("N-SIGN", exact, unsigned_code, unsigned_code);
  as("N-RANGE", exact, symmetric, same);
  as("N-RANGE", exact, same, symmetric);
  as("N-RANGE", exact, symmetric, symmetric);
  as("N-OVERFLOW", std::int8_t{0}, same, same);
  as("N-OVERFLOW", std::int16_t{0}, same, same);
}

template <auto F>
void gives(const ProductCase& c, const Sums& want, Expect& expect) {
  WrongPlaces<F>(c, expect).suspect_all();
  suspect_values(c, expect);
  expect.equal("c", product_from<F>(c), want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

template <auto F>
void multiplies(const ProductCase& c, Expect& expect) {
  gives<F>(c, by_definition(c), expect);
}

// --- The checks that all products share ----------------------------------------------------------

struct HandCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;
  Sums want;
};

std::string show(const HandCase& c) { return show(ProductCase{c.name, c.shape, c.a, c.b_t}); }

template <auto F>
void gives_by_hand(const std::vector<HandCase>& cases) {
  each_case(cases, [](const HandCase& c, Expect& expect) {
    gives<F>({c.name, c.shape, c.a, c.b_t}, c.want, expect);
  });
}

// The first cases have no sum to get wrong: what is missing was never written. The last one has,
// since whoever fills c with 0 has multiplied nothing; and it is smaller than any tile.
template <auto F>
void check_empty_sums() {
  gives_by_hand<F>({{"NoK", {2, 4, 0}, {}, {}, {0, 0, 0, 0, 0, 0, 0, 0}},
                    {"NoRows", {0, 3, 2}, {}, {1, 2, 3, 4, 5, 6}, {}},
                    {"NoColumns", {2, 0, 3}, {1, 2, 3, 4, 5, 6}, {}, {}},
                    {"OneByOne", {1, 1, 1}, {2}, {3}, {6}}});
}

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1. Then one whole tile.
const std::vector<HandCase> kFormula = {
    {"Wide", {1, 3, 2}, {1, 2}, {3, 6, 4, 7, 5, 9}, {15, 18, 23}},
    {"Tall", {2, 1, 3}, {1, 2, 3, 4, 5, 7}, {2, 1, -1}, {1, 6}},
    {"Both", {2, 3, 2}, {1, 2, 3, 4}, {5, 8, 6, 9, 7, -1}, {21, 24, 5, 47, 54, 17}},
    {"Tile",
     {2, 4, 2},
     {1, 2, 3, -4},
     {5, 6, 7, 8, -1, 2, 0, -3},
     {17, 23, 3, -6, -9, -11, -11, 12}}};

ProductCase constant_case(std::string name, MatmulShape shape, int a, int b) {
  return {std::move(name), shape, Codes(std::size_t(shape.m) * shape.k, std::int8_t(a)),
          Codes(std::size_t(shape.n) * shape.k, std::int8_t(b))};
}

// A pair of (-128)^2 and three of 127^2 leave int16. 2001 * 127^2 is odd and above 2^24: no float32
// holds it. The longest legal k ends 2^14 short of 2^31. A whole tile of it, and a single element,
// since whoever computes tiles may compute what is left of them elsewhere.
template <auto F>
void check_exact_sums() {
  std::vector<ProductCase> cases;
  for (const auto& [m, n] : {std::pair(2, 4), std::pair(1, 1)}) {
    const std::string which = m == 2 ? "Tile" : "Rest";
    cases.push_back(constant_case(which + "PastPairs", {m, n, 2}, -128, -128));
    cases.push_back(constant_case(which + "PastInt16", {m, n, 3}, 127, 127));
    cases.push_back(constant_case(which + "PastFloat32", {m, n, 2001}, 127, 127));
    cases.push_back(constant_case(which + "LongestNegative", {m, n, kLongestK}, 127, -128));
    cases.push_back(constant_case(which + "Longest", {m, n, kLongestK}, -128, -128));
  }
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    const std::size_t m = c.shape.m, n = c.shape.n;
    const auto sums = [&](int k, int a, int b) { return Sums(m * n, k * a * b); };
    const int k = c.shape.k, a = c.a[0], b = c.b_t[0];
    expect.suspect("N-OVERFLOW", "c", sums(k, static_cast<std::int8_t>(a * b), 1));
    for (const int block : {2, 4, 8, 16, 32, 64, 256}) {
      expect.suspect("N-TAIL", "c", sums(k / block * block, a, b));
    }
    for (const int counted : {k - 1, std::min(k, 256), (k - 1) % 256 + 1}) {
      if (counted != k) expect.suspect("N-TAIL", "c", sums(counted, a, b));
    }
    const int symmetric_a = std::max(a, -127), symmetric_b = std::max(b, -127);
    expect.suspect("N-RANGE", "c", sums(k, symmetric_a, symmetric_b));
    expect.suspect("N-RANGE", "c", sums(k, symmetric_a, b));
    expect.suspect("N-RANGE", "c", sums(k, a, symmetric_b));
    expect.equal("c", product_from<F>(c), sums(k, a, b), {m, n});
  });
}

ProductCase random_case(MatmulShape shape, std::uint64_t seed_a, std::uint64_t seed_b) {
  return {size_text(shape), shape,
          code_tensor<std::int8_t>(std::size_t(shape.m) * shape.k, seed_a, -128, 127),
          code_tensor<std::int8_t>(std::size_t(shape.n) * shape.k, seed_b, -128, 127)};
}

template <auto F>
void check_shapes(const std::vector<MatmulShape>& shapes) {
  std::vector<ProductCase> cases;
  for (const MatmulShape shape : shapes) {
    cases.push_back(random_case(shape, seed(2 * cases.size()), seed(2 * cases.size() + 1)));
  }
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    multiplies<F>(c, expect);
    if (c.shape.m * c.shape.n < 15) return;
    Expect::healthy(distinct(by_definition(c)) > 10, "few different sums");
  });
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

// Every span is too long, not too short: who forgets to look still reads what is there.
template <auto F>
void check_refusals() {
  once([](Expect& expect) {
    gives<F>({"Fits", {2, 1, 3}, {1, 2, 3, 4, 5, 6}, {7, 8, 9}}, {50, 122}, expect);
    const auto refused = [&](const std::string& what, const char* code, std::size_t a_count,
                             std::size_t b_count, std::size_t c_count, MatmulShape shape) {
      const std::vector<
          std::conditional_t<kStorage<F> == Storage::kPacked, std::int16_t, std::int8_t>>
          b(b_count);
      expect.that(refuses<F>(Codes(a_count), b, out(c_count), shape), "accepted " + what, code);
    };
    const MatmulShape shape{2, 1, 3};
    const std::size_t b_count = stored<F>(Codes(3), shape).size();
    refused("an a of 7 elements for 2x3", "N-SIZE", 7, b_count, 2, shape);
    refused("one element of b too many", "N-SIZE", 6, b_count + 1, 2, shape);
    refused("a c of 3 elements for 2x1", "N-SIZE", 6, b_count, 3, shape);
    refused("m = -1", "N-SIZE", 0, 0, 0, {-1, 0, 0});
    refused("n = -1", "N-SIZE", 0, 0, 0, {0, -1, 0});
    refused("k = -1", "N-SIZE", 0, 0, 0, {0, 0, -1});
    const MatmulShape long_shape{1, 1, kLongestK + 1};
    refused("k = 131072: int8 codes exist whose sum is not an int32", "N-OVERFLOW", kLongestK + 1,
            stored<F>(Codes(kLongestK + 1), long_shape).size(), 1, long_shape);
  });
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

// --- multiply_naive ------------------------------------------------------------------------------

TEST(multiply_naive, EmptySumIsZero) { check_empty_sums<&multiply_naive>(); }
TEST(multiply_naive, FollowsTheFormula) { gives_by_hand<&multiply_naive>(kFormula); }
TEST(multiply_naive, SumsAreExact) { check_exact_sums<&multiply_naive>(); }
TEST(multiply_naive, EveryShape) { check_shapes<&multiply_naive>(kShapes); }
TEST(multiply_naive, RefusesWrongSizes) { check_refusals<&multiply_naive>(); }
TEST(multiply_naive, Speed) { check_speed<&multiply_naive>({128, 128, 128}, 0.25, 0.6); }

// --- multiply_rows -------------------------------------------------------------------------------

TEST(multiply_rows, EmptySumIsZero) { check_empty_sums<&multiply_rows>(); }
TEST(multiply_rows, FollowsTheFormula) { gives_by_hand<&multiply_rows>(kFormula); }
TEST(multiply_rows, SumsAreExact) { check_exact_sums<&multiply_rows>(); }
TEST(multiply_rows, EveryShape) { check_shapes<&multiply_rows>(kShapes); }
TEST(multiply_rows, RefusesWrongSizes) { check_refusals<&multiply_rows>(); }
TEST(multiply_rows, Speed) { check_speed<&multiply_rows>({200, 200, 200}, 0.25, 0.6); }

// --- multiply_dots -------------------------------------------------------------------------------

TEST(multiply_dots, EmptySumIsZero) { check_empty_sums<&multiply_dots>(); }
TEST(multiply_dots, FollowsTheFormula) { gives_by_hand<&multiply_dots>(kFormula); }
TEST(multiply_dots, SumsAreExact) { check_exact_sums<&multiply_dots>(); }
TEST(multiply_dots, EveryShape) { check_shapes<&multiply_dots>(kShapes); }
TEST(multiply_dots, RefusesWrongSizes) { check_refusals<&multiply_dots>(); }
TEST(multiply_dots, Speed) { check_speed<&multiply_dots>({200, 200, 200}, 0.25, 0.6); }

// --- multiply_tiled ------------------------------------------------------------------------------

// Two tiles side by side and two below: where does a second one begin?
const std::vector<HandCase> kWholeTiles = {
    kFormula.back(),
    {"TwoWide",
     {2, 8, 1},
     {1, -2},
     {1, 2, 3, 4, 5, 6, 7, 9},
     {1, 2, 3, 4, 5, 6, 7, 9, -2, -4, -6, -8, -10, -12, -14, -18}},
    {"TwoTall",
     {4, 4, 1},
     {1, 2, 3, -5},
     {1, 2, 3, 5},
     {1, 2, 3, 5, 2, 4, 6, 10, 3, 6, 9, 15, -5, -10, -15, -25}}};

TEST(multiply_tiled, EmptySumIsZero) { check_empty_sums<&multiply_tiled>(); }
TEST(multiply_tiled, WholeTiles) { gives_by_hand<&multiply_tiled>(kWholeTiles); }
TEST(multiply_tiled, SumsAreExact) { check_exact_sums<&multiply_tiled>(); }
TEST(multiply_tiled, EveryTail) { check_shapes<&multiply_tiled>(tails()); }
TEST(multiply_tiled, RefusesWrongSizes) { check_refusals<&multiply_tiled>(); }

// No points: dot products reach three quarters of it here, and a mark above that would be a mark
// for the compiler.
TEST(multiply_tiled, Speed) { check_speed<&multiply_tiled>({240, 240, 240}, 0.5, 0.75); }

// --- pack_b --------------------------------------------------------------------------------------

struct PackCase {
  std::string name;
  int n, k;
  Codes b_t;

  MatmulShape shape() const { return {1, n, k}; }
};

std::string show(const PackCase& c) {
  return "n x k = " + std::to_string(c.n) + "x" + std::to_string(c.k) +
         ", b_t = " + show_values(c.b_t);
}

PackCase random_pack(int n, int k, std::uint64_t codes_seed) {
  return {std::to_string(n) + "x" + std::to_string(k), n, k,
          code_tensor<std::int8_t>(std::size_t(n) * k, codes_seed, -128, 127)};
}

/// Half of a size, and one less of it.
std::vector<PackCase> smaller(const PackCase& c) {
  std::vector<PackCase> all;
  for (const auto& [n, k] : {std::pair(c.n, c.k / 2), std::pair(c.n / 2, c.k),
                             std::pair(c.n, c.k - 1), std::pair(c.n - 1, c.k)}) {
    if (n <= 0 || k <= 0) continue;
    all.push_back({std::to_string(n) + "x" + std::to_string(k), n, k, corner(c.b_t, c.k, n, k)});
  }
  return all;
}

/// What other layouts, other paddings and another sign make of the codes.
void suspect_packings(const PackCase& c, const Packed& want, Expect& expect) {
  const std::size_t n = c.n, k = c.k, columns = round_up(c.n, 4), steps = round_up(c.k, 32);
  const auto placed = [&](const char* code, const auto& place, const auto& convert, int padding) {
    Packed packed(want.size(), static_cast<std::int16_t>(padding));
    for (std::size_t at = 0; at < c.b_t.size(); ++at) {
      const std::size_t to = place(at / k, at % k);
      if (to < packed.size()) packed[to] = static_cast<std::int16_t>(convert(c.b_t[at]));
    }
    expect.suspect(code, "packed", packed);
  };
  const auto same = [](int code) { return code; };
  const auto right = [&](auto j, auto p) { return packed_place(c.shape(), j, p); };
  const auto laid = [&](const char* code, const auto& place) { placed(code, place, same, 0); };
  placed(
      "N-SIGN", right, [](int code) { return code & 255; }, 0);
  for (const int padding : {1, -1, -128, 127, 128}) placed("N-TAIL", right, same, padding);
  laid("N-TRANS", [&](auto j, auto p) { return p * columns + j; });
  laid("N-TRANS", [&](auto j, auto p) { return p * n + j; });
  laid("N-TRANS", [&](auto j, auto p) { return j / 4 * 4 * steps + p * 4 + j % 4; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * k + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * steps + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return p / 256 * 256 * columns + j * 256 + p % 256; });
  laid("N-LAYOUT", [&](auto j, auto p) { return right(j, p) - p / 256 * 256 * (columns - n); });
}

void packs(const PackCase& c, Expect& expect) {
  const Packed want = pack_by_definition(c.b_t, c.shape());
  suspect_packings(c, want, expect);
  expect.equal("packed", call<&pack_b>(c.b_t, out(want.size()), c.shape()), want);
}

// 4 columns of 32 codes are a slab without padding: the same numbers in the same order. All codes
// are different, the negative ones too.
TEST(pack_b, OneSlab) {
  Codes b_t(128);
  std::iota(b_t.begin(), b_t.end(), std::int8_t{-128});
  each_case<PackCase>({{"NothingWide", 0, 7, {}}, {"NothingDeep", 3, 0, {}}, {"4x32", 4, 32, b_t}},
                      packs);
}

// A shorter slab behind a whole one, one as long, two and a shorter one, several fours of columns.
// The oracle is held against places worked out by hand: 4 columns of 288 = 256 + 32 codes.
TEST(pack_b, SlabAfterSlab) {
  struct Place {
    std::size_t place, j, p;
  };
  for (const auto& [place, j, p] : {Place{0, 0, 0},
                                    {255, 0, 255},
                                    {256, 1, 0},
                                    {1023, 3, 255},
                                    {1024, 0, 256},
                                    {1056, 1, 256},
                                    {1151, 3, 287}}) {
    Expect::healthy(packed_place({1, 4, 288}, j, p) == place, "the oracle is wrong");
  }
  each_case<PackCase>({random_pack(4, 288, seed(1)), random_pack(4, 512, seed(2)),
                       random_pack(4, 544, seed(3)), random_pack(12, 320, seed(4))},
                      packs);
}

// 33 codes: 31 zeros. 5 columns: 3 of zeros. Then both, with a slab whose end is padding; codes are
// never 0, so that a zero is padding. The one before the last is full of the most negative code.
TEST(pack_b, PadsWithZeros) {
  const auto nonzero = [](int n, int k, std::uint64_t codes_seed) {
    PackCase c = random_pack(n, k, codes_seed);
    std::ranges::replace(c.b_t, std::int8_t{0}, std::int8_t{1});
    return c;
  };
  each_case<PackCase>({nonzero(1, 1, seed(1)),
                       nonzero(4, 33, seed(2)),
                       nonzero(5, 32, seed(3)),
                       nonzero(3, 30, seed(4)),
                       {"Lowest", 3, 5, Codes(15, -128)},
                       nonzero(5, 300, seed(5))},
                      packs);
}

// All rests of four columns; one less than, as many as and one more than a step and than a slab.
TEST(pack_b, EveryShape) {
  std::vector<PackCase> cases;
  for (const int k : {1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 797}) {
    for (const int n : {1, 2, 3, 4, 5, 7, 33}) {
      cases.push_back(random_pack(n, k, seed(cases.size())));
    }
  }
  each_case(cases, packs);
}

TEST(pack_b, RefusesWrongSizes) {
  once([](Expect& expect) {
    packs({"Fits", 1, 3, {7, 8, 9}}, expect);
    const auto refused = [&](const std::string& what, const char* code, std::size_t b_count,
                             std::size_t packed_count, MatmulShape shape) {
      expect.that(refuses<&pack_b>(Codes(b_count), out(packed_count), shape), "accepted " + what,
                  code);
    };
    refused("a b_t of 4 elements for 1x3", "N-SIZE", 4, 128, {1, 1, 3});
    refused("a packed b of 129 elements for 1x3", "N-SIZE", 3, 129, {1, 1, 3});
    refused("m = -1", "N-SIZE", 0, 0, {-1, 0, 0});
    refused("n = -1", "N-SIZE", 0, 0, {0, -1, 0});
    refused("k = -1", "N-SIZE", 0, 0, {0, 0, -1});
    const MatmulShape longer{1, 1, kLongestK + 1};
    refused("k = 131072: int8 codes exist whose sum is not an int32", "N-OVERFLOW", kLongestK + 1,
            packed_size(longer), longer);
  });
}

// --- multiply_packed -----------------------------------------------------------------------------

TEST(multiply_packed, EmptySumIsZero) { check_empty_sums<&multiply_packed>(); }
TEST(multiply_packed, FollowsTheFormula) { gives_by_hand<&multiply_packed>(kFormula); }

// One code less than, as many as and one more than one slab and than two, and a third that is
// neither short nor whole.
TEST(multiply_packed, AddsTheSlabs) {
  check_shapes<&multiply_packed>({{1, 4, 255},
                                  {1, 4, 256},
                                  {2, 4, 257},
                                  {3, 5, 300},
                                  {2, 8, 511},
                                  {3, 5, 512},
                                  {2, 3, 513},
                                  {5, 7, 700}});
}

TEST(multiply_packed, SumsAreExact) { check_exact_sums<&multiply_packed>(); }

TEST(multiply_packed, EveryTail) {
  std::vector<MatmulShape> shapes = tails();
  shapes.insert(shapes.end(), kShapes.begin(), kShapes.end());
  check_shapes<&multiply_packed>(shapes);
}

// Blocks of whatever size end somewhere: more columns, more rows and more slabs than any of them
// holds, none a multiple of 8. Checked by Freivalds' method.
TEST(multiply_packed, LargeProducts) {
  std::vector<ProductCase> cases;
  for (const MatmulShape shape : {MatmulShape{3, 1029, 37}, {1027, 3, 37}, {141, 301, 1100}}) {
    cases.push_back(random_case(shape, seed(2 * cases.size()), seed(2 * cases.size() + 1)));
  }
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    const Sums got = product_from<&multiply_packed>(c);
    const Sums want =
        corrected_product<std::int8_t, std::int8_t>(c.a, c.b_t, got, c.shape, seed(100));
    expect.equal("c", got, want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
  });
}

TEST(multiply_packed, RefusesWrongSizes) { check_refusals<&multiply_packed>(); }
TEST(multiply_packed, Speed) { check_speed<&multiply_packed>({360, 360, 384}, 0.4, 0.7); }

// --- multiply_zero_points ------------------------------------------------------------------------

/// What comes out when one of the four terms is missing, has the wrong sign or the wrong partner.
void suspect_terms(const ProductCase& c, Expect& expect) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  const int za = c.zero_points.a, zb = c.zero_points.b;
  const auto terms = [&](const char* code, int factor_a, int factor_b, int factor_both) {
    expect.suspect(code, "c", each_sum<std::int64_t>(c.shape, [&](auto i, auto j, auto p) {
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
  const auto right = by_definition(c);
  const auto off_by = [&](const char* code, const auto& error) {
    std::vector<std::int64_t> sums(right.begin(), right.end());
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += error(at / n, at % n);
    expect.suspect(code, "c", sums);
  };
  const Sums columns = column_sums(c);
  const auto row_sum = [&](std::size_t i) {
    return std::accumulate(c.a.data() + i * k, c.a.data() + (i + 1) * k, std::int32_t{0});
  };
  const int padding = static_cast<int>(round_up(c.shape.k, 32)) - c.shape.k;
  off_by("N-ZERO", [&](auto, auto) { return za * zb; });  // once, not k times
  off_by("N-ZERO", [&](auto, auto) { return (1 - c.shape.k) * za * zb; });
  off_by("N-TAIL", [&](auto, auto) { return padding * za * zb; });
  off_by("N-AXIS", [&](auto i, auto j) { return za * (columns[j] - columns[i % n]); });
  off_by("N-OVERFLOW",
         [&](auto i, auto) { return zb * (row_sum(i) - static_cast<std::int8_t>(row_sum(i))); });
}

void subtracts(const ProductCase& c, const Sums& want, Expect& expect) {
  suspect_terms(c, expect);
  gives<&multiply_zero_points>(c, want, expect);
}

void subtracts_by_definition(const ProductCase& c, Expect& expect) {
  subtracts(c, by_definition(c), expect);
}

struct HandZeroCase {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;
  ZeroPoints zero_points;
  Sums want;

  ProductCase codes() const { return {name, shape, a, b_t, zero_points}; }
};

std::string show(const HandZeroCase& c) { return show(c.codes()); }

void subtracts_by_hand(const HandZeroCase& c, Expect& expect) {
  subtracts(c.codes(), c.want, expect);
}

TEST(multiply_zero_points, EmptySumIsZero) {
  each_case<HandZeroCase>({{"NoK", {2, 4, 0}, {}, {}, {5, -3}, {0, 0, 0, 0, 0, 0, 0, 0}},
                           {"NoRows", {0, 3, 2}, {}, {1, 2, 3, 4, 5, 6}, {5, -3}, {}},
                           {"NoColumns", {2, 0, 3}, {1, 2, 3, 4, 5, 6}, {}, {5, -3}, {}},
                           {"OneByOne", {1, 1, 1}, {2}, {3}, {0, 0}, {6}}},
                          subtracts_by_hand);
}

// The zero points far apart, and different: codes at both ends reach a product of 58140.
TEST(multiply_zero_points, SubtractsBoth) {
  each_case<HandZeroCase>(
      {{"OnlyA", {2, 2, 2}, {2, 3, 5, 2}, {7, 4, -1, 6}, {2, 0}, {4, 6, 21, -3}},
       {"OnlyB", {2, 2, 2}, {1, 2, 3, -4}, {-3, -2, 0, 1}, {0, -3}, {2, 11, -4, -7}},
       {"Both", {2, 2, 2}, {1, 4, -1, 2}, {-2, 5, 1, -3}, {1, -2}, {21, -3, 7, -7}},
       {"Far", {1, 1, 1}, {127}, {-128}, {-128, 100}, {-58140}}},
      subtracts_by_hand);
}

/// Zero points are odd: an even one hides a lost bit.
std::vector<ProductCase> with_zero_points(const std::vector<MatmulShape>& shapes,
                                          std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<ProductCase> cases;
  for (const MatmulShape shape : shapes) {
    cases.push_back(random_case(shape, seeds(2 * cases.size()), seeds(2 * cases.size() + 1)));
    cases.back().zero_points = cases.size() % 2 == 0 ? ZeroPoints{-7, 3} : ZeroPoints{101, -128};
  }
  return cases;
}

// Rests of a tile, of a step of 32 and of a slab: what is added to the padding must not be summed.
TEST(multiply_zero_points, EveryShape) {
  std::vector<MatmulShape> shapes = kShapes;
  for (const int k : {255, 256, 257, 300, 545}) shapes.push_back({3, 5, k});
  each_case(with_zero_points(shapes, [](std::uint64_t i) { return seed(i); }),
            subtracts_by_definition);
}

// longest = (2^31 - 1) / (reach(a) * reach(b)), rounded down. Refusing counts only where accepting
// works: with the codes that are furthest away.
TEST(multiply_zero_points, RefusesUnsafeSums) {
  struct Bound {
    std::string name;
    ZeroPoints zero_points;
    int longest;
  };
  each_case<Bound>(
      {{"0,0", {0, 0}, 131071},
       {"-1,3", {-1, 3}, 128070},
       {"-128,0", {-128, 0}, 65793},
       {"0,-128", {0, -128}, 65793},
       {"127,-128", {127, -128}, 33025},
       {"-128,-128", {-128, -128}, 33025}},
      [](const Bound& bound, Expect& expect) {
        const auto [za, zb] = bound.zero_points;
        const auto furthest = [](int z) { return z < 0 ? 127 : -128; };
        ProductCase c =
            constant_case(bound.name, {1, 1, bound.longest}, furthest(za), furthest(zb));
        c.zero_points = bound.zero_points;
        expect.equal("c", product_from<&multiply_zero_points>(c), by_definition(c));
        // One more; and so many more that the bound has passed 2^32,
        // and is positive again in int32.
        for (const int k : {bound.longest + 1, 2 * bound.longest + 100}) {
          if (k > kLongestK + 1) continue;
          const MatmulShape longer{1, 1, k};
          expect.that(refuses<&multiply_zero_points>(Codes(k), Packed(packed_size(longer)), Sums(1),
                                                     out(1), bound.zero_points, longer),
                      "accepted k = " + std::to_string(k) + " with zero points " + bound.name +
                          ": int8 codes exist whose sum is not an int32");
        }
      });
}

TEST(multiply_zero_points, RefusesWrongSizes) {
  once([](Expect& expect) {
    const MatmulShape shape{2, 1, 3};
    subtracts({"Fits", shape, {1, 2, 3, 4, 5, 6}, {7, 8, 9}, {1, -1}}, {29, 110}, expect);
    const auto refused = [&](const std::string& what, const char* code, std::size_t a_count,
                             std::size_t b_count, std::size_t sums_count, std::size_t c_count,
                             ZeroPoints zero_points, MatmulShape some_shape) {
      expect.that(refuses<&multiply_zero_points>(Codes(a_count), Packed(b_count), Sums(sums_count),
                                                 out(c_count), zero_points, some_shape),
                  "accepted " + what, code);
    };
    refused("an a of 7 elements for 2x3", "N-SIZE", 7, 128, 1, 2, {0, 0}, shape);
    refused("a packed b of 129 elements for 1x3", "N-SIZE", 6, 129, 1, 2, {0, 0}, shape);
    refused("2 column sums for n = 1", "N-SIZE", 6, 128, 2, 2, {0, 0}, shape);
    refused("a c of 3 elements for 2x1", "N-SIZE", 6, 128, 1, 3, {0, 0}, shape);
    refused("a zero point of 128 for a", "N-RANGE", 6, 128, 1, 2, {128, 0}, shape);
    refused("a zero point of -129 for a", "N-RANGE", 6, 128, 1, 2, {-129, 0}, shape);
    refused("a zero point of 128 for b", "N-RANGE", 6, 128, 1, 2, {0, 128}, shape);
    refused("a zero point of -129 for b", "N-RANGE", 6, 128, 1, 2, {0, -129}, shape);
    refused("k = -1", "N-SIZE", 0, 0, 0, 0, {0, 0}, {0, 0, -1});
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

// One more than a tile of 64 in each direction, long sums, and a shape with a rest of everything.
const std::vector<MatmulShape> kHiddenShapes = {
    {1, 1, 1}, {4, 6, 10}, {5, 67, 19}, {67, 5, 23}, {65, 65, 65}, {2, 3, 4099}, {9, 130, 517}};

template <auto F>
void equals_the_reference() {
  std::vector<ProductCase> cases;
  for (const MatmulShape shape : kHiddenShapes) {
    const std::uint64_t salt = 2 * cases.size();
    cases.push_back(random_case(shape, hidden_seed(salt), hidden_seed(salt + 1)));
  }
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    Sums want(std::size_t(c.shape.m) * c.shape.n);
    F(c.a, stored<F>(c.b_t, c.shape), want, c.shape);
    if (want.size() > 100) Expect::healthy(distinct(want) > 50, "few different sums");
    expect.equal("c", product_from<F>(c), want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
  });
}

TEST(multiply_naive, EqualsTheReference) { equals_the_reference<&multiply_naive>(); }
TEST(multiply_rows, EqualsTheReference) { equals_the_reference<&multiply_rows>(); }
TEST(multiply_dots, EqualsTheReference) { equals_the_reference<&multiply_dots>(); }
TEST(multiply_tiled, EqualsTheReference) { equals_the_reference<&multiply_tiled>(); }
TEST(multiply_packed, EqualsTheReference) { equals_the_reference<&multiply_packed>(); }

TEST(pack_b, EqualsTheReference) {
  std::vector<PackCase> cases;
  for (const MatmulShape shape : kHiddenShapes) {
    cases.push_back(random_pack(shape.n, shape.k, hidden_seed(100 + cases.size())));
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    Packed want(packed_size(c.shape()));
    pack_b(c.b_t, want, c.shape());
    expect.equal("packed", call<&pack_b>(c.b_t, out(want.size()), c.shape()), want);
  });
}

TEST(multiply_zero_points, EqualsTheReference) {
  auto cases = with_zero_points(kHiddenShapes, [](std::uint64_t i) { return hidden_seed(i); });
  const auto drawn = code_tensor<std::int8_t>(2 * cases.size(), hidden_seed(200), -128, 127);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].zero_points = {drawn[2 * i], i % 2 == 0 ? -128 : drawn[2 * i + 1]};
  }
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    Sums want(std::size_t(c.shape.m) * c.shape.n);
    multiply_zero_points(c.a, pack_by_definition(c.b_t, c.shape), column_sums(c), want,
                         c.zero_points, c.shape);
    suspect_terms(c, expect);
    expect.equal("c", product_from<&multiply_zero_points>(c), want,
                 {std::size_t(c.shape.m), std::size_t(c.shape.n)});
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
