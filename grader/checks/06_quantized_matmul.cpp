// Lab 06: the checks.
#include "quantized_matmul.hpp"

#include "checks/marks/06_quantized_matmul.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;
using Reals = std::vector<float>;

// --- A product of codes, and what goes wrong with it --------------------------------------------

struct MatmulCase {
  std::string name;
  MatmulShape shape;
  int za;
  Codes a;
  int zb;
  Codes b;
};

std::string show(const MatmulCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
         ", a_zero_point = " + std::to_string(c.za) + ", b = " + show_values(c.b) +
         ", b_zero_point = " + std::to_string(c.zb);
}

/// The product's upper left corner, summed over the first k.
MatmulCase crop(const MatmulCase& c, MatmulShape to) {
  return {size_text(to), to,
          c.za,          corner(c.a, c.shape.k, to.m, to.k),
          c.zb,          corner(c.b, c.shape.n, to.k, to.n)};
}

/// Half of a size, one less of it, and no zero points.
std::vector<MatmulCase> smaller(const MatmulCase& c) {
  std::vector<MatmulCase> all;
  for (const MatmulShape s : smaller_shapes(c.shape)) all.push_back(crop(c, s));
  for (const auto& [za, zb] : {std::pair(0, c.zb), std::pair(c.za, 0)}) {
    if (za == c.za && zb == c.zb) continue;
    all.push_back(c);
    all.back().za = za;
    all.back().zb = zb;
  }
  return all;
}

/// c[i,j] = sum over p of term(i, j, p), rounded or wrapped to Sum after every addition.
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
Sums by_definition(const MatmulCase& c) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  const auto sums = each_sum<std::int64_t>(c.shape, [&](auto i, auto j, auto p) {
    return (c.a[i * k + p] - c.za) * (c.b[p * n + j] - c.zb);
  });
  return {sums.begin(), sums.end()};
}

/// An answer that a known mistake gives.
struct Wrong {
  const char* code;
  std::vector<double> sums;
};

/// What the usual mistakes make of these codes. An index outside the matrix reads a 0 here.
std::vector<Wrong> wrong_sums(const MatmulCase& c) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  const auto at = [](const Codes& codes, std::size_t i) { return i < codes.size() ? codes[i] : 0; };
  const auto a = [&](auto i, auto p) { return at(c.a, i * k + p); };
  const auto b = [&](auto p, auto j) { return at(c.b, p * n + j); };
  const auto product = [&](auto i, auto j, auto p) { return (a(i, p) - c.za) * (b(p, j) - c.zb); };
  std::vector<Wrong> all;
  const auto sums = [&](const char* code, auto zero, const auto& term) {
    const auto found = each_sum<decltype(zero)>(c.shape, term);
    all.push_back({code, {found.begin(), found.end()}});
  };
  constexpr double exact = 0;  // doubles hold every sum of a legal k
  const auto zero_points = [&](const char* code, int za, int zb, int both) {
    sums(code, exact,
         [=](auto i, auto j, auto p) { return (a(i, p) - za) * (b(p, j) - zb) + both; });
  };
  zero_points("N-ZERO", 0, c.zb, 0);
  zero_points("N-ZERO", c.za, 0, 0);
  zero_points("N-ZERO", 0, 0, 0);
  zero_points("N-ZERO", c.za, c.zb, -c.za * c.zb);  // k * za * zb forgotten
  zero_points("N-ZP-SIGN", -c.za, c.zb, 0);
  zero_points("N-ZP-SIGN", c.za, -c.zb, 0);
  zero_points("N-ZP-SIGN", -c.za, -c.zb, 0);
  zero_points("N-ZERO", c.zb, c.za, 0);  // each with the other's
  const auto layout = [&](const char* code, const auto& index_a, const auto& index_b) {
    sums(code, exact, [&](auto i, auto j, auto p) {
      return (at(c.a, index_a(i, p)) - c.za) * (at(c.b, index_b(p, j)) - c.zb);
    });
  };
  const auto unsigned_code = [](int code) { return static_cast<std::uint8_t>(code); };
  sums("N-SIGN", exact,
       [&](auto i, auto j, auto p) { return (unsigned_code(a(i, p)) - c.za) * (b(p, j) - c.zb); });
  sums("N-SIGN", exact,
       [&](auto i, auto j, auto p) { return (a(i, p) - c.za) * (unsigned_code(b(p, j)) - c.zb); });
  sums("N-SIGN", exact, [&](auto i, auto j, auto p) {
    return (unsigned_code(a(i, p)) - c.za) * (unsigned_code(b(p, j)) - c.zb);
  });
  const auto right_a = [&](auto i, auto p) { return i * k + p; };
  const auto right_b = [&](auto p, auto j) { return p * n + j; };
  layout("N-TRANS", right_a, [&](auto p, auto j) { return j * k + p; });
  layout("N-LAYOUT", right_a, [&](auto p, auto j) { return p * k + j; });
  layout("N-LAYOUT", right_a, [&](auto p, auto j) { return p * m + j; });
  layout(
      "N-LAYOUT", [&](auto i, auto p) { return p * m + i; }, right_b);
  layout(
      "N-LAYOUT", [&](auto i, auto p) { return i * n + p; }, right_b);
  layout(
      "N-LAYOUT", [&](auto i, auto p) { return i * m + p; }, right_b);
  const Sums right = by_definition(c);
  all.push_back({"N-LAYOUT", {}});  // c[j * m + i]
  all.back().sums.resize(m * n);
  for (std::size_t at = 0; at < m * n; ++at) all.back().sums[at % n * m + at / n] = right[at];
  for (const std::size_t block : {1, 4, 8, 16, 32}) {
    const std::size_t end = block == 1 ? k - std::min<std::size_t>(k, 1) : k / block * block;
    sums("N-TAIL", exact, [&](auto i, auto j, auto p) { return p < end ? product(i, j, p) : 0; });
  }
  sums("N-OVERFLOW", std::int8_t{0}, product);
  sums("N-OVERFLOW", std::int16_t{0}, product);
  sums("N-OVERFLOW", exact, [&](auto i, auto j, auto p) {
    return static_cast<std::int8_t>(a(i, p) - c.za) * static_cast<std::int8_t>(b(p, j) - c.zb);
  });
  sums("N-OVERFLOW", exact,
       [&](auto i, auto j, auto p) { return static_cast<std::int16_t>(product(i, j, p)); });
  sums("N-FLOAT32", 0.0f, product);
  sums("N-TAIL", exact, [](auto, auto, auto) { return 0; });
  return all;
}

void multiplies(const MatmulCase& c, Expect& expect, const Sums& want) {
  for (const Wrong& wrong : wrong_sums(c)) expect.suspect(wrong.code, "c", wrong.sums);
  const std::size_t m = c.shape.m, n = c.shape.n;
  expect.equal("c", call<&quantized_matmul>(c.a, c.za, c.b, c.zb, c.shape, out(m * n)), want,
               {m, n});
}

void multiplies_by_definition(const MatmulCase& c, Expect& expect) {
  multiplies(c, expect, by_definition(c));
}

struct HandCase {
  std::string name;
  MatmulShape shape;
  int za;
  Codes a;
  int zb;
  Codes b;
  Sums want;

  MatmulCase codes() const { return {name, shape, za, a, zb, b}; }
};

std::string show(const HandCase& c) { return show(c.codes()); }

void matches(const HandCase& c, Expect& expect) { multiplies(c.codes(), expect, c.want); }

// --- quantized_matmul: values worked out by hand ------------------------------------------------

// The first cases have no sum to get wrong: what is missing was never written. The last has one,
// since whoever fills c with 0 has multiplied nothing.
TEST(quantized_matmul, EmptySumIsZero) {
  each_case<HandCase>({{"NoK", {2, 4, 0}, 5, {}, -3, {}, {0, 0, 0, 0, 0, 0, 0, 0}},
                       {"NoRows", {0, 3, 2}, 5, {}, -3, {1, 2, 3, 4, 5, 6}, {}},
                       {"NoColumns", {2, 0, 3}, 5, {1, 2, 3, 4, 5, 6}, -3, {}, {}},
                       {"OneByOne", {1, 1, 1}, 0, {2}, 0, {3}, {6}}},
                      matches);
}

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1.
TEST(quantized_matmul, FollowsTheFormula) {
  each_case<HandCase>(
      {{"Wide", {1, 3, 2}, 0, {1, 2}, 0, {3, 4, 5, 6, 7, 9}, {15, 18, 23}},
       {"Tall", {2, 1, 3}, 0, {1, 2, 3, 4, 5, 7}, 0, {2, 1, -1}, {1, 6}},
       {"Both", {2, 3, 2}, 0, {1, 2, 3, 4}, 0, {5, 6, 7, 8, 9, -1}, {21, 24, 5, 47, 54, 17}}},
      matches);
}

TEST(quantized_matmul, SubtractsBothZeroPoints) {
  each_case<HandCase>({{"OnlyA", {2, 2, 2}, 2, {2, 3, 5, 2}, 0, {7, -1, 4, 6}, {4, 6, 21, -3}},
                       {"OnlyB", {2, 2, 2}, 0, {1, 2, 3, -4}, -3, {-3, 0, -2, 1}, {2, 11, -4, -7}},
                       {"Both", {2, 2, 2}, 1, {1, 4, -1, 2}, -2, {-2, 1, 5, -3}, {21, -3, 7, -7}},
                       {"Far", {1, 1, 1}, -128, {127}, 100, {-128}, {-58140}}},
                      matches);
}

// --- quantized_matmul: any size, any sum --------------------------------------------------------

MatmulCase constant_case(std::string name, int k, int za, int a, int zb, int b) {
  const auto codes = [&](int code) { return Codes(k, static_cast<std::int8_t>(code)); };
  return {std::move(name), {1, 1, k}, za, codes(a), zb, codes(b)};
}

// 3 * 127^2 leaves int16. 2001 * 127^2 is odd and above 2^24: no float32 holds it. The longest
// legal k, with every product at its largest, ends less than 2^16 short of 2^31.
TEST(quantized_matmul, SumsAreExact) {
  each_case<MatmulCase>({constant_case("PastInt16", 3, 0, 127, 0, 127),
                         constant_case("PastFloat32", 2001, 0, 127, 0, 127),
                         constant_case("LongestWidest", 33025, -128, 127, -128, 127),
                         constant_case("LongestNegative", 65793, -128, 127, 0, -128),
                         constant_case("Longest", 131071, 0, -128, 0, -128)},
                        multiplies_by_definition);
}

MatmulCase random_case(MatmulShape shape, int za, int zb, std::uint64_t seed_a,
                       std::uint64_t seed_b) {
  return {size_text(shape),
          shape,
          za,
          code_tensor<std::int8_t>(std::size_t(shape.m) * shape.k, seed_a, -128, 127),
          zb,
          code_tensor<std::int8_t>(std::size_t(shape.k) * shape.n, seed_b, -128, 127)};
}

// A row, a column, primes; then one less than, as many as and one more than a vector of 32 codes,
// in each size in turn. Zero points are odd: an even one hides a lost bit.
TEST(quantized_matmul, EveryShape) {
  std::vector<MatmulCase> cases;
  for (const MatmulShape shape : {MatmulShape{1, 17, 5},
                                  {17, 1, 5},
                                  {7, 11, 13},
                                  {3, 5, 31},
                                  {3, 5, 32},
                                  {3, 5, 33},
                                  {2, 33, 9},
                                  {33, 2, 9}}) {
    cases.push_back(random_case(shape, -7, 3, seed(2 * cases.size()), seed(2 * cases.size() + 1)));
  }
  each_case(cases, [](const MatmulCase& c, Expect& expect) {
    multiplies_by_definition(c, expect);
    if (c.shape.m * c.shape.n < 15) return;
    Expect::healthy(distinct(by_definition(c)) > 10, "few different sums");
  });
}

// --- quantized_matmul: what is refused ----------------------------------------------------------

// longest = (2^31 - 1) / (reach(za) * reach(zb)), rounded down. Refusing counts only where
// accepting works; the products are 64 * 64, so that exactness is not asked twice.
TEST(quantized_matmul, RefusesUnsafeSums) {
  struct Bound {
    std::string name;
    int za, zb, longest;
  };
  each_case<Bound>(
      {{"0,0", 0, 0, 131071},
       {"-1,3", -1, 3, 128070},
       {"-128,0", -128, 0, 65793},
       {"0,-128", 0, -128, 65793},
       {"127,-128", 127, -128, 33025},
       {"-128,-128", -128, -128, 33025}},
      [](const Bound& bound, Expect& expect) {
        const std::string& name = bound.name;
        const int za = bound.za, zb = bound.zb, longest = bound.longest;
        const auto away = [](int z) { return z > 0 ? z - 64 : z + 64; };
        const auto with = [&](int k) { return constant_case(name, k, za, away(za), zb, away(zb)); };
        multiplies_by_definition(with(longest), expect);
        const MatmulCase longer = with(longest + 1);
        expect.that(refuses<&quantized_matmul>(longer.a, za, longer.b, zb, longer.shape, out(1)),
                    "accepted k = " + std::to_string(longest + 1) + " with zero points " + name +
                        ": int8 codes exist whose sum is not an int32");
      });
}

// Every span is too long, not too short: who forgets to look still reads what is there.
TEST(quantized_matmul, RefusesWrongSizes) {
  once([](Expect& expect) {
    const Codes a{1, 2, 3, 4, 5, 6}, b{7, 8, 9};
    const MatmulShape shape{2, 1, 3};
    multiplies({"Fits", shape, 1, a, -1, b}, expect, {29, 110});
    const auto refused = [&](const std::string& what, const Codes& some_a, int za,
                             const Codes& some_b, int zb, MatmulShape some_shape,
                             std::size_t c_count) {
      expect.that(refuses<&quantized_matmul>(some_a, za, some_b, zb, some_shape, out(c_count)),
                  "accepted " + what, what.find("zero_point") == what.npos ? "N-SIZE" : "N-RANGE");
    };
    refused("an a of 7 elements for 2x3", {1, 2, 3, 4, 5, 6, 7}, 0, b, 0, shape, 2);
    refused("a b of 4 elements for 3x1", a, 0, {7, 8, 9, 10}, 0, shape, 2);
    refused("a c of 3 elements for 2x1", a, 0, b, 0, shape, 3);
    refused("a_zero_point = 128", a, 128, b, 0, shape, 2);
    refused("a_zero_point = -129", a, -129, b, 0, shape, 2);
    refused("b_zero_point = 128", a, 0, b, 128, shape, 2);
    refused("b_zero_point = -129", a, 0, b, -129, shape, 2);
    refused("k = -1", {}, 0, {}, 0, {0, 0, -1}, 0);
  });
}

// --- apply_zero_points --------------------------------------------------------------------------

struct SumsCase {
  std::string name;
  MatmulShape shape;
  Sums raw, row_sums, column_sums;
  int za, zb;
  Sums want;
};

std::string show(const SumsCase& c) {
  return "m x n x k = " + size_text(c.shape) + ", raw = " + show_values(c.raw) +
         ", row_sums = " + show_values(c.row_sums) +
         ", column_sums = " + show_values(c.column_sums) + ", zero points " + std::to_string(c.za) +
         " and " + std::to_string(c.zb);
}

/// One answer per element: combine(raw, row sum, column sum).
template <class Combine>
std::vector<double> each_cell(const SumsCase& c, const Combine& combine) {
  std::vector<double> all;
  const std::size_t n = c.shape.n;
  for (std::size_t at = 0; at < c.raw.size(); ++at) {
    all.push_back(combine(c.raw[at], c.row_sums[at / n], c.column_sums[at % n]));
  }
  return all;
}

void suspect_corrections(const SumsCase& c, Expect& expect) {
  const double za = c.za, zb = c.zb, k = c.shape.k;
  const auto looks = [&](const char* code, const auto& combine) {
    expect.suspect(code, "c", each_cell(c, combine));
  };
  looks("N-ZERO", [](double raw, double, double) { return raw; });
  looks("N-ZERO", [=](double raw, double r, double s) { return raw - zb * r - za * s; });
  looks("N-ZERO", [=](double raw, double r, double s) { return raw - zb * r - za * s + za * zb; });
  looks("N-ZERO", [=](double raw, double r, double) { return raw - zb * r + k * za * zb; });
  looks("N-ZERO", [=](double raw, double, double s) { return raw - za * s + k * za * zb; });
  for (int signs = 1; signs < 8; ++signs) {
    const auto sign = [&](int bit) { return (signs >> bit & 1) != 0 ? -1.0 : 1.0; };
    const double row = sign(0), column = sign(1), both = sign(2);
    looks("N-ZP-SIGN", [=](double raw, double r, double s) {
      return raw - row * zb * r - column * za * s + both * k * za * zb;
    });
  }
  looks("N-AXIS",
        [=](double raw, double r, double s) { return raw - za * r - zb * s + k * za * zb; });
  if (c.shape.m == c.shape.n) {
    const std::size_t n = c.shape.n;
    std::vector<double> swapped;
    for (std::size_t at = 0; at < c.raw.size(); ++at) {
      swapped.push_back(c.raw[at] - zb * c.row_sums[at % n] - za * c.column_sums[at / n] +
                        k * za * zb);
    }
    expect.suspect("N-AXIS", "c", swapped);
  }
  const auto wrap = [](double value) {
    return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(value)));
  };
  const auto near = [](double value) { return static_cast<float>(value); };
  for (int narrow = 1; narrow < 8; ++narrow) {
    const auto some = [=](int bit, double value) {
      return (narrow >> bit & 1) != 0 ? wrap(value) : value;
    };
    looks("N-OVERFLOW", [=](double raw, double r, double s) {
      return raw - some(0, zb * r) - some(1, za * s) + some(2, k * za * zb);
    });
  }
  looks("N-FLOAT32", [=](double raw, double r, double s) {
    const float by_rows = near(raw) - near(zb) * near(r);
    return by_rows - near(za) * near(s) + near(k) * near(za) * near(zb);
  });
}

void corrects(const SumsCase& c, Expect& expect) {
  suspect_corrections(c, expect);
  const std::size_t m = c.shape.m, n = c.shape.n;
  expect.equal(
      "c",
      call<&apply_zero_points>(c.raw, c.row_sums, c.column_sums, c.za, c.zb, c.shape, out(m * n)),
      c.want, {m, n});
}

// Square first, where a sum taken along the wrong side is still inside. Its numbers are the codes
// {1, 4, -1, 2} times {-2, 1, 5, -3} of quantized_matmul, and so is its answer.
TEST(apply_zero_points, CombinesTheFourTerms) {
  const Sums raw{10, 20, 30, 40, 50, 60};
  each_case<SumsCase>(
      {{"Square", {2, 2, 2}, {18, -11, 12, -7}, {5, 1}, {3, -2}, 1, -2, {21, -3, 7, -7}},
       {"Columns", {2, 3, 4}, raw, {1, 2}, {5, -6, 7}, 2, 0, {0, 32, 16, 30, 62, 46}},
       {"Rows", {2, 3, 4}, raw, {1, 2}, {5, -6, 7}, 0, -3, {13, 23, 33, 46, 56, 66}},
       {"Both", {2, 3, 4}, raw, {1, 2}, {5, -6, 7}, 2, -3, {-21, 11, -5, 12, 44, 28}},
       {"NoK", {1, 2, 0}, {0, 0}, {0}, {0, 0}, 5, 7, {0, 0}},
       {"NoRows", {0, 2, 3}, {}, {}, {4, 5}, 5, 7, {}}},
      corrects);
}

// 200000 codes of b are real zeros but for one, in the columns; of a, in the rows. k * za * zb is
// 3276800000, and almost all of it cancels. Then results at the two ends of int32.
TEST(apply_zero_points, OnlyTheResultHasToFit) {
  each_case<SumsCase>(
      {{"Columns",
        {1, 2, 200000},
        {-5111, -5120},
        {40},
        {-25599999, -25600000},
        -128,
        -128,
        {137, 0}},
       {"Rows", {2, 1, 200000}, {-5111, -5120}, {-25599999, -25600000}, {40}, -128, -128, {137, 0}},
       {"Largest", {1, 1, 647}, {2147483000}, {-647}, {0}, 0, 1, {2147483647}},
       {"Smallest", {1, 1, 648}, {-2147483000}, {648}, {0}, 0, 1, {-2147483647 - 1}}},
      [](const SumsCase& c, Expect& expect) {
        expect.that(!refuses<&apply_zero_points>(c.raw, c.row_sums, c.column_sums, c.za, c.zb,
                                                 c.shape, out(c.raw.size())),
                    "refused a result that fits: a correction left the type it was computed in",
                    "N-OVERFLOW");
        corrects(c, expect);
      });
}

TEST(apply_zero_points, RefusesWhatDoesNotFit) {
  once([](Expect& expect) {
    corrects({"Fits", {1, 2, 3}, {7, 8}, {5}, {1, 2}, 1, -1, {8, 8}}, expect);
    const auto refused = [&](const char* code, const std::string& what, const Sums& raw,
                             const Sums& column_sums, int za, int zb) {
      expect.that(refuses<&apply_zero_points>(raw, Sums{1}, column_sums, za, zb,
                                              MatmulShape{1, 2, 1}, out(2)),
                  "accepted " + what, code);
    };
    refused("N-OVERFLOW", "a result of 2^31", {5, 2147483647}, {0, 0}, 0, -1);
    refused("N-OVERFLOW", "a result of -2^31 - 1", {-2147483647 - 1, 5}, {0, 0}, 0, 1);
    refused("N-SIZE", "3 column sums for n = 2", {1, 2}, {1, 2, 3}, 0, 0);
    refused("N-SIZE", "3 raw sums for 1x2", {1, 2, 3}, {1, 2}, 0, 0);
    refused("N-RANGE", "a_zero_point = 128", {1, 2}, {0, 0}, 128, 0);
    refused("N-RANGE", "b_zero_point = -129", {1, 2}, {0, 0}, 0, -129);
  });
}

// --- quantized_matmul_float ---------------------------------------------------------------------

/// A product with scales. The bias is of the form that asks for it: float or int32.
template <class Bias>
struct Scaled {
  std::string name;
  MatmulCase codes;
  float a_scale;
  Reals b_scales;
  std::vector<Bias> bias;
  float c_scale = 1.0f;
  int zc = 0;

  QuantizedOperands operands() const {
    return {codes.a, codes.za, a_scale, codes.b, codes.zb, b_scales};
  }
  std::size_t column(std::size_t at) const { return at % codes.shape.n; }
  std::size_t row(std::size_t at) const { return at / codes.shape.n; }
  Bias bias_of(std::size_t at) const { return bias.empty() ? Bias{0} : bias[column(at)]; }
};
using RealCase = Scaled<float>;
using CodeCase = Scaled<std::int32_t>;

template <class Bias>
std::string show(const Scaled<Bias>& c) {
  return show(c.codes) + ", a_scale = " + show_value(c.a_scale) +
         ", b_scales = " + show_values(c.b_scales) + ", bias = " + show_values(c.bias) +
         (std::is_integral_v<Bias>
              ? ", c_scale = " + show_value(c.c_scale) + ", c_zero_point = " + std::to_string(c.zc)
              : "");
}

template <class Bias>
std::vector<Scaled<Bias>> smaller(const Scaled<Bias>& c) {
  std::vector<Scaled<Bias>> all;
  for (MatmulCase& codes : smaller(c.codes)) {
    Scaled<Bias> one = c;
    one.codes = std::move(codes);
    one.name = one.codes.name;
    one.b_scales.resize(one.codes.shape.n);
    if (!one.bias.empty()) one.bias.resize(one.codes.shape.n);
    all.push_back(std::move(one));
  }
  return all;
}

/// One value per element: give(acc, where).
template <class List, class Give>
auto each_of(const List& acc, const Give& give) {
  std::vector<decltype(give(acc[0], std::size_t{0}))> all;
  for (std::size_t at = 0; at < acc.size(); ++at) all.push_back(give(acc[at], at));
  return all;
}

/// The contract's formula, from given sums.
template <class List>
Reals real_of(const RealCase& c, const List& acc) {
  return each_of(acc, [&](auto sum, std::size_t at) {
    return static_cast<float>(sum) * (c.a_scale * c.b_scales[c.column(at)]) + c.bias_of(at);
  });
}

void suspect_reals(const RealCase& c, const Sums& acc, Expect& expect) {
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "c", each_of(acc, [&](float sum, std::size_t at) -> float {
                     return give(sum, c.b_scales[c.column(at)], c.bias_of(at), at);
                   }));
  };
  const float sa = c.a_scale;
  using I = std::size_t;
  const auto scale_at = [&](I i) { return i < c.b_scales.size() ? c.b_scales[i] : 0.0f; };
  const auto bias_at = [&](I i) { return i < c.bias.size() ? c.bias[i] : 0.0f; };
  looks("N-BIAS", [=](float sum, float sb, float, I) { return sum * (sa * sb); });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return (sum + bias) * (sa * sb); });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return sum * (sa * sb) - bias; });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return (sum * sa + bias) * sb; });
  looks("N-AXIS",
        [&](float sum, float sb, float, I at) { return sum * (sa * sb) + bias_at(c.row(at)); });
  looks("N-AXIS", [&](float sum, float sb, float, I) { return sum * (sa * sb) + bias_at(0); });
  looks("N-AXIS", [&](float sum, float, float bias, I at) {
    return sum * (sa * scale_at(c.row(at))) + bias;
  });
  looks("N-AXIS", [&](float sum, float, float bias, I) { return sum * (sa * scale_at(0)) + bias; });
  looks("N-SCALE", [](float sum, float, float bias, I) { return sum + bias; });
  looks("N-SCALE", [=](float sum, float, float bias, I) { return sum * sa + bias; });
  looks("N-SCALE", [](float sum, float sb, float bias, I) { return sum * sb + bias; });
  looks("N-SCALE", [=](float sum, float sb, float bias, I) { return sum / (sa * sb) + bias; });
  looks("N-TRUNC",
        [=](float sum, float sb, float bias, I) { return std::trunc(sum * (sa * sb) + bias); });
  looks("N-ROUND",
        [=](float sum, float sb, float bias, I) { return std::nearbyint(sum * (sa * sb) + bias); });
  looks("N-FLOAT32", [&](float, float sb, float bias, I at) {  // every code a real number first
    const std::size_t n = c.codes.shape.n, k = c.codes.shape.k;
    float real = 0;
    for (std::size_t p = 0; p < k; ++p) {
      real += sa * static_cast<float>(c.codes.a[c.row(at) * k + p] - c.codes.za) *
              (sb * static_cast<float>(c.codes.b[p * n + c.column(at)] - c.codes.zb));
    }
    return real + bias;
  });
  for (const Wrong& wrong : wrong_sums(c.codes)) {
    expect.suspect(wrong.code, "c", real_of(c, wrong.sums));
  }
}

Reals reals_from(const RealCase& c) {
  const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
  return call<&quantized_matmul_float>(c.operands(), c.bias, c.codes.shape, out(m * n));
}

void gives_reals(const RealCase& c, Expect& expect, const Tolerance& tolerance = {}) {
  const Sums acc = by_definition(c.codes);
  suspect_reals(c, acc, expect);
  const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
  expect.near("c", reals_from(c), real_of(c, acc), tolerance, {m, n});
}

/// Sums 2, 11 in the first row, -4, -7 in the second.
const MatmulCase kTwoByTwo{"2x2x2", {2, 2, 2}, 0, {1, 2, 3, -4}, -3, {-3, 0, -2, 1}};

// Sizes where more rows than columns, or fewer, make a scale of the row stand out; one column; the
// remainder of a vector of 8 floats.
const std::vector<MatmulShape> kScaledShapes = {
    {2, 3, 4}, {5, 2, 3}, {9, 1, 7}, {1, 9, 7}, {3, 17, 33}};

template <class Bias>
std::vector<Scaled<Bias>> random_scaled(std::uint64_t (*seed_of)(std::uint64_t),
                                        const std::vector<MatmulShape>& shapes) {
  std::vector<Scaled<Bias>> cases;
  for (const MatmulShape shape : shapes) {
    const std::uint64_t salt = 64 + 8 * cases.size();
    const float a_scale = uniform_tensor(1, seed_of(salt), 0.01f, 0.04f)[0];
    const MatmulCase codes = random_case(shape, 5, -9, seed_of(salt + 1), seed_of(salt + 2));
    cases.push_back({codes.name,
                     codes,
                     a_scale,
                     uniform_tensor(shape.n, seed_of(salt + 3), 0.001f, 0.004f),
                     {}});
    // Sums spread over about 5500 * sqrt(k): codes over about 50 steps, and a few saturate.
    cases.back().c_scale = a_scale * 0.0025f * 100.0f * std::sqrt(static_cast<float>(shape.k));
    cases.back().zc = -11;
  }
  return cases;
}

// By hand with powers of two, so that every order of the products gives the same; then, at sizes
// with every tail, within what another order may change.
TEST(quantized_matmul_float, ScalesEachColumn) {
  std::vector<RealCase> cases{{"ByHand", kTwoByTwo, 0.5f, {4.0f, 0.25f}, {}},
                              {"NoK", {"", {2, 4, 0}, 5, {}, -3, {}}, 0.5f, {1, 2, 4, 8}, {}},
                              {"NoColumns", {"", {1, 0, 1}, 5, {1}, -3, {}}, 0.5f, {}, {}}};
  std::ranges::copy(random_scaled<float>(seed, kScaledShapes), std::back_inserter(cases));
  each_case(cases, [](const RealCase& c, Expect& expect) {
    gives_reals(c, expect, c.codes.za == 5 && c.codes.shape.k > 0 ? two_ulps() : Tolerance{});
    if (c.name == "ByHand") expect.equal("c", reals_from(c), Reals{4.0f, 1.375f, -8.0f, -0.875f});
  });
}

TEST(quantized_matmul_float, AddsTheBiasLast) {
  each_case<RealCase>({{"ByHand", kTwoByTwo, 0.5f, {4.0f, 0.25f}, {100.5f, -3.25f}},
                       {"EmptySum", {"", {1, 2, 0}, 5, {}, -3, {}}, 0.5f, {2, 4}, {0.5f, -8.0f}}},
                      [](const RealCase& c, Expect& expect) { gives_reals(c, expect); });
}

/// 4096 products of 64 * 64 make 2^24; five more of 1; then 4096 of -64 * 64. The sum is 5, but a
/// float32 at 2^24 does not feel a 1.
MatmulCase five_beyond_float() {
  MatmulCase c{"1x1x8197", {1, 1, 8197}, 0, Codes(8197, 64), 0, Codes(8197, 64)};
  for (int p = 4096; p < 4101; ++p) c.a[p] = c.b[p] = 1;
  for (int p = 4101; p < 8197; ++p) c.b[p] = -64;
  return c;
}

TEST(quantized_matmul_float, SumsBeforeItScales) {
  each_case<RealCase>({{"Five", five_beyond_float(), 0.5f, {0.5f}, {}},
                       {"PastInt16", constant_case("", 3, 0, 127, 0, 127), 0.5f, {0.25f}, {}}},
                      [](const RealCase& c, Expect& expect) { gives_reals(c, expect); });
}

/// What no scale may be, and two scales whose product is none.
struct ScalePair {
  const char* what;
  float a_scale, b_scale;
};
constexpr ScalePair kBadScales[] = {
    {"a_scale = 0", 0.0f, 1.0f},
    {"b_scales[1] = 0", 1.0f, 0.0f},
    {"a_scale = -1", -1.0f, 1.0f},
    {"b_scales[1] = -1", 1.0f, -1.0f},
    {"two negative scales", -1.0f, -1.0f},
    {"a_scale = NaN", NAN, 1.0f},
    {"b_scales[1] = infinity", 1.0f, INFINITY},
    {"b_scales[1] subnormal", 1.0f, FLT_MIN / 4},
    {"scales whose product is 0", 1e-30f, 1e-30f},
    {"scales whose product is infinite", 1e30f, 1e30f},
};

TEST(quantized_matmul_float, RefusesBadScales) {
  once([](Expect& expect) {
    const RealCase fine{"Fine", kTwoByTwo, 0.5f, {1.0f, 4.0f}, {}};
    gives_reals(fine, expect);
    const auto refused = [&](const char* code, const char* what, float a_scale, Reals b_scales,
                             Reals bias) {
      RealCase c = fine;
      c.a_scale = a_scale;
      c.b_scales = std::move(b_scales);
      c.bias = std::move(bias);
      expect.that(refuses<&quantized_matmul_float>(c.operands(), c.bias, c.codes.shape, out(4)),
                  std::string("accepted ") + what, code);
    };
    for (const auto& [what, a, b] : kBadScales) {
      refused("N-DIV0", what, a, {a == 1e30f ? 1e-30f : 1.0f, b}, {});
    }
    refused("N-SIZE", "3 scales for 2 columns", 0.5f, {1, 2, 3}, {});
    refused("N-SIZE", "3 biases for 2 columns", 0.5f, {1, 2}, {1, 2, 3});
  });
}

// --- quantize_bias ------------------------------------------------------------------------------

struct BiasCase {
  std::string name;
  Reals bias;
  float a_scale;
  Reals b_scales;
  Sums want;
};

std::string show(const BiasCase& c) {
  return "bias = " + show_values(c.bias) + ", a_scale = " + show_value(c.a_scale) +
         ", b_scales = " + show_values(c.b_scales);
}

void suspect_bias(const BiasCase& c, Expect& expect) {
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "q", each_of(c.bias, [&](float bias, std::size_t j) -> double {
                     return give(bias, c.b_scales[j]);
                   }));
  };
  const auto rne = [](float x) { return std::nearbyint(x); };
  const float sa = c.a_scale, first = c.b_scales.empty() ? 1.0f : c.b_scales[0];
  looks("N-SCALE", [=](float x, float sb) { return rne(x * (sa * sb)); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sa * sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x / sa); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x); });
  looks("N-AXIS", [=](float x, float) { return rne(x / (sa * first)); });
  looks("N-TRUNC", [=](float x, float sb) { return std::trunc(x / (sa * sb)); });
  looks("N-ROUND", [=](float x, float sb) { return std::round(x / (sa * sb)); });
  looks("N-ROUND", [=](float x, float sb) { return std::floor(x / (sa * sb) + 0.5f); });
  const auto clamped = [=](float x, float sb, double low, double high) {
    return std::clamp<double>(rne(x / (sa * sb)), low, high);
  };
  looks("N-RANGE", [=](float x, float sb) { return clamped(x, sb, -128, 127); });
  looks("N-RANGE", [=](float x, float sb) { return clamped(x, sb, -32768, 32767); });
  const std::size_t count = c.bias.size();
  for (const std::size_t block : {4, 8, 16, 32, 64}) {
    const std::size_t end = count / block * block;
    if (end == 0) continue;  // all zeros say nothing about a remainder
    expect.suspect("N-TAIL", "q", each_of(c.bias, [&](float x, std::size_t j) -> double {
                     return j < end ? rne(x / (sa * c.b_scales[j])) : 0.0;
                   }));
  }
}

void quantizes_bias(const BiasCase& c, Expect& expect) {
  suspect_bias(c, expect);
  expect.equal("q", call<&quantize_bias>(c.bias, c.a_scale, c.b_scales), c.want);
}

TEST(quantize_bias, DividesByBothScales) {
  each_case<BiasCase>({{"ByHand", {1, -3, 100}, 0.5f, {0.25f, 2, 0.5f}, {8, -3, 400}},
                       {"PastInt16", {1024, -1024}, 0.25f, {0.0625f, 0.125f}, {65536, -32768}},
                       {"PastFloat32", {67108872, 1}, 0.25f, {1, 4}, {268435488, 1}},
                       {"Empty", {}, 0.5f, {}, {}}},
                      quantizes_bias);
}

TEST(quantize_bias, TiesGoToEven) {
  each_case<BiasCase>({{"Nearest", {1.75f, -1.75f, 2.75f, 0}, 0.5f, {2, 2, 2, 2}, {2, -2, 3, 0}},
                       {"Ties", {0.5f, 1.5f, 2.5f, 3}, 1, {1, 1, 1, 1}, {0, 2, 2, 3}},
                       {"Below", {-0.5f, -1.5f, -2.5f, 3}, 1, {1, 1, 1, 1}, {0, -2, -2, 3}}},
                      quantizes_bias);
}

// 2^31 is a float, 2^31 - 1 is not: a clamp in float lets 2^31 through. 2147483520 is the last
// float that fits.
TEST(quantize_bias, Saturates) {
  constexpr std::int32_t top = 2147483647, bottom = -top - 1;
  const Reals ones{1, 1, 1};
  each_case<BiasCase>(
      {{"TheLastThatFit", {2147483520.0f, -2147483648.0f, 5}, 1, ones, {2147483520, bottom, 5}},
       {"TheFirstThatDoesNot", {2147483648.0f, -2147483904.0f, 5}, 1, ones, {top, bottom, 5}},
       {"Huge", {1e30f, -1e30f, 5}, 1, ones, {top, bottom, 5}},
       {"Infinite", {INFINITY, -INFINITY, 5}, 1, ones, {top, bottom, 5}},
       {"NoNumber", {5, NAN, 7}, 1, ones, {5, 0, 7}}},
      [](const BiasCase& c, Expect& expect) {
        if (c.name == "NoNumber") {
          const Sums got = call<&quantize_bias>(c.bias, c.a_scale, c.b_scales);
          expect.that(got == c.want, "a bias of NaN gave q = " + show_values(got), "N-NAN");
        }
        quantizes_bias(c, expect);
      });
}

TEST(quantize_bias, RefusesBadScales) {
  once([](Expect& expect) {
    quantizes_bias({"Fine", {3, 8}, 0.5f, {2, 4}, {3, 4}}, expect);
    const auto refused = [&](const char* code, const char* what, const Reals& bias, float a,
                             const Reals& b) {
      expect.that(refuses<&quantize_bias>(bias, a, b), std::string("accepted ") + what, code);
    };
    for (const auto& [what, a, b] : kBadScales) {
      refused("N-DIV0", what, {1, 2}, a, {a == 1e30f ? 1e-30f : 1.0f, b});
    }
    refused("N-SIZE", "3 scales for 2 biases", {1, 2}, 1, {1, 2, 3});
  });
}

// --- quantized_matmul_int8 ----------------------------------------------------------------------

float multiplier(const CodeCase& c, std::size_t column) {
  return c.a_scale * c.b_scales[column] / c.c_scale;
}

Codes to_codes(const std::vector<double>& values) {
  Codes codes;
  for (const double value : values) {
    codes.push_back(static_cast<std::int8_t>(std::clamp(value, -128.0, 127.0)));
  }
  return codes;
}

/// The contract's formula, from given sums.
template <class List>
Codes codes_of(const CodeCase& c, const List& acc) {
  return to_codes(each_of(acc, [&](auto sum, std::size_t at) -> double {
    const std::int64_t total = static_cast<std::int64_t>(sum) + c.bias_of(at);
    return std::nearbyint(static_cast<float>(total) * multiplier(c, c.column(at))) + c.zc;
  }));
}

void suspect_codes(const CodeCase& c, const Sums& acc, Expect& expect) {
  // give(v, at): v is what is to be rounded; a wrong answer before its last clamp.
  const auto v_of = [&](double sum, std::size_t at) {
    return static_cast<float>(sum + c.bias_of(at)) * multiplier(c, c.column(at));
  };
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "c", to_codes(each_of(acc, [&](double sum, std::size_t at) -> double {
                     return give(sum, v_of(sum, at), at);
                   })));
  };
  const auto rne = [](float x) { return static_cast<double>(std::nearbyint(x)); };
  const float sa = c.a_scale, sc = c.c_scale;
  const double zc = c.zc;
  using I = std::size_t;
  const auto sb = [&](I j) { return j < c.b_scales.size() ? c.b_scales[j] : 0.0f; };
  const auto total = [&](double sum, I at) { return static_cast<float>(sum + c.bias_of(at)); };
  const auto bias = [&](I at) { return static_cast<double>(c.bias_of(at)); };
  looks("N-TRUNC", [=](double, float v, I) { return std::trunc(v) + zc; });
  looks("N-TRUNC", [=](double, float v, I) { return std::trunc(v + zc); });
  looks("N-ROUND", [=](double, float v, I) { return std::round(v) + zc; });
  looks("N-ROUND", [=](double, float v, I) { return std::floor(v + 0.5f) + zc; });
  looks("N-ROUND", [=](double, float v, I) { return rne(v + static_cast<float>(zc)); });
  looks("N-ROUND", [=](double, float v, I) { return std::round(v + static_cast<float>(zc)); });
  looks("N-ZERO", [=](double, float v, I) { return rne(v); });
  looks("N-ZP-SIGN", [=](double, float v, I) { return rne(v) - zc; });
  looks("N-BIAS", [=](double sum, float, I at) {
    return rne(static_cast<float>(sum) * multiplier(c, c.column(at))) + zc;
  });
  looks("N-BIAS", [=](double sum, float, I at) {
    return rne(static_cast<float>(sum) * multiplier(c, c.column(at))) + zc + bias(at);
  });
  looks("N-BIAS", [=](double sum, float, I at) {
    const double steps = sum * (sa * sb(c.column(at))) + bias(at);
    return rne(static_cast<float>(steps / sc)) + zc;
  });
  looks("N-AXIS", [=](double sum, float, I at) {
    return rne(total(sum, at) * (sa * sb(c.row(at)) / sc)) + zc;
  });
  looks("N-AXIS",
        [=](double sum, float, I at) { return rne(total(sum, at) * (sa * sb(0) / sc)) + zc; });
  looks("N-AXIS", [=](double sum, float, I at) {
    const double moved = c.row(at) < c.bias.size() ? c.bias[c.row(at)] : 0;
    return rne(static_cast<float>(sum + moved) * multiplier(c, c.column(at))) + zc;
  });
  looks("N-SCALE", [=](double sum, float, I at) {
    return rne(total(sum, at) * (sa * sb(c.column(at)))) + zc;
  });
  looks("N-SCALE", [=](double sum, float, I at) {
    return rne(total(sum, at) * (sa * sb(c.column(at)) * sc)) + zc;
  });
  looks("N-SCALE", [=](double sum, float, I at) { return rne(total(sum, at) * (sa / sc)) + zc; });
  looks("N-SCALE", [=](double sum, float, I at) {
    return rne(total(sum, at) * (sb(c.column(at)) / sc)) + zc;
  });
  looks("N-SCALE", [=](double sum, float, I at) { return total(sum, at) + zc; });
  const auto wrap = [](double value, auto to) {
    return static_cast<double>(static_cast<decltype(to)>(static_cast<std::int64_t>(value)));
  };
  const auto int8 = [=](double value) {
    return wrap(std::clamp(value, -1e15, 1e15), std::int8_t{});
  };
  const auto clamp8 = [](double value) { return std::clamp(value, -128.0, 127.0); };
  looks("N-CLAMP", [=](double, float v, I) { return int8(rne(v) + zc); });
  looks("N-CLAMP", [=](double, float v, I) { return int8(clamp8(rne(v)) + zc); });
  looks("N-CLAMP", [=](double, float v, I) { return clamp8(rne(v)) + zc; });
  looks("N-CLAMP", [=](double sum, float, I at) {  // the sum, before it is scaled
    return rne(static_cast<float>(clamp8(sum + bias(at))) * multiplier(c, c.column(at))) + zc;
  });
  looks("N-RANGE", [=](double, float v, I) { return std::clamp(rne(v) + zc, -127.0, 127.0); });
  looks("N-SIGN", [=](double, float v, I) { return int8(std::clamp(rne(v) + zc, 0.0, 255.0)); });
  looks("N-OVERFLOW", [=](double sum, float, I at) {
    const double narrow = wrap(sum + bias(at), std::int32_t{});
    return rne(static_cast<float>(narrow) * multiplier(c, c.column(at))) + zc;
  });
  looks("N-OVERFLOW", [=](double sum, float, I at) {
    const double most = std::clamp(sum + bias(at), -2147483648.0, 2147483647.0);
    return rne(static_cast<float>(most) * multiplier(c, c.column(at))) + zc;
  });
  for (const Wrong& wrong : wrong_sums(c.codes)) {
    expect.suspect(wrong.code, "c", codes_of(c, wrong.sums));
  }
}

Codes codes_from(const CodeCase& c) {
  const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
  return call<&quantized_matmul_int8>(c.operands(), c.bias, c.c_scale, c.zc, c.codes.shape,
                                      out(m * n));
}

/// Codes are exact, except one step either way where v is within rounding of a tie.
void same_codes(const CodeCase& c, const Sums& acc, const Codes& got, const Codes& want,
                Expect& expect) {
  const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
  expect.every("c", got, want,
               [&](std::size_t at) {
                 const auto sum = static_cast<float>(std::int64_t{acc[at]} + c.bias_of(at));
                 const float scale = c.c_scale / (c.a_scale * c.b_scales[c.column(at)]);
                 return got[at] == want[at] ||
                        (std::abs(got[at] - want[at]) == 1 && is_near_tie(sum, scale));
               },
               {m, n});
}

void gives_codes(const CodeCase& c, Expect& expect) {
  const Sums acc = by_definition(c.codes);
  suspect_codes(c, acc, expect);
  same_codes(c, acc, codes_from(c), codes_of(c, acc), expect);
}

// By hand: v = 4, 2.75, -8, -1.75. Then sizes with every tail.
TEST(quantized_matmul_int8, Requantizes) {
  std::vector<CodeCase> cases{
      {"ByHand", kTwoByTwo, 0.5f, {2.0f, 0.25f}, {}, 0.5f, 10},
      {"NoK", {"", {2, 9, 0}, 5, {}, -3, {}}, 0.5f, Reals(9, 2.0f), {}, 0.5f, 4},
      {"NoRows", {"", {0, 1, 1}, 5, {}, -3, {1}}, 0.5f, {2}, {}, 0.5f, -3}};
  std::ranges::copy(random_scaled<std::int32_t>(seed, kScaledShapes), std::back_inserter(cases));
  each_case(cases, [](const CodeCase& c, Expect& expect) {
    if (c.name == "3x17x33") {
      const Codes want = codes_of(c, by_definition(c.codes));
      Expect::healthy(distinct(want) > 20 && saturated_share(want, -128, 127) < 0.5,
                      "codes that are few, or mostly saturated");
    }
    gives_codes(c, expect);
    if (c.name == "ByHand") expect.equal("c", codes_from(c), Codes{14, 13, 2, 8});
  });
}

// One column of sums a[i,0], each scaled by 1/2: v = 0.5, 1.5, 2.5, 3.5, -0.5, -1.5, 2. With a
// zero point of 1, rounding v + 1 moves the ties by one more than it should.
TEST(quantized_matmul_int8, RoundsThenAddsTheZeroPoint) {
  const MatmulCase halves{"7x1x1", {7, 1, 1}, 0, {1, 3, 5, 7, -1, -3, 4}, 0, {1}};
  each_case<CodeCase>(
      {{"Ties", halves, 0.5f, {1}, {}, 1, 0}, {"OddZeroPoint", halves, 0.5f, {1}, {}, 1, 1}},
      [](const CodeCase& c, Expect& expect) {
        gives_codes(c, expect);
        Codes want{0, 2, 2, 4, 0, -2, 2};
        for (std::int8_t& code : want) code = static_cast<std::int8_t>(code + c.zc);
        expect.equal("c", codes_from(c), want);
      });
}

// Sums 120, -120, 100, 0 at four scales: past the rails by themselves, only with the zero point,
// back inside them by it, and past every integer type.
TEST(quantized_matmul_int8, Saturates) {
  const MatmulCase sums{"4x1x1", {4, 1, 1}, 0, {120, -120, 100, 0}, 0, {1}};
  each_case<CodeCase>({{"Scaled", sums, 2, {1}, {}, 1, 3},
                       {"ByTheZeroPoint", sums, 0.5f, {1}, {}, 1, 100},
                       {"BackByTheZeroPoint", sums, 1.5f, {1}, {}, 1, 70},
                       {"Huge", sums, 1e6f, {1e6f}, {}, 1e-3f, -5}},
                      gives_codes);
}

// In the last two, acc = 2^27 and a bias at the end of int32 leave int32 together: v = 68 exactly
// (and -68), where a wrapped sum gives -60 and a saturated one 64.
TEST(quantized_matmul_int8, AddsTheBiasFirst) {
  constexpr std::int32_t top = 2147483647;
  const float tiny = 0x1p-25f;
  each_case<CodeCase>(
      {{"ByHand", kTwoByTwo, 0.5f, {2.0f, 0.25f}, {30, -40}, 0.5f, 10},
       {"EmptySum", {"", {1, 2, 0}, 5, {}, -3, {}}, 0.5f, {2, 4}, {6, -6}, 0.5f, 1},
       {"PastInt32", constant_case("", 32768, 0, 64, 0, 64), 1, {1}, {top}, 1 / tiny, 0},
       {"BelowInt32", constant_case("", 32768, 0, 64, 0, -64), 1, {1}, {-top}, 1 / tiny, 0}},
      gives_codes);
}

TEST(quantized_matmul_int8, RefusesBadScales) {
  once([](Expect& expect) {
    const CodeCase fine{"Fine", kTwoByTwo, 0.5f, {1.0f, 2.0f}, {4, -6}, 0.25f, -7};
    gives_codes(fine, expect);
    const auto refused = [&](const char* code, const std::string& what, const CodeCase& c) {
      expect.that(refuses<&quantized_matmul_int8>(c.operands(), c.bias, c.c_scale, c.zc,
                                                  c.codes.shape, out(4)),
                  "accepted " + what, code);
    };
    const auto with_c_scale = [&](float c_scale) {
      CodeCase c = fine;
      c.c_scale = c_scale;
      refused("N-DIV0", "c_scale = " + show_value(c_scale), c);
    };
    for (const float c_scale : {0.0f, -1.0f, NAN, INFINITY, FLT_MIN / 4}) with_c_scale(c_scale);
    with_c_scale(1e38f * 3);  // fine by itself; 0.5 / 3e38 is subnormal
    for (const auto& [what, a, b] : kBadScales) {
      CodeCase c = fine;
      c.a_scale = a;
      c.b_scales = {a == 1e30f ? 1e-30f : 1.0f, b};
      refused("N-DIV0", what, c);
    }
    CodeCase c = fine;
    c.zc = 128;
    refused("N-RANGE", "c_zero_point = 128", c);
    c = fine;
    c.bias.push_back(1);
    refused("N-SIZE", "3 biases for 2 columns", c);
    c = fine;
    c.b_scales.push_back(1);
    refused("N-SIZE", "3 scales for 2 columns", c);
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

Sums reference(const MatmulCase& c) {
  Sums sums(std::size_t(c.shape.m) * c.shape.n);
  quantized_matmul(c.a, c.za, c.b, c.zb, c.shape, sums);
  return sums;
}

// Zero points anywhere, the rails among them; sizes one more than a tile of 64 in each direction.
std::vector<MatmulCase> hidden_products() {
  std::vector<MatmulCase> cases;
  for (const MatmulShape shape : {MatmulShape{1, 1, 1},
                                  {4, 6, 10},
                                  {5, 67, 19},
                                  {67, 5, 23},
                                  {65, 65, 65},
                                  {1, 129, 257},
                                  {2, 3, 4099}}) {
    const std::uint64_t salt = 4 * cases.size();
    const auto zero_points = code_tensor<std::int8_t>(2, hidden_seed(salt), -128, 127);
    cases.push_back(random_case(shape, zero_points[0],
                                cases.size() % 2 == 0 ? -128 : zero_points[1],
                                hidden_seed(salt + 1), hidden_seed(salt + 2)));
  }
  return cases;
}

TEST(quantized_matmul, EqualsTheReference) {
  each_case(hidden_products(), [](const MatmulCase& c, Expect& expect) {
    const Sums want = reference(c);
    if (want.size() > 100) Expect::healthy(distinct(want) > 50, "few different sums");
    multiplies(c, expect, want);
  });
}

TEST(apply_zero_points, EqualsTheDirectProduct) {
  each_case(hidden_products(), [](const MatmulCase& c, Expect& expect) {
    const auto [m, n, k] = c.shape;
    MatmulCase plain = c;
    plain.za = plain.zb = 0;
    const MatmulCase rows{"", {m, 1, k}, 0, c.a, 0, Codes(k, 1)};
    const MatmulCase columns{"", {1, n, k}, 0, Codes(k, 1), 0, c.b};
    corrects({c.name, c.shape, reference(plain), reference(rows), reference(columns), c.za, c.zb,
              reference(c)},
             expect);
  });
}

// The last has 201 results, so a tile of 64 leaves some over, which no public case makes it do.
const std::vector<MatmulShape> kHiddenShapes = {
    {2, 3, 4}, {5, 2, 3}, {1, 9, 7}, {3, 17, 33}, {3, 67, 5}};

TEST(quantized_matmul_float, EqualsTheReference) {
  std::vector<RealCase> cases = random_scaled<float>(hidden_seed, kHiddenShapes);
  const std::size_t plain = cases.size();
  for (std::size_t i = 0; i < plain; ++i) {  // powers of two, where a bias adds no rounding
    RealCase c = cases[i];
    c.name += "WithBias";
    c.a_scale = 0.25f;
    for (std::size_t j = 0; j < c.b_scales.size(); ++j) {
      c.b_scales[j] = j % 2 == 0 ? 0.125f : 0.5f;
      c.bias.push_back(std::rint(cases[i].b_scales[j] * 0x1p18f) - 600);
    }
    cases.push_back(c);
  }
  each_case(cases, [](const RealCase& c, Expect& expect) {
    const Sums acc = by_definition(c.codes);
    suspect_reals(c, acc, expect);
    const std::size_t m = c.codes.shape.m, n = c.codes.shape.n;
    Reals want(m * n);
    quantized_matmul_float(c.operands(), c.bias, c.codes.shape, want);
    expect.near("c", reals_from(c), want, c.bias.empty() ? two_ulps() : Tolerance{}, {m, n});
  });
}

// Up to about 10^5 steps: beyond 2^19 every quotient is within rounding of a tie.
TEST(quantize_bias, EqualsTheReference) {
  each_case<BiasCase>({{"1", normal_tensor(1, hidden_seed(200)), 0.02f, {0.003f}, {}},
                       {"67",
                        normal_tensor(67, hidden_seed(201)),
                        uniform_tensor(1, hidden_seed(202), 0.01f, 0.04f)[0],
                        uniform_tensor(67, hidden_seed(203), 0.001f, 0.004f),
                        {}}},
                      [](const BiasCase& c, Expect& expect) {
                        suspect_bias(c, expect);
                        const Sums want = quantize_bias(c.bias, c.a_scale, c.b_scales);
                        if (want.size() > 50)
                          Expect::healthy(distinct(want) > 50, "few different biases");
                        const Sums got = call<&quantize_bias>(c.bias, c.a_scale, c.b_scales);
                        expect.every("q", got, want, [&](std::size_t j) {
                          return got[j] == want[j] ||
                                 (std::abs(std::int64_t{got[j]} - want[j]) == 1 &&
                                  is_near_tie(c.bias[j], c.a_scale * c.b_scales[j]));
                        });
                      });
}

TEST(quantized_matmul_int8, EqualsTheReference) {
  std::vector<CodeCase> cases = random_scaled<std::int32_t>(hidden_seed, kHiddenShapes);
  for (CodeCase& c : cases) {
    c.bias = Sums(c.codes.shape.n);
    for (std::size_t j = 0; j < c.bias.size(); ++j) {
      c.bias[j] = static_cast<std::int32_t>(20000.0f * (500.0f * c.b_scales[j] - 1.2f));
    }
    c.zc = code_tensor<std::int8_t>(1, hidden_seed(300), -20, 20)[0];
  }
  each_case(cases, [](const CodeCase& c, Expect& expect) {
    const Sums acc = by_definition(c.codes);
    suspect_codes(c, acc, expect);
    Codes want(acc.size());
    quantized_matmul_int8(c.operands(), c.bias, c.c_scale, c.zc, c.codes.shape, want);
    same_codes(c, acc, codes_from(c), want, expect);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
