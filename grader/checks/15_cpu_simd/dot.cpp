// Lab 15, dot: the checks.
#include "checks/15_cpu_simd/dot.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

TEST(dot, FollowsTheFormula) {
  dotting.is_right({{"Empty", {1, 1, 0}, {}, {}},
                    {"One", {1, 1, 1}, {-7}, {9}},
                    {"Three", {1, 1, 3}, {1, -2, 3}, {4, 5, 6}},
                    constant_product("OneEach", {1, 1, 64}, 1, 1),
                    constant_product("NegativeWeights", {1, 1, 64}, 3, -2)});
}

// Nothing of random small codes would leave int16.
TEST(dot, NoPairSaturates) {
  std::vector<Product> cases{constant_product("MinusOnes", {1, 1, 128}, -1, -128)};
  for (std::size_t p = 1; p < 128; p += 2) cases[0].b_t[p] = -127;  // has a positive counterpart
  std::ranges::copy(extreme_products({1, 1, 128}), std::back_inserter(cases));
  cases.push_back(constant_product("Alternating", {1, 1, 128}, 127, 127));
  for (std::size_t p = 0; p < 128; ++p) cases.back().a[p] = p % 4 < 2 ? 127 : -128;
  dotting.is_right(cases);
}

// All lengths up to two vectors of 64 and one more: each leaves another rest.
TEST(dot, EveryLength) {
  std::vector<int> lengths(129);
  std::iota(lengths.begin(), lengths.end(), 1);
  dotting.is_right(random_dots(lengths, seed));
}

// With 128 added to a, the largest sum of all is no int32 on the way.
TEST(dot, ExactUpToTheLongest) {
  dotting.is_right(random_dots({100'003}, seed));
  dotting.is_right(long_products(1, 1));
}

TEST(dot, RefusesWhatItMust) {
  const Codes longest(kLongestK + 1);
  refuses_on_every_isa(
      dotting, random_product({1, 1, 3}, seed(0)), [&](Isa isa) -> decltype(dotting)::Refusals {
        return {
            {"N-SIZE", "3 codes and 4", {isa, Codes(3), Codes(4)}},
            {"N-OVERFLOW", "131072 codes: their sum may not be an int32", {isa, longest, longest}}};
      });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
