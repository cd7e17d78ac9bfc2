// Lab 20: largest magnitudes.
#pragma once

#include "cuda_absmax.hpp"

#include <cmath>

#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_20_cuda_absmax {

struct Values {
  Reals x;
  static constexpr std::array names{"x"};
};
using Tensor = Named<Values>;

/// NaN where one of x is: std::fmax would drop it.
inline float magnitude_of(std::span<const float> x) {
  float largest = 0.0f;
  for (const float value : x) {
    if (std::isnan(value)) return kNan;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

/// F answers a number for so many elements each.
template <auto F>
inline constexpr std::size_t kJoined = kChunk;
template <>
inline constexpr std::size_t kJoined<&absmax> = std::numeric_limits<std::size_t>::max();

template <auto F>
Reals by_definition(const Tensor& c) {
  Reals want;
  for (std::span<const float> rest(c.x); !rest.empty();) {
    const std::size_t joined = std::min(kJoined<F>, rest.size());
    want.push_back(magnitude_of(rest.first(joined)));
    rest = rest.subspan(joined);
  }
  return want;
}

template <auto F>
inline const auto finding = kernel_exercise<F>(
    [](const Tensor& c) {
      if (c.x.empty()) throw std::invalid_argument("no case is made smaller than one value");
      return std::tuple(c.x, out(by_definition<F>(c).size()));
    },
    by_definition<F>,
    [](Expect& expect, const Tensor& c, const Reals& got, const Reals& right) {
      // amax[0] was 0 before the launch: among nothing but threes, that is what was there before.
      if (c.x.front() == 3.0f) expect.suspect("N-UNWRITTEN", "amax", 0.0f);
      const char* const what = kJoined<F> == kChunk ? "partial" : "amax";
      expect_same(expect, what, got, right);
      // amax[0] was 0 before the launch, and may not have been written.
      const float least = kJoined<F> == kChunk ? 0.0f : FLT_TRUE_MIN;
      const bool lost_nan = std::ranges::equal(
          got, right, [=](float g, float r) { return std::isnan(r) ? g >= least : g == r; });
      if (lost_nan && got != right) expect.recall("a NaN is dropped, as fmaxf does");
    });
inline const auto& in_block = finding<&absmax_block>;
inline const auto& in_warp = finding<&absmax_warp>;
inline const auto& of_all = finding<&absmax>;

}  // namespace nibble::judge::lab_20_cuda_absmax
