// Lab 06: quantized_matmul: the checks.
#include "checks/06_quantized_matmul/matmul_of_codes.hpp"

#include "quantized_matmul.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

// The first cases have no sum to get wrong: what is missing was never written. The last has one,
// since whoever fills c with 0 has multiplied nothing.
TEST(quantized_matmul, EmptySumIsZero) {
  multiplying.gives({{"NoK", {{}, 5, {}, -3, {2, 4, 0}}, Sums(8)},
                     {"NoRows", {{}, 5, {1, 2, 3, 4, 5, 6}, -3, {0, 3, 2}}, {}},
                     {"NoColumns", {{1, 2, 3, 4, 5, 6}, 5, {}, -3, {2, 0, 3}}, {}},
                     {"OneByOne", {{2}, 0, {3}, 0, {1, 1, 1}}, {6}}});
}

// A wrong leading dimension reads inside the matrix only where the sizes allow it: first n > k with
// a single row, then k > n with a single column, then all sizes above 1.
TEST(quantized_matmul, FollowsTheFormula) {
  multiplying.gives(
      {{"Wide", {{1, 2}, 0, {3, 4, 5, 6, 7, 9}, 0, {1, 3, 2}}, {15, 18, 23}},
       {"Tall", {{1, 2, 3, 4, 5, 7}, 0, {2, 1, -1}, 0, {2, 1, 3}}, {1, 6}},
       {"Both", {{1, 2, 3, 4}, 0, {5, 6, 7, 8, 9, -1}, 0, {2, 3, 2}}, {21, 24, 5, 47, 54, 17}}});
}

TEST(quantized_matmul, SubtractsBothZeroPoints) {
  multiplying.gives({{"OnlyA", {{2, 3, 5, 2}, 2, {7, -1, 4, 6}, 0, {2, 2, 2}}, {4, 6, 21, -3}},
                     {"OnlyB", {{1, 2, 3, -4}, 0, {-3, 0, -2, 1}, -3, {2, 2, 2}}, {2, 11, -4, -7}},
                     {"Both", {{1, 4, -1, 2}, 1, {-2, 1, 5, -3}, -2, {2, 2, 2}}, {21, -3, 7, -7}},
                     {"Far", {{127}, -128, {-128}, 100, {1, 1, 1}}, {-58140}}});
}

// 3 * 127^2 leaves int16. 2001 * 127^2 is odd and above 2^24: no float32 holds it. The longest
// legal k, with every product at its largest, ends less than 2^16 short of 2^31.
TEST(quantized_matmul, SumsAreExact) {
  multiplying.agrees_with(by_definition,
                          {{"PastInt16", constant_product(3, 0, 127, 0, 127)},
                           {"PastFloat32", constant_product(2001, 0, 127, 0, 127)},
                           {"LongestWidest", constant_product(33025, -128, 127, -128, 127)},
                           {"LongestNegative", constant_product(65793, -128, 127, 0, -128)},
                           {"Longest", constant_product(131071, 0, -128, 0, -128)}});
}

// A row, a column, primes; then one less than, as many as and one more than a vector of 32 codes,
// in each size in turn.
const Shapes kShapes = {{1, 17, 5}, {17, 1, 5}, {7, 11, 13}, {3, 5, 31},
                        {3, 5, 32}, {3, 5, 33}, {2, 33, 9},  {33, 2, 9}};

// Zero points are odd: an even one hides a lost bit.
TEST(quantized_matmul, EveryShape) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : kShapes) {
    const std::uint64_t salt = 2 * inputs.size();
    inputs.push_back({size_text(shape), random_product(shape, -7, 3, seed(salt), seed(salt + 1))});
    expect_different(inputs.back().in, 10);
  }
  multiplying.agrees_with(by_definition, inputs);
}

// longest = (2^31 - 1) / (reach(za) * reach(zb)), rounded down. The products are 64 * 64, so that
// exactness is not asked twice.
TEST(quantized_matmul, RefusesUnsafeSums) {
  std::vector<Multiplying::Row> accepted;
  std::vector<Multiplying::Refused> refused;
  const auto reach = [](int z) { return std::max(127 - z, z + 128); };
  const auto add = [&](int za, int zb, int longest) {
    const auto away = [](int z) { return z > 0 ? z - 64 : z + 64; };
    const auto with = [&](int k) { return constant_product(k, za, away(za), zb, away(zb)); };
    accepted.push_back({"", with(longest), by_definition(with(longest))});
    refused.push_back({"", with(longest + 1), 0,
                       "k * reach * reach is beyond 2^31 - 1: codes lie up to " +
                           std::to_string(reach(za)) + " and " + std::to_string(reach(zb)) +
                           " from their zero points"});
  };
  add(0, 0, 131071);
  add(-1, 3, 128070);
  add(-128, 0, 65793);
  add(0, -128, 65793);
  add(127, -128, 33025);
  add(-128, -128, 33025);
  refused.push_back({"", constant_product(262144, 0, 64, 0, 64)});  // 2^32, in int32 it is 0
  refused.push_back({"", {{}, 0, {}, 0, {0, 0, 131072}}});          // sizes decide: there is no sum
  multiplying.refuses(accepted, refused);
}

// Every span is too long, not too short: who forgets to look still reads what is there.
TEST(quantized_matmul, RefusesWrongSizes) {
  const Codes a{1, 2, 3, 4, 5, 6}, b{7, 8, 9};
  const MatmulShape shape{2, 1, 3};
  constexpr const char* kNone = "65536 times 65536 are none in 32 bits";
  multiplying.refuses({{"Fits", {a, 1, b, -1, shape}, {29, 110}}},
                      {{"N-SIZE", {{1, 2, 3, 4, 5, 6, 7}, 0, b, 0, shape}},
                       {"N-SIZE", {a, 0, {7, 8, 9, 10}, 0, shape}},
                       {"N-SIZE", {a, 0, b, 0, shape}, /*too_many=*/1},
                       {"N-RANGE", {a, 128, b, 0, shape}},
                       {"N-RANGE", {a, -129, b, 0, shape}},
                       {"N-RANGE", {a, 0, b, 128, shape}},
                       {"N-RANGE", {a, 0, b, -129, shape}},
                       {"N-OVERFLOW", {{}, 0, {}, 0, {65536, 0, 65536}}, 0, kNone},
                       {"N-OVERFLOW", {{}, 0, {}, 0, {0, 65536, 65536}}, 0, kNone},
                       {"N-SIZE", {{}, 0, {}, 0, {0, 0, -1}}},
                       {"N-SIZE", {{}, 0, {}, 0, {0, -1, 0}}},
                       {"N-SIZE", {{}, 0, {}, 0, {-1, 0, 0}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
