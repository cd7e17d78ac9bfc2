// Lab 23: accesses.
#pragma once

#include "cuda_int4.hpp"

#include <string_view>

#include "checks/23_cuda_int4/answers.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

// A shape that no tile divides, and one that all usual tiles do.
inline const std::vector<Sizes> kCountedRows = {{1, 9, 509, 128}, {1, 16, 1024, 64}};
inline const std::vector<Sizes> kCountedProducts = {{45, 70, 130, 64}, {64, 64, 256, 128}};

template <class Exercise>
inline constexpr bool is_product = std::is_same_v<Exercise, Matmul>;

template <class Exercise>
const std::vector<Sizes>& counted_sizes() {
  return is_product<Exercise> ? kCountedProducts : kCountedRows;
}

/// An index past 2^31 or 2^32: in the last rows of what the weights become, in the last rows of w4
/// and of their scales, and in the last columns of c, where a group is as long as k: of scales_t
/// there is one row.
inline protocol::Far last_of(const Unpack&, const Int4Case& c) {
  const std::int64_t pitch = c.shape.pitch;
  return ends_of_more_rows({/*w4=*/pitch, /*q=*/2 * pitch, /*n=*/1});
}
inline protocol::Far last_of(const Dequantize&, const Int4Case& c) {
  const std::int64_t pitch = c.shape.pitch;
  return ends_of_more_rows(
      {/*w4=*/pitch, /*scales=*/groups_of(c.shape), /*w_hat=*/2 * pitch, /*n=*/1});
}
inline protocol::Far last_of(const Gemv&, const Int4Case& c) {
  const std::int64_t groups = groups_of(c.shape);
  return more_columns({/*w4=*/c.shape.pitch, /*scales=*/groups, 0, /*y=*/1, /*n=*/1});
}
inline protocol::Far last_of(const Matmul&, const Int4Case& c) {
  return more_columns({0, 0, /*w4=*/c.shape.pitch, /*scales_t=*/1, /*c=*/1, 0, /*n=*/1});
}

/// What lies so far behind. A grid has room for 65535 rows of blocks: k makes up for blocks of one
/// row of codes, and of eight rows of scales.
inline Sizes far_sizes(const Unpack&) { return {1, 2, 33000, 65536}; }
inline Sizes far_sizes(const Dequantize&) { return {1, 1, 264000, 64}; }
inline Sizes far_sizes(const Gemv&) { return {1, 3, 2054, 64}; }
inline Sizes far_sizes(const Matmul&) { return {1, 3, 70, 128}; }

template <class Exercise>
void check_runs_clean() {
  std::vector<Sizes> sizes = {{3, 5, 7, 64}, {3, 9, 65, 64}, {66, 3, 70, 64}, {3, 66, 33, 64, 16}};
  sizes.push_back(counted_sizes<Exercise>().front());
  asking<Exercise>.runs_clean(random_cases(sizes, seed));
  asking<Exercise>.runs_far(random_cases({far_sizes(Exercise())}, seed),
                            [](const Int4Case& c) { return last_of(Exercise(), c); });
  if constexpr (is_product<Exercise>) {  // a long pitch or a wide c makes up for blocks of few rows
    asking<Exercise>.runs_far(
        random_cases({{3, 2, 70, 128, /*spare=*/16448}, {1, 2080, 8, 64}}, seed),
        [](const Int4Case& c) {
          const std::int64_t pitch = c.shape.pitch;
          return ends_of_more_rows(
              {/*a=*/2 * pitch, /*a_scales=*/1, 0, 0, /*c=*/c.shape.n, /*m=*/1});
        });
  }
}

/// Counted is only what is right.
template <class Exercise, class Judge>
void check_counts(const std::vector<Sizes>& sizes, const Judge& judge) {
  asking<Exercise>.each_counted(
      random_cases(sizes, counted_seed),
      [&](Expect& expect, const Int4Case& c, const Counted& counts) {
        Expect values;
        asking<Exercise>.look(values, c, asking<Exercise>(c));
        if (!expect.that(!values.failure(), "not counted before it is right", "N-FORMULA")) return;
        judge(expect, c, counts);
      });
}

template <class Exercise>
void check_at_most(const Measure& measure, double factor) {
  check_counts<Exercise>(counted_sizes<Exercise>(),
                         [&](Expect& expect, const Int4Case&, const Counted& counts) {
                           at_most(expect, measure, factor, counts);
                         });
}

inline std::uint64_t scale_bytes(const simt::Traffic& t) {
  return std::string_view(t.subject) == "scales_t" ? 32 * t.sectors : 0;
}
inline const Measure kScaleBytes{"bytes of scales_t", "N-LOADS", scale_bytes, nullptr};

/// Where it is too much, whoever has fetched scales for each warp is told so.
inline void check_bytes_of_products() {
  check_counts<Matmul>(kCountedProducts,
                       [](Expect& expect, const Int4Case&, const Counted& counts) {
                         Expect all;
                         if (at_most(all, kGlobalBytes, 1.1, counts)) return;
                         if (at_most(expect, kScaleBytes, 2.0, counts))
                           at_most(expect, kGlobalBytes, 1.1, counts);
                       });
}

// Whole tiles: at an edge, lanes without an output rest.
inline void check_lanes() {
  check_counts<Matmul>({kCountedProducts.back()},
                       [](Expect& expect, const Int4Case&, const Counted& counts) {
                         at_least(expect, kLanesAtWork, 0.25, counts);
                       });
}

// Tiles of up to 128 x 128 divide this, in steps of up to 64.
inline void check_dp4a() {
  check_counts<Matmul>({{128, 128, 64, 64}},
                       [](Expect& expect, const Int4Case& c, const Counted& counts) {
                         const std::uint64_t products = c.w.size() * std::uint64_t(c.m);
                         exactly(expect, kDp4a, products / 4, counts);
                       });
}

}  // namespace nibble::judge::lab_23_cuda_int4
