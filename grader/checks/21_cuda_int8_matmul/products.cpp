// Lab 21: the checks.
#include "checks/21_cuda_int8_matmul/products.hpp"

namespace nibble::judge::lab_21_cuda_int8_matmul {
namespace {

// By hand, all sizes different: a = [1 2; 3 4; 5 6], columns of b 1 10, 2 20, 3 30, 4 40. The
// corners of the range. And a table of products, larger than a row or a column of threads is in
// small blocks.
template <class Exercise>
void check_formula(const Exercise& exercise) {
  exercise.gives(
      {{{"TwoProducts", {2, 1, 1}, {-3, 2}, {5}}, {-15, 10}},
       {{"RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2}}, {12, -3}},
       {{"ColumnTimesRow", {2, 3, 1}, {1, -2}, {3, 4, 5}}, {3, 4, 5, -6, -8, -10}},
       {{"AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40}},
        {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}},
       {{"Extremes", {2, 2, 1}, {-128, 127}, {-128, 127}}, {16384, -16256, -16256, 16129}}});
  exercise.is_right({table_of_products(21, 18)});
}

// 3 products of 127 * 127 pass int16; 1041 pass what a float counts exactly. 131071 is the longest
// k, with the largest sum that there is, 2147467264; for tiles a k that int16 does not hold has to
// do, for all threads of a block walk along it.
template <class Exercise>
void check_exact_sums(const Exercise& exercise, int longest) {
  // -128 by -128 makes the largest sum, and 0 in many a wrong way. A shorter one is not that large.
  const int code = longest == 131071 ? -128 : 127;
  exercise.is_right({constant_product("PastInt16", {1, 2, 3}, 127, 127),
                     constant_product("PastFloat", {2, 1, 1043}, 127, 127),
                     constant_product("PastFloatBelowZero", {2, 1, 1043}, -127, 127),
                     constant_product("Longest", {1, 1, longest}, code, code)});
}

// One; one less than, as many as and one more than a warp, and than two; primes; tall and flat.
// k begins with what is less than one tile, for then there is no second step.
const std::vector<MatmulShape> kShapes = {
    {1, 2, 31},   {2, 40, 2},   {40, 2, 2},   {1, 33, 2},     {33, 1, 2},   {31, 32, 5},
    {5, 7, 32},   {3, 2, 33},   {7, 65, 17},  {65, 7, 17},    {33, 34, 35}, {64, 64, 64},
    {63, 65, 97}, {129, 3, 40}, {3, 129, 40}, {128, 128, 32}, {67, 131, 79}};

// A shape that no tile divides, and whole tiles of every usual size.
const std::vector<MatmulShape> kCounted = {{45, 70, 50}, {64, 64, 64}};
// The same for tiles of up to 128 x 128.
const std::vector<MatmulShape> kCountedLarge = {{70, 140, 33}, {128, 128, 32}};

// With one step along k, and one block: that many barriers are a step's.
constexpr MatmulShape kStep = {16, 16, 16};

// Inside one tile, and over the edge of one in each direction.
const std::vector<MatmulShape> kWatched = {{3, 5, 7}, {33, 34, 35}, {66, 3, 33}, {3, 66, 33}};

// A grid has room for 65535 rows of blocks: a long row of a, or of c, makes up for blocks of few
// rows. Of b [k,n] the last columns do not lie together.
template <class Exercise>
void check_far(const Exercise& exercise, int longest, const std::vector<MatmulShape>& columns) {
  exercise.runs_far(random_products({{1, 1, longest}}, seed),
                    random_products({{1, longest, 1}}, seed), random_products(columns, seed),
                    [](const Product& c) { return std::int64_t{c.shape.k}; });
}

TEST(matmul_naive, EmptySumIsZero) { check_empty_sums(naive, empty_products(128)); }
TEST(matmul_naive, FollowsTheFormula) { check_formula(naive); }
TEST(matmul_naive, EveryShape) { naive.is_right(kShapes, seed); }
TEST(matmul_naive, SumsAreExact) { check_exact_sums(naive, 131071); }
TEST(matmul_naive, RunsClean) {
  naive.runs_clean(kWatched, kCounted);
  check_far(naive, 33100, {});
}
TEST(matmul_naive, MovesAtMostTwice) { naive.at_most(kGlobalBytes, 2.0, kCounted); }
TEST(matmul_naive, MovesNoMore) { naive.at_most(kGlobalBytes, 1.1, kCounted); }

TEST(matmul_tiled, EmptySumIsZero) { check_empty_sums(tiled, empty_products(128)); }
TEST(matmul_tiled, FollowsTheFormula) { check_formula(tiled); }
TEST(matmul_tiled, EveryShape) { tiled.is_right(kShapes, seed); }
TEST(matmul_tiled, SumsAreExact) { check_exact_sums(tiled, 32801); }
TEST(matmul_tiled, RunsClean) {
  tiled.runs_clean(kWatched, kCounted);
  check_far(tiled, 2080, {});
}
TEST(matmul_tiled, TwoBarriersAStep) { tiled.at_most(kBarriers, 1, {kStep}); }
TEST(matmul_tiled, MovesAtMostThreeTimes) { tiled.at_most(kGlobalBytes, 3.0, kCounted); }
TEST(matmul_tiled, MovesNoMore) { tiled.at_most(kGlobalBytes, 1.1, kCounted); }
// Whole tiles: at an edge, lanes without an output rest. A quarter: blocks of 8 threads.
TEST(matmul_tiled, LanesWorkTogether) { tiled.at_least(kLanesAtWork, 0.25, {kCounted.back()}); }
TEST(matmul_tiled, NoBankConflicts) { tiled.at_most(kBankConflicts, 1, {kCounted.back()}); }

TEST(matmul_transposed, EmptySumIsZero) { check_empty_sums(transposed, empty_products(128)); }
TEST(matmul_transposed, FollowsTheFormula) { check_formula(transposed); }
TEST(matmul_transposed, EveryShape) { transposed.is_right(kShapes, seed); }
TEST(matmul_transposed, SumsAreExact) { check_exact_sums(transposed, 32801); }
TEST(matmul_transposed, RunsClean) {
  transposed.runs_clean(kWatched, kCounted);
  check_far(transposed, 2080, {{1, 3, 40}});
}
TEST(matmul_transposed, TwoBarriersAStep) { transposed.at_most(kBarriers, 1, {kStep}); }
TEST(matmul_transposed, MovesAtMostThreeTimes) { transposed.at_most(kGlobalBytes, 3.0, kCounted); }
TEST(matmul_transposed, MovesNoMore) { transposed.at_most(kGlobalBytes, 1.1, kCounted); }
TEST(matmul_transposed, NoBankConflicts) {
  transposed.at_most(kBankConflicts, 1, {kCounted.back()});
}

TEST(matmul_register, EmptySumIsZero) { check_empty_sums(in_registers, empty_products(128)); }
TEST(matmul_register, FollowsTheFormula) { check_formula(in_registers); }
TEST(matmul_register, EveryShape) { in_registers.is_right(kShapes, seed); }
TEST(matmul_register, SumsAreExact) { check_exact_sums(in_registers, 32801); }
TEST(matmul_register, RunsClean) {
  in_registers.runs_clean(kWatched, kCountedLarge);
  check_far(in_registers, 520, {{1, 3, 40}});
}
TEST(matmul_register, NoBankConflicts) {
  in_registers.at_most(kBankConflicts, 1, {kCountedLarge.back()});
}
TEST(matmul_register, MovesNoMore) { in_registers.at_most(kGlobalBytes, 1.1, kCountedLarge); }
TEST(matmul_register, AsksAtMostTwice) {
  in_registers.at_most(kSharedRequests, 2.0, {kCountedLarge.back()});
}
TEST(matmul_register, AsksNoMore) {
  in_registers.at_most(kSharedRequests, 1.1, {kCountedLarge.back()});
}

}  // namespace
}  // namespace nibble::judge::lab_21_cuda_int8_matmul
