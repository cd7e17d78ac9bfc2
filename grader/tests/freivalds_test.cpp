// Freivalds' check: it accepts every right product, finds any single wrong element, and says where.
#include "judge/freivalds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;

struct Product {
  MatmulShape shape;
  Codes a, b_t;
  Sums c;

  std::vector<std::size_t> wrong(std::uint64_t seed = 1) const {
    return wrong_rows<std::int8_t, std::int8_t>(a, b_t, c, shape, seed);
  }
  Sums corrected(std::uint64_t seed = 1) const {
    return corrected_product<std::int8_t, std::int8_t>(a, b_t, c, shape, seed);
  }
};

Product multiplied(MatmulShape shape, Codes a, Codes b_t) {
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  Sums c(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t p = 0; p < k; ++p) c[i * n + j] += a[i * k + p] * b_t[j * k + p];
    }
  }
  return {shape, std::move(a), std::move(b_t), std::move(c)};
}

Product random_product(MatmulShape shape, std::uint64_t seed) {
  return multiplied(shape,
                    code_tensor<std::int8_t>(std::size_t(shape.m) * shape.k, seed, -128, 127),
                    code_tensor<std::int8_t>(std::size_t(shape.n) * shape.k, seed + 1, -128, 127));
}

TEST(freivalds, AcceptsRightProducts) {
  for (const MatmulShape shape : {MatmulShape{1, 1, 1}, {7, 5, 3}, {33, 65, 129}, {64, 1, 256}}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Product product = random_product(shape, 100 + seed);
      EXPECT_TRUE(product.wrong(seed).empty()) << shape.m << "x" << shape.n << "x" << shape.k;
      EXPECT_EQ(product.corrected(seed), product.c);
    }
  }
}

// Sums at both ends of what a legal k can reach: nothing here has to fit in 64 bits.
TEST(freivalds, AcceptsTheLargestSums) {
  const int k = 131071;
  EXPECT_TRUE(
      multiplied({1, 2, k}, Codes(k, -128), Codes(std::size_t{2} * k, -128)).wrong().empty());
  EXPECT_TRUE(
      multiplied({2, 1, k}, Codes(std::size_t{2} * k, 127), Codes(k, -128)).wrong().empty());
}

// One element off by one, 400 times: every one is found, in its row, and put right.
TEST(freivalds, FindsEverySingleFault) {
  const Product right = random_product({23, 17, 40}, 7);
  for (std::uint64_t fault = 0; fault < 400; ++fault) {
    Product product = right;
    const std::size_t at = fault * 97 % product.c.size();
    product.c[at] += fault % 2 == 0 ? 1 : -1;
    EXPECT_EQ(product.wrong(fault), std::vector<std::size_t>{at / 17}) << at;
    EXPECT_EQ(product.corrected(fault), right.c) << at;
  }
}

// The errors with the most factors of two, which have the fewest vectors to be seen with.
TEST(freivalds, FindsLargePowersOfTwo) {
  const Product right = random_product({4, 4, 8}, 9);
  for (int bit = 8; bit < 32; ++bit) {
    Product product = right;
    product.c[5] = static_cast<std::int32_t>(static_cast<std::uint32_t>(product.c[5]) ^ 1u << bit);
    EXPECT_EQ(product.wrong(bit), std::vector<std::size_t>{1}) << bit;
  }
}

// Sums of errors that cancel in a vector of ones, and along a column.
TEST(freivalds, FindsWhatWouldCancel) {
  const Product right = random_product({6, 9, 12}, 11);
  Product swapped = right;
  std::swap(swapped.c[9 + 2], swapped.c[9 + 3]);
  ASSERT_NE(swapped.c, right.c);
  EXPECT_EQ(swapped.wrong(), std::vector<std::size_t>{1});
  Product opposite = right;
  ++opposite.c[4];
  --opposite.c[9 + 4];
  EXPECT_EQ(opposite.wrong(), (std::vector<std::size_t>{0, 1}));
}

TEST(freivalds, FindsAnAnswerOfNothing) {
  Product product = random_product({5, 5, 5}, 13);
  const Sums right = product.c;
  std::ranges::fill(product.c, 0);
  EXPECT_EQ(product.wrong().size(), 5u);
  EXPECT_EQ(product.corrected(), right);
}

TEST(freivalds, TakesEmptySizes) {
  for (const MatmulShape shape : {MatmulShape{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {0, 0, 0}}) {
    EXPECT_TRUE(random_product(shape, 15).wrong().empty());
  }
  Product product = random_product({2, 3, 0}, 17);
  product.c[4] = 1;  // an empty sum is 0
  EXPECT_EQ(product.wrong(), std::vector<std::size_t>{1});
}

// Nibbles in int8 and unsigned activations: any codes whose sums fit.
TEST(freivalds, TakesOtherCodes) {
  const std::vector<std::uint8_t> a{255, 0, 3, 128};
  const std::vector<std::int16_t> b_t{-300, 7, 1, -128};
  const Sums c{-300 * 255, 255, -900 + 7 * 128, 3 - 128 * 128};
  const auto wrong = [&](const Sums& sums) {
    return wrong_rows<std::uint8_t, std::int16_t>(a, b_t, sums, {2, 2, 2}, 19);
  };
  EXPECT_TRUE(wrong(c).empty());
  EXPECT_EQ(wrong({c[0], c[1] - 256, c[2], c[3]}), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace nibble::judge
