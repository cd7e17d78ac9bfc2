// Products of integers as cases: what is right, what is smaller; and rows of an exercise of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "nibble/exercises.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble {

void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
              std::span<std::int32_t> c, MatmulShape shape);
NIBBLE_EXERCISES(multiply);

}  // namespace nibble

#include "judge/bits.hpp"
#include "judge/product_exercise.hpp"  // behind the contract
#include "judge/wrong_products.hpp"

namespace nibble::judge {
namespace {

const Product kProduct{"2x1x3", {2, 1, 3}, {1, 2, 3, -4, 5, -6}, {7, -8, 9}};

TEST(EachOf, GivesElementsAndIfAskedTheirPlaces) {
  EXPECT_EQ(each_of(Sums{3, 4}, [](int x) { return x + 1; }), (Sums{4, 5}));
  EXPECT_EQ(each_of(Sums{3, 4}, [](int x, std::size_t at) { return x * int(at); }), (Sums{0, 4}));
}

TEST(Bits, AreLowestFirstAndComeBack) {
  const Words words{0x80000001, 6};
  const Bits bits = bits_of(words);
  EXPECT_EQ(bits[0] + bits[31] + bits[33] + bits[34], 4);
  EXPECT_EQ(words_from(bits), words);
  EXPECT_EQ(words_from(turned_words(bits)), (Words{0x80000001, 0x60000000}));
}

TEST(Product, SumsAreOfRowsAlongK) { EXPECT_EQ(by_definition(kProduct), (Sums{18, -122})); }

TEST(Product, SumsOfPaddedRowsPassOverThePadding) {
  const Codes a = padded(kProduct.a, 3, 4, Codes(8, 99)),
              b_t = padded(kProduct.b_t, 3, 4, {1, 1, 1, 1});
  EXPECT_EQ(a, (Codes{1, 2, 3, 99, -4, 5, -6, 99}));
  EXPECT_EQ(sums_of(a, b_t, {2, 1, 3}, 4), (Sums{18, -122}));
  EXPECT_EQ(sums_of(a, b_t, {2, 1, 4}, 4), (Sums{117, -23}));
}

/// What is told of a product of 2 x 1 x 5 ones, whose sums are `got`.
std::string told(const Sums& got) {
  const Product ones = constant_product("Ones", {2, 1, 5}, 1, 1);
  Expect expect;
  suspect_steps(expect, ones, "c");
  expect.equal("c", got, by_definition(ones));
  return expect.failure() ? expect.failure()->message : "";
}

TEST(WrongSteps, SayWhatALoopAlongKHasLeftOut) {
  EXPECT_EQ(told({5, 5}), "");
  EXPECT_EQ(told({4, 4}).substr(32), "the last of a sum's products are not added, 1 of 5");
  EXPECT_EQ(told({0, 0}).substr(32), "the last of a sum's products are not added, 5 of 5");
  EXPECT_EQ(told({1, 1}).substr(32), "only the first step along k is added, 1 of 5");
  EXPECT_EQ(told({6, 6}).substr(32), "a step goes on by 4 along k, and adds more than that");
}

TEST(WrongSteps, CountAProductAsOftenAsAStepComesToIt) {
  std::vector<int> counts;
  each_wrong_step(9, [&](const char*, const std::string& words, const auto& times) {
    if (counts.empty() && words == "a step goes on by 4 along k, and adds more than that") {
      for (std::size_t p = 0; p < 9; ++p) counts.push_back(times(p));
    }
  });
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 2})) << "8 are added";
}

TEST(WrongPlaces, SayWhoseColumnsAThreadWrites) {
  std::vector<std::size_t> columns;
  each_wrong_place({1, 32, 1}, [&](const std::string& words, const auto&, const auto& column) {
    if (columns.empty() && words == "a thread writes other columns than those it has multiplied") {
      for (std::size_t s = 0; s < 32; ++s) columns.push_back(column(0, s));
    }
  });
  EXPECT_EQ(columns[1], 16u) << "thread 0's second column is 1 where it writes, and 16 before";
  EXPECT_EQ(columns[2], 1u);
}

TEST(Product, WithoutKOrPitchHasNothingToPad) {
  EXPECT_EQ(padded({}, 0, 0, {}), Codes{});
  EXPECT_EQ(padded({}, 0, 2, {1, 2}), (Codes{1, 2}));
}

TEST(Product, SaysItsSizesAndItsOperands) {
  EXPECT_EQ(show(kProduct), "m x n x k = 2x1x3, a = [1, 2, 3, -4, 5, -6], b_t = [7, -8, 9]");
}

TEST(Product, GetsSmallerInEachSize) {
  const auto all = smaller(kProduct);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(show(all[0]), "m x n x k = 2x1x1, a = [1, -4], b_t = [7]");
  EXPECT_EQ(show(all[1]), "m x n x k = 1x1x3, a = [1, 2, 3], b_t = [7, -8, 9]");
  EXPECT_EQ(show(all[2]), "m x n x k = 2x1x2, a = [1, 2, -4, 5], b_t = [7, -8]");
}

TEST(Product, KeepsAMultipleWhereKIsOne) {
  Product c = random_product({1, 1, 96}, 5);
  c.step = 32;
  std::vector<int> sizes;
  for (const Product& one : smaller(c)) sizes.push_back(one.shape.k);
  EXPECT_EQ(sizes, (std::vector<int>{32, 64}));
}

TEST(Product, IsTheSameForTheSameShapeWhateverStandsBesideIt) {
  const auto salts = [](std::uint64_t salt) { return salt; };
  const auto two = random_products({{1, 2, 3}, {4, 5, 6}}, salts),
             one = random_products({{4, 5, 6}}, salts);
  EXPECT_EQ(two[1].a, one[0].a);
  EXPECT_NE(two[0].a[0], two[1].a[0]);
}

TEST(Product, ReachesTheEndsOfItsCodesAndOfInt32) {
  EXPECT_EQ(by_definition(extreme_products({1, 1, 1})[0]), Sums{1 << 14});
  EXPECT_EQ(by_definition(long_products(1, 1).back()), Sums{std::int32_t{131071} << 14});
  EXPECT_EQ(long_products(2, 4).front().name, "PastPairs2x4");
}

TEST(Product, SaysWhichSizesNoneTakes) {
  const auto rows = wrong_sizes(
      {2, 3, 5}, [](MatmulShape s) { return std::size_t(s.n) * s.k; }, 64);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].a, 11u);
  EXPECT_EQ(rows[1].b, 15u + 64);
  EXPECT_EQ(rows[2].c, 7u);
}

TEST(KernelExercise, RefusesARowThatTheDefinitionDenies) {
  const auto multiplying = product_exercise<&multiply>(
      [](const Product& c) { return std::tuple(c.a, c.b_t, out(c.outputs()), c.shape); },
      [](Expect&, const Product&, const Sums&) {});
  EXPECT_THROW(multiplying.gives({{kProduct, {18, 122}}}), KitError);
}

}  // namespace
}  // namespace nibble::judge
