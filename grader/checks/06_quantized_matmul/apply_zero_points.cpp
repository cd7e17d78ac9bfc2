// Lab 06, apply_zero_points: the checks.
#include "checks/06_quantized_matmul/apply_zero_points.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

// Square first, where a sum taken along the wrong side is still inside. Its numbers are the codes
// {1, 4, -1, 2} times {-2, 1, 5, -3} of quantized_matmul, and so is its answer.
TEST(apply_zero_points, CombinesTheFourTerms) {
  const Sums raw{10, 20, 30, 40, 50, 60}, rows{1, 2}, columns{5, -6, 7};
  const MatmulShape shape{2, 3, 4};
  correcting.gives(
      {{"Square", {{18, -11, 12, -7}, {5, 1}, {3, -2}, 1, -2, {2, 2, 2}}, {21, -3, 7, -7}},
       {"Columns", {raw, rows, columns, 2, 0, shape}, {0, 32, 16, 30, 62, 46}},
       {"Rows", {raw, rows, columns, 0, -3, shape}, {13, 23, 33, 46, 56, 66}},
       {"Both", {raw, rows, columns, 2, -3, shape}, {-21, 11, -5, 12, 44, 28}},
       {"NoK", {{0, 0}, {0}, {0, 0}, 5, 7, {1, 2, 0}}, {0, 0}},
       {"NoRows", {{}, {}, {4, 5}, 5, 7, {0, 2, 3}}, {}}});
}

// 200000 codes of b are real zeros but for one, in the columns; of a, in the rows. k * za * zb is
// 3276800000, and almost all of it cancels. Corrections that are beyond int32 together, where those
// that wrapped around would not cancel. Then results at the two ends of int32.
TEST(apply_zero_points, OnlyTheResultHasToFit) {
  const Sums raw{-5111, -5120}, far{-25599999, -25600000};
  correcting.gives(
      {{"Columns", {raw, {40}, far, -128, -128, {1, 2, 200000}}, {137, 0}},
       {"Rows", {raw, far, {40}, -128, -128, {2, 1, 200000}}, {137, 0}},
       {"TogetherBeyond", {{2147483000}, {33000000}, {0}, 0, 127, {1, 1, 300000}}, {-2043517000}},
       {"Largest", {{2147483000}, {-647}, {0}, 0, 1, {1, 1, 647}}, {kTop}},
       {"Smallest", {{-2147483000}, {648}, {0}, 0, 1, {1, 1, 648}}, {kBottom}}},
      /*if_refused=*/"N-OVERFLOW");
}

TEST(apply_zero_points, RefusesWhatDoesNotFit) {
  const MatmulShape shape{1, 2, 1};
  correcting.refuses({{"Fits", {{7, 8}, {5}, {1, 2}, 1, -1, {1, 2, 3}}, {8, 8}}},
                     {{"N-OVERFLOW", {{5, kTop}, {1}, {0, 0}, 0, -1, shape}},
                      {"N-OVERFLOW", {{kBottom, 5}, {1}, {0, 0}, 0, 1, shape}},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2, 3}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2, 3}, {1}, {1, 2}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2}, {1, 2}, {1, 2}, 0, 0, shape}},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2}, 0, 0, shape}, /*too_many=*/1},
                      {"N-SIZE", {{1, 2}, {1}, {1, 2}, 0, 0, {1, 2, -1}}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 128, 0, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, -129, 0, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 0, 128, shape}},
                      {"N-RANGE", {{1, 2}, {1}, {0, 0}, 0, -129, shape}}});
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
