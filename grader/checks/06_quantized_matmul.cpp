// Lab 06: the checks.
#include "quantized_matmul.hpp"

#include "checks/marks/06_quantized_matmul.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge {

/// QuantizedOperands that own what they hold.
struct Operands {
  Codes a;
  std::int32_t za;
  float a_scale;
  Codes b;
  std::int32_t zb;
  Reals b_scales;
  operator QuantizedOperands() const { return {a, za, a_scale, b, zb, b_scales}; }
};
template <>
struct Owned<QuantizedOperands> {
  using Type = Operands;
};

/// A LinearLayer that owns what it holds.
struct OwnedLayer {
  float x_scale;
  std::int32_t zx;
  Codes w;
  Reals w_scales, bias;
  float y_scale;
  std::int32_t zy;
  operator LinearLayer() const { return {x_scale, zx, w, w_scales, bias, y_scale, zy}; }
};
template <>
struct Owned<LinearLayer> {
  using Type = OwnedLayer;
};

namespace {

constexpr std::int32_t kTop = 2147483647, kBottom = -kTop - 1;

using I = std::size_t;

using Shapes = std::vector<MatmulShape>;

Shape rows_and_columns(MatmulShape s) { return {I(s.m), I(s.n)}; }

/// The element at an index, or 0 outside: of an empty bias, or where a mistake would look.
template <class T>
T or_zero(const std::vector<T>& list, I i) {
  return i < list.size() ? list[i] : T{0};
}

// --- A product of codes, and what goes wrong with it --------------------------------------------

using Multiplying = Exercise<&quantized_matmul>;
using Product = Multiplying::Arguments;  // a, its zero point, b, its zero point, shape

/// The upper left corner, summed over the first k; then without a zero point.
std::vector<Product> smaller_products(const Product& in) {
  const auto& [a, za, b, zb, shape] = in;
  std::vector<Product> all;
  for (const MatmulShape s : smaller_shapes(shape)) {
    all.push_back({corner(a, shape.k, s.m, s.k), za, corner(b, shape.n, s.k, s.n), zb, s});
  }
  if (za != 0) all.push_back({a, 0, b, zb, shape});
  if (zb != 0) all.push_back({a, za, b, 0, shape});
  return all;
}

/// c[i,j] = sum over p of term(i, j, p), rounded or wrapped to Sum after every addition.
template <class Sum, class Term>
std::vector<Sum> each_sum(MatmulShape shape, const Term& term) {
  std::vector<Sum> c;
  for (I i = 0; i < I(shape.m); ++i) {
    for (I j = 0; j < I(shape.n); ++j) {
      Sum acc = 0;
      for (I p = 0; p < I(shape.k); ++p) {
        acc = static_cast<Sum>(acc + static_cast<Sum>(term(i, j, p)));
      }
      c.push_back(acc);
    }
  }
  return c;
}

/// The contract's formula, in 64 bits. No public check calls the reference: this is the oracle.
Sums by_definition(const Product& in) {
  const I n = in.e.n, k = in.e.k;
  const auto sums = each_sum<std::int64_t>(
      in.e, [&](I i, I j, I p) { return (in.a[i * k + p] - in.b) * (in.c[p * n + j] - in.d); });
  return {sums.begin(), sums.end()};
}

/// An answer that a known mistake gives.
struct Wrong {
  const char* code;
  std::vector<double> sums;
};

/// How a product reads its codes: what each usual mistake changes. An index outside reads a 0.
struct Reading {
  int za, zb, both;      ///< `both` is added to every product
  I a_i, a_p, b_p, b_j;  ///< strides
  int a_bits, b_bits;    ///< of a code: 255 makes it unsigned
  I end;                 ///< of the sum

  int difference_a(const Product& in, I i, I p) const {
    return (or_zero(in.a, i * a_i + p * a_p) & a_bits) - za;
  }
  int difference_b(const Product& in, I p, I j) const {
    return (or_zero(in.c, p * b_p + j * b_j) & b_bits) - zb;
  }
};

/// What the usual mistakes make of these codes.
std::vector<Wrong> wrong_sums(const Product& in) {
  const I m = in.e.m, n = in.e.n, k = in.e.k;
  const Reading right{in.b, in.d, 0, k, 1, n, 1, -1, -1, k};
  std::vector<Wrong> all;
  const auto add = [&](const char* code, auto zero, const auto& term) {
    const auto sums = each_sum<decltype(zero)>(in.e, term);
    all.push_back({code, {sums.begin(), sums.end()}});
  };
  constexpr double exact = 0;  // doubles hold every sum of a legal k
  const auto reads = [&](const char* code, const auto& change) {
    Reading r = right;
    change(r);
    add(code, exact, [&](I i, I j, I p) {
      return p < r.end ? r.difference_a(in, i, p) * r.difference_b(in, p, j) + r.both : 0;
    });
  };
  reads("N-ZERO", [](Reading& r) { r.za = 0; });
  reads("N-ZERO", [](Reading& r) { r.zb = 0; });
  reads("N-ZERO", [](Reading& r) { r.za = r.zb = 0; });
  reads("N-ZERO", [](Reading& r) { r.both = -r.za * r.zb; });  // k * za * zb forgotten
  reads("N-ZP-SIGN", [](Reading& r) { r.za = -r.za; });
  reads("N-ZP-SIGN", [](Reading& r) { r.zb = -r.zb; });
  reads("N-ZP-SIGN", [](Reading& r) { r.za = -r.za, r.zb = -r.zb; });
  reads("N-ZERO", [](Reading& r) { std::swap(r.za, r.zb); });
  reads("N-SIGN", [](Reading& r) { r.a_bits = 255; });
  reads("N-SIGN", [](Reading& r) { r.b_bits = 255; });
  reads("N-SIGN", [](Reading& r) { r.a_bits = r.b_bits = 255; });
  reads("N-TRANS", [=](Reading& r) { r.b_p = 1, r.b_j = k; });
  reads("N-LAYOUT", [=](Reading& r) { r.b_p = k; });
  reads("N-LAYOUT", [=](Reading& r) { r.b_p = m; });
  reads("N-LAYOUT", [=](Reading& r) { r.a_i = 1, r.a_p = m; });
  reads("N-LAYOUT", [=](Reading& r) { r.a_i = n; });
  reads("N-LAYOUT", [=](Reading& r) { r.a_i = m; });
  const Sums sums = by_definition(in);
  all.push_back({"N-LAYOUT", std::vector<double>(m * n)});  // c[j * m + i]
  for (I c = 0; c < m * n; ++c) all.back().sums[c % n * m + c / n] = sums[c];
  reads("N-TAIL", [=](Reading& r) { r.end = k - std::min<I>(k, 1); });
  for (const I block : {4, 8, 16, 32}) {
    reads("N-TAIL", [=](Reading& r) { r.end = k / block * block; });
  }
  const auto a = [&](I i, I p) { return right.difference_a(in, i, p); };
  const auto b = [&](I p, I j) { return right.difference_b(in, p, j); };
  const auto product = [&](I i, I j, I p) { return a(i, p) * b(p, j); };
  const auto int8 = [](int value) { return static_cast<std::int8_t>(value); };
  const auto int16 = [](int value) { return static_cast<std::int16_t>(value); };
  add("N-OVERFLOW", std::int8_t{0}, product);
  add("N-OVERFLOW", std::int16_t{0}, product);
  add("N-OVERFLOW", exact, [&](I i, I j, I p) { return int8(a(i, p)) * int8(b(p, j)); });
  add("N-OVERFLOW", exact, [&](I i, I j, I p) { return int16(product(i, j, p)); });
  add("N-FLOAT32", 0.0f, product);
  reads("N-TAIL", [](Reading& r) { r.end = 0; });
  return all;
}

void suspect_sums(Expect& expect, const Product& in, const Sums&) {
  for (const Wrong& wrong : wrong_sums(in)) expect.suspect(wrong.code, "c", wrong.sums);
}

// --- quantized_matmul ---------------------------------------------------------------------------

const Multiplying multiplying{
    {"a", "a_zero_point", "b", "b_zero_point", "m", "n", "k"},
    {"c"},
    suspect_sums,
    {.sizes = [](const auto& in) { return rows_and_columns(in.e); }, .smaller = smaller_products}};

// The first cases have no sum to get wrong: what is missing was never written. The last has one,
// since whoever fills c with 0 has multiplied nothing.
TEST(quantized_matmul, EmptySumIsZero) {
  multiplying.gives({{"NoK", {{}, 5, {}, -3, {2, 4, 0}}, Sums(8)},
                     {"NoRows", {{}, 5, {1, 2, 3, 4, 5, 6}, -3, {0, 3, 2}}, {}},
                     {"NoColumns", {{1, 2, 3, 4, 5, 6}, 5, {}, -3, {2, 0, 3}}, {}},
                     {"OneByOne", {{2}, 0, {3}, 0, {1, 1, 1}}, {6}}});
}

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1.
TEST(quantized_matmul, FollowsTheFormula) {
  multiplying.gives(
      {{"Wide", {{1, 2}, 0, {3, 4, 5, 6, 7, 9}, 0, {1, 3, 2}}, {15, 18, 23}},
       {"Tall", {{1, 2, 3, 4, 5, 7}, 0, {2, 1, -1}, 0, {2, 1, 3}}, {1, 6}},
       {"Both", {{1, 2, 3, 4}, 0, {5, 6, 7, 8, 9, -1}, 0, {2, 3, 2}}, {21, 24, 5, 47, 54, 17}}});
}

TEST(quantized_matmul, SubtractsBothZeroPoints) {
  multiplying.gives({{"OnlyA", {{2, 3, 5, 2}, 2, {7, -1, 4, 6}, 0, {2, 2, 2}}, {4, 6, 21, -3}},
                     {"OnlyB", {{1, 2, 3, -4}, 0, {-3, 0, -2, 1}, -3, {2, 2, 2}}, {2, 11, -4, -7}},
                     {"Both", {{1, 4, -1, 2}, 1, {-2, 1, 5, -3}, -2, {2, 2, 2}}, {21, -3, 7, -7}},
                     {"Far", {{127}, -128, {-128}, 100, {1, 1, 1}}, {-58140}}});
}

/// k products of the same two codes.
Product constant_product(int k, int za, int a, int zb, int b) {
  const Codes as(k, static_cast<std::int8_t>(a)), bs(k, static_cast<std::int8_t>(b));
  return {as, za, bs, zb, {1, 1, k}};
}

// 3 * 127^2 leaves int16. 2001 * 127^2 is odd and above 2^24: no float32 holds it. The longest
// legal k, with every product at its largest, ends less than 2^16 short of 2^31.
TEST(quantized_matmul, SumsAreExact) {
  multiplying.agrees_with(by_definition,
                          {{"PastInt16", constant_product(3, 0, 127, 0, 127)},
                           {"PastFloat32", constant_product(2001, 0, 127, 0, 127)},
                           {"LongestWidest", constant_product(33025, -128, 127, -128, 127)},
                           {"LongestNegative", constant_product(65793, -128, 127, 0, -128)},
                           {"Longest", constant_product(131071, 0, -128, 0, -128)}});
}

Product random_product(MatmulShape s, int za, int zb, std::uint64_t seed_a, std::uint64_t seed_b) {
  return {code_tensor<std::int8_t>(I(s.m) * s.k, seed_a, -128, 127), za,
          code_tensor<std::int8_t>(I(s.k) * s.n, seed_b, -128, 127), zb, s};
}

/// Agreeing where few sums differ proves little.
void expect_different(const Product& in, std::size_t least) {
  Expect::healthy(distinct(by_definition(in)) > least, "few different sums");
}

// A row, a column, primes; then one less than, as many as and one more than a vector of 32 codes,
// in each size in turn.
const Shapes kShapes = {{1, 17, 5}, {17, 1, 5}, {7, 11, 13}, {3, 5, 31},
                        {3, 5, 32}, {3, 5, 33}, {2, 33, 9},  {33, 2, 9}};

// Zero points are odd: an even one hides a lost bit.
TEST(quantized_matmul, EveryShape) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : kShapes) {
    const std::uint64_t salt = 2 * inputs.size();
    inputs.push_back({size_text(shape), random_product(shape, -7, 3, seed(salt), seed(salt + 1))});
    expect_different(inputs.back().in, 10);
  }
  multiplying.agrees_with(by_definition, inputs);
}

// longest = (2^31 - 1) / (reach(za) * reach(zb)), rounded down. The products are 64 * 64, so that
// exactness is not asked twice.
TEST(quantized_matmul, RefusesUnsafeSums) {
  std::vector<Multiplying::Row> accepted;
  std::vector<Multiplying::Refused> refused;
  const auto add = [&](int za, int zb, int longest) {
    const auto away = [](int z) { return z > 0 ? z - 64 : z + 64; };
    const auto with = [&](int k) { return constant_product(k, za, away(za), zb, away(zb)); };
    accepted.push_back({"", with(longest), by_definition(with(longest))});
    refused.push_back({"", with(longest + 1)});
  };
  add(0, 0, 131071);
  add(-1, 3, 128070);
  add(-128, 0, 65793);
  add(0, -128, 65793);
  add(127, -128, 33025);
  add(-128, -128, 33025);
  refused.push_back({"", constant_product(262144, 0, 64, 0, 64)});  // 2^32, in int32 it is 0
  refused.push_back({"", {{}, 0, {}, 0, {0, 0, 131072}}});          // sizes decide: there is no sum
  multiplying.refuses(accepted, refused);
}

// Every span is too long, not too short: who forgets to look still reads what is there.
TEST(quantized_matmul, RefusesWrongSizes) {
  const Codes a{1, 2, 3, 4, 5, 6}, b{7, 8, 9};
  const MatmulShape shape{2, 1, 3};
  multiplying.refuses({{"Fits", {a, 1, b, -1, shape}, {29, 110}}},
                      {{"N-SIZE", {{1, 2, 3, 4, 5, 6, 7}, 0, b, 0, shape}},
                       {"N-SIZE", {a, 0, {7, 8, 9, 10}, 0, shape}},
                       {"N-SIZE", {a, 0, b, 0, shape}, /*too_many=*/1},
                       {"N-RANGE", {a, 128, b, 0, shape}},
                       {"N-RANGE", {a, -129, b, 0, shape}},
                       {"N-RANGE", {a, 0, b, 128, shape}},
                       {"N-RANGE", {a, 0, b, -129, shape}},
                       {"N-SIZE", {{}, 0, {}, 0, {0, 0, -1}}},
                       {"N-SIZE", {{}, 0, {}, 0, {0, -1, 0}}},
                       {"N-SIZE", {{}, 0, {}, 0, {-1, 0, 0}}}});
}

// --- apply_zero_points --------------------------------------------------------------------------

using Correcting = Exercise<&apply_zero_points>;

std::int32_t wrapped(double value) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
}

void suspect_corrections(Expect& expect, const Correcting::Arguments& in, const Sums&) {
  const Sums &raw = in.a, &row_sums = in.b, &column_sums = in.c;
  const double za = in.d, zb = in.e, k = in.f.k;
  const I n = in.f.n;
  // give(raw, row sum, column sum) of each element.
  const auto suspect = [&](const char* code, const auto& give, bool swapped = false,
                           const char* words = "") {
    std::vector<double> c;
    for (I at = 0; at < raw.size(); ++at) {
      const I i = swapped ? at % n : at / n, j = swapped ? at / n : at % n;
      c.push_back(give(double(raw[at]), double(row_sums[i]), double(column_sums[j])));
    }
    expect.suspect(code, "c", c, words);
  };
  const auto terms = [&](const char* code, double rows, double columns, double both,
                         bool swapped = false, const char* words = "") {
    const auto give = [=](double raw, double r, double s) {
      return raw - rows * zb * r - columns * za * s + both * za * zb;
    };
    suspect(code, give, swapped, words);
  };
  terms("N-ZERO", 0, 0, 0);
  terms("N-ZERO", 1, 1, 0, false, "as if k * a_zero_point * b_zero_point were left out");
  terms("N-ZERO", 1, 1, 1, false, "as if the last term were not k times as large");
  terms("N-ZERO", 1, 0, k);
  terms("N-ZERO", 0, 1, k);
  for (int signs = 1; signs < 8; ++signs) {
    const auto sign = [=](int bit) { return (signs >> bit & 1) != 0 ? -1.0 : 1.0; };
    terms("N-ZP-SIGN", sign(0), sign(1), sign(2) * k);
  }
  suspect(
      "N-AXIS", [=](double raw, double r, double s) { return raw - za * r - zb * s + k * za * zb; },
      false, "as if the zero points were exchanged: b_zero_point belongs to row_sums");
  if (in.f.m == in.f.n) {
    terms("N-AXIS", 1, 1, k, /*swapped=*/true, "as if row_sums and column_sums were exchanged");
  }
  for (int narrow = 1; narrow < 8; ++narrow) {
    const auto some = [=](int bit, double value) {
      return (narrow >> bit & 1) != 0 ? wrapped(value) : value;
    };
    suspect("N-OVERFLOW", [=](double raw, double r, double s) {
      return raw - some(0, zb * r) - some(1, za * s) + some(2, k * za * zb);
    });
  }
  suspect("N-FLOAT32", [=](float raw, float r, float s) {
    const float by_rows = raw - float(zb) * r;
    return by_rows - float(za) * s + float(k) * float(za) * float(zb);
  });
}

const Correcting correcting{
    {"raw", "row_sums", "column_sums", "a_zero_point", "b_zero_point", "m", "n", "k"},
    {"c"},
    suspect_corrections,
    {.sizes = [](const auto& in) { return rows_and_columns(in.f); }}};

// Square first, where a sum taken along the wrong side is still inside. Its numbers are the codes
// {1, 4, -1, 2} times {-2, 1, 5, -3} of quantized_matmul, and so is its answer.
TEST(apply_zero_points, CombinesTheFourTerms) {
  const Sums raw{10, 20, 30, 40, 50, 60}, rows{1, 2}, columns{5, -6, 7};
  const MatmulShape shape{2, 3, 4};
  correcting.gives(
      {{"Square", {{18, -11, 12, -7}, {5, 1}, {3, -2}, 1, -2, {2, 2, 2}}, {21, -3, 7, -7}},
       {"Columns", {raw, rows, columns, 2, 0, shape}, {0, 32, 16, 30, 62, 46}},
       {"Rows", {raw, rows, columns, 0, -3, shape}, {13, 23, 33, 46, 56, 66}},
       {"Both", {raw, rows, columns, 2, -3, shape}, {-21, 11, -5, 12, 44, 28}},
       {"NoK", {{0, 0}, {0}, {0, 0}, 5, 7, {1, 2, 0}}, {0, 0}},
       {"NoRows", {{}, {}, {4, 5}, 5, 7, {0, 2, 3}}, {}}});
}

// 200000 codes of b are real zeros but for one, in the columns; of a, in the rows. k * za * zb is
// 3276800000, and almost all of it cancels. Corrections that are beyond int32 together, where those
// that wrapped around would not cancel. Then results at the two ends of int32.
TEST(apply_zero_points, OnlyTheResultHasToFit) {
  const Sums raw{-5111, -5120}, far{-25599999, -25600000};
  correcting.gives(
      {{"Columns", {raw, {40}, far, -128, -128, {1, 2, 200000}}, {137, 0}},
       {"Rows", {raw, far, {40}, -128, -128, {2, 1, 200000}}, {137, 0}},
       {"TogetherBeyond", {{2147483000}, {33000000}, {0}, 0, 127, {1, 1, 300000}}, {-2043517000}},
       {"Largest", {{2147483000}, {-647}, {0}, 0, 1, {1, 1, 647}}, {kTop}},
       {"Smallest", {{-2147483000}, {648}, {0}, 0, 1, {1, 1, 648}}, {kBottom}}},
      /*if_refused=*/"N-OVERFLOW");
}

TEST(apply_zero_points, RefusesWhatDoesNotFit) {
  const MatmulShape shape{1, 2, 1};
  correcting.refuses({{"Fits", {{7, 8}, {5}, {1, 2}, 1, -1, {1, 2, 3}}, {8, 8}}},
                     {{"N-OVERFLOW", {{5, kTop}, {1}, {0, 0}, 0, -1, shape}},
                      {"N-OVERFLOW", {{kBottom, 5}, {1}, {0, 0}, 0, 1, shape}},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2, 3}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2, 3}, {1}, {1, 2}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2}, {1, 2}, {1, 2}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2}, 0, 0, shape}, /*too_many=*/1},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2}, 0, 0, {1, 2, -1}}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 128, 0, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, -129, 0, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 0, 128, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 0, -129, shape}}});
}

// --- Products with scales -----------------------------------------------------------------------

using Scaling = Exercise<&quantized_matmul_float>;      // operands, bias, shape
using Requantizing = Exercise<&quantized_matmul_int8>;  // operands, bias, c_scale, zc, shape

MatmulShape& shape_of(Scaling::Arguments& in) { return in.c; }
MatmulShape& shape_of(Requantizing::Arguments& in) { return in.e; }

Product product_of(const Operands& of, MatmulShape shape) {
  return {of.a, of.za, of.b, of.zb, shape};
}

Operands operands(const Product& of, float a_scale, const Reals& b_scales) {
  return {of.a, of.b, a_scale, of.c, of.d, b_scales};
}

template <class Arguments>
std::vector<Arguments> smaller_scaled(const Arguments& in) {
  std::vector<Arguments> all;
  Arguments one = in;
  for (const Product& codes : smaller_products(product_of(in.a, shape_of(one)))) {
    one.a = operands(codes, in.a.a_scale, in.a.b_scales);
    one.a.b_scales.resize(codes.e.n);
    one.b = in.b;
    if (!one.b.empty()) one.b.resize(codes.e.n);
    shape_of(one) = codes.e;
    all.push_back(one);
  }
  return all;
}

/// Sums 2, 11 in the first row, -4, -7 in the second.
const MatmulShape kTwo{2, 2, 2};
const Product kTwoByTwo{{1, 2, 3, -4}, 0, {-3, 0, -2, 1}, -3, kTwo};

// Sizes where more rows than columns, or fewer, make a scale of the row stand out; one column; the
// remainder of a vector of 8 floats.
const Shapes kScaledShapes = {{2, 3, 4}, {5, 2, 3}, {9, 1, 7}, {1, 9, 7}, {3, 17, 33}};

template <class E>
std::vector<typename E::Input> random_scaled(Seed seed_of, const Shapes& shapes) {
  std::vector<typename E::Input> inputs;
  for (const MatmulShape shape : shapes) {
    const std::uint64_t salt = 64 + 8 * inputs.size();
    const float a_scale = uniform_tensor(1, seed_of(salt), 0.01f, 0.04f)[0];
    typename E::Arguments in{};
    in.a = operands(random_product(shape, 5, -9, seed_of(salt + 1), seed_of(salt + 2)), a_scale,
                    uniform_tensor(shape.n, seed_of(salt + 3), 0.001f, 0.004f));
    shape_of(in) = shape;
    if constexpr (std::is_same_v<E, Requantizing>) {
      // Sums spread over about 5500 * sqrt(k): codes over about 50 steps, and a few saturate.
      in.c = a_scale * 0.0025f * 100.0f * std::sqrt(static_cast<float>(shape.k));
      in.d = -11;
    }
    inputs.push_back({size_text(shape), in});
  }
  return inputs;
}

/// What no scale may be, and two scales whose product is none, be it 0, subnormal or infinite; and
/// what fits in the other column.
struct ScalePair {
  float a, b, other_b = 1.0f;
};
const std::vector<ScalePair> kBadScales = {
    {0.0f, 1.0f},     {1.0f, 0.0f},     {-1.0f, 1.0f},         {1.0f, -1.0f},
    {-1.0f, -1.0f},   {kNan, 1.0f},     {1.0f, kInfinity},     {1.0f, FLT_MIN / 4},
    {1e-30f, 1e-30f}, {1e-20f, 1e-20f}, {1e30f, 1e30f, 1e-30f}};

/// What is refused whatever the scales are, by changes of what is fine.
template <class E>
void refuse_sizes_and_codes(std::vector<typename E::Refused>& refused,
                            const typename E::Arguments& fine) {
  const auto add = [&](const char* code, const auto& change) {
    refused.push_back({code, fine});
    change(refused.back().in);
  };
  refused.push_back({"N-SIZE", fine, /*too_many=*/1});
  add("N-RANGE", [](auto& in) { in.a.za = 128; });
  add("N-RANGE", [](auto& in) { in.a.zb = -129; });
  add("N-SIZE", [](auto& in) { in.a.a.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.b.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.b_scales.assign(3, 1); });
  add("N-SIZE", [](auto& in) { in.a.b_scales.assign(1, 1); });
  add("N-SIZE", [](auto& in) { in.b.assign(3, 1); });
  add("N-SIZE", [](auto& in) { in.b.assign(1, 1); });
  add("N-OVERFLOW", [](auto& in) {
    const Product of = constant_product(131072, 0, 1, 0, 1);
    in.a = operands(of, 0.5f, {1});
    in.b.clear();
    shape_of(in) = of.e;
  });
}

// --- quantized_matmul_float ---------------------------------------------------------------------

/// The contract's formula, from given sums.
template <class List>
Reals reals_of(const Scaling::Arguments& in, const List& sums) {
  return each_of(sums, [&](auto sum, I at) {
    const I j = at % in.c.n;
    return static_cast<float>(sum) * (in.a.a_scale * in.a.b_scales[j]) + or_zero(in.b, j);
  });
}

Reals real_product(const Scaling::Arguments& in) {
  return reals_of(in, by_definition(product_of(in.a, in.c)));
}

void suspect_reals(Expect& expect, const Scaling::Arguments& in, const Reals&) {
  const Product codes = product_of(in.a, in.c);
  const Sums sums = by_definition(codes);
  const float sa = in.a.a_scale;
  const I n = in.c.n, k = in.c.k;
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "c", each_of(sums, [&](float sum, I at) -> float {
                     return give(sum, in.a.b_scales[at % n], or_zero(in.b, at % n), at);
                   }));
  };
  const auto scale_at = [&](I j) { return or_zero(in.a.b_scales, j); };
  const auto bias_at = [&](I j) { return or_zero(in.b, j); };
  looks("N-FORMULA", [=](float sum, float sb, float bias, I) { return sum * sa * sb + bias; });
  looks("N-FORMULA", [=](float s, float sb, float bias, I) { return std::fma(s, sa * sb, bias); });
  looks("N-BIAS", [=](float sum, float sb, float, I) { return sum * (sa * sb); });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return (sum + bias) * (sa * sb); });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return sum * (sa * sb) - bias; });
  looks("N-BIAS", [=](float sum, float sb, float bias, I) { return (sum * sa + bias) * sb; });
  looks("N-AXIS", [&](float s, float sb, float, I at) { return s * (sa * sb) + bias_at(at / n); });
  looks("N-AXIS", [&](float s, float sb, float, I) { return s * (sa * sb) + bias_at(0); });
  looks("N-AXIS", [&](float s, float, float b, I at) { return s * (sa * scale_at(at / n)) + b; });
  looks("N-AXIS", [&](float s, float, float b, I) { return s * (sa * scale_at(0)) + b; });
  looks("N-SCALE", [](float sum, float, float bias, I) { return sum + bias; });
  looks("N-SCALE", [=](float sum, float, float bias, I) { return sum * sa + bias; });
  looks("N-SCALE", [](float sum, float sb, float bias, I) { return sum * sb + bias; });
  looks("N-SCALE", [=](float sum, float sb, float bias, I) { return sum / (sa * sb) + bias; });
  looks("N-TRUNC", [=](float s, float sb, float b, I) { return std::trunc(s * (sa * sb) + b); });
  looks("N-ROUND", [=](float s, float sb, float b, I) { return std::rint(s * (sa * sb) + b); });
  looks("N-FLOAT32", [&](float, float sb, float bias, I at) {  // every code a real number first
    float real = 0;
    for (I p = 0; p < k; ++p) {
      real += sa * static_cast<float>(codes.a[at / n * k + p] - codes.b) *
              (sb * static_cast<float>(codes.c[p * n + at % n] - codes.d));
    }
    return real + bias;
  });
  for (const Wrong& wrong : wrong_sums(codes)) {
    expect.suspect(wrong.code, "c", reals_of(in, wrong.sums));
  }
}

const Scaling scaling{
    {"a", "a_zero_point", "a_scale", "b", "b_zero_point", "b_scales", "bias", "m", "n", "k"},
    {"c"},
    suspect_reals,
    {.sizes = [](const auto& in) { return rows_and_columns(in.c); },
     .smaller = smaller_scaled<Scaling::Arguments>}};

// By hand with powers of two, so that every order of the products gives the same; then, at sizes
// with every tail, in the order of the contract.
TEST(quantized_matmul_float, ScalesEachColumn) {
  const Operands two = operands(kTwoByTwo, 0.5f, {4, 0.25f});
  scaling.gives({{"ByHand", {two, {}, kTwo}, {4, 1.375f, -8, -0.875f}},
                 {"NoK", {{{}, 5, 0.5f, {}, -3, {1, 2, 4, 8}}, {}, {2, 4, 0}}, Reals(8)},
                 {"NoColumns", {{{1}, 5, 0.5f, {}, -3, {}}, {}, {1, 0, 1}}, {}},
                 {"ScalesFirst",
                  {{{6, 7}, 0, 0.1f, {1, 1}, 0, {0.3f}}, {}, {1, 1, 2}},
                  {0x1.8f5c2ap-2f},
                  "the two scales are multiplied first"}});
  scaling.agrees_with(real_product, random_scaled<Scaling>(seed, kScaledShapes));
}

TEST(quantized_matmul_float, AddsTheBiasLast) {
  const Operands two = operands(kTwoByTwo, 0.5f, {4, 0.25f});
  scaling.gives(
      {{"ByHand", {two, {100.5f, -3.25f}, kTwo}, {104.5f, -1.875f, 92.5f, -4.125f}},
       {"EmptySum", {{{}, 5, 0.5f, {}, -3, {2, 4}}, {0.5f, -8.0f}, {1, 2, 0}}, {0.5f, -8.0f}},
       {"RoundsTwice",  // 25 times the product of the scales is 0.75 and 2^-25
        {{{25}, 0, 0.1f, {1}, 0, {0.3f}}, {-0.75f}, {1, 1, 1}},
        {0},
        "the product is a float32 before the bias is added: no fma, and no double"}});
}

/// 4096 products of 64 * 64 make 2^24; five more of 1; then 4096 of -64 * 64. The sum is 5, but a
/// float32 at 2^24 does not feel a 1.
Product five_beyond_float() {
  Product in = constant_product(8197, 0, 64, 0, 64);
  for (int p = 4096; p < 4101; ++p) in.a[p] = in.c[p] = 1;
  for (int p = 4101; p < 8197; ++p) in.c[p] = -64;
  return in;
}

TEST(quantized_matmul_float, SumsBeforeItScales) {
  const auto scaled = [](const Product& of, float b_scale) {
    return Scaling::Arguments{operands(of, 0.5f, {b_scale}), {}, of.e};
  };
  scaling.gives({{"Five", scaled(five_beyond_float(), 0.5f), {1.25f}},
                 {"PastInt16", scaled(constant_product(3, 0, 127, 0, 127), 0.25f), {6048.375f}}});
}

TEST(quantized_matmul_float, RefusesBadScales) {
  const auto with = [](float a_scale, const Reals& b_scales, const Reals& bias = {}) {
    return Scaling::Arguments{operands(kTwoByTwo, a_scale, b_scales), bias, kTwo};
  };
  std::vector<Scaling::Refused> refused;
  for (const auto& [a, b, other] : kBadScales) refused.push_back({"N-DIV0", with(a, {other, b})});
  refuse_sizes_and_codes<Scaling>(refused, with(0.5f, {1, 2}));
  scaling.refuses({{"Fine", with(0.5f, {1, 4}), {1, 22, -2, -14}}}, refused);
}

// --- quantize_bias ------------------------------------------------------------------------------

using Biasing = Exercise<&quantize_bias>;

void suspect_biases(Expect& expect, const Biasing::Arguments& in, const Sums& right) {
  const Reals &bias = in.a, &b_scales = in.c;
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "q",
                   each_of(bias, [&](float x, I j) -> double { return give(x, b_scales[j]); }));
  };
  const auto rne = [](float x) { return std::nearbyint(x); };
  const float sa = in.b, first = or_zero(b_scales, 0);
  looks("N-SCALE", [=](float x, float sb) { return rne(x * (sa * sb)); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sa * sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x / sa); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x); });
  looks("N-AXIS", [=](float x, float) { return rne(x / (sa * first)); });
  each_wrong_rounding([&](const char* code, const auto& round) {
    looks(code, [=](float x, float sb) { return round(x / (sa * sb)); });
  });
  for (const double most : {127.0, 32767.0}) {
    looks("N-RANGE", [=](float x, float sb) {
      return std::clamp<double>(rne(x / (sa * sb)), -most - 1, most);
    });
  }
  for (const I block : {4, 8, 16, 32, 64}) {
    const I end = bias.size() / block * block;
    if (end == 0) continue;  // all zeros say nothing about a remainder
    Sums cut = right;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(end), cut.end(), 0);
    expect.suspect("N-TAIL", "q", cut);
  }
}

const Biasing biasing{{"bias", "a_scale", "b_scales"}, {"q"}, suspect_biases};

TEST(quantize_bias, DividesByBothScales) {
  biasing.gives({{"ByHand", {{1, -3, 100}, 0.5f, {0.25f, 2, 0.5f}}, {8, -3, 400}},
                 {"PastInt16", {{1024, -1024}, 0.25f, {0.0625f, 0.125f}}, {65536, -32768}},
                 {"PastFloat32", {{67108872, 1}, 0.25f, {1, 4}}, {268435488, 1}},
                 {"Empty", {{}, 0.5f, {}}, {}}});
}

TEST(quantize_bias, TiesGoToEven) {
  biasing.gives({{"Nearest", {{1.75f, -1.75f, 2.75f, 0}, 0.5f, {2, 2, 2, 2}}, {2, -2, 3, 0}},
                 {"Ties", {{0.5f, 1.5f, 2.5f, 3}, 1, {1, 1, 1, 1}}, {0, 2, 2, 3}},
                 {"Below", {{-0.5f, -1.5f, -2.5f, 3}, 1, {1, 1, 1, 1}}, {0, -2, -2, 3}},
                 // 1 / 7.0f is rounded: 45.5f times it lies beyond 6.5.
                 {"OneDivision", {{45.5f, -45.5f, 21}, 7, {1, 1, 1}}, {6, -6, 3}},
                 {"BesideTies",
                  {{0.50000006f, 1.4999999f, -2.5000002f, 3}, 1, {1, 1, 1, 1}},
                  {1, 1, -3, 3},
                  kNoTies}});
}

// 2^31 is a float, 2^31 - 1 is not: a clamp in float lets 2^31 through. 2147483520 is the last
// float that fits.
TEST(quantize_bias, Saturates) {
  const Reals ones{1, 1, 1};
  biasing.gives(
      {{"TheLastThatFit", {{2147483520.0f, -2147483648.0f, 5}, 1, ones}, {2147483520, kBottom, 5}},
       {"TheFirstThatDoesNot",
        {{2147483648.0f, -2147483904.0f, 5}, 1, ones},
        {kTop, kBottom, 5},
        "2^31 - 1 is no float: what is clamped to it in float32 is 2^31, which fits no int32"},
       {"Huge",
        {{1e30f, -1e30f, 5}, 1, ones},
        {kTop, kBottom, 5},
        "it is clamped before it is made an integer: 1e30 fits no int64"},
       {"Infinite", {{kInfinity, -kInfinity, 5}, 1, ones}, {kTop, kBottom, 5}}});
  biasing.gives({{"NoNumber", {{5, kNan, 7}, 1, ones}, {5, 0, 7}}},
                [](Expect& expect, const auto&, const Sums& got, const Sums& want) {
                  expect.that(got == want, "a bias of NaN gave q = " + show_values(got), "N-NAN");
                });
}

TEST(quantize_bias, RefusesBadScales) {
  std::vector<Biasing::Refused> refused{{"N-SIZE", {{1, 2}, 1, {1, 2, 3}}},
                                        {"N-SIZE", {{1, 2}, 1, {1}}}};
  for (const auto& [a, b, other] : kBadScales)
    refused.push_back({"N-DIV0", {{1, 2}, a, {other, b}}});
  biasing.refuses({{"Fine", {{3, 8}, 0.5f, {2, 4}}, {3, 4}}}, refused);
}

// --- quantized_matmul_int8 ----------------------------------------------------------------------

float multiplier(const Requantizing::Arguments& in, I column) {
  return in.a.a_scale * in.a.b_scales[column] / in.c;
}

Codes to_codes(const std::vector<double>& values) {
  return each_of(values, [](double value) { return static_cast<std::int8_t>(clamp8(value)); });
}

/// The contract's formula, from given sums.
template <class List>
Codes codes_of(const Requantizing::Arguments& in, const List& sums) {
  return to_codes(each_of(sums, [&](auto sum, I at) -> double {
    const I j = at % in.e.n;
    const std::int64_t total = static_cast<std::int64_t>(sum) + or_zero(in.b, j);
    return std::nearbyint(static_cast<float>(total) * multiplier(in, j)) + in.d;
  }));
}

Codes code_product(const Requantizing::Arguments& in) {
  return codes_of(in, by_definition(product_of(in.a, in.e)));
}

/// One element on its way to a code.
struct Cell {
  I row, column;
  double sum, bias;
  float total;       ///< the sum and the bias
  float multiplier;  ///< of the column
  float v;           ///< what is to be rounded
};

/// suspect(code, codes) for each usual wrong way to these codes.
template <class Suspect>
void each_wrong_product(const Requantizing::Arguments& in, const Suspect& suspect) {
  const Product codes = product_of(in.a, in.e);
  const Sums sums = by_definition(codes);
  const float sa = in.a.a_scale, sc = in.c;
  const double zc = in.d;
  const auto sb = [&](I j) { return or_zero(in.a.b_scales, j); };
  // give(cell): the code before its last clamp.
  const auto looks = [&](const char* code, const auto& give) {
    suspect(code, to_codes(each_of(sums, [&](double sum, I at) -> double {
              const I j = at % in.e.n;
              const double bias = or_zero(in.b, j);
              const auto total = static_cast<float>(sum + bias);
              const float m = multiplier(in, j);
              return give(Cell{at / in.e.n, j, sum, bias, total, m, total * m});
            })));
  };
  const auto rne = [](float x) { return static_cast<double>(std::nearbyint(x)); };
  // give(cell): another v.
  const auto rounds = [&](const char* code, const auto& give) {
    looks(code, [&](const Cell& c) { return rne(static_cast<float>(give(c))) + zc; });
  };
  rounds("N-FORMULA", [=](const Cell& c) { return c.total * (sa / sc * sb(c.column)); });
  rounds("N-FORMULA", [=](const Cell& c) { return c.total * (sb(c.column) / sc * sa); });
  each_wrong_code(zc, [&](const char* code, const char*, const auto& from) {
    looks(code, [&](const Cell& c) { return from(c.v); });
  });
  rounds("N-BIAS", [](const Cell& c) { return float(c.sum) * c.multiplier; });
  looks("N-BIAS", [=](const Cell& c) { return rne(float(c.sum) * c.multiplier) + zc + c.bias; });
  rounds("N-BIAS", [=](const Cell& c) { return (c.sum * (sa * sb(c.column)) + c.bias) / sc; });
  rounds("N-AXIS", [=](const Cell& c) { return c.total * (sa * sb(c.row) / sc); });
  rounds("N-AXIS", [=](const Cell& c) { return c.total * (sa * sb(0) / sc); });
  rounds("N-AXIS", [&](const Cell& c) {
    return static_cast<float>(c.sum + or_zero(in.b, c.row)) * c.multiplier;
  });
  rounds("N-SCALE", [=](const Cell& c) { return c.total * (sa * sb(c.column)); });
  rounds("N-SCALE", [=](const Cell& c) { return c.total * (sa * sb(c.column) * sc); });
  rounds("N-SCALE", [=](const Cell& c) { return c.total * (sa / sc); });
  rounds("N-SCALE", [=](const Cell& c) { return c.total * (sb(c.column) / sc); });
  looks("N-SCALE", [=](const Cell& c) { return c.total + zc; });
  looks("N-CLAMP", [=](const Cell& c) { return wrap8(rne(c.v) + zc); });
  looks("N-CLAMP", [=](const Cell& c) { return wrap8(clamp8(rne(c.v)) + zc); });
  looks("N-CLAMP", [=](const Cell& c) { return clamp8(rne(c.v)) + zc; });
  rounds("N-CLAMP", [=](const Cell& c) {  // the sum, before it is scaled
    return static_cast<float>(clamp8(c.sum + c.bias)) * c.multiplier;
  });
  looks("N-RANGE", [=](const Cell& c) { return std::clamp(rne(c.v) + zc, -127.0, 127.0); });
  looks("N-SIGN", [=](const Cell& c) { return wrap8(std::clamp(rne(c.v) + zc, 0.0, 255.0)); });
  rounds("N-FLOAT32", [](const Cell& c) { return (float(c.sum) + float(c.bias)) * c.multiplier; });
  rounds("N-OVERFLOW", [](const Cell& c) { return float(wrapped(c.sum + c.bias)) * c.multiplier; });
  rounds("N-OVERFLOW", [](const Cell& c) {
    return static_cast<float>(std::clamp<double>(c.sum + c.bias, kBottom, kTop)) * c.multiplier;
  });
  for (const Wrong& wrong : wrong_sums(codes)) suspect(wrong.code, codes_of(in, wrong.sums));
}

void suspect_codes(Expect& expect, const Requantizing::Arguments& in, const Codes&) {
  each_wrong_product(
      in, [&](const char* code, const Codes& codes) { expect.suspect(code, "c", codes); });
}

const Requantizing requantizing{{"a", "a_zero_point", "a_scale", "b", "b_zero_point", "b_scales",
                                 "bias", "c_scale", "c_zero_point", "m", "n", "k"},
                                {"c"},
                                suspect_codes,
                                {.sizes = [](const auto& in) { return rows_and_columns(in.e); },
                                 .smaller = smaller_scaled<Requantizing::Arguments>}};

/// Whether v, of the element at an index, is within rounding of a tie.
auto near_ties(const Requantizing::Arguments& in) {
  return [&in, sums = by_definition(product_of(in.a, in.e))](I at) {
    const I j = at % in.e.n;
    const auto total = static_cast<float>(std::int64_t{sums[at]} + or_zero(in.b, j));
    return is_near_tie(total, in.c / (in.a.a_scale * in.a.b_scales[j]));
  };
}

/// Codes are exact, except one step either way next to a tie.
void near_codes(Expect& expect, const Requantizing::Arguments& in, const Codes& got,
                const Codes& want) {
  same_codes(expect, "c", got, want, near_ties(in), rows_and_columns(in.e));
}

constexpr const char* kDivideLast =
    "two scales are multiplied first, and then divided: their product is fine, the quotient of the "
    "larger one is infinite";

// By hand: v = 4, 2.75, -8, -1.75; and 4, -8, 12. Then sizes with every tail.
TEST(quantized_matmul_int8, Requantizes) {
  const Operands two = operands(kTwoByTwo, 0.5f, {2, 0.25f});
  const auto far_apart = [](float a_scale, float b_scale) {
    return Requantizing::Arguments{
        {{1, -2, 3}, 0, a_scale, {1}, 0, {b_scale}}, {}, 0x1p-28f, 5, {3, 1, 1}};
  };
  requantizing.gives(
      {{"ByHand", {two, {}, 0.5f, 10, kTwo}, {14, 13, 2, 8}},
       {"NoK", {{{}, 5, 0.5f, {}, -3, Reals(9, 2.0f)}, {}, 0.5f, 4, {2, 9, 0}}, Codes(18, 4)},
       {"NoRows", {{{}, 5, 0.5f, {1}, -3, {2}}, {}, 0.5f, -3, {0, 1, 1}}, {}},
       {"LargeAndSmall", far_apart(0x1p100f, 0x1p-126f), {9, -3, 17}, kDivideLast},
       {"SmallAndLarge", far_apart(0x1p-126f, 0x1p100f), {9, -3, 17}, kDivideLast}});
  const auto inputs = random_scaled<Requantizing>(seed, kScaledShapes);
  const Codes most = code_product(inputs.back().in);
  Expect::healthy(distinct(most) > 20 && saturated_share(most, -128, 127) < 0.5,
                  "codes that are few, or mostly saturated");
  requantizing.agrees_with(code_product, inputs, near_codes);
}

// One column of sums a[i,0], each scaled by 1/2: v = 0.5, 1.5, 2.5, 3.5, -0.5, -1.5, 2. With a
// zero point of 1, rounding v + 1 moves the ties by one more than it should.
TEST(quantized_matmul_int8, RoundsThenAddsTheZeroPoint) {
  const Operands halves{{1, 3, 5, 7, -1, -3, 4}, 0, 0.5f, {1}, 0, {1}};
  requantizing.gives({{"Ties", {halves, {}, 1, 0, {7, 1, 1}}, {0, 2, 2, 4, 0, -2, 2}},
                      {"OddZeroPoint", {halves, {}, 1, 1, {7, 1, 1}}, {1, 3, 3, 5, 1, -1, 3}}});
}

// Sums 120, -120, 100, 0 at four scales: past the rails by themselves, only with the zero point,
// back inside them by it, and past every integer type.
TEST(quantized_matmul_int8, Saturates) {
  const auto sums = [](float a_scale, float b_scale, float c_scale, int zc) {
    return Requantizing::Arguments{
        {{120, -120, 100, 0}, 0, a_scale, {1}, 0, {b_scale}}, {}, c_scale, zc, {4, 1, 1}};
  };
  requantizing.gives({{"Scaled", sums(2, 1, 1, 3), {127, -128, 127, 3}},
                      {"ByTheZeroPoint", sums(0.5f, 1, 1, 100), {127, 40, 127, 100}},
                      {"BackByTheZeroPoint", sums(1.5f, 1, 1, 70), {127, -110, 127, 70}},
                      {"Huge", sums(1e6f, 1e6f, 1e-3f, -5), {127, -128, 127, -5}}});
}

// In the last two, acc = 2^27 and a bias at the end of int32 leave int32 together: v = 68 exactly
// (and -68), where a wrapped sum gives -60 and a saturated one 64.
TEST(quantized_matmul_int8, AddsTheBiasFirst) {
  const Operands two = operands(kTwoByTwo, 0.5f, {2, 0.25f});
  const auto past = [](int b, std::int32_t bias) {
    const Product of = constant_product(32768, 0, 64, 0, b);
    return Requantizing::Arguments{operands(of, 1, {1}), {bias}, 0x1p25f, 0, of.e};
  };
  const Product odd = constant_product(2001, 0, 127, 0, 127);  // 32274129
  requantizing.gives(
      {{"ByHand", {two, {30, -40}, 0.5f, 10, kTwo}, {74, 3, 62, -2}},
       {"EmptySum", {{{}, 5, 0.5f, {}, -3, {2, 4}}, {6, -6}, 0.5f, 1, {1, 2, 0}}, {13, -23}},
       {"PastInt32", past(64, kTop), {68}},
       {"BelowInt32", past(-64, -kTop), {-68}},
       {"NoFloatInBetween", {operands(odd, 1, {1}), {-32274126}, 0.5f, 0, odd.e}, {6}}});
}

TEST(quantized_matmul_int8, RefusesBadScales) {
  const auto with = [](float a_scale, const Reals& b_scales, float c_scale, int zc = -7,
                       const Sums& bias = {4, -6}) {
    return Requantizing::Arguments{operands(kTwoByTwo, a_scale, b_scales), bias, c_scale, zc, kTwo};
  };
  std::vector<Requantizing::Refused> refused;
  // The last is fine by itself; 0.5 / 3e38 is subnormal.
  for (const float c_scale : {0.0f, -1.0f, kNan, kInfinity, FLT_MIN / 4, 3e38f}) {
    refused.push_back({"N-DIV0", with(0.5f, {1, 2}, c_scale)});
  }
  for (const auto& [a, b, other] : kBadScales) {
    refused.push_back({"N-DIV0", with(a, {other, b}, 0.25f)});
  }
  refused.push_back({"N-RANGE", with(0.5f, {1, 2}, 0.25f, 128)});
  refused.push_back({"N-RANGE", with(0.5f, {1, 2}, 0.25f, -129)});
  refuse_sizes_and_codes<Requantizing>(refused, with(0.5f, {1, 2}, 0.25f, -7, {}));
  requantizing.refuses({{"Fine", with(0.5f, {1, 2}, 0.25f), {5, 13, -7, -59}}}, refused);
}

// --- quantized_linear ---------------------------------------------------------------------------

using Running = Exercise<&quantized_linear>;  // layer, x, shape

Sums bias_codes(const OwnedLayer& layer) {
  return each_of(layer.bias, [&](float real, I j) {
    const double steps = std::nearbyint(real / (layer.x_scale * layer.w_scales[j]));
    return static_cast<std::int32_t>(std::isnan(steps) ? 0
                                                       : std::clamp<double>(steps, kBottom, kTop));
  });
}

/// The same layer on int8 codes, which with their zero points lie 128 lower.
Requantizing::Arguments lowered(const Running::Arguments& in) {
  const auto& [x_scale, zx, w, w_scales, bias, y_scale, zy] = in.a;
  const Codes a = each_of(in.b, [](int code) { return static_cast<std::int8_t>(code - 128); });
  return {{a, zx - 128, x_scale, w, 0, w_scales}, bias_codes(in.a), y_scale, zy - 128, in.c};
}

Bytes raised(const Codes& codes) {
  return each_of(codes, [](int code) { return static_cast<std::uint8_t>(code + 128); });
}

/// sum over p of difference(x) * w.
template <class Difference>
std::vector<double> weighed(const Running::Arguments& in, const Difference& difference) {
  const I n = in.c.n, k = in.c.k;
  return each_sum<double>(in.c, [&](I i, I j, I p) -> double {
    return difference(or_zero(in.b, i * k + p)) * or_zero(in.a.w, p * n + j);
  });
}

/// The contract's formula, from given sums and a bias in their unit. give(round(v)): what is cast.
template <class Give>
Bytes bytes_of(const Running::Arguments& in, const std::vector<double>& sums, const Sums& bias,
               const Give& give) {
  return each_of(sums, [&](double sum, I at) {
    const I j = at % in.c.n;
    const float step = in.a.x_scale * in.a.w_scales[j];
    const float v = static_cast<float>(sum + or_zero(bias, j)) * (step / in.a.y_scale);
    const double code = give(static_cast<double>(std::nearbyint(v)));
    return static_cast<std::uint8_t>(static_cast<std::int64_t>(std::clamp(code, -1e15, 1e15)));
  });
}

double clamp_byte(double code) { return std::clamp(code, 0.0, 255.0); }

Bytes byte_product(const Running::Arguments& in) {
  const auto sums = weighed(in, [zx = in.a.zx](int code) { return code - zx; });
  return bytes_of(in, sums, bias_codes(in.a),
                  [&](double steps) { return clamp_byte(steps + in.a.zy); });
}

void suspect_bytes(Expect& expect, const Running::Arguments& in, const Bytes& right) {
  const std::int32_t zx = in.a.zx, zy = in.a.zy;
  const Sums bias = bias_codes(in.a);
  const auto sums = weighed(in, [=](int code) { return code - zx; });
  const auto to_byte = [=](double steps) { return clamp_byte(steps + zy); };
  const auto reads = [&](const char* code, const auto& difference) {
    expect.suspect(code, "y", bytes_of(in, weighed(in, difference), bias, to_byte));
  };
  const auto adds = [&](const char* code, const Sums& other) {
    expect.suspect(code, "y", bytes_of(in, sums, other, to_byte));
  };
  const auto ends = [&](const char* code, const auto& give) {
    expect.suspect(code, "y", bytes_of(in, sums, bias, give));
  };
  const auto int8 = [](int code) { return static_cast<std::int8_t>(code); };
  reads("N-SIGN", [=](int code) { return int8(code) - zx; });
  reads("N-SIGN", [=](int code) { return int8(code) - int8(zx); });
  reads("N-SIGN", [=](int code) { return int8(code) - (zx - 128); });
  reads("N-ZERO", [=](int code) { return code; });
  reads("N-ZERO", [=](int code) { return code - zy; });
  reads("N-ZERO", [=](int code) { return code - 128 - zx; });
  reads("N-ZERO", [=](int code) { return code - 128 - std::min(zx, 127); });
  reads("N-ZERO", [=](int code) { return code - (zx - 128); });
  reads("N-OVERFLOW", [=](int code) { return static_cast<std::uint8_t>(code - zx); });
  reads("N-OVERFLOW", [=](int code) { return int8(code - zx); });
  adds("N-BIAS", {});
  adds("N-BIAS", each_of(in.a.bias, [](float real) {
         return static_cast<std::int32_t>(std::nearbyint(std::clamp(real, -1e9f, 1e9f)));
       }));
  adds("N-BIAS", each_of(bias, [](std::int32_t q) { return -q; }));
  expect.suspect("N-SIGN", "y",
                 each_of(right, [](int code) { return static_cast<std::uint8_t>(code - 128); }));
  ends("N-ZERO", [=](double steps) { return clamp8(steps + std::min(zy, 127)) + 128; });
  ends("N-ZERO", [=](double steps) { return clamp8(steps + zy - 128); });
  ends("N-RANGE", [=](double steps) { return std::clamp(steps + zy, 0.0, 127.0); });
  ends("N-RANGE", [=](double steps) { return clamp8(steps + zy); });
  ends("N-CLAMP", [=](double steps) { return steps + zy; });
  ends("N-CLAMP", [=](double steps) { return clamp_byte(clamp_byte(steps) + zy); });
  ends("N-CLAMP", [=](double steps) { return clamp_byte(clamp8(steps) + zy); });
  each_wrong_product(lowered(in), [&](const char* code, const Codes& codes) {
    expect.suspect(code, "y", raised(codes));
  });
}

std::vector<Running::Arguments> smaller_layers(const Running::Arguments& in) {
  std::vector<Running::Arguments> all;
  for (const auto& [of, bias, y_scale, zy, shape] : smaller_scaled(lowered(in))) {
    Running::Arguments one{in.a, raised(of.a), shape};
    one.a.zx = of.za + 128;
    one.a.w = of.b;
    one.a.w_scales = of.b_scales;
    one.a.bias.resize(bias.size());
    all.push_back(one);
  }
  return all;
}

const Running running{
    {"x_scale", "x_zero_point", "w", "w_scales", "bias", "y_scale", "y_zero_point", "x", "m", "n",
     "k"},
    {"y"},
    suspect_bytes,
    {.sizes = [](const auto& in) { return rows_and_columns(in.c); }, .smaller = smaller_layers}};

void near_bytes(Expect& expect, const Running::Arguments& in, const Bytes& got, const Bytes& want) {
  const Requantizing::Arguments codes = lowered(in);
  same_codes(expect, "y", got, want, near_ties(codes), rows_and_columns(in.c));
}

/// Sums -4, -9 in the first row, 400, -189 in the second.
Running::Arguments two_by_two(const Reals& bias, float y_scale) {
  return {{0.5f, 3, {2, -1, 3, 4}, {0.25f, 1}, bias, y_scale, 130}, {4, 1, 200, 5}, kTwo};
}

/// Sums spread over about 8500 * sqrt(k): codes over about 60 steps, and a few saturate. A bias is
/// a whole number of steps, give or take a rounding: as far from a tie as it can be.
std::vector<Running::Input> random_layers(Seed seed_of, const Shapes& shapes, bool biased) {
  std::vector<Running::Input> inputs;
  for (const auto& [m, n, k] : shapes) {
    const std::uint64_t salt = 400 + 8 * inputs.size();
    OwnedLayer layer{};
    layer.x_scale = uniform_tensor(1, seed_of(salt), 0.01f, 0.04f)[0];
    layer.zx = 37;
    layer.w = code_tensor<std::int8_t>(I(k) * n, seed_of(salt + 1), -128, 127);
    layer.w_scales = uniform_tensor(n, seed_of(salt + 2), 0.001f, 0.004f);
    const auto steps = code_tensor<std::int8_t>(n, seed_of(salt + 3), -128, 127);
    for (I j = 0; biased && j < I(n); ++j) {
      layer.bias.push_back(100.0f * steps[j] * (layer.x_scale * layer.w_scales[j]));
    }
    layer.y_scale = layer.x_scale * 0.0025f * 150.0f * std::sqrt(static_cast<float>(k));
    layer.zy = 117;
    const auto x = code_tensor<std::uint8_t>(I(m) * k, seed_of(salt + 4), 0, 255);
    inputs.push_back({size_text({m, n, k}), {layer, x, {m, n, k}}});
  }
  const Bytes most = byte_product(inputs.back().in);
  Expect::healthy(distinct(most) > 20 && saturated_share(most, 0, 255) < 0.5,
                  "codes that are few, or mostly saturated");
  return inputs;
}

// By hand: v = -0.25, -2.25, 25, -47.25; and 4, -8, 12. Then sizes with every tail.
TEST(quantized_linear, GoesFromCodesToCodes) {
  const auto far_apart = [](float x_scale, float w_scale) {
    return Running::Arguments{
        {x_scale, 10, {1}, {w_scale}, {}, 0x1p-28f, 100}, {11, 8, 13}, {3, 1, 1}};
  };
  const OwnedLayer narrow{0.5f, 5, {}, Reals(9, 2.0f), {}, 0.5f, 4};
  running.gives({{"ByHand", two_by_two({}, 2), {130, 128, 155, 83}},
                 {"NoK", {narrow, {}, {2, 9, 0}}, Bytes(18, 4)},
                 {"NoRows", {{0.5f, 5, {1}, {2}, {}, 0.5f, 3}, {}, {0, 1, 1}}, {}},
                 {"LargeAndSmall", far_apart(0x1p100f, 0x1p-126f), {104, 92, 112}, kDivideLast},
                 {"SmallAndLarge", far_apart(0x1p-126f, 0x1p100f), {104, 92, 112}, kDivideLast}});
  running.agrees_with(byte_product, random_layers(seed, kScaledShapes, false), near_bytes);
}

// The codes 0, 127, 128 and 255 from the least zero point, the middle one and the largest; then the
// longest k that any zero point allows, ending at 65793 * 255 * 128 = 2147483520.
TEST(quantized_linear, CodesAreUnsigned) {
  const auto with = [](float x_scale, int zx, int zy) {
    return Running::Arguments{{x_scale, zx, {1}, {1}, {}, 1, zy}, {0, 127, 128, 255}, {4, 1, 1}};
  };
  const I k = 65793;
  running.gives({{"FromZero", with(0.5f, 0, 3), {3, 67, 67, 131}},
                 {"FromTheMiddle", with(1, 128, 128), {0, 127, 128, 255}},
                 {"FromTheTop", with(0.25f, 255, 255), {191, 223, 223, 255}},
                 {"Longest",
                  {{0x1p-20f, 0, Codes(k, -128), {1}, {}, 16, 200}, Bytes(k, 255), {1, 1, int(k)}},
                  {72}}});
}

// In the unit of a sum, 1.25 is a tie, 2.5: the sum is -9, and -9 + 2 the answer. A bias that is no
// number adds nothing; one too large for any integer saturates.
TEST(quantized_linear, AddsTheBias) {
  const OwnedLayer none{0.5f, 5, {}, {2, 4, 2, 2}, {6, -9, kNan, kInfinity}, 2, 9};
  running.gives({{"ByHand", two_by_two({16, -2.5f}, 0.5f), {161, 116, 255, 0}},
                 {"ATie", two_by_two({0, 1.25f}, 0.5f), {129, 123, 230, 0}},
                 {"EmptySum", {none, {}, {1, 4, 0}}, {12, 5, 9, 255}}});
  running.agrees_with(byte_product, random_layers(seed, kScaledShapes, true), near_bytes);
}

// Distances 122, -118, 0 at three scales: past the rails by themselves, only with the zero point,
// and past every integer type.
TEST(quantized_linear, Saturates) {
  const auto with = [](float x_scale, float w_scale, float y_scale, int zy) {
    return Running::Arguments{
        {x_scale, 128, {1}, {w_scale}, {}, y_scale, zy}, {250, 10, 128}, {3, 1, 1}};
  };
  running.gives({{"Scaled", with(2, 1.5f, 1, 3), {255, 0, 3}},
                 {"ByTheZeroPoint", with(1, 1, 1, 200), {255, 82, 200}},
                 {"BackByTheZeroPoint", with(1.5f, 1, 1, 240), {255, 63, 240}},
                 {"Huge", with(1e6f, 1e6f, 1e-3f, 5), {255, 0, 5}}});
}

TEST(quantized_linear, RefusesBadLayers) {
  const Running::Arguments fine = two_by_two({0, 0}, 2);
  std::vector<Running::Refused> refused;
  const auto add = [&](const char* code, const auto& change) {
    refused.push_back({code, fine});
    change(refused.back().in);
  };
  for (const int zero_point : {-1, 256}) {
    add("N-RANGE", [=](auto& in) { in.a.zx = zero_point; });
    add("N-RANGE", [=](auto& in) { in.a.zy = zero_point; });
  }
  refused.push_back({"N-SIZE", fine, /*too_many=*/1});
  add("N-SIZE", [](auto& in) { in.b.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.w.push_back(1); });
  for (const I size : {1, 3}) {
    add("N-SIZE", [=](auto& in) { in.a.bias.clear(), in.a.w_scales.assign(size, 1); });
    add("N-SIZE", [=](auto& in) { in.a.bias.assign(size, 1); });
  }
  // The last is fine by itself; 0.125 / 3e38 is subnormal.
  for (const float y_scale : {0.0f, -1.0f, kNan, kInfinity, FLT_MIN / 4, 3e38f}) {
    add("N-DIV0", [=](auto& in) { in.a.y_scale = y_scale; });
  }
  for (const ScalePair& bad : kBadScales) {
    add("N-DIV0", [&](auto& in) { in.a.x_scale = bad.a, in.a.w_scales = {bad.other_b, bad.b}; });
  }
  add("N-OVERFLOW", [](auto& in) {
    const I k = 65794;
    in = {{0.5f, 255, Codes(k, 1), {1}, {}, 1, 0}, Bytes(k, 254), {1, 1, int(k)}};
  });
  running.refuses({{"Fine", fine, {130, 128, 155, 83}}}, refused);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

// One more than a tile of 64 in each direction.
const Shapes kHiddenShapes = {{1, 1, 1},    {4, 6, 10},    {5, 67, 19}, {67, 5, 23},
                              {65, 65, 65}, {1, 129, 257}, {2, 3, 4099}};

// Zero points anywhere, the rails among them.
std::vector<Multiplying::Input> hidden_products() {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : kHiddenShapes) {
    const std::uint64_t salt = 4 * inputs.size();
    const auto z = code_tensor<std::int8_t>(2, hidden_seed(salt), -128, 127);
    inputs.push_back(
        {size_text(shape), random_product(shape, z[0], inputs.size() % 2 == 0 ? -128 : z[1],
                                          hidden_seed(salt + 1), hidden_seed(salt + 2))});
    if (shape.m * shape.n > 100) expect_different(inputs.back().in, 50);
  }
  return inputs;
}

TEST(quantized_matmul, EqualsTheReference) {
  multiplying.agrees_with(multiplying.reference, hidden_products());
}

TEST(apply_zero_points, EqualsTheDirectProduct) {
  std::vector<Correcting::Row> rows;
  for (const auto& [name, in] : hidden_products()) {
    const auto& [a, za, b, zb, shape] = in;
    const auto [m, n, k] = shape;
    rows.push_back({name,
                    {multiplying.reference({a, 0, b, 0, shape}),
                     multiplying.reference({a, 0, Codes(k, 1), 0, {m, 1, k}}),
                     multiplying.reference({Codes(k, 1), 0, b, 0, {1, n, k}}), za, zb, shape},
                    multiplying.reference(in)});
  }
  correcting.gives(rows);
}

// The last has 201 results, so a tile of 64 leaves some over, which no public case makes it do.
const Shapes kHiddenScaledShapes = {{2, 3, 4}, {5, 2, 3}, {1, 9, 7}, {3, 17, 33}, {3, 67, 5}};

TEST(quantized_matmul_float, EqualsTheReference) {
  const auto plain = random_scaled<Scaling>(hidden_seed, kHiddenScaledShapes);
  auto inputs = plain;
  for (auto [name, in] : plain) {  // powers of two, where a bias adds no rounding
    in.a.a_scale = 0.25f;
    for (I j = 0; j < in.a.b_scales.size(); ++j) {
      in.b.push_back(std::rint(in.a.b_scales[j] * 0x1p18f) - 600);
      in.a.b_scales[j] = j % 2 == 0 ? 0.125f : 0.5f;
    }
    inputs.push_back({name + "WithBias", in});
  }
  scaling.agrees_with(scaling.reference, inputs);
}

// Up to about 10^5 steps: beyond 2^19 every quotient is within rounding of a tie.
TEST(quantize_bias, EqualsTheReference) {
  const Biasing::Arguments many{normal_tensor(67, hidden_seed(201)),
                                uniform_tensor(1, hidden_seed(202), 0.01f, 0.04f)[0],
                                uniform_tensor(67, hidden_seed(203), 0.001f, 0.004f)};
  Expect::healthy(distinct(biasing.reference(many)) > 50, "few different biases");
  biasing.agrees_with(biasing.reference,
                      {{"1", {normal_tensor(1, hidden_seed(200)), 0.02f, {0.003f}}}, {"67", many}},
                      [](Expect& expect, const auto& in, const Sums& got, const Sums& want) {
                        same_codes(expect, "q", got, want,
                                   [&](I j) { return is_near_tie(in.a[j], in.b * in.c[j]); });
                      });
}

TEST(quantized_matmul_int8, EqualsTheReference) {
  auto inputs = random_scaled<Requantizing>(hidden_seed, kHiddenScaledShapes);
  for (auto& [name, in] : inputs) {
    for (const float b_scale : in.a.b_scales) {
      in.b.push_back(static_cast<std::int32_t>(20000.0f * (500.0f * b_scale - 1.2f)));
    }
    in.d = code_tensor<std::int8_t>(1, hidden_seed(300), -20, 20)[0];
  }
  requantizing.agrees_with(requantizing.reference, inputs, near_codes);
}

TEST(quantized_linear, EqualsTheReference) {
  auto inputs = random_layers(hidden_seed, kHiddenScaledShapes, true);
  for (auto& [name, in] : inputs) {
    in.a.zx = code_tensor<std::uint8_t>(1, hidden_seed(500), 20, 60)[0];
    in.a.zy = code_tensor<std::uint8_t>(1, hidden_seed(501), 100, 140)[0];
  }
  running.agrees_with(running.reference, inputs, near_bytes);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
