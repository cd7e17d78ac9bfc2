// Lab 27: the checks.
#include "cuda_binary.hpp"

#include <cmath>
#include <limits>

#include "checks/marks/27_cuda_binary.hpp"
#include "judge/bits.hpp"
#include "judge/mix.hpp"
#include "judge/product_exercise.hpp"
#include "judge/rows.hpp"

namespace nibble::judge {
namespace {

using Shapes = std::vector<MatmulShape>;

std::size_t words_in(const Rows& c) { return c.rows() * words_of(c.cols); }

// --- Rows of floats ------------------------------------------------------------------------------

Bits signs_by_definition(const Rows& c) {
  const std::size_t width = words_of(c.cols) * 32;
  Bits bits(c.rows() * width);
  for (std::size_t at = 0; at < c.x.size(); ++at) {
    bits[at / c.cols * width + at % c.cols] = c.x[at] < 0.0f ? 1 : 0;
  }
  return bits;
}

/// Steps of 1/64 up to 8: sums of up to 2^15 of them are exact in float32, in any order.
Rows random_rows(int rows, int cols, std::uint64_t its_seed) {
  Rows c{size_text(rows, cols), cols, {}};
  for (const int code : code_tensor<int>(std::size_t(rows) * cols, its_seed, -512, 511)) {
    c.x.push_back(float(code) / 64.0f);
  }
  return c;
}

void expect_signs(Expect& expect, const Rows& c, const Words& got, const Bits& right) {
  const std::size_t width = words_of(c.cols) * 32;
  if (right.size() > 500 && c.cols > 1) Expect::healthy(distinct(right) == 2, "signs all alike");
  // The first column highest; 1 where x >= 0; -1 behind the last column; a last word whose lane has
  // no column there, and so has not voted.
  Bits inverted = right, minus = right, unvoted = right;
  for (int& bit : inverted) bit = 1 - bit;
  for (std::size_t at = 0; at < right.size(); ++at) {
    if (at % width >= std::size_t(c.cols)) minus[at] = 1;
    const std::size_t word = at % width / 32, rest = std::size_t(c.cols) % 32;
    if (word == std::size_t(c.cols) / 32 && word % 32 >= rest) unvoted[at] = 0;
  }
  expect.suspect("N-LANES", "bits", unvoted);
  expect.suspect("N-TAIL", "bits", minus);
  expect.suspect("N-LAYOUT", "bits", turned_words(right));
  expect.suspect("N-FORMULA", "bits", inverted);
  expect.equal("bits", bits_of(got), right, {c.rows(), width});
}

const auto packing = kernel_exercise<&pack_signs>(
    [](const Rows& c) { return std::tuple(c.x, out(words_in(c)), int(c.rows()), c.cols); },
    signs_by_definition, expect_signs);

// By hand, in whole words and in less; one bit of a word each,
// so that no order of bits but one is right.
std::vector<Rows> hand_signs() {
  Reals far(96, 1.0f);
  far[0] = far[33] = far[66] = far[95] = -0.25f;
  return {{"OneColumn", 1, {-1, 1}},
          {"OneOfThree", 3, {5, 4, -3, -2, 1, 0.5f}},
          {"TwoRows", 2, {1, -1, -1, 1}},
          {"Extremes", 6, {kInfinity, -kInfinity, -0x1p-149f, 0x1p-149f, -3e38f, 3e38f}},
          {"ThreeWords", 96, far}};
}

TEST(pack_signs, SignsToBits) { packing.is_right(hand_signs()); }

TEST(pack_signs, ZeroIsPlus) {
  packing.is_right({{"Zero", 2, {0, -1, 1, 0}}, {"MinusZero", 2, {-0.0f, -1, 0, -0.0f}}});
}

TEST(pack_signs, NanIsPlus) {
  const float minus_nan = std::copysign(kNan, -1.0f);
  packing.is_right(
      {{"NaN", 2, {kNan, -1, 1, kNan}}, {"NanWithASign", 2, {minus_nan, -1, 1, minus_nan}}});
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
    cases.push_back({"AllBelowZero", cols, Reals(3 * std::size_t(cols), -1.0f)});
  }
  packing.is_right(cases);
}

// Less than a word, tails, and more than 32 words; then what is counted.
const std::vector<std::pair<int, int>> kCountedRows = {{9, 1100}, {16, 1024}};

std::vector<Rows> counted_rows() {
  std::vector<Rows> cases;
  for (const auto& [rows, cols] : kCountedRows) {
    cases.push_back(random_rows(rows, cols, counted_seed(rows)));
  }
  return cases;
}

std::vector<Rows> watched_rows() {
  std::vector<Rows> cases = {random_rows(3, 5, seed(1)), random_rows(9, 70, seed(2)),
                             random_rows(2, 1057, seed(3))};
  for (const Rows& c : counted_rows()) cases.push_back(c);
  return cases;
}

TEST(pack_signs, RunsClean) { packing.runs_clean(watched_rows()); }
TEST(pack_signs, MovesAtMostTwice) { packing.at_most(kGlobalBytes, 2.0, counted_rows()); }
TEST(pack_signs, MovesNoMore) { packing.at_most(kGlobalBytes, 1.1, counted_rows()); }

// --- Products ------------------------------------------------------------------------------------

/// Signs as pack_signs makes them: 1 for -1. Behind the last column zeros, or noise: another `salt`
/// makes it another, for what is the same in a and b_t cannot be told from zeros.
Words packed(const Codes& signs, int rows, const Product& c, std::uint64_t salt) {
  const std::size_t k = c.shape.k, words = words_of(c.shape.k);
  Words bits(rows * words);
  for (std::size_t at = 0; at < signs.size(); ++at) {
    if (signs[at] < 0) bits[at / k * words + at % k / 32] |= 1u << at % k % 32;
  }
  for (int row = 0; c.noise != 0 && k % 32 != 0 && row < rows; ++row) {
    bits[(row + 1) * words - 1] |= std::uint32_t(mix(c.noise + salt, row)) << k % 32;
  }
  return bits;
}
Words packed_a(const Product& c) { return packed(c.a, c.shape.m, c, 0); }
Words packed_b(const Product& c) { return packed(c.b_t, c.shape.n, c, 1); }

/// The first k signs of each row of words.
Codes signs_of(const Words& words, int k) {
  const Bits bits = bits_of(words);
  Codes signs;
  for (std::size_t at = 0; at < bits.size(); ++at) {
    if (at % (words_of(k) * 32) < std::size_t(k)) signs.push_back(bits[at] == 1 ? -1 : 1);
  }
  return signs;
}

std::vector<Product> products(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = random_products(shapes, seeds);
  for (Product& c : cases) {
    for (std::int8_t& code : c.a) code = code < 0 ? -1 : 1;
    for (std::int8_t& code : c.b_t) code = code < 0 ? -1 : 1;
  }
  return cases;
}

std::vector<Product> with_noise(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = products(shapes, seeds);
  for (Product& c : cases) c.noise = seeds(c.outputs());
  return cases;
}

/// What known mistakes answer: 32 products for every word; the number of bits that differ, or
/// agree; that number in 16 bits.
void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  const auto [m, n, k] = c.shape;
  const int whole = int(words_of(k)) * 32;
  if (whole != k) {
    expect.suspect(
        "N-TAIL", "c",
        sums_of(signs_of(packed_a(c), whole), signs_of(packed_b(c), whole), {m, n, whole}, whole));
  }
  Sums differ, agree, wrapped, wrapped_above_0;
  for (const std::int32_t sum : right) {
    differ.push_back((k - sum) / 2);
    agree.push_back((k + sum) / 2);
    wrapped.push_back(k - 2 * static_cast<std::int16_t>(differ.back()));
    wrapped_above_0.push_back(k - 2 * static_cast<std::uint16_t>(differ.back()));
  }
  expect.suspect("N-FORMULA", "c", differ);
  expect.suspect("N-FORMULA", "c", agree);
  expect.suspect("N-OVERFLOW", "c", wrapped);
  expect.suspect("N-OVERFLOW", "c", wrapped_above_0);
}

template <auto F>
const auto multiplying = product_exercise<F>(
    [](const Product& c) {
      return std::tuple(packed_a(c), packed_b(c), out(c.outputs()), c.shape);
    },
    suspect_the_usual, with_noise);

/// One sign differs, so that whoever counts what differs counts something.
std::vector<Product> without_products() {
  std::vector<Product> cases = empty_products(5);
  cases.back().b_t[0] = -1;
  return cases;
}

// By hand: + + + - times + - + - is 2, and so on. A word that is full; all that differs; two words.
template <class Exercise>
void check_formula(const Exercise& exercise) {
  const auto product = [](const char* name, MatmulShape s, const Words& a, const Words& b_t) {
    return Product{name, s, signs_of(a, s.k), signs_of(b_t, s.k)};
  };
  exercise.gives(
      {{product("FourSigns", {1, 2, 4}, {0b1000}, {0b1010, 0b0111}), {2, -4}},
       {product("FullWord", {1, 3, 32}, {0xF0F0F0F0}, {0xF0F0F0F0, 0x0F0F0F0F, 0xFF00FF00}),
        {32, -32, 0}},
       {product("RowsOfTwoWords", {2, 1, 64}, {0, 0, 1, 0xFF}, {0, 0x80000001}), {60, 46}},
       {product("AllDifferent", {3, 2, 5}, {0b00000, 0b00111, 0b11111}, {0b00001, 0b10101}),
        {3, -1, 1, 1, -3, 1}}});
}

// One; one less than, as many as and one more than a word; the same for tiles of 32 words; tall and
// flat. And rows that differ in more places than 16 bits count.
const Shapes kShapes = {{1, 2, 31},   {2, 1, 32},    {2, 3, 33},    {40, 2, 64},   {1, 33, 65},
                        {5, 7, 96},   {31, 32, 100}, {33, 34, 127}, {9, 70, 1},    {70, 9, 320},
                        {8, 8, 1023}, {8, 8, 1024},  {9, 7, 1025},  {64, 64, 257}, {66, 35, 129},
                        {3, 4, 2080}, {35, 3, 3101}, {129, 3, 40},  {1, 2, 140001}};

// 31 bits of noise, one, and some; in the first word, and behind a full step of 32 words.
const Shapes kTails = {{2, 1, 1}, {2, 3, 31}, {3, 2, 33}, {5, 4, 50}, {9, 9, 1025}, {33, 2, 1077}};

// A shape that no tile divides, and whole tiles of every usual size.
const Shapes kCounted = {{45, 70, 500}, {64, 64, 1024}};

const Shapes kWatched = {{3, 5, 7},     {33, 34, 70},  {66, 3, 33},
                         {3, 40, 1100}, {45, 70, 500}, {64, 64, 1024}};

std::uint64_t words(const Product& c) { return c.outputs() * words_of(c.shape.k); }

const auto& naive = multiplying<&binary_matmul>;
const auto& tiled = multiplying<&binary_matmul_tiled>;

TEST(binary_matmul, EmptySumIsZero) { check_empty_sums(naive, without_products()); }
TEST(binary_matmul, FollowsTheFormula) { check_formula(naive); }
TEST(binary_matmul, EveryShape) { naive.is_right(products(kShapes, seed)); }
TEST(binary_matmul, TailCountsForNothing) { naive.is_right(kTails, seed); }
TEST(binary_matmul, RunsClean) { naive.runs_clean(products(kWatched, seed)); }
TEST(binary_matmul, CountsWords) { naive.exactly(kPopc, words, {{5, 3, 70}, {33, 7, 128}}); }
TEST(binary_matmul, MovesAtMostTwice) { naive.at_most(kGlobalBytes, 2.0, kCounted); }
TEST(binary_matmul, MovesNoMore) { naive.at_most(kGlobalBytes, 1.1, kCounted); }

TEST(binary_matmul_tiled, EmptySumIsZero) { check_empty_sums(tiled, without_products()); }
TEST(binary_matmul_tiled, FollowsTheFormula) { check_formula(tiled); }
TEST(binary_matmul_tiled, EveryShape) { tiled.is_right(products(kShapes, seed)); }
TEST(binary_matmul_tiled, TailCountsForNothing) { tiled.is_right(kTails, seed); }
TEST(binary_matmul_tiled, RunsClean) { tiled.runs_clean(products(kWatched, seed)); }
TEST(binary_matmul_tiled, CountsWords) { tiled.exactly(kPopc, words, {{64, 64, 1024}}); }
// With one step along k, and one block: that many barriers are a step's.
TEST(binary_matmul_tiled, TwoBarriersAStep) { tiled.at_most(kBarriers, 1.0, {{16, 16, 256}}); }
TEST(binary_matmul_tiled, MovesAtMostThreeTimes) { tiled.at_most(kGlobalBytes, 3.0, kCounted); }
TEST(binary_matmul_tiled, MovesNoMore) { tiled.at_most(kGlobalBytes, 1.1, kCounted); }
TEST(binary_matmul_tiled, LanesWorkTogether) {
  tiled.at_least(kLanesAtWork, 0.25, {kCounted.back()});
}
TEST(binary_matmul_tiled, NoBankConflicts) {
  tiled.at_most(kBankConflicts, 1.0, {kCounted.back()});
}

// --- Signs and their scale -----------------------------------------------------------------------

Reals means_by_definition(const Rows& c, double sign_of_minus = -1.0, double count = 0.0) {
  Reals means;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    double sum = 0.0;  // exact, as every partial sum of it is in float32
    for (const double w : c.row(r)) sum += w < 0.0 ? sign_of_minus * w : w;
    means.push_back(float(sum) / float(count > 0.0 ? count : c.cols));
  }
  return means;
}

const auto binarizing = kernel_exercise<&binarize_rows>(
    [](const Rows& c) { return std::tuple(c.x, out(words_in(c)), out(c.rows()), c.cols); },
    [](const Rows& c) { return means_by_definition(c); },
    [](Expect& expect, const Rows& c, const std::tuple<Words, Reals>& got, const Reals& right) {
      const auto& [bits, alpha] = got;
      expect.suspect("N-DENOM", "alpha", means_by_definition(c, -1.0, 1.0));
      expect.suspect("N-DENOM", "alpha",
                     means_by_definition(c, -1.0, 32.0 * double(words_of(c.cols))));
      expect.suspect("N-FORMULA", "alpha", means_by_definition(c, 1.0));
      expect_same(expect, "alpha", alpha, right);
      expect_signs(expect, c, bits, signs_by_definition(c));
    });

// By hand: means that are exact, and of thirds; either sign; columns beyond the first word.
TEST(binarize_rows, MeanMagnitude) {
  binarizing.is_right({{"One", 1, {3, 5}},
                       {"Four", 4, {1, 2, 3, 6, 2, 0, 0, 8}},
                       {"ThirdsOfRows", 3, {1, 0, 0, 2, 2, 3, 0, 0, 0}},
                       {"EitherSign", 2, {-4, 4, 1, -2, -8, -8}},
                       {"AWarp", 40, Reals(80, -0.5f)}});
}

TEST(binarize_rows, SignsToBits) {
  binarizing.is_right({{"Zeros", 3, {-0.0f, 0, -1, -1, 0, 3}}, hand_signs()[4]});
}

TEST(binarize_rows, EveryShape) { binarizing.is_right(every_row(seed)); }

TEST(binarize_rows, KeepsNan) {
  binarizing.is_right(
      {{"Between", 3, {1, 2, 3, 1, kNan, -3, -1, -2, -3}}, {"Infinity", 2, {1, -kInfinity, 3, 4}}});
}

TEST(binarize_rows, RunsClean) { binarizing.runs_clean(watched_rows()); }

TEST(binarize_rows, WithinTheWarp) {
  const Measure shared{"requests to shared memory", "N-BARRIERS", kSharedRequests.of_traffic,
                       nullptr};
  binarizing.at_most(kBarriers, 1.0, counted_rows());
  binarizing.at_most(shared, 1.0, counted_rows());
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(binarize_rows, ReadsOnce) {
  const Measure loads{"bytes of w read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  binarizing.at_most(kGlobalLoadBytes, 2.5, counted_rows());
  binarizing.at_most(loads, 1.1, counted_rows());
}

TEST(binarize_rows, StoresNeighbours) {
  binarizing.at_most(kGlobalStoreBytes, 1.5, counted_rows());
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// Long sums, one more than two tiles in each direction, and the shapes that are counted.
const Shapes kHiddenShapes = {{3, 5, 7},      {2, 3, 10007}, {45, 70, 500},
                              {64, 64, 1024}, {65, 33, 97},  {33, 65, 2049},
                              {5, 3, 70},     {16, 16, 256}, {7, 131, 333}};

TEST(pack_signs, UnseenData) { packing.is_right(every_row(hidden_seed)); }
TEST(binary_matmul, UnseenData) { naive.is_right(kHiddenShapes, hidden_seed); }
TEST(binary_matmul_tiled, UnseenData) { tiled.is_right(kHiddenShapes, hidden_seed); }
TEST(binarize_rows, UnseenData) { binarizing.is_right(every_row(hidden_seed)); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
