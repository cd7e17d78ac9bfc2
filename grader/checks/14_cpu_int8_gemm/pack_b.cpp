// Lab 14, pack_b: the checks.
#include "checks/14_cpu_int8_gemm/pack_b.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {
namespace {

// 4 columns of 32 codes are a slab without padding: the same numbers in the same order. All codes
// are different, the negative ones too.
TEST(pack_b, OneSlab) {
  Codes b_t(128);
  std::iota(b_t.begin(), b_t.end(), std::int8_t{-128});
  packing.is_right({code_rows(0, 7, {}), code_rows(3, 0, {}), code_rows(4, 32, b_t)});
  const Named<CodeRows> no_rows_of_a{"NoRowsOfA", {4, 32, b_t}};
  packing_for<0>().gives({{no_rows_of_a, pack_by_definition(b_t, shape_of(no_rows_of_a))}});
}

// A shorter slab behind a whole one, one as long, two and a shorter one, several fours of columns.
// The oracle is held against places worked out by hand: 4 columns of 288 = 256 + 32 codes.
TEST(pack_b, SlabAfterSlab) {
  const std::vector<std::array<std::size_t, 3>> places = {
      {0, 0, 0},      {255, 0, 255},  {256, 1, 0},   {1023, 3, 255},
      {1024, 0, 256}, {1056, 1, 256}, {1151, 3, 287}};
  for (const auto& [place, j, p] : places) {
    Expect::healthy(packed_place({1, 4, 288}, j, p) == place, "the oracle is wrong");
  }
  packing.is_right({random_rows(4, 288, seed(1)), random_rows(4, 512, seed(2)),
                    random_rows(4, 544, seed(3)), random_rows(12, 320, seed(4))});
}

// 33 codes: 31 zeros. 5 columns: 3 of zeros. Then both, with a slab whose end is padding; codes are
// never 0, so that a zero is padding. The one before the last is full of the most negative code.
TEST(pack_b, PadsWithZeros) {
  const auto nonzero = [](int n, int k, std::uint64_t codes_seed) {
    Named<CodeRows> c = random_rows(n, k, codes_seed);
    std::ranges::replace(c.codes, std::int8_t{0}, std::int8_t{1});
    return c;
  };
  packing.is_right({nonzero(1, 1, seed(1)), nonzero(4, 33, seed(2)), nonzero(5, 32, seed(3)),
                    nonzero(3, 30, seed(4)), code_rows(3, 5, Codes(15, -128)),
                    nonzero(5, 300, seed(5))});
}

// All rests of four columns; one less than, as many as and one more than a step and than a slab.
TEST(pack_b, EveryShape) {
  std::vector<Named<CodeRows>> cases;
  for (const int k : {1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 797}) {
    for (const int n : {1, 2, 3, 4, 5, 7, 33}) {
      cases.push_back(random_rows(n, k, seed(cases.size())));
    }
  }
  packing.is_right(cases);
}

TEST(pack_b, RefusesWrongSizes) {
  const MatmulShape longer{1, 1, kLongestK + 1};
  packing.refuses({code_rows(1, 3, {7, 8, 9})},
                  {{"N-SIZE", "a b_t of 4 elements for 1x3", {Codes(4), out(128), {1, 1, 3}}},
                   {"N-SIZE", "a packed b of 129 for 1x3", {Codes(3), out(129), {1, 1, 3}}},
                   {"N-SIZE", "m = -1", {{}, out(0), {-1, 0, 0}}},
                   {"N-SIZE", "n = -1", {{}, out(0), {0, -1, 0}}},
                   {"N-SIZE", "k = -1", {{}, out(0), {0, 0, -1}}},
                   {"N-OVERFLOW",
                    "k = 131072: int8 codes exist whose sum is not an int32",
                    {Codes(kLongestK + 1), out(packed_size(longer)), longer}}});
}

}  // namespace
}  // namespace nibble::judge::lab_14_cpu_int8_gemm
