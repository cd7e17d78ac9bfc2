// Lab 27: the checks.
#include "cuda_binary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "checks/marks/27_cuda_binary.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/kernels.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/run.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;
using Sums = std::vector<std::int32_t>;
using Bits = std::vector<int>;  // one a column: 0 or 1

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::size_t words_of(int cols) { return (std::size_t(cols) + 31) / 32; }

/// The bits of words, lowest first: a failure then names the column.
Bits bits_of(const Words& words) {
  Bits bits;
  for (const std::uint32_t word : words) {
    for (int at = 0; at < 32; ++at) bits.push_back(int(word >> at & 1));
  }
  return bits;
}

// --- Rows of floats ------------------------------------------------------------------------------

struct Rows {
  std::string name;
  int cols;
  Floats x;

  int rows() const { return int(x.size()) / cols; }
  std::size_t words() const { return rows() * words_of(cols); }
  Shape bit_shape() const { return {std::size_t(rows()), words_of(cols) * 32}; }
};

std::string show(const Rows& c) {
  return "rows x cols = " + std::to_string(c.rows()) + "x" + std::to_string(c.cols) +
         ", x = " + show_values(c.x);
}

/// Fewer rows, and fewer columns.
std::vector<Rows> smaller(const Rows& c) {
  std::vector<Rows> all;
  const auto cut = [&](int rows, int cols) {
    if (rows < 1 || cols < 1) return;
    Rows part{std::to_string(rows) + "x" + std::to_string(cols), cols, {}};
    for (std::ptrdiff_t r = 0; r < rows; ++r) {
      const auto row = c.x.begin() + r * c.cols;
      part.x.insert(part.x.end(), row, row + cols);
    }
    all.push_back(std::move(part));
  };
  cut(c.rows() / 2, c.cols);
  cut(c.rows(), c.cols / 2);
  cut(c.rows() - 1, c.cols);
  cut(c.rows(), c.cols - 1);
  return all;
}

Bits signs_by_definition(const Rows& c) {
  Bits bits(c.words() * 32);
  for (int r = 0; r < c.rows(); ++r) {
    for (int column = 0; column < c.cols; ++column) {
      const bool below = c.x[std::size_t(r) * c.cols + column] < 0.0f;
      bits[r * words_of(c.cols) * 32 + column] = below ? 1 : 0;
    }
  }
  return bits;
}

/// Steps of 1/64 up to 8: sums of up to 2^15 of them are exact in float32, in any order.
Rows random_rows(int rows, int cols, std::uint64_t its_seed) {
  Rows c{std::to_string(rows) + "x" + std::to_string(cols), cols, {}};
  for (const int code : code_tensor<int>(std::size_t(rows) * cols, its_seed, -512, 511)) {
    c.x.push_back(float(code) / 64.0f);
  }
  return c;
}

void expect_signs(const Rows& c, const Words& got, Expect& expect) {
  const Bits want = signs_by_definition(c);
  if (want.size() > 500 && c.cols > 1) Expect::healthy(distinct(want) == 2, "signs all alike");
  // The first column highest; 1 where x >= 0; -1 behind the last column.
  Bits turned = want, inverted = want, minus = want;
  for (auto word = turned.begin(); word != turned.end(); word += 32) {
    std::reverse(word, word + 32);
  }
  for (int& bit : inverted) bit = 1 - bit;
  for (std::size_t at = 0; at < want.size(); ++at) {
    if (at % (words_of(c.cols) * 32) >= std::size_t(c.cols)) minus[at] = 1;
  }
  expect.suspect("N-TAIL", "bits", minus);
  expect.suspect("N-LAYOUT", "bits", turned);
  expect.suspect("N-FORMULA", "bits", inverted);
  expect.equal("bits", bits_of(got), want, c.bit_shape());
}

void packs(const std::vector<Rows>& cases) {
  each_case(cases, [](const Rows& c, Expect& expect) {
    expect_signs(c, call<&pack_signs>(c.x, out(c.words()), c.rows(), c.cols), expect);
  });
}

// By hand, in whole words and in less; one bit of a word each,
// so that no order of bits but one is right.
std::vector<Rows> hand_signs() {
  Floats far(96, 1.0f);
  far[0] = far[33] = far[66] = far[95] = -0.25f;
  return {{"OneColumn", 1, {-1, 1}},
          {"OneOfThree", 3, {5, 4, -3, -2, 1, 0.5f}},
          {"TwoRows", 2, {1, -1, -1, 1}},
          {"Extremes", 6, {kInf, -kInf, -0x1p-149f, 0x1p-149f, -3e38f, 3e38f}},
          {"ThreeWords", 96, far}};
}

TEST(pack_signs, SignsToBits) { packs(hand_signs()); }

TEST(pack_signs, ZeroIsPlus) {
  packs({{"Zero", 2, {0, -1, 1, 0}}, {"MinusZero", 2, {-0.0f, -1, 0, -0.0f}}});
}

TEST(pack_signs, NanIsPlus) {
  const float minus_nan = std::copysign(kNan, -1.0f);
  packs({{"NaN", 2, {kNan, -1, 1, kNan}}, {"NanWithASign", 2, {minus_nan, -1, 1, minus_nan}}});
}

// One less than, as many as and one more than a word, two, and a warp's 32 of them; primes. Few
// rows, and more than a block has warps.
std::vector<Rows> every_row(std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<Rows> cases;
  for (const int cols : {1, 2, 31, 32, 33, 63, 64, 65, 127, 257, 992, 1023, 1024, 1025, 2053}) {
    cases.push_back(random_rows(3, cols, seeds(cols)));
  }
  for (const int rows : {1, 7, 8, 9, 33, 67}) cases.push_back(random_rows(rows, 45, seeds(rows)));
  return cases;
}

// All of x below 0 as well: what stands behind the last column then is not.
TEST(pack_signs, EveryShape) {
  std::vector<Rows> cases = every_row(seed);
  for (const int cols : {5, 40, 1030}) {
    cases.push_back({"AllBelowZero", cols, Floats(3 * std::size_t(cols), -1.0f)});
  }
  packs(cases);
}

// Less than a word, tails, and more than 32 words; then what is counted.
const std::vector<std::pair<int, int>> kCountedRows = {{9, 1100}, {16, 1024}};

std::vector<Rows> counted_rows() {
  std::vector<Rows> cases;
  for (const auto& [rows, cols] : kCountedRows)
    cases.push_back(random_rows(rows, cols, seed(rows)));
  return cases;
}

std::vector<Rows> watched_rows() {
  std::vector<Rows> cases = {random_rows(3, 5, seed(1)), random_rows(9, 70, seed(2)),
                             random_rows(2, 1057, seed(3))};
  for (const Rows& c : counted_rows()) cases.push_back(c);
  return cases;
}

TEST(pack_signs, RunsClean) {
  each_case(watched_rows(), [](const Rows& c, Expect& expect) {
    expect_signs(c, watched<&pack_signs>(c.x, out(c.words()), c.rows(), c.cols), expect);
  });
}

/// Not made smaller when it fails: the reason shows in the size that it was meant for.
template <class Case>
struct OfOneSize {
  std::string name;
  Case of;
};
template <class Case>
std::string show(const OfOneSize<Case>& c) {
  return "sizes " + c.name;
}

template <class Case>
std::vector<OfOneSize<Case>> of_one_size(const std::vector<Case>& cases) {
  std::vector<OfOneSize<Case>> all;
  for (const Case& c : cases) all.push_back({c.name, c});
  return all;
}

/// judged(counts, expect) for each case.
template <class Call, class Judged>
void each_counted_row(const Call& call, const Judged& judged) {
  each_case(of_one_size(counted_rows()),
            [&](const OfOneSize<Rows>& c, Expect& expect) { judged(call(c.of), expect); });
}

Counted count_packing(const Rows& c) {
  return counted<&pack_signs>(c.x, out(c.words()), c.rows(), c.cols);
}

void packs_in_bytes(double factor) {
  each_counted_row(count_packing, [factor](const Counted& both, Expect& expect) {
    at_most(expect, kGlobalBytes, factor, both);
  });
}

TEST(pack_signs, MovesAtMostTwice) { packs_in_bytes(2.0); }
TEST(pack_signs, MovesNoMore) { packs_in_bytes(1.1); }

// --- Products ------------------------------------------------------------------------------------

/// What the bits behind column k are: zeros, as pack_signs makes them, or whatever there was.
enum class Tail { kZero, kNoise };

struct Product {
  std::string name;
  MatmulShape shape;
  Words a, b_t;
  Tail tail = Tail::kZero;
};

/// Digits of four bits: 0b1010 is a.
std::string show_words(const Words& words) {
  std::string text;
  for (std::size_t at = 0; at < words.size() && at < 8; ++at) {
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "%s0x%x", at > 0 ? ", " : "", words[at]);
    text += hex.data();
  }
  return "[" + text + (words.size() > 8 ? ", ...]" : "]");
}

std::string show(const Product& c) {
  return "m x n x k = " + size_text(c.shape) + ", words of a = " + show_words(c.a) +
         ", of b_t = " + show_words(c.b_t);
}

std::size_t outputs(MatmulShape s) { return std::size_t(s.m) * std::size_t(s.n); }

Words random_words(int rows, int k, std::uint64_t its_seed, Tail tail) {
  const std::size_t words = words_of(k);
  Words bits;
  for (std::size_t word = 0; word < rows * words; ++word) {
    const std::uint32_t noise = std::uint32_t(mix(its_seed, word));
    const int kept = word % words == words - 1 && tail == Tail::kZero && k % 32 > 0 ? k % 32 : 32;
    bits.push_back(kept == 32 ? noise : noise & ((1u << kept) - 1));
  }
  return bits;
}

Product random_product(MatmulShape s, std::uint64_t its_seed, Tail tail) {
  return {size_text(s), s, random_words(s.m, s.k, its_seed, tail),
          random_words(s.n, s.k, its_seed + 1, tail), tail};
}

/// On other data.
std::vector<Product> smaller(const Product& c) {
  std::vector<Product> all;
  for (const MatmulShape to : smaller_shapes(c.shape)) {
    all.push_back(random_product(to, seed(outputs(to)), c.tail));
  }
  return all;
}

/// The sum over p < k of the products of two signs.
Sums by_definition(const Product& c) {
  const auto [m, n, k] = c.shape;
  const auto sign = [k = k](const Words& bits, std::size_t row, int p) {
    return bits[row * words_of(k) + p / 32] >> (p % 32) & 1 ? -1 : 1;
  };
  Sums sums;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      std::int32_t sum = 0;
      for (int p = 0; p < k; ++p) sum += sign(c.a, i, p) * sign(c.b_t, j, p);
      sums.push_back(sum);
    }
  }
  return sums;
}

/// What known mistakes answer: 32 products for every word; the number of bits that differ,
/// or agree.
void suspect_the_usual(const Product& c, Expect& expect) {
  Product whole = c;
  whole.shape.k = int(words_of(c.shape.k)) * 32;
  if (whole.shape.k != c.shape.k) expect.suspect("N-TAIL", "c", by_definition(whole));
  Sums differ, agree;
  for (const std::int32_t sum : by_definition(c)) {
    differ.push_back((c.shape.k - sum) / 2);
    agree.push_back((c.shape.k + sum) / 2);
  }
  expect.suspect("N-FORMULA", "c", differ);
  expect.suspect("N-FORMULA", "c", agree);
}

void expect_product(const Product& c, const Sums& got, Expect& expect) {
  const Sums want = by_definition(c);
  if (want.size() > 100 && c.shape.k > 30) Expect::healthy(distinct(want) > 5, "few sums");
  suspect_the_usual(c, expect);
  expect.equal("c", got, want, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

template <auto F>
void multiplies(const std::vector<Product>& cases) {
  each_case(cases, [](const Product& c, Expect& expect) {
    expect_product(c, call<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape), expect);
  });
}

// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
template <auto F>
void check_empty_sums() {
  each_case<Product>({{"NoK", {2, 3, 0}, {}, {}},
                      {"NoRows", {0, 2, 9}, {}, {1, 2}},
                      {"NoColumns", {2, 0, 9}, {1, 2}, {}},
                      {"NotEmpty", {1, 1, 5}, {1}, {3}}},
                     [](const Product& c, Expect& expect) {
                       const Sums got = call<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape);
                       if (c.shape.k > 0 && !got.empty()) {
                         expect.that(got[0] != 0, "c is 0, and its sum is not empty");
                       } else {
                         expect.equal("c", got, Sums(outputs(c.shape)));
                       }
                     });
}

// By hand: + + + - times + - + - is 2, and so on. A word that is full; all that differs; two words.
struct HandCase {
  Product product;
  Sums want;
  std::string name = product.name;
};
std::string show(const HandCase& c) { return show(c.product); }

template <auto F>
void check_formula() {
  each_case<HandCase>(
      {{{"FourSigns", {1, 2, 4}, {0b1000}, {0b1010, 0b0111}}, {2, -4}},
       {{"FullWord", {1, 3, 32}, {0xF0F0F0F0}, {0xF0F0F0F0, 0x0F0F0F0F, 0xFF00FF00}}, {32, -32, 0}},
       {{"RowsOfTwoWords", {2, 1, 64}, {0, 0, 1, 0xFF}, {0, 0x80000001}}, {60, 46}},
       {{"AllDifferent", {3, 2, 5}, {0b00000, 0b00111, 0b11111}, {0b00001, 0b10101}},
        {3, -1, 1, 1, -3, 1}}},
      [](const HandCase& c, Expect& expect) {
        const Product& p = c.product;
        suspect_the_usual(p, expect);
        expect.equal("c", call<F>(p.a, p.b_t, out(outputs(p.shape)), p.shape), c.want,
                     {std::size_t(p.shape.m), std::size_t(p.shape.n)});
      });
}

// One; one less than, as many as and one more than a word; the same for tiles of 32 words;
// tall and flat.
const std::vector<MatmulShape> kShapes = {
    {1, 2, 31},    {2, 1, 32},    {2, 3, 33},    {40, 2, 64},  {1, 33, 65},   {5, 7, 96},
    {31, 32, 100}, {33, 34, 127}, {9, 70, 1},    {70, 9, 320}, {8, 8, 1023},  {8, 8, 1024},
    {9, 7, 1025},  {64, 64, 257}, {66, 35, 129}, {3, 4, 2080}, {35, 3, 3101}, {129, 3, 40},
};

std::vector<Product> products(const std::vector<MatmulShape>& shapes,
                              std::uint64_t (*seeds)(std::uint64_t), Tail tail) {
  std::vector<Product> cases;
  for (const MatmulShape s : shapes) cases.push_back(random_product(s, seeds(cases.size()), tail));
  return cases;
}

template <auto F>
void check_shapes() {
  multiplies<F>(products(kShapes, seed, Tail::kZero));
}

// 31 bits of noise, one, and some; in the first word, and behind a full step of 32 words.
template <auto F>
void check_tail() {
  multiplies<F>(
      products({{2, 1, 1}, {2, 3, 31}, {3, 2, 33}, {5, 4, 50}, {9, 9, 1025}, {33, 2, 1077}}, seed,
               Tail::kNoise));
}

// A shape that no tile divides, and whole tiles of every usual size.
const std::vector<MatmulShape> kCounted = {{45, 70, 500}, {64, 64, 1024}};

template <auto F>
void check_runs_clean() {
  std::vector<MatmulShape> shapes = {{3, 5, 7}, {33, 34, 70}, {66, 3, 33}, {3, 40, 1100}};
  shapes.insert(shapes.end(), kCounted.begin(), kCounted.end());
  each_case(products(shapes, seed, Tail::kZero), [](const Product& c, Expect& expect) {
    expect_product(c, watched<F>(c.a, c.b_t, out(outputs(c.shape)), c.shape), expect);
  });
}

template <auto F, class Judged>
void each_counted(const std::vector<MatmulShape>& shapes, const Judged& judged) {
  const auto cases = of_one_size(products(shapes, seed, Tail::kNoise));
  each_case(cases, [&](const OfOneSize<Product>& c, Expect& expect) {
    const Product& p = c.of;
    judged(p.shape, counted<F>(p.a, p.b_t, out(outputs(p.shape)), p.shape), expect);
  });
}

template <auto F>
void check_counts(const Measure& measure, double factor, const std::vector<MatmulShape>& shapes) {
  each_counted<F>(shapes, [&](MatmulShape, const Counted& both, Expect& expect) {
    at_most(expect, measure, factor, both);
  });
}

template <auto F>
void check_popc(const std::vector<MatmulShape>& shapes) {
  each_counted<F>(shapes, [](MatmulShape s, const Counted& both, Expect& expect) {
    exactly(expect, kPopc, outputs(s) * words_of(s.k), both);
  });
}

TEST(binary_matmul, EmptySumIsZero) { check_empty_sums<&binary_matmul>(); }
TEST(binary_matmul, FollowsTheFormula) { check_formula<&binary_matmul>(); }
TEST(binary_matmul, EveryShape) { check_shapes<&binary_matmul>(); }
TEST(binary_matmul, TailCountsForNothing) { check_tail<&binary_matmul>(); }
TEST(binary_matmul, RunsClean) { check_runs_clean<&binary_matmul>(); }
TEST(binary_matmul, CountsWords) { check_popc<&binary_matmul>({{5, 3, 70}, {33, 7, 128}}); }
TEST(binary_matmul, MovesAtMostTwice) { check_counts<&binary_matmul>(kGlobalBytes, 2.0, kCounted); }
TEST(binary_matmul, MovesNoMore) { check_counts<&binary_matmul>(kGlobalBytes, 1.1, kCounted); }

TEST(binary_matmul_tiled, EmptySumIsZero) { check_empty_sums<&binary_matmul_tiled>(); }
TEST(binary_matmul_tiled, FollowsTheFormula) { check_formula<&binary_matmul_tiled>(); }
TEST(binary_matmul_tiled, EveryShape) { check_shapes<&binary_matmul_tiled>(); }
TEST(binary_matmul_tiled, TailCountsForNothing) { check_tail<&binary_matmul_tiled>(); }
TEST(binary_matmul_tiled, RunsClean) { check_runs_clean<&binary_matmul_tiled>(); }
TEST(binary_matmul_tiled, CountsWords) { check_popc<&binary_matmul_tiled>({{64, 64, 1024}}); }
// With one step along k, and one block: that many barriers are a step's.
TEST(binary_matmul_tiled, TwoBarriersAStep) {
  check_counts<&binary_matmul_tiled>(kBarriers, 1.0, {{16, 16, 256}});
}
TEST(binary_matmul_tiled, MovesAtMostThreeTimes) {
  check_counts<&binary_matmul_tiled>(kGlobalBytes, 3.0, kCounted);
}
TEST(binary_matmul_tiled, MovesNoMore) {
  check_counts<&binary_matmul_tiled>(kGlobalBytes, 1.1, kCounted);
}
TEST(binary_matmul_tiled, NoBankConflicts) {
  check_counts<&binary_matmul_tiled>(kBankConflicts, 1.0, {kCounted.back()});
}

// --- Signs and their scale -----------------------------------------------------------------------

Floats means_by_definition(const Rows& c, double sign_of_minus = -1.0, double count = 0.0) {
  Floats means;
  for (int r = 0; r < c.rows(); ++r) {
    double sum = 0.0;  // exact, as every partial sum of it is in float32
    for (int column = 0; column < c.cols; ++column) {
      const double w = c.x[std::size_t(r) * c.cols + column];
      sum += w < 0.0 ? sign_of_minus * w : w;
    }
    means.push_back(float(sum) / float(count > 0.0 ? count : c.cols));
  }
  return means;
}

bool same_or_both_nan(float got, float want) {
  return got == want || (std::isnan(got) && std::isnan(want));
}

template <class Answer>
void expect_binarized(const Rows& c, const Answer& answer, Expect& expect) {
  const auto& [bits, alpha] = answer;
  const Floats want = means_by_definition(c);
  expect.suspect("N-DENOM", "alpha", means_by_definition(c, -1.0, 1.0));
  expect.suspect("N-DENOM", "alpha", means_by_definition(c, -1.0, 32.0 * double(words_of(c.cols))));
  expect.suspect("N-FORMULA", "alpha", means_by_definition(c, 1.0));
  expect.every("alpha", alpha, want, [&alpha = alpha, &want](std::size_t r) {
    return same_or_both_nan(alpha[r], want[r]);
  });
  expect_signs(c, bits, expect);
}

void binarizes(const std::vector<Rows>& cases) {
  each_case(cases, [](const Rows& c, Expect& expect) {
    expect_binarized(
        c, call<&binarize_rows>(c.x, out(c.words()), out(std::size_t(c.rows())), c.cols), expect);
  });
}

// By hand: means that are exact, and of thirds; either sign; columns beyond the first word.
TEST(binarize_rows, MeanMagnitude) {
  binarizes({{"One", 1, {3, 5}},
             {"Four", 4, {1, 2, 3, 6, 2, 0, 0, 8}},
             {"ThirdsOfRows", 3, {1, 0, 0, 2, 2, 3, 0, 0, 0}},
             {"EitherSign", 2, {-4, 4, 1, -2, -8, -8}},
             {"AWarp", 40, Floats(80, -0.5f)}});
}

TEST(binarize_rows, SignsToBits) {
  binarizes({{"Zeros", 3, {-0.0f, 0, -1, -1, 0, 3}}, hand_signs()[4]});
}

TEST(binarize_rows, EveryShape) { binarizes(every_row(seed)); }

TEST(binarize_rows, KeepsNan) {
  binarizes(
      {{"Between", 3, {1, 2, 3, 1, kNan, -3, -1, -2, -3}}, {"Infinity", 2, {1, -kInf, 3, 4}}});
}

TEST(binarize_rows, RunsClean) {
  each_case(watched_rows(), [](const Rows& c, Expect& expect) {
    expect_binarized(
        c, watched<&binarize_rows>(c.x, out(c.words()), out(std::size_t(c.rows())), c.cols),
        expect);
  });
}

Counted count_binarizing(const Rows& c) {
  return counted<&binarize_rows>(c.x, out(c.words()), out(std::size_t(c.rows())), c.cols);
}

TEST(binarize_rows, WithinTheWarp) {
  const Measure shared{"requests to shared memory", "N-BARRIERS", kSharedRequests.of_traffic,
                       nullptr};
  each_counted_row(count_binarizing, [&](const Counted& both, Expect& expect) {
    at_most(expect, kBarriers, 1.0, both);
    at_most(expect, shared, 1.0, both);
  });
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(binarize_rows, ReadsOnce) {
  const Measure loads{"bytes of w read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  each_counted_row(count_binarizing, [&](const Counted& both, Expect& expect) {
    at_most(expect, kGlobalLoadBytes, 2.5, both);
    at_most(expect, loads, 1.1, both);
  });
}

TEST(binarize_rows, StoresNeighbours) {
  each_counted_row(count_binarizing, [](const Counted& both, Expect& expect) {
    at_most(expect, kGlobalStoreBytes, 1.5, both);
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// Long sums, one more than two tiles in each direction, and the shapes that are counted.
const std::vector<MatmulShape> kHiddenShapes = {{3, 5, 7},      {2, 3, 10007}, {45, 70, 500},
                                                {64, 64, 1024}, {65, 33, 97},  {33, 65, 2049},
                                                {5, 3, 70},     {16, 16, 256}, {7, 131, 333}};

TEST(pack_signs, UnseenData) { packs(every_row(hidden_seed)); }
TEST(binary_matmul, UnseenData) {
  multiplies<&binary_matmul>(products(kHiddenShapes, hidden_seed, Tail::kNoise));
}
TEST(binary_matmul_tiled, UnseenData) {
  multiplies<&binary_matmul_tiled>(products(kHiddenShapes, hidden_seed, Tail::kNoise));
}
TEST(binarize_rows, UnseenData) { binarizes(every_row(hidden_seed)); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
