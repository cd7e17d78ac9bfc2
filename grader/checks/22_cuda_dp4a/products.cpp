// Lab 22: the checks.
#include "checks/22_cuda_dp4a/products.hpp"

namespace nibble::judge::lab_22_cuda_dp4a {
namespace {

template <class Exercise>
void check_sums_without_products(const Exercise& exercise) {
  std::vector<Product> cases = empty_products(128);
  cases.push_back({"NoKButPadding", {2, 3, 0}, {}, {}, 1, /*spare=*/16, /*noise=*/7});
  check_empty_sums(exercise, cases);
}

// By hand: a pitch that k does not explain, first of all where rows that are k apart could be
// loaded; whole words, parts of one; a table larger than small blocks.
template <class Exercise>
void check_formula(const Exercise& exercise) {
  Codes upwards, ones_and_upwards(32, 1);  // 1 to 32, and -32 to -1
  for (int p = 1; p <= 32; ++p) upwards.push_back(std::int8_t(p));
  ones_and_upwards.insert(ones_and_upwards.end(), upwards.begin(), upwards.end());
  for (int p = -32; p < 0; ++p) upwards.push_back(std::int8_t(p));
  exercise.gives(
      {{{"RowsAPitchApart", {2, 2, 32}, upwards, ones_and_upwards, 1, /*spare=*/32, /*noise=*/5},
        {528, 11440, -528, -5984}},
       {{"OneWord", {1, 2, 4}, {1, 2, 3, 4}, {5, -6, 7, 8, 1, 1, 1, 1}}, {46, 10}},
       {{"TwoWords", {1, 1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 0, 0, 0, 0, 10}}, {81}},
       {{"TwoRows", {2, 1, 4}, {1, 1, 1, 1, 1, 2, 3, 4}, {1, -1, 2, 5}}, {7, 25}},
       {{"AllDifferent", {3, 2, 1}, {1, -2, 3}, {10, 7}}, {10, 7, -20, -14, 30, 21}},
       {{"FiveCodes", {1, 2, 5}, {1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 0, 0, 0, 0, -3}}, {15, -15}},
       {{"OneVector", {1, 1, 16}, Codes(16, 2), Codes(16, 3)}, {96}},
       {{"WidePitch", {2, 2, 2}, {1, 2, 3, 4}, {5, 6, 7, 8}, 1, /*spare=*/32}, {17, 23, 39, 53}},
       {{"Extremes", {2, 2, 1}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129}}});
  exercise.is_right({table_of_products(21, 18, /*k=*/4, /*at=*/1)});
}

// A word of 127 * 127 passes int16. 261 words pass what a float counts exactly, if their sums are
// odd: hence 126 in every fourth place. 131071 is the longest k, with the largest sum there is,
// 2147467264: one product of padding more, and it wraps around.
template <class Exercise>
void check_exact_sums(const Exercise& exercise, int longest) {
  // -128 by -128 makes the largest sum, and 0 in many a wrong way. A shorter one is not that large.
  const int code = longest == 131071 ? -128 : 127;
  const auto odd_words = [](const char* name, int sign) {
    Product c = constant_product(name, {2, 1, 2051}, sign * 127, 127);
    for (std::size_t p = 3; p < c.b_t.size(); p += 4) --c.b_t[p];
    return c;
  };
  exercise.is_right({constant_product("PastInt16", {1, 2, 4}, 127, 127), odd_words("PastFloat", 1),
                     odd_words("PastFloatBelowZero", -1),
                     constant_product("Longest", {1, 1, longest}, code, code)});
}

// One; one less than, as many as and one more than a word, a vector of 16 codes, a warp, a tile of
// 64 and of 128; primes; tall and flat.
const Shapes kShapes = {{1, 2, 1},   {2, 1, 3},   {1, 1, 4},     {2, 3, 5},     {3, 2, 15},
                        {2, 2, 16},  {1, 33, 17}, {33, 1, 31},   {9, 17, 32},   {5, 7, 33},
                        {7, 65, 18}, {65, 7, 66}, {33, 34, 127}, {2, 3, 128},   {31, 32, 129},
                        {64, 64, 8}, {129, 3, 6}, {3, 129, 40},  {128, 128, 4}, {67, 131, 79}};

// Every length of a last word, and of a last vector;
// and pitches that are longer than they have to be.
const Shapes kPadded = {{2, 3, 1},  {3, 2, 2},  {2, 2, 3},  {3, 3, 4},
                        {2, 3, 16}, {5, 4, 21}, {3, 5, 26}, {33, 9, 30}};

// A shape that no tile divides, and one that all usual tiles do.
const Shapes kCounted = {{45, 70, 50}, {64, 64, 128}};
// The same for tiles of up to 128 x 128.
const Shapes kCountedLarge = {{70, 140, 33}, {128, 128, 64}};

// Inside one tile, and over the edge of one in each direction.
const Shapes kWatched = {{1, 1, 1},    {3, 5, 7},   {33, 34, 35},
                         {66, 3, 130}, {3, 66, 33}, {2, 40, 20}};

// A grid has room for 65535 rows of blocks: a long pitch, or a wide c, makes up for blocks of few
// rows.
template <class Exercise>
void check_far(const Exercise& exercise, int widest) {
  std::vector<Product> rows = products({{3, 2, 40}}, seed);
  rows.front().spare = 66000;
  exercise.runs_far(rows, products({{1, widest, 4}}, seed), products({{1, 3, 40}}, seed),
                    [](const Product& c) { return std::int64_t{shape_of(c).pitch}; });
}

std::uint64_t words(const Product& c) { return c.outputs() * std::size_t((c.shape.k + 3) / 4); }

TEST(matmul_dp4a_naive, EmptySumIsZero) { check_sums_without_products(naive); }
TEST(matmul_dp4a_naive, FollowsTheFormula) { check_formula(naive); }
TEST(matmul_dp4a_naive, EveryShape) { naive.is_right(kShapes, seed); }
TEST(matmul_dp4a_naive, PaddingIsNoise) { naive.is_right(with_noise(kPadded, seed)); }
TEST(matmul_dp4a_naive, SumsAreExact) { check_exact_sums(naive, 131071); }
TEST(matmul_dp4a_naive, RunsClean) {
  naive.runs_clean(kWatched, kCounted);
  check_far(naive, 33100);
}
TEST(matmul_dp4a_naive, FourProductsEach) { naive.exactly(kDp4a, words, kCounted); }
TEST(matmul_dp4a_naive, MovesAtMostTwice) { naive.at_most(kGlobalBytes, 2.0, kCounted); }
TEST(matmul_dp4a_naive, MovesNoMore) { naive.at_most(kGlobalBytes, 1.1, kCounted); }

TEST(matmul_dp4a_tiled, EmptySumIsZero) { check_sums_without_products(tiled); }
TEST(matmul_dp4a_tiled, FollowsTheFormula) { check_formula(tiled); }
TEST(matmul_dp4a_tiled, EveryShape) { tiled.is_right(kShapes, seed); }
TEST(matmul_dp4a_tiled, PaddingIsNoise) { tiled.is_right(with_noise(kPadded, seed)); }
TEST(matmul_dp4a_tiled, SumsAreExact) { check_exact_sums(tiled, 131071); }
TEST(matmul_dp4a_tiled, RunsClean) {
  tiled.runs_clean(kWatched, kCounted);
  check_far(tiled, 2080);
}
TEST(matmul_dp4a_tiled, FourProductsEach) { tiled.exactly(kDp4a, words, {kCounted.back()}); }
TEST(matmul_dp4a_tiled, MovesAtMostTwice) { tiled.at_most(kGlobalBytes, 2.0, kCounted); }
TEST(matmul_dp4a_tiled, MovesNoMore) { tiled.at_most(kGlobalBytes, 1.1, kCounted); }
TEST(matmul_dp4a_tiled, LoadsWords) { tiled.at_most(kGlobalRequests, 2.0, {kCounted.back()}); }
TEST(matmul_dp4a_tiled, UsesWords) { tiled.at_most(kSharedRequests, 1.5, {kCounted.back()}); }
TEST(matmul_dp4a_tiled, NoBankConflicts) { tiled.at_most(kBankConflicts, 1.0, {kCounted.back()}); }

TEST(matmul_dp4a_register, EmptySumIsZero) { check_sums_without_products(in_registers); }
TEST(matmul_dp4a_register, FollowsTheFormula) { check_formula(in_registers); }
TEST(matmul_dp4a_register, EveryShape) { in_registers.is_right(kShapes, seed); }
TEST(matmul_dp4a_register, PaddingIsNoise) { in_registers.is_right(with_noise(kPadded, seed)); }
// All threads of a block walk along k, 64 sums each: the longest would take seconds. 65552 codes
// take 1.5 s of the 2 s that a call may take: what wraps around in unsigned 16 bits is let pass.
TEST(matmul_dp4a_register, SumsAreExact) { check_exact_sums(in_registers, 32801); }
TEST(matmul_dp4a_register, RunsClean) {
  in_registers.runs_clean(kWatched, kCountedLarge);
  check_far(in_registers, 2080);
}
TEST(matmul_dp4a_register, FourProductsEach) {
  in_registers.exactly(kDp4a, words, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, MovesAtMostTwice) {
  in_registers.at_most(kGlobalBytes, 2.0, kCountedLarge);
}
TEST(matmul_dp4a_register, MovesNoMore) { in_registers.at_most(kGlobalBytes, 1.1, kCountedLarge); }
TEST(matmul_dp4a_register, NoBankConflicts) {
  in_registers.at_most(kBankConflicts, 1.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksAtMostFourTimes) {
  in_registers.at_most(kSharedRequests, 4.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksAtMostTwice) {
  in_registers.at_most(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_dp4a_register, AsksNoMore) {
  in_registers.at_most(kSharedRequests, 1.25, {kCountedLarge.back()});
}

}  // namespace
}  // namespace nibble::judge::lab_22_cuda_dp4a
