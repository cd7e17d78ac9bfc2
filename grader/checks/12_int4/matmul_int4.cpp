// Lab 12, matmul_int4: the checks.
#include "checks/12_int4/matmul_int4.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

Sums by_definition(const Product& in) { return product(in, Reading(in)); }

// a = [[1, 2, -3, 4]], [[5, -6, 7, -8]]; b, column by column: [1, 2, 3, -4], [-5, 6, 7, -8].
const Bytes kA = {0x21, 0x4d, 0xa5, 0x87};

TEST(matmul_int4, MultipliesTransposed) {
  multiplying.gives(
      {{"OneProduct",
        {{0x73}, {0x65}, kTransposed, {1, 1, 1}},
        {15},
        "where k is 1, the high nibbles mean nothing"},
       {"BelowZero", {{0x2f}, {0x38}, kTransposed, {1, 1, 1}}, {8}},
       {"OneByte", {{0x21}, {0x43}, kTransposed, {1, 1, 2}}, {11}},
       {"TwoByTwo", {kA, {0x21, 0xc3, 0x6b, 0x87}, kTransposed, {2, 2, 4}}, {-20, -46, 46, 52}}},
      same_sums);
  multiplying.agrees_with(by_definition,
                          {random_product({2, 2, 4}, kTransposed, seed(1)),
                           random_product({2, 4, 6}, kTransposed, seed(2)),
                           random_product({6, 4, 32}, kTransposed, seed(3))},
                          same_sums);
}

TEST(matmul_int4, MultipliesPairs) {
  multiplying.gives(
      {{"OneByte", {{0x21}, {0x43}, kPairs, {1, 1, 2}}, {11}},
       {"TwoByTwo", {kA, {0x21, 0x6b, 0xc3, 0x87}, kPairs, {2, 2, 4}}, {-20, -46, 46, 52}}},
      same_sums);
  multiplying.agrees_with(
      by_definition,
      {random_product({1, 2, 4}, kPairs, seed(1)), random_product({2, 4, 6}, kPairs, seed(2)),
       random_product({6, 4, 32}, kPairs, seed(3))},
      same_sums);
}

TEST(matmul_int4, EveryShape) {
  multiplying.gives({{"NoRows", {Bytes{}, {0x21}, kTransposed, {0, 1, 2}}, {}},
                     {"NoColumns", {{0x21}, Bytes{}, kPairs, {1, 0, 2}}, {}},
                     {"NoK", {Bytes{}, Bytes{}, kPairs, {2, 1, 0}}, {0, 0}},
                     {"OddK", {{0x21, 0x83}, {0x11, 0x82}, kTransposed, {1, 1, 3}}, {9}},
                     {"OddKInPairs", {{0x21, 0x83}, {0x11, 0x82}, kPairs, {1, 1, 3}}, {9}},
                     {"RowsOfOddK",
                      {{0x21, 0x83, 0x54, 0x76}, {0x11, 0x81}, kTransposed, {2, 1, 3}},
                      {6, 15},
                      "where k is odd, too, a row begins with a new byte"},
                     {"ColumnsOfOddK",
                      {{0x21, 0x83}, {0x11, 0x81, 0x54, 0x76}, kTransposed, {1, 2, 3}},
                      {6, 32}}},
                    same_sums);
  multiplying.agrees_with(by_definition, every_shape(seed, {17, 13, 67}), same_sums);
}

// 64 * 1000 is no int16; 49 * 400001 is odd, and more than the 2^24 to which a float32 counts.
TEST(matmul_int4, LongSums) {
  const auto all = [](const char* name, int k, std::uint8_t byte, std::int32_t sum) {
    return Multiplying::Row{
        name,
        {Bytes(bytes_for(k), byte), Bytes(bytes_for(k), byte), kTransposed, {1, 1, k}},
        {sum}};
  };
  multiplying.gives({all("1000", 1000, 0x88, 64'000), all("400001", 400'001, 0x99, 19'600'049)},
                    same_sums);
}

TEST(matmul_int4, RefusesBadInput) {
  const Bytes three{1, 2, 3};
  const auto no_layout = static_cast<Int4Layout>(2);
  multiplying.refuses({{"OneByTwo", {{0x21}, {0x43, 0x05}, kTransposed, {1, 2, 2}}, {11, 5}},
                       {"LongestK", {Bytes{}, Bytes{}, kPairs, {0, 0, 33'554'431}}, {}}},
                      {{"", {three, three, kTransposed, {1, 1, 4}}},
                       {"", {{0x21}, three, kTransposed, {1, 2, 2}}},
                       {"", {three, {0x21}, kPairs, {2, 1, 2}}},
                       {"", {{0x21}, {0x43, 0x05}, kPairs, {1, 1, 1}}},
                       {"", {{0x21}, Bytes{}, kPairs, {1, 1, 1}}},
                       {"", {{0x21, 0x43}, {0x05}, kTransposed, {1, 1, 1}}},
                       {"", {Bytes{}, {0x05}, kTransposed, {1, 1, 1}}},
                       {"", {{0x21}, Bytes{}, kPairs, {1, 1, 0}}},
                       {"", {Bytes{}, {0x05}, kTransposed, {1, 1, 0}}},
                       {"", {Bytes{}, Bytes{}, kTransposed, {0, 1, 2}}},
                       {"", {Bytes{}, Bytes{}, kPairs, {1, 0, 2}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, -1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, 1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, 0, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, -1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, 0, -1}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {65536, 0, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {0, 65536, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kPairs, {0, 0, 33'554'432}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kPairs, {0, 0, 67'108'864}}},
                       {"N-RANGE", {{0x03}, {0x05}, static_cast<Int4Layout>(-1), {1, 1, 1}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, no_layout, {0, 0, 0}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
