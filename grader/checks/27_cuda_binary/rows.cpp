// Lab 27: rows of floats: the checks.
#include "checks/27_cuda_binary/rows.hpp"

namespace nibble::judge::lab_27_cuda_binary {
namespace {

TEST(pack_signs, SignsToBits) { packing.is_right(hand_signs()); }

TEST(pack_signs, ZeroIsPlus) {
  packing.is_right({{"Zero", 2, {0, -1, 1, 0}}, {"MinusZero", 2, {-0.0f, -1, 0, -0.0f}}});
}

TEST(pack_signs, NanIsPlus) {
  const float minus_nan = std::copysign(kNan, -1.0f);
  packing.is_right(
      {{"NaN", 2, {kNan, -1, 1, kNan}}, {"NanWithASign", 2, {minus_nan, -1, 1, minus_nan}}});
}

// All of x below 0 as well: what stands behind the last column then is not.
TEST(pack_signs, EveryShape) {
  std::vector<Rows> cases = every_row(seed);
  for (const int cols : {5, 40, 1030}) {
    cases.push_back({"AllBelowZero", cols, Reals(3 * std::size_t(cols), -1.0f)});
  }
  packing.is_right(cases);
}

TEST(pack_signs, RunsClean) {
  packing.runs_clean(watched_rows());
  packing.runs_far({random_rows(1, 264003, seed(4))}, [](const Rows& c) {
    return ends_of_more_rows({/*x=*/c.cols, /*bits=*/std::int64_t(words_of(c.cols)), /*rows=*/1});
  });
}
TEST(pack_signs, MovesAtMostTwice) { packing.at_most(kGlobalBytes, 2.0, counted_rows()); }
TEST(pack_signs, MovesNoMore) { packing.at_most(kGlobalBytes, 1.1, counted_rows()); }

}  // namespace
}  // namespace nibble::judge::lab_27_cuda_binary
