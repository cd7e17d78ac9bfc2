// Lab 20: rows with a zero point: the checks.
#include "checks/20_cuda_absmax/rows_with_zero_point.hpp"

namespace nibble::judge::lab_20_cuda_absmax {
namespace {

TEST(quantize_rows_asymmetric, RangeHoldsZero) {
  shifting.is_right({{"BothSides", 4, {-100, 155, 0, 1, -51, 204, 3, -4, 0, 255, 6, 7}},
                     {"Positive", 4, {10, 10.25f, 11, 255, 510, 256, 300, 400}},
                     {"Negative", 4, {-10, -10.25f, -11, -255, -1020, -256, -300, -400}},
                     {"OneValue", 1, {510, -1020, 127.5f}}});
}

// Scales 1 and 2, and zero points that are odd: there half to even is another code behind the sum.
TEST(quantize_rows_asymmetric, RoundsThenAdds) {
  shifting.is_right({{"OddZeroPoint", 8, {-101, 154, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f}},
                     {"Even", 8, {-100, 155, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 3.75f}},
                     {"ScaleTwo", 8, {-202, 308, 1, 3, 5, -1, -3, 7.5f}}});
}

// Both ends are half a step off, and rounded outwards: 256 steps.
TEST(quantize_rows_asymmetric, Saturates) {
  shifting.is_right({{"Above", 4, {-101.5f, 153.5f, 0, 1}}, {"Scaled", 4, {-203, 307, 0, 2}}});
}

TEST(quantize_rows_asymmetric, ZeroAndTinyRows) {
  shifting.is_right({{"Zeros", 4, {0, 0, 0, 0}},
                     {"MinusZeros", 4, {-0.0f, -0.0f, 0, -0.0f, 0, 255, 1, 2}},
                     {"Subnormal", 4, {1e-40f, -1e-40f, 0, 0}},
                     {"Floor", 4, {100 * FLT_MIN, -20 * FLT_MIN, FLT_MIN, 0}}});
}

TEST(quantize_rows_asymmetric, RowsWithoutARange) {
  shifting.is_right({{"NaN", 4, {1, kNan, 2, 3}},
                     {"MinusNaN", 4, {-1, -2, -kNan, -3}},
                     {"Infinity", 4, {1, kInfinity, 2, 3}},
                     {"MinusInfinity", 4, {-kInfinity, 0, -1, -3}},
                     {"TooWide", 4, {-FLT_MAX, FLT_MAX, 0, 1, 0, 255, 1, 2}}});
}

TEST(quantize_rows_asymmetric, EveryShape) {
  std::vector<Rows> cases;
  for (const int cols : {1, 3, 4, 31, 33, 255, 256, 257, 1000, 1023, 1025, 4095, 4096}) {
    cases.push_back(random_rows(3, cols, seed(cols)));
    for (float& x : cases.back().x) x = cols % 2 == 0 ? std::fabs(x) : x + 0.5f;
  }
  cases.push_back(random_rows(301, 7, seed(7)));
  shifting.is_right(cases);
}

TEST(quantize_rows_asymmetric, RunsClean) {
  shifting.runs_clean({random_rows(3, 5, seed(0)), random_rows(2, 256, seed(1)),
                       random_rows(2, 501, seed(3)), random_rows(1, kMostColumns, seed(4))});
  shifting.runs_far({random_rows(2, 256, seed(1)), random_rows(2, 501, seed(3))},
                    [](const Rows& c) {
                      return more_columns({/*x=*/c.cols, /*q=*/c.cols, 1, 1, /*rows=*/1});
                    });
}

TEST(quantize_rows_asymmetric, ReadsOnce) {
  const Measure loads{"bytes of x read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  shifting.at_most(loads, 1.25, counted_rows());
}

}  // namespace
}  // namespace nibble::judge::lab_20_cuda_absmax
