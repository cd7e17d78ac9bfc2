// Lab 26: accesses and products.
#pragma once

#include "cuda_half_fp8.hpp"

#include "checks/26_cuda_half_fp8/dequantize_to_half.hpp"
#include "checks/26_cuda_half_fp8/products.hpp"
#include "checks/26_cuda_half_fp8/quantize_fp8.hpp"
#include "checks/26_cuda_half_fp8/quantize_int4.hpp"
#include "checks/26_cuda_half_fp8/rows.hpp"
#include "checks/26_cuda_half_fp8/values.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

// Shapes that no tile divides, and then whole tiles. The last that is counted is what
// `nibble traffic` shows.
inline const std::vector<MatmulShape> kCounted = {
    {16, 8, 32}, {17, 9, 32}, {45, 70, 64}, {64, 64, 128}};
inline const std::vector<MatmulShape> kWatched = {
    {3, 5, 32}, {17, 9, 64}, {33, 35, 96}, {2, 3, 288}};

template <class Exercise>
void check_products() {
  const auto tiles = [](int size, int edge) { return std::uint64_t(size + edge - 1) / edge; };
  multiplying<Exercise>.exactly(
      kMma,
      [&](const GemmCase& c) {
        return tiles(c.shape.m, 16) * tiles(c.shape.n, Exercise::kColumns) *
               tiles(c.shape.k, Exercise::kDepth);
      },
      random_products<Exercise>(kCounted, counted_seed));
}

template <class Exercise>
void check_at_most(const Measure& measure, double factor) {
  multiplying<Exercise>.at_most(
      measure, factor, random_products<Exercise>({kCounted[2], kCounted[3]}, counted_seed));
}

/// The last rows and the last columns of more than an index of 32 bits counts.
template <class Exercise>
protocol::Far last_rows(const GemmCase& c) {
  const std::int64_t k = c.shape.k, n = c.shape.n;
  if constexpr (is_fp8<Exercise>) {
    return ends_of_more_rows({/*a=*/k, 0, /*a_scales=*/1, 0, /*d=*/n, /*m=*/1});
  } else {
    return ends_of_more_rows({/*a=*/k, 0, /*c=*/n, /*d=*/n, 0, 0, /*m=*/1});
  }
}
template <class Exercise>
protocol::Far last_columns(const GemmCase& c) {
  const std::int64_t k = c.shape.k;
  if constexpr (is_fp8<Exercise>) {
    return more_columns({0, /*b_t=*/k, 0, /*b_scales=*/1, /*d=*/1, 0, /*n=*/1});
  } else {
    return more_columns({0, /*b_t=*/k, /*c=*/1, /*d=*/1, 0, 0, 0, /*n=*/1});
  }
}

template <class Exercise>
void check_clean() {
  multiplying<Exercise>.runs_clean(random_products<Exercise>(kWatched, seed));
  multiplying<Exercise>.runs_clean(random_products<Exercise>({kCounted[2]}, seed));
  // A grid has room for 65535 rows of blocks: k makes up for blocks of 16 rows.
  multiplying<Exercise>.runs_far(
      random_products<Exercise>({{1, 1, 2080}, {1, 2080, 32}}, seed, false), last_rows<Exercise>);
  multiplying<Exercise>.runs_far(random_products<Exercise>({{1, 5, 64}, {1, 6, 64}}, seed),
                                 last_columns<Exercise>);
}

/// Of x and of what is made of it, for what makes rows of it.
inline protocol::Far last_halves(const RowsCase& c) {
  return ends_of_more_rows({/*q=*/c.k, /*scales=*/1, /*h=*/c.k, /*rows=*/1});
}
inline protocol::Far last_int4(const RowsCase& c) {
  return ends_of_more_rows({/*x=*/c.k, /*w4=*/c.k / 2, /*scales=*/c.k / c.group_size, /*rows=*/1});
}
inline protocol::Far last_fp8(const RowsCase& c) {
  return more_columns({/*x=*/c.k, /*q=*/c.k, /*scales=*/1, 0, /*rows=*/1});
}

/// Counted is only what is right.
template <class Exercise>
void check_rows_at_most(const Exercise& exercise, const Measure& measure,
                        const std::vector<RowsCase>& cases) {
  exercise.each_counted(cases, [&](Expect& expect, const RowsCase& c, const Counted& counts) {
    exercise.look(expect, c, exercise(c));
    at_most(expect, measure, 1.1, counts);
  });
}

// One less, as many and one more than a warp's; rows of every number of steps; long ones.
inline const std::vector<std::array<int, 2>> kHalfSizes = {{1, 8},   {2, 16},  {3, 248}, {4, 256},
                                                           {5, 264}, {33, 24}, {2, 1000}};
inline const std::vector<std::array<int, 2>> kFp8Sizes = {{1, 4},   {2, 8},   {3, 124}, {4, 128},
                                                          {5, 132}, {33, 20}, {2, 1000}};
inline const std::vector<GroupSizes> kInt4Sizes = {{1, 32, 32},  {2, 96, 32},  {3, 128, 128},
                                                   {5, 192, 64}, {33, 64, 32}, {2, 160, 32},
                                                   {9, 384, 128}};

inline std::vector<RowsCase> counted_halves() {
  return code_cases({{5, 480}, {8, 1024}}, counted_seed);
}
inline std::vector<RowsCase> counted_int4() {
  return float_cases({{5, 448, 32}, {8, 1024, 64}}, counted_seed);
}
inline std::vector<RowsCase> counted_fp8() {
  return fp8_cases({{5, 480}, {8, 1024}}, 4.0f, counted_seed);
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
