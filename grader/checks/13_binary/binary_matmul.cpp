// Lab 13, binary_matmul: the checks.
#include "checks/13_binary/binary_matmul.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

// + + + - times + - + - is 2, and so on. A word that is full; all that differs; two words; sums
// beyond 16 bits.
TEST(binary_matmul, FollowsTheFormula) {
  multiplying.gives({{"OfTheContract", {{0b10011010}, {0b11001000}, {1, 1, 8}}, {2}},
                     {"FourSigns", {{0b1000}, {0b1010, 0b0111}, {1, 2, 4}}, {2, -4}},
                     {"FullWord",
                      {{0xF0F0F0F0}, {0xF0F0F0F0, 0x0F0F0F0F, 0xFF00FF00}, {1, 3, 32}},
                      {32, -32, 0},
                      "where 32 divides k, all bits of the last word count"},
                     {"TwoWords",
                      {{0, 0}, {0x80000001, 0x80000000}, {1, 1, 64}},
                      {58},
                      "where 32 divides k, all bits of the last word count"},
                     {"ManyWords", {Words(2188), Words(2188, ~0u), {1, 1, 70016}}, {-70016}},
                     {"AllDifferent",
                      {{0b00000, 0b00111, 0b11111}, {0b00001, 0b10101}, {3, 2, 5}},
                      {3, -1, 1, 1, -3, 1}}},
                    same_sums);
}

// Every row of k signs by every other.
TEST(binary_matmul, EveryPairOfShortRows) {
  std::vector<Multiplying::Input> inputs;
  for (int k = 1; k <= 6; ++k) {
    Words rows(std::size_t{1} << k);
    std::iota(rows.begin(), rows.end(), 0u);
    const MatmulShape shape{1 << k, 1 << k, k};
    inputs.push_back({"k = " + std::to_string(k), {rows, rows, shape}});
  }
  multiplying.agrees_with(sums_by_definition, inputs, same_sums);
}

// One; one less than, as many as and one more than a word, and two; tall, flat; sums beyond 255.
TEST(binary_matmul, EveryShape) {
  multiplying.gives({{"TwoWords",
                      {{0, 0}, {0xF0F0F0F0, 1}, {1, 1, 33}},
                      {-1},
                      "of 33 columns all bits of the first word count, and one of the second"}},
                    same_sums);
  const std::vector<MatmulShape> all{{2, 3, 1},    {1, 2, 31},  {2, 1, 32},  {2, 3, 33},
                                     {3, 2, 64},   {5, 7, 65},  {40, 3, 96}, {2, 33, 127},
                                     {4, 5, 1024}, {3, 4, 1037}};
  multiplying.agrees_with(sums_by_definition, products(all, seed, /*noise=*/false), same_sums);
}

// 31 bits of noise, one, and some; behind one word, and behind many.
TEST(binary_matmul, TailCountsForNothing) {
  multiplying.agrees_with(
      sums_by_definition,
      products({{1, 1, 1}, {2, 3, 31}, {3, 2, 33}, {5, 4, 50}, {4, 3, 1025}}, seed, /*noise=*/true),
      same_sums);
}

// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
TEST(binary_matmul, EmptySumIsZero) {
  multiplying.gives({{"NoK", {{}, {}, {2, 3, 0}}, {0, 0, 0, 0, 0, 0}},
                     {"NoRows", {{}, {1, 2}, {0, 2, 9}}, {}},
                     {"NoColumns", {{1, 2}, {}, {2, 0, 9}}, {}},
                     {"LongestK", {{}, {}, {0, 0, (1 << 30) - 1}}, {}},
                     {"NotEmpty", {{1}, {3}, {1, 1, 5}}, {3}}},
                    same_sums);
}

TEST(binary_matmul, RefusesWrongSizes) {
  multiplying.refuses({{"Fits", {{1, 0}, {3, 0}, {1, 1, 33}}, {31}}},
                      {{"", {{1}, {3, 0}, {1, 1, 33}}},
                       {"", {{1, 0, 0}, {3, 0}, {1, 1, 33}}},
                       {"", {{1, 0}, {3}, {1, 1, 33}}},
                       {"", {{1, 0}, {3, 0, 0}, {1, 1, 33}}},
                       {"", {{}, {}, {-1, 1, 0}}},
                       {"", {{}, {}, {1, -1, 0}}},
                       {"", {{}, {}, {1, 1, -1}}},
                       {"", {{7}, {}, {2, 3, 0}}},
                       {"", {{}, {}, {0, 2, 9}}},
                       {"N-OVERFLOW", {{}, {}, {0, 0, 1 << 30}}},
                       {"N-OVERFLOW", {{}, {}, {1 << 16, 0, 1 << 21}}},
                       {"N-OVERFLOW", {{}, {}, {0, 1 << 16, 1 << 21}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
