// Lab 14, multiply_zero_points: the checks.
#include "checks/14_cpu_int8_gemm/multiply_zero_points.hpp"

#include "checks/14_cpu_int8_gemm/products.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {
namespace {

TEST(multiply_zero_points, EmptySumIsZero) {
  std::vector<ShiftedProduct> cases;
  for (const Product& of : kEmptySums) cases.push_back({of, {5, -3}});
  cases.back().zero_points = {0, 0};
  subtracting.is_right(cases);
}

// The zero points far apart, and different: codes at both ends reach a product of 58140.
TEST(multiply_zero_points, SubtractsBoth) {
  subtracting.gives(
      {{{{"OnlyA", {2, 2, 2}, {2, 3, 5, 2}, {7, 4, -1, 6}}, {2, 0}}, {4, 6, 21, -3}},
       {{{"OnlyB", {2, 2, 2}, {1, 2, 3, -4}, {-3, -2, 0, 1}}, {0, -3}}, {2, 11, -4, -7}},
       {{{"Both", {2, 2, 2}, {1, 4, -1, 2}, {-2, 5, 1, -3}}, {1, -2}}, {21, -3, 7, -7}},
       {{{"Far", {1, 1, 1}, {127}, {-128}}, {-128, 100}}, {-58140}}});
}

// Rests of a tile, of a step of 32 and of a slab: what is added to the padding must not be summed.
TEST(multiply_zero_points, EveryShape) {
  std::vector<MatmulShape> shapes = kShapes;
  for (const int k : {255, 256, 257, 300, 545}) shapes.push_back({3, 5, k});
  subtracting.is_right(shifted_products(shapes, seed));
}

// longest = (2^31 - 1) / (reach(a) * reach(b)), rounded down. Refusing counts only where accepting
// works: with the codes that are furthest away. Then one more; and so many more that the bound has
// passed 2^32, and is positive again in int32.
TEST(multiply_zero_points, RefusesUnsafeSums) {
  std::vector<ShiftedProduct> longest;
  decltype(subtracting)::Refusals rows;
  const std::vector<std::array<int, 3>> bounds = {{0, 0, 131071},     {-1, 3, 128070},
                                                  {-128, 0, 65793},   {0, -128, 65793},
                                                  {127, -128, 33025}, {-128, -128, 33025}};
  for (const auto& [za, zb, k] : bounds) {
    const auto furthest = [](int z) { return z < 0 ? 127 : -128; };
    const std::string name = std::to_string(za) + "," + std::to_string(zb);
    const ZeroPoints zero_points{za, zb};
    longest.push_back({constant_product(name, {1, 1, k}, furthest(za), furthest(zb)), zero_points});
    for (const int longer : {k + 1, 2 * k + 100}) {
      if (longer > kLongestK + 1) continue;
      const ShiftedProduct c{constant_product("", {1, 1, longer}, 0, 0), zero_points};
      rows.push_back({"",
                      "k = " + std::to_string(longer) + " with zero points " + name +
                          ": int8 codes exist whose sum is not an int32",
                      subtracting.arguments(c)});
    }
  }
  subtracting.refuses(longest, rows);
}

TEST(multiply_zero_points, RefusesWrongSizes) {
  const auto bad = [](const char* code, const char* what, std::size_t a, std::size_t b,
                      std::size_t sums, std::size_t c, ZeroPoints zero_points = {0, 0},
                      MatmulShape shape = {2, 1, 3}) -> decltype(subtracting)::Refused {
    return {code, what, {Codes(a), Packed(b), Sums(sums), out(c), zero_points, shape}};
  };
  subtracting.refuses({{{"Fits", {2, 1, 3}, {1, 2, 3, 4, 5, 6}, {7, 8, 9}}, {1, -1}}},
                      {bad("N-SIZE", "an a of 7 elements for 2x3", 7, 128, 1, 2),
                       bad("N-SIZE", "a packed b of 129 elements for 1x3", 6, 129, 1, 2),
                       bad("N-SIZE", "2 column sums for n = 1", 6, 128, 2, 2),
                       bad("N-SIZE", "a c of 3 elements for 2x1", 6, 128, 1, 3),
                       bad("N-RANGE", "a zero point of 128 for a", 6, 128, 1, 2, {128, 0}),
                       bad("N-RANGE", "a zero point of -129 for a", 6, 128, 1, 2, {-129, 0}),
                       bad("N-RANGE", "a zero point of 128 for b", 6, 128, 1, 2, {0, 128}),
                       bad("N-RANGE", "a zero point of -129 for b", 6, 128, 1, 2, {0, -129}),
                       bad("N-SIZE", "m = -1", 0, 0, 0, 0, {0, 0}, {-1, 0, 0}),
                       bad("N-SIZE", "n = -1", 0, 0, 0, 0, {0, 0}, {0, -1, 0}),
                       bad("N-SIZE", "k = -1", 0, 0, 0, 0, {0, 0}, {0, 0, -1})});
}

}  // namespace
}  // namespace nibble::judge::lab_14_cpu_int8_gemm
