// Lab 20: rows: the checks.
#include "checks/20_cuda_absmax/rows.hpp"

namespace nibble::judge::lab_20_cuda_absmax {
namespace {

// Rows of 4 and 8, and nothing to round: only scales and places matter here.
TEST(quantize_rows, ScaleOfEachRow) {
  quantizing.is_right({{"FourRows", 8, {1, 2,   3,  4,  127, -127,  0,     2,  4,  8,   -508,
                                        0, -64, 32, 16, 12,  63.5f, -1.5f, 12, 48, -60, 3.5f,
                                        4, -8,  8,  16, -24, 1016,  -800,  0,  80, -8}},
                       {"OneRow", 4, {-127, 0, 63, 127}},
                       {"TwoRows", 4, {127, -64, 1, 32, -31.75f, 15.5f, 0, 8}},
                       {"AllNegative", 4, {-1, -2, -3, -127, -254, -4, -8, -128}}});
}

// Scales 1, 1/2 and 4: every tie is exact, up to the last. Beside negative ties stand two numbers
// that are none: those alone are cut off as they are rounded up, and rounded down as away from 0.
TEST(quantize_rows, TiesGoToEven) {
  quantizing.is_right({{"Negative",
                        8,
                        {-508, -2, -6, -10, -14, -502, -506, -7, -127, -0.5f, -1.5f, -2.5f, -3.5f,
                         -125.5f, -126.5f, -1.25f}},
                       {"Positive",
                        8,
                        {127, 0.5f, 1.5f, 2.5f, 3.5f, 125.5f, 126.5f, 0, 63.5f, 0.25f, 0.75f, 1.25f,
                         1.75f, 62.75f, 63.25f, 0}}});
}

// 9 / 127 is another float than 9 * (1 / 127), and the second element lies so near a tie that
// a product with the reciprocal, of whatever kind, crosses it. So do the second and the fourth of
// 26. A quotient of doubles crosses it at the second and the third, which are ties of floats. The
// third of 9 is next to a tie, too, and nobody but who takes it for one crosses that.
TEST(quantize_rows, Divides) {
  quantizing.is_right(
      {{"NextToATie",
        4,
        {9.0f, 0x1.fbf7fp-3f, 0x1.b366cap-4f, -2.0f, 18.0f, 0x1.fbf7fp-2f, -2.0f, 0}},
       {"AndAnother",
        4,
        {26.0f, 0x1.54a954p+0f, 0x1.f1e3c8p+0f, 0x1.891224p+0f, -13.0f, 0x1.54a954p-1f, 0, 1.0f}}});
}

TEST(quantize_rows, ZeroRows) {
  quantizing.is_right({{"Zeros", 4, {0, 0, 0, 0}},
                       {"MinusZeros", 4, {-0.0f, -0.0f, -0.0f, -0.0f}},
                       {"Between", 4, {127, 1, 2, 3, 0, -0.0f, 0, 0, 4, 254, -2, 2}}});
}

// amax / 127 is 0, subnormal, and the smallest normal number.
TEST(quantize_rows, TinyRows) {
  quantizing.is_right({{"Smallest", 4, {0x1p-149f, -0x1p-149f, 0, 0}},
                       {"Subnormal", 4, {1e-40f, -1e-40f, 0, 0}},
                       {"JustNormal", 4, {100 * FLT_MIN, -99.25f * FLT_MIN, FLT_MIN, FLT_MIN / 4}},
                       {"Floor", 4, {127 * FLT_MIN, -2 * FLT_MIN, 0, 0}}});
}

TEST(quantize_rows, RowsWithoutARange) {
  quantizing.is_right({{"NaN", 4, {1, kNan, 2, 3}},
                       {"Infinity", 4, {1, kInfinity, -kInfinity, 3}},
                       {"Both", 4, {-kInfinity, -kNan, 0, 1}},
                       {"Between", 4, {127, 1, 2, 3, kNan,       3, 4,   5, 127, 5,
                                       -6,  7, 7, 8, -kInfinity, 0, 127, 9, 10,  11}}});
}

// One less than, as many as, one more than a four, a warp, a block of threads, and the longest row;
// rows that begin at every offset from 16 bytes.
TEST(quantize_rows, EveryShape) {
  std::vector<Rows> cases;
  for (const int cols : {1,   2,   3,    4,    5,    31,   32,   33,   127,  255,
                         256, 257, 1000, 1022, 1023, 1024, 1025, 4093, 4095, 4096}) {
    cases.push_back(random_rows(5, cols, seed(cols)));
  }
  cases.push_back(random_rows(301, 7, seed(7)));
  quantizing.is_right(cases);
}

TEST(quantize_rows, RunsClean) {
  quantizing.runs_clean({random_rows(3, 5, seed(0)), random_rows(2, 256, seed(1)),
                         random_rows(3, 300, seed(2)), random_rows(2, 501, seed(3)),
                         random_rows(1, kMostColumns, seed(4))});
  quantizing.runs_far({random_rows(3, 300, seed(2)), random_rows(2, 501, seed(3))},
                      [](const Rows& c) {
                        return more_columns({/*x=*/c.cols, /*q=*/c.cols, 1, /*rows=*/1});
                      });
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(quantize_rows, ReadsOnce) {
  const Measure loads{"bytes of x read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  quantizing.at_most(kGlobalLoadBytes, 2.5, counted_rows());
  quantizing.at_most(loads, 1.1, counted_rows());
}

TEST(quantize_rows, StoresNeighbours) {
  quantizing.at_most(kGlobalStoreBytes, 1.1, counted_rows());
}

}  // namespace
}  // namespace nibble::judge::lab_20_cuda_absmax
