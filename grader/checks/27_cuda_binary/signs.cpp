// Lab 27: signs and their scale: the checks.
#include "checks/27_cuda_binary/signs.hpp"

namespace nibble::judge::lab_27_cuda_binary {
namespace {

// By hand: columns beyond the first word; means that are exact, and of thirds; either sign.
TEST(binarize_rows, MeanMagnitude) {
  Reals halves(120, -0.5f);
  halves[5] = -3;
  halves[47] = 2.5f;
  binarizing.is_right({{"AWarp", 40, halves},
                       {"One", 1, {3, 5}},
                       {"Four", 4, {1, 2, 3, 6, 2, 0, 0, 8}},
                       {"ThirdsOfRows", 3, {1, 0, 0, 2, 2, 3, 0, 0, 0}},
                       {"EitherSign", 2, {-4, 4, 1, -2, -8, -8}}});
}

TEST(binarize_rows, SignsToBits) {
  binarizing.is_right({{"Zeros", 3, {-0.0f, 0, -1, -1, 0, 3}}, hand_signs()[4]});
}

TEST(binarize_rows, EveryShape) { binarizing.is_right(every_row(seed)); }

TEST(binarize_rows, KeepsNan) {
  binarizing.is_right(
      {{"Between", 3, {1, 2, 3, 1, kNan, -3, -1, -2, -3}}, {"Infinity", 2, {1, -kInfinity, 3, 4}}});
}

TEST(binarize_rows, RunsClean) {
  binarizing.runs_clean(watched_rows());
  binarizing.runs_far({random_rows(3, 70, seed(4))}, [](const Rows& c) {
    return more_columns({/*w=*/c.cols, /*bits=*/std::int64_t(words_of(c.cols)), 1, /*rows=*/1});
  });
}

TEST(binarize_rows, WithinTheWarp) {
  const Measure shared{"requests to shared memory", "N-BARRIERS", kSharedRequests.of_traffic,
                       nullptr};
  binarizing.at_most(kBarriers, 1.0, counted_rows());
  binarizing.at_most(shared, 1.0, counted_rows());
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(binarize_rows, ReadsOnce) {
  const Measure loads{"bytes of w read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  binarizing.at_most(kGlobalLoadBytes, 2.5, counted_rows());
  binarizing.at_most(loads, 1.1, counted_rows());
}

TEST(binarize_rows, StoresNeighbours) {
  binarizing.at_most(kGlobalStoreBytes, 1.5, counted_rows());
}

}  // namespace
}  // namespace nibble::judge::lab_27_cuda_binary
