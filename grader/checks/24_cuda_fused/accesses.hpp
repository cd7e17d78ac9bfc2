// Lab 24: accesses.
#pragma once

#include "cuda_fused.hpp"

#include <string_view>

#include "checks/24_cuda_fused/exercise.hpp"
#include "checks/24_cuda_fused/layer.hpp"
#include "checks/24_cuda_fused/layers_at_random.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {

/// The last columns of a product of more than an index of 32 bits counts: what one more moves each
/// argument by.
template <auto F>
protocol::Far last_columns(const Layer& c) {
  const std::int64_t k = c.shape.k;
  if constexpr (kHasZeroPoints<F>) {
    return more_columns({0, /*b_t=*/k, 0, 0, /*b_scales=*/1, 1, /*c=*/1, 0, /*n=*/1});
  } else if constexpr (!kMakesCodes<F>) {
    return more_columns({0, /*b_t=*/k, 0, /*b_scales=*/1, /*bias=*/1, /*c=*/1, 0, /*n=*/1});
  } else {
    return more_columns({0, /*b_t=*/k, /*ratios=*/1, /*bias=*/1, /*c=*/1, 0, 0, /*n=*/1});
  }
}

/// The last rows.
template <auto F>
protocol::Far last_rows(const Layer& c) {
  const std::int64_t k = c.shape.k, n = c.shape.n;
  if constexpr (kHasZeroPoints<F>) {
    return ends_of_more_rows({/*a=*/k, 0, 0, 0, 0, 0, /*c=*/n, /*m=*/1});
  } else if constexpr (!kMultiplies<F> && !kMakesCodes<F>) {
    return ends_of_more_rows({/*acc=*/n, 0, 0, 0, /*c=*/n, /*m=*/1});
  } else if constexpr (!kMultiplies<F>) {
    return ends_of_more_rows({/*acc=*/n, 0, 0, /*c=*/n, 0, /*m=*/1});
  } else if constexpr (!kMakesCodes<F>) {
    return ends_of_more_rows({/*a=*/k, 0, 0, 0, 0, /*c=*/n, /*m=*/1});
  } else {
    return ends_of_more_rows({/*a=*/k, 0, 0, 0, /*c=*/n, 0, /*m=*/1});
  }
}

// Inside one tile, and over the edge of one in each direction. And the shapes that are counted: who
// does less where it counts is found out here.
template <auto F>
void check_runs_clean() {
  auto shapes = kMultiplies<F> ? std::vector<MatmulShape>{{3, 5, 16}, {5, 67, 48}, {66, 3, 32}}
                               : std::vector<MatmulShape>{{3, 5, 0}, {9, 131, 0}, {140, 3, 0}};
  for (const MatmulShape s : counted_shapes<F>()) shapes.push_back(s);
  layer<F>.runs_clean(random_layers<F>(shapes, seed));
  // A grid has room for 65535 rows of blocks: long rows make up for blocks of few.
  const auto rows = kMultiplies<F>
                        ? std::vector<MatmulShape>{{1, 4, 528}, {1, 2080, 16}, {1, 2081, 16}}
                        : std::vector<MatmulShape>{{3, 4207, 0}, {3, 4208, 0}};
  layer<F>.runs_far(random_layers<F>(rows, seed), last_rows<F>);
  if constexpr (kMultiplies<F>) {
    layer<F>.runs_far(random_layers<F>({{1, 5, 48}, {1, 8, 48}}, seed), last_columns<F>);
  }
}

inline std::uint64_t channel_bytes(const simt::Traffic& t) {
  const std::string_view subject(t.subject);
  return subject == "b_scales" || subject == "ratios" || subject == "bias" ? 32 * t.sectors : 0;
}
inline std::uint64_t stores(const simt::Traffic& t) {
  return t.space == simt::Space::kGlobal && t.use == simt::Use::kStore ? t.requests : 0;
}
inline const Measure kChannelBytes{"bytes of scales and biases", "N-LOADS", channel_bytes, nullptr};
inline std::uint64_t result_bytes(const simt::Traffic& t) {
  return std::string_view(t.subject) == "c" ? 32 * t.sectors : 0;
}
inline const Measure kResultBytes{"bytes of c written and read", "N-LOADS", result_bytes, nullptr};
inline const Measure kStores{"requests to write", "N-REQUESTS", stores, nullptr};

template <auto F>
void check_counts(const Measure& measure, double factor) {
  layer<F>.at_most(measure, factor, random_layers<F>(counted_shapes<F>(), counted_seed));
}

/// Where 4 does not divide n there are no vectors of four: the lanes are neighbours.
template <auto F>
void check_bytes() {
  check_counts<F>(kGlobalBytes, 1.1);
  layer<F>.at_most(kGlobalBytes, 1.1, random_layers<F>({{130, 75, 0}}, counted_seed));
}

}  // namespace nibble::judge::lab_24_cuda_fused
