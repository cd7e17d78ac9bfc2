// Lab 27: the checks.
#include "cuda_binary.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "checks/marks/27_cuda_binary.hpp"
#include "judge/bits.hpp"
#include "judge/mix.hpp"
#include "judge/product_exercise.hpp"
#include "judge/rows.hpp"
#include "judge/wrong_products.hpp"

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
  const auto suspect = [&](const char* code, std::string_view words, const auto& bit) {
    Bits bits = right;
    for (std::size_t at = 0; at < bits.size(); ++at) bits[at] = bit(at / width, at % width) ? 1 : 0;
    expect.suspect(code, "bits", bits, words);
  };
  const std::size_t cols = std::size_t(c.cols);
  const auto is_right = [&](std::size_t r, std::size_t column) {
    return right[r * width + column] == 1;
  };
  const auto signs = [&](const char* code, std::string_view words, const auto& is_minus) {
    suspect(code, words, [&](std::size_t r, std::size_t column) {
      return column < cols && is_minus(c.row(r)[column]);
    });
  };
  suspect("N-LANES", "lanes without a column leave before the vote", [&](auto r, auto column) {
    const bool is_last = column / 32 == cols / 32 && column / 32 % 32 >= cols % 32;
    return !is_last && is_right(r, column);
  });
  suspect("N-TAIL", "bits behind the last column are 1, and have to be 0",
          [&](auto r, auto column) { return column >= cols || is_right(r, column); });
  expect.suspect("N-LAYOUT", "bits", turned_words(right),
                 "the first column is the highest bit of its word, and has to be the lowest");
  // The rare numbers first: among them alone, the last two answer the same.
  signs("N-NAN", "NaN is taken for -1: sign(NaN) = +1", [](float x) { return !(x >= 0.0f); });
  signs("N-FORMULA", "the sign bit is taken: sign(-0.0) = +1",
        [](float x) { return std::signbit(x); });
  signs("N-FORMULA", "0 is taken for -1: sign(0) = +1", [](float x) { return x <= 0.0f; });
  constexpr const char* kInverted = "a bit is 1 where x < 0, and here where it is not";
  suspect("N-FORMULA", kInverted, [&](auto r, auto column) { return !is_right(r, column); });
  signs("N-FORMULA", kInverted, [](float x) { return !(x < 0.0f); });
  signs("N-FORMULA", kInverted, [](float x) { return x > 0.0f; });
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

/// base - 2 * (how many bits are counted): count(w, x, y) of word w of both rows, which lie `words`
/// words apart.
template <class Count>
Sums from_words(const Product& c, int base, std::size_t words, const Count& count) {
  const Words a = packed_a(c), b_t = packed_b(c);
  Sums sums;
  for (std::size_t i = 0; i < std::size_t(c.shape.m); ++i) {
    for (std::size_t j = 0; j < std::size_t(c.shape.n); ++j) {
      int counted = 0;
      for (std::size_t w = 0; w < words_of(c.shape.k); ++w) {
        counted += count(w, a[i * words + w], b_t[j * words + w]);
      }
      sums.push_back(base - 2 * counted);
    }
  }
  return sums;
}

/// What known mistakes answer: another formula; a mask of other bits, or of another word; rows that
/// lie closer together; steps along k; numbers of 16 bits.
void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  const int k = c.shape.k;
  const std::size_t words = words_of(k), last = words - 1;
  if (k == 0 || c.outputs() * words > 200'000) return;
  const std::uint32_t tail = k % 32 == 0 ? ~0u : ~(~0u << k % 32);
  const auto suspect = [&](const char* code, std::string_view text, int base, const auto& count) {
    expect.suspect(code, "c", from_words(c, base, words, count), text);
  };
  const auto kept = [&](std::size_t w) { return w == last ? tail : ~0u; };
  // Of the bits that differ: those of a mask.
  const auto masked = [&](const char* code, std::string_view text, int base, const auto& mask) {
    suspect(code, text, base, [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
      return std::popcount((x ^ y) & mask(w));
    });
  };
  const int whole = int(words) * 32;
  constexpr const char* kWhole = "k is how many signs a row has, and not how many bits its words";
  constexpr const char* kAnd = "words are joined by AND: XOR finds the signs that differ";
  masked("N-TAIL", "the tail is counted, too", k, [](std::size_t) { return ~0u; });
  masked("N-TAIL", kWhole, whole, kept);
  masked("N-TAIL", kWhole, whole, [](std::size_t) { return ~0u; });
  masked("N-TAIL", "a last word that is full is masked away", k,
         [=](std::size_t w) { return w == last && k % 32 == 0 ? 0u : kept(w); });
  masked("N-TAIL", "the mask is turned around: it keeps the tail", k,
         [=](std::size_t w) { return w == last ? ~tail : ~0u; });
  masked("N-LAYOUT", "the mask of the last word is laid over all words", k,
         [=](std::size_t) { return tail; });
  suspect("N-FORMULA", kAnd, k, [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
    return std::popcount(x & y & kept(w));
  });
  if (k % 32 != 0 && (k >= 32 || c.shape.m > 1)) {
    expect.suspect("N-LAYOUT", "c",
                   from_words(c, k, words - 1,
                              [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
                                return std::popcount((x ^ y) & kept(w));
                              }),
                   "rows lie ceil(k / 32) words apart, and are read k / 32 apart");
  }
  each_wrong_step(words, [&](const char* code, const std::string& text, const auto& times) {
    suspect(code, std::string("in words of 32") + ": " + text, k,
            [&](std::size_t w, std::uint32_t x, std::uint32_t y) {
              return times(w) * std::popcount((x ^ y) & kept(w));
            });
  });
  masked("N-TAIL", "the mask keeps the upper bits of the last word", k,
         [=](std::size_t w) { return w == last && k % 32 != 0 ? ~0u << (32 - k % 32) : ~0u; });
  const auto of_sums = [&](const char* code, std::string_view text, const auto& wrong) {
    expect.suspect(code, "c", each_of(right, [&](int sum) { return wrong((k - sum) / 2); }), text);
  };
  of_sums("N-FORMULA", "how many signs differ is no sum yet: k - 2 * that",
          [](int d) { return d; });
  of_sums("N-FORMULA", "how many signs agree is no sum yet", [=](int d) { return k - d; });
  of_sums("N-FORMULA", "two signs that agree give +1, and here -1",
          [=](int d) { return 2 * d - k; });
  of_sums("N-OVERFLOW", "what differs is counted in 16 bits",
          [=](int d) { return k - 2 * static_cast<std::int16_t>(d); });
  of_sums("N-OVERFLOW", "what differs is counted in 16 bits",
          [=](int d) { return k - 2 * static_cast<std::uint16_t>(d); });
  if (c.shape.m == 1) {
    expect.suspect("N-LAYOUT", "c", Sums(right.size(), right.front()),
                   "all columns are as the first");
  }
  each_wrong_place(c.shape, [&](const std::string& text, const auto& row, const auto& column) {
    Sums moved;
    for (std::size_t at = 0; at < right.size(); ++at) {
      const std::size_t n = std::size_t(c.shape.n);
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      moved.push_back(i < std::size_t(c.shape.m) && j < n ? right[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "c", moved, text);
  });
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

/// The mean of magnitude(w) over the columns that count.
template <class Magnitude, class Counts>
Reals means(const Rows& c, double count, const Magnitude& magnitude, const Counts& counts) {
  Reals all;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    double sum = 0.0;  // exact, as every partial sum of it is in float32
    for (std::size_t column = 0; column < std::size_t(c.cols); ++column) {
      if (counts(column)) sum += magnitude(double{c.row(r)[column]});
    }
    all.push_back(float(sum) / float(count));
  }
  return all;
}
bool is_any(std::size_t) { return true; }

Reals means_by_definition(const Rows& c) {
  return means(
      c, c.cols, [](double w) { return w < 0.0 ? -w : w; }, is_any);
}

void suspect_means(Expect& expect, const Rows& c) {
  const auto magnitude = [](double w) { return std::fabs(w); };
  const auto divided = [&](std::string_view words, std::size_t count) {
    expect.suspect("N-DENOM", "alpha", means(c, double(count), magnitude, is_any), words);
  };
  divided("the sum is not divided by cols", 1);
  divided("the sum is divided by the bits of its words, and not by cols", 32 * words_of(c.cols));
  divided("the sum is divided by the words of a row, and not by cols", words_of(c.cols));
  divided("the sum is divided by the number of rows, and not by cols", c.rows());
  const auto signs = [&](std::string_view words, const auto& of) {
    expect.suspect("N-FORMULA", "alpha", means(c, c.cols, of, is_any), words);
  };
  signs("w is added up with its sign: magnitudes are asked for", [](double w) { return w; });
  signs("what is below 0 is left out: it has a magnitude, too",
        [](double w) { return std::max(w, 0.0); });
  const auto some = [&](const char* code, std::string_view words, const auto& counts) {
    expect.suspect(code, "alpha", means(c, c.cols, magnitude, counts), words);
  };
  for (const std::size_t apart : {1, 2, 4, 8, 16}) {
    some("N-FORMULA", "an exchange is missing: some lanes never meet the others",
         [=](std::size_t at) { return (at & apart) == 0; });
  }
  some("N-FORMULA", "the sum is that of lane 0 alone", [](std::size_t at) { return at % 32 == 0; });
  const std::size_t words = words_of(c.cols);
  some("N-TAIL", "the last word of a row is not added",
       [=](std::size_t at) { return at / 32 + 1 < words; });
  some("N-TAIL", "only the last 1024 columns are added",
       [=](std::size_t at) { return at / 1024 == (words - 1) / 32; });
  some("N-TAIL", "only the first 1024 columns are added", [](std::size_t at) { return at < 1024; });
}

const auto binarizing = kernel_exercise<&binarize_rows>(
    [](const Rows& c) { return std::tuple(c.x, out(words_in(c)), out(c.rows()), c.cols); },
    [](const Rows& c) { return means_by_definition(c); },
    [](Expect& expect, const Rows& c, const std::tuple<Words, Reals>& got, const Reals& right) {
      const auto& [bits, alpha] = got;
      const bool is_finite = std::ranges::all_of(right, [](float x) { return std::isfinite(x); });
      if (is_finite) suspect_means(expect, c);
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
