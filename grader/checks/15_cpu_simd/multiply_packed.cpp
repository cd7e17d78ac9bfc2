// Lab 15, multiply_packed: the checks.
#include "checks/15_cpu_simd/multiply_packed.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

TEST(multiply_packed, EmptySumIsZero) {
  multiplying.is_right(
      random_products({{3, 5, 0}, {1, 1, 0}, {7, 65, 0}, {0, 3, 2}, {3, 0, 2}, {0, 0, 0}}, seed));
}

// By hand, then one whole tile of most kernels, and rows and columns past it.
TEST(multiply_packed, FollowsTheFormula) {
  multiplying.is_right(
      {{"OneProduct", {1, 1, 1}, {-3}, {7}},
       {"TwoByTwo", {2, 2, 4}, {1, 2, 3, 4, -5, 6, 7, 8}, {1, 0, 2, 0, 3, -1, 0, 5}},
       {"OneRow", {1, 3, 4}, {1, 10, 100, 0}, {1, 2, 1, 0, 0, 1, 0, 9, 2, 2, 0, 3}}});
  multiplying.is_right(random_products({{6, 64, 32}, {12, 128, 64}}, seed));
}

TEST(multiply_packed, ExactForEveryCode) {
  multiplying.is_right(extreme_products({2, 3, 64}));
  multiplying.is_right(long_products(1, 2));
  multiplying.is_right(long_products(7, 1));
}

TEST(multiply_packed, EveryTail) { multiplying.is_right(random_products(tails(), seed)); }

// More rows and longer ones than fit in a block of any cache, and shapes far from square.
TEST(multiply_packed, LargeProducts) {
  multiplying.is_right(
      random_products({{61, 150, 130}, {1, 300, 1025}, {40, 7, 2050}, {330, 66, 1030}}, seed));
}

TEST(multiply_packed, RefusesWhatItMust) {
  refuses_on_every_isa(multiplying, random_products({{2, 3, 5}}, seed)[0], [](Isa isa) {
    return bad_products(multiplying, isa, [](auto... each) { return std::tuple(each...); });
  });
}

TEST(multiply_packed, Speed) {
  const TimedProduct p;
  speed<&multiply_packed>(p.goal(0.5, 0.75), [&](FreshData& fresh) {
    return std::tuple(p.isa, p.a(fresh), p.packed(fresh), out(p.c_count), p.shape);
  });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
