// Lab 14: the checks that all products share: the checks.
#include "checks/14_cpu_int8_gemm/products.hpp"

#include "cpu_int8_gemm.hpp"

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "checks/14_cpu_int8_gemm/usual_mistakes.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {
namespace {

using HandRows = std::vector<std::pair<Product, Sums>>;

template <class Exercise>
void gives_by_hand(const Exercise& exercise, const HandRows& rows) {
  std::vector<typename Exercise::Row> all;
  for (const auto& [in, want] : rows) all.push_back({in, want});
  exercise.gives(all);
}

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1. Then one whole tile.
const HandRows kFormula = {
    {{"Wide", {1, 3, 2}, {1, 2}, {3, 6, 4, 7, 5, 9}}, {15, 18, 23}},
    {{"Tall", {2, 1, 3}, {1, 2, 3, 4, 5, 7}, {2, 1, -1}}, {1, 6}},
    {{"Both", {2, 3, 2}, {1, 2, 3, 4}, {5, 8, 6, 9, 7, -1}}, {21, 24, 5, 47, 54, 17}},
    {{"ThreeRows", {3, 1, 2}, {1, 2, 3, 4, 5, 7}, {2, -1}}, {0, 2, 3}},
    {{"Tile", {2, 4, 2}, {1, 2, 3, -4}, {5, 6, 7, 8, -1, 2, 0, -3}},
     {17, 23, 3, -6, -9, -11, -11, 12}}};

// A whole tile, and a single element: whoever computes tiles may compute what is left of them
// elsewhere.
template <auto F>
void check_long_sums() {
  multiplying<F>.is_right(long_products(2, 4));
  multiplying<F>.is_right(long_products(1, 1));
}

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
  const auto no_b = decltype(b_of(0, {}))();
  for (const MatmulShape& large :
       {MatmulShape{65536, 0, 65536}, {0, 65536, 65536}, {65536, 65536, 0}}) {
    rows.push_back({"N-OVERFLOW",
                    "empty spans for m x n x k = " + size_text(large) +
                        ": 65536 times 65536 are none in 32 bits",
                    {Codes(), no_b, out(0), large}});
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

TEST(multiply_naive, EmptySumIsZero) { multiplying<&multiply_naive>.is_right(kEmptySums); }
TEST(multiply_naive, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_naive>, kFormula); }
TEST(multiply_naive, SumsAreExact) { check_long_sums<&multiply_naive>(); }
TEST(multiply_naive, EveryShape) { multiplying<&multiply_naive>.is_right(kShapes, seed); }
TEST(multiply_naive, RefusesWrongSizes) { check_refusals<&multiply_naive>(); }
TEST(multiply_naive, Speed) { check_speed<&multiply_naive>({128, 128, 128}, 0.25, 0.6); }

TEST(multiply_rows, EmptySumIsZero) { multiplying<&multiply_rows>.is_right(kEmptySums); }
TEST(multiply_rows, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_rows>, kFormula); }
TEST(multiply_rows, SumsAreExact) { check_long_sums<&multiply_rows>(); }
TEST(multiply_rows, EveryShape) { multiplying<&multiply_rows>.is_right(kShapes, seed); }
TEST(multiply_rows, RefusesWrongSizes) { check_refusals<&multiply_rows>(); }
TEST(multiply_rows, Speed) { check_speed<&multiply_rows>({200, 200, 200}, 0.25, 0.6); }

TEST(multiply_dots, EmptySumIsZero) { multiplying<&multiply_dots>.is_right(kEmptySums); }
TEST(multiply_dots, FollowsTheFormula) { gives_by_hand(multiplying<&multiply_dots>, kFormula); }
TEST(multiply_dots, SumsAreExact) { check_long_sums<&multiply_dots>(); }
TEST(multiply_dots, EveryShape) { multiplying<&multiply_dots>.is_right(kShapes, seed); }
TEST(multiply_dots, RefusesWrongSizes) { check_refusals<&multiply_dots>(); }
TEST(multiply_dots, Speed) { check_speed<&multiply_dots>({200, 200, 200}, 0.25, 0.6); }

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

}  // namespace
}  // namespace nibble::judge::lab_14_cpu_int8_gemm
