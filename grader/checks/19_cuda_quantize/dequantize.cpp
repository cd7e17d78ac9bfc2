// Lab 19, dequantize: the checks.
#include "checks/19_cuda_quantize/dequantize.hpp"

namespace nibble::judge::lab_19_cuda_quantize {
namespace {

TEST(dequantize, FollowsTheFormula) {
  dequantizing.is_right({{"1x1", 1, 1, {-128}, {0.5f}},
                         {"2x3", 2, 3, {1, -2, 127, 1, -2, -128}, {0.5f, 4.0f}},
                         {"3x2", 3, 2, {1, -1, 2, -2, 3, -3}, {1.0f, 10.0f, 100.0f}},
                         {"2x4", 2, 4, {1, 2, 3, 4, -1, -2, -3, -4}, {0.1f, 3e38f}}});
}

// Nothing; a row, a column; every rest of four; one less than, as many as, one more than 128, and
// the next that four divides; more rows than a block takes; long, tall.
TEST(dequantize, EveryShape) {
  dequantizing.is_right(
      shaped({{0, 4},   {4, 0},   {1, 7},   {7, 1},    {2, 4},    {3, 5},    {5, 6},
              {6, 7},   {9, 8},   {3, 127}, {3, 128},  {3, 129},  {3, 132},  {8, 31},
              {33, 36}, {65, 66}, {2, 999}, {2, 4100}, {5000, 1}, {1000, 12}},
             seed));
}

TEST(dequantize, RunsClean) {
  dequantizing.runs_clean(shaped({{1, 3}, {3, 5}, {5, 12}, {9, 129}, {33, 132}}, seed));
  // A grid has room for 65535 rows of blocks: long rows make up for blocks of few.
  dequantizing.runs_far(shaped({{2, 33003}, {2, 33004}}, seed), [](const DequantizeCase& c) {
    const auto cols = std::int64_t(c.cols);
    return ends_of_more_rows({/*q=*/cols, /*scales=*/1, /*x_hat=*/cols, /*rows=*/1});
  });
}

std::uint64_t scale_requests(const simt::Traffic& t) {
  return std::string_view(t.subject) == "scales" ? t.requests : 0;
}
std::uint64_t element_requests(const simt::Traffic& t) {
  return t.space == simt::Space::kGlobal ? t.requests - scale_requests(t) : 0;
}
const Measure kScaleRequests{"requests to scales", "N-REQUESTS", scale_requests, nullptr};
const Measure kElementRequests{"requests to q and x_hat", "N-REQUESTS", element_requests, nullptr};

// Whole tiles; a row that ends in the middle of a tile; rows that start anywhere, of 2 and of 1
// more than whole vectors.
const std::vector<Size> kAligned = {{16, 512}, {13, 396}};
const std::vector<Size> kAnyColumns = {{16, 512}, {13, 396}, {16, 258}, {13, 389}};

void check_shape_counts(const std::vector<Limit>& limits, const std::vector<Size>& sizes) {
  check_counts(dequantizing, shaped(sizes, counted_seed), limits);
}

TEST(dequantize, VectorsWhereTheyFit) {
  check_shape_counts({{kElementRequests, 1.1}, {kThreads, 2.0}}, kAligned);
}
TEST(dequantize, ScalesCostLittle) { check_shape_counts({{kScaleRequests, 1.1}}, kAnyColumns); }
TEST(dequantize, MovesNoMore) { check_shape_counts({{kGlobalBytes, 1.1}}, kAnyColumns); }

}  // namespace
}  // namespace nibble::judge::lab_19_cuda_quantize
