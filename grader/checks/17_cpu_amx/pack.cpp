// Lab 17: pack_a and pack_b: the checks.
#include "checks/17_cpu_amx/pack.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

// Nothing to pad. The codes of the first are their own places, so that a failure can be read. A
// single step of a would prove nothing: packed, it is what it was.
Named<CodeRows> counted_rows(int rows, int k) {
  Codes codes(std::size_t(rows) * std::size_t(k));
  std::iota(codes.begin(), codes.end(), std::int8_t{0});
  return code_rows(rows, k, codes);
}

TEST(pack_a, RowsInSteps) {
  packing_a.is_right(
      {counted_rows(32, 128), random_rows(32, 192, seed(1)), random_rows(64, 128, seed(3))});
}
TEST(pack_b, QuadsOfOneStep) {
  packing_b.is_right({counted_rows(32, 64), random_rows(32, 64, seed(2))});
}

std::vector<Named<CodeRows>> rows_of_sizes(const std::vector<std::pair<int, int>>& sizes) {
  return each_of(sizes, [](auto size, std::uint64_t at) {
    return random_rows(size.first, size.second, seed(at));
  });
}

// Two steps, two row blocks, then more of both: none of the sizes is another's.
const std::vector<std::pair<int, int>> kWholeTiles = {{64, 128}, {96, 64}, {64, 192}, {96, 448}};

TEST(pack_a, StepsThenRowBlocks) { packing_a.is_right(rows_of_sizes(kWholeTiles)); }
TEST(pack_b, StepsThenColumnBlocks) { packing_b.is_right(rows_of_sizes(kWholeTiles)); }

// One code; one less and one more than a quad, a step, a tile and a pair of tiles; nothing at all.
const std::vector<std::pair<int, int>> kRaggedTiles = {{1, 1},   {0, 5},    {5, 0},   {3, 5},
                                                       {32, 3},  {32, 63},  {32, 65}, {15, 64},
                                                       {17, 64}, {33, 129}, {31, 70}};

const Named<CodeRows> kBesideZero{"BesideZero", {2, 3, {1, -2, 3, 4, 5, -6}}},
    kBesideMinusOne{"BesideMinusOne", kBesideZero};

TEST(pack_a, PadsWithZeros) {
  packing_a.is_right(rows_of_sizes(kRaggedTiles));
  packing_a_beside<0>().gives({{kBesideZero, a_by_definition(kBesideZero)}});
  packing_a_beside<-1>().gives({{kBesideMinusOne, a_by_definition(kBesideMinusOne)}});
}

TEST(pack_b, PadsWithZeros) {
  packing_b.is_right(rows_of_sizes(kRaggedTiles));
  packing_b_beside<0>().gives({{kBesideZero, b_by_definition(kBesideZero)}});
  packing_b_beside<-1>().gives({{kBesideMinusOne, b_by_definition(kBesideMinusOne)}});
}

/// Sizes that do not belong together. `shape(rows, k)` puts them where the function looks.
template <class Exercise, class Shape>
void refuses_sizes(const Exercise& packing, const Shape& shape) {
  typename Exercise::Refusals rows;
  const auto bad = [&](const char* what, std::size_t codes, std::size_t packed, int count, int k) {
    rows.push_back({"N-SIZE", what, {Codes(codes, 1), out(packed), shape(count, k)}});
  };
  bad("a code too few", 44, 2048, 5, 9);
  bad("a code too many", 46, 2048, 5, 9);
  bad("a tile too few", 45, 1024, 5, 9);
  bad("a tile too many", 45, 3072, 5, 9);
  bad("a negative number of rows", 0, 0, -1, 0);
  bad("a negative k", 0, 0, 0, -1);
  bad("two negative sizes", 1, 0, -1, -1);
  bad("k = 131072", 131072, 32 * 131072, 1, 131072);
  packing.refuses({random_rows(5, 9, seed(70))}, rows);
}

TEST(pack_a, RefusesWrongSizes) {
  refuses_sizes(packing_a, [](int rows, int k) { return MatmulShape{rows, 3, k}; });
}
TEST(pack_b, RefusesWrongSizes) {
  refuses_sizes(packing_b, [](int rows, int k) { return MatmulShape{3, rows, k}; });
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
