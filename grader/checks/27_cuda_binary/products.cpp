// Lab 27: products: the checks.
#include "checks/27_cuda_binary/products.hpp"

namespace nibble::judge::lab_27_cuda_binary {
namespace {

/// The first k signs of each row of words.
Codes signs_of(const Words& words, int k) {
  const Bits bits = bits_of(words);
  Codes signs;
  for (std::size_t at = 0; at < bits.size(); ++at) {
    if (at % (words_of(k) * 32) < std::size_t(k)) signs.push_back(bits[at] == 1 ? -1 : 1);
  }
  return signs;
}

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
    Product c{name, s, signs_of(a, s.k), signs_of(b_t, s.k)};
    c.noise = 5;  // behind k: who counts too little, and who counts something else, differ
    return c;
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

// A grid has room for 65535 rows of blocks: long rows make up for blocks of few.
template <class Exercise>
void check_far(const Exercise& exercise, int words) {
  exercise.runs_far(products({{1, 1, 32 * words}}, seed), products({{1, words, 32}}, seed),
                    products({{1, 3, 2070}}, seed),
                    [](const Product& c) { return std::int64_t(words_of(c.shape.k)); });
}

TEST(binary_matmul, EmptySumIsZero) { check_empty_sums(naive, without_products()); }
TEST(binary_matmul, FollowsTheFormula) { check_formula(naive); }
TEST(binary_matmul, EveryShape) { naive.is_right(products(kShapes, seed)); }
TEST(binary_matmul, TailCountsForNothing) { naive.is_right(kTails, seed); }
TEST(binary_matmul, RunsClean) {
  naive.runs_clean(products(kWatched, seed));
  check_far(naive, 8300);
}
TEST(binary_matmul, CountsWords) { naive.exactly(kPopc, words, {{5, 3, 70}, {33, 7, 128}}); }
TEST(binary_matmul, MovesAtMostTwice) { naive.at_most(kGlobalBytes, 2.0, kCounted); }
TEST(binary_matmul, MovesNoMore) { naive.at_most(kGlobalBytes, 1.1, kCounted); }

TEST(binary_matmul_tiled, EmptySumIsZero) { check_empty_sums(tiled, without_products()); }
TEST(binary_matmul_tiled, FollowsTheFormula) { check_formula(tiled); }
TEST(binary_matmul_tiled, EveryShape) { tiled.is_right(products(kShapes, seed)); }
TEST(binary_matmul_tiled, TailCountsForNothing) { tiled.is_right(kTails, seed); }
TEST(binary_matmul_tiled, RunsClean) {
  tiled.runs_clean(products(kWatched, seed));
  check_far(tiled, 1040);
}
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

}  // namespace
}  // namespace nibble::judge::lab_27_cuda_binary
