// Lab 20: largest magnitudes.
#pragma once

#include "cuda_absmax.hpp"

#include <bit>
#include <cmath>
#include <string_view>

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
inline constexpr bool kIsOfChunks = kJoined<F> == kChunk;
template <auto F>
inline constexpr const char* kFound = kIsOfChunks<F> ? "partial" : "amax";

/// What is found where only those elements count of whose index counts(i) holds.
template <auto F, class Counts>
Reals found_among(Tensor c, const Counts& counts) {
  for (std::size_t i = 0; i < c.x.size(); ++i) c.x[i] = counts(i) ? c.x[i] : 0.0f;
  return by_definition<F>(c);
}

/// Signs, infinities, the least of all floats, and bits: what is taken for a magnitude.
template <auto F>
void suspect_magnitudes(Expect& expect, const Tensor& c, const Reals& right) {
  const auto suspect = [&](std::string_view words, const Reals& found) {
    expect.suspect("N-RANGE", kFound<F>, found, words);
  };
  // Elsewhere whoever loses the one negative element answers alike.
  const bool tells_signs = right.front() == -c.x.front();
  if (tells_signs && std::ranges::any_of(c.x, [](float x) { return x > 0.0f; })) {
    suspect("the largest number is looked for, and should be the largest magnitude",
            found_among<F>(c, [&](std::size_t i) { return !(c.x[i] < 0.0f); }));
  }
  Reals with_sign = found_among<F>(c, [&](std::size_t i) { return c.x[i] < 0.0f; });
  for (std::size_t i = 0; i < right.size(); ++i) {
    with_sign[i] = with_sign[i] > 0.0f ? -with_sign[i] : right[i];
  }
  suspect("the largest magnitude keeps the sign of its number", with_sign);
  suspect("the maximum begins at FLT_MIN, and should begin at 0",
          each_of(right, [](float r) { return std::max(r, FLT_MIN); }));
  suspect("an infinity counts as FLT_MAX, and is larger",
          each_of(right, [](float r) { return std::min(r, FLT_MAX); }));
  suspect("infinities are left out: their magnitude is the largest of all",
          found_among<F>(c, [&](std::size_t i) { return !std::isinf(c.x[i]); }));
  if constexpr (kIsOfChunks<F>) return;
  suspect("the magnitude becomes an integer by its value: atomicMax has to get its bits",
          each_of(right, [](float r) {
            return std::bit_cast<float>(static_cast<std::uint32_t>(std::fmin(r, 1e9f)));
          }));
}

/// Threads, lanes and warps whose part is lost, where a block has 256 threads.
template <auto F>
void suspect_threads(Expect& expect, const Tensor& c) {
  using I = std::size_t;
  const auto suspect = [&](std::string_view words, const auto& counts) {
    expect.suspect("N-TAIL", kFound<F>, found_among<F>(c, [&](I i) { return counts(i % 256); }),
                   words);
  };
  suspect("what threads 128 to 255 have found is not joined", [](I t) { return t < 128; });
  constexpr const char* kOdd =
      "what threads of odd number have found is not joined: the last step is missing";
  suspect(kOdd, [](I t) { return t % 2 == 0; });
  suspect(kOdd, [](I t) { return t % 2 == 0 && t / 32 % 2 == 0; });
  suspect("what lanes 16 to 31 of a warp have found is not joined",
          [](I t) { return t % 32 < 16; });
  suspect("what warps 1 to 7 have found is not joined", [](I t) { return t < 32; });
}

/// Elements that nobody looks at.
template <auto F>
void suspect_losses(Expect& expect, const Tensor& c) {
  using I = std::size_t;
  const auto suspect = [&](std::string_view words, const auto& counts) {
    expect.suspect("N-TAIL", kFound<F>, found_among<F>(c, counts), words);
  };
  const I n = c.x.size(), quarter = (kIsOfChunks<F> ? kChunk : 4096) / 4;
  suspect("only the first quarter of the elements of a block is looked at",
          [=](I i) { return i / quarter % 4 == 0; });
  for (const I lost : {1, 2, 3}) {
    suspect("a quarter of the elements of a block is not looked at",
            [=](I i) { return i / quarter % 4 != lost; });
  }
  constexpr const char* kEnd = "the last elements of x are not looked at";
  for (const I whole : {4, 32, 256, 1024, 4096}) {
    suspect(kEnd, [=](I i) { return i < n / whole * whole; });
  }
  suspect(kEnd, [=](I i) { return i + 1 < n; });
}

/// What several blocks make of one place.
inline void suspect_blocks(Expect& expect, const Tensor& c, const Reals& got) {
  constexpr std::size_t kTile = 4096;
  const std::size_t blocks = (c.x.size() + kTile - 1) / kTile;
  if (blocks < 2) return;
  double sum = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto of_block = found_among<&absmax>(c, [=](std::size_t i) { return i / kTile == b; });
    sum += double{of_block.front()};
    expect.suspect("N-TAIL", "amax", of_block,
                   "amax is the maximum of one block alone, and should be that of all");
  }
  // Blocks come in any order, and so does the rounding of their sum.
  const bool is_sum = std::fabs(double{got.front()} - sum) <= double{blocks * FLT_EPSILON} * sum;
  if (is_sum) expect.suspect("N-TAIL", "amax", got, "the maxima of the blocks are added");
}

template <auto F>
auto arguments(const Tensor& c) {
  return std::tuple(c.x, out(by_definition<F>(c).size()));
}

template <auto F>
void suspect_all(Expect& expect, const Tensor& c, const Reals& got, const Reals& right) {
  // amax[0] was 0 before the launch: among nothing but threes, that is what was there before.
  if (c.x.front() == 3.0f) expect.suspect("N-UNWRITTEN", "amax", 0.0f);
  suspect_magnitudes<F>(expect, c, right);
  suspect_losses<F>(expect, c);
  if constexpr (kIsOfChunks<F>) {
    suspect_threads<F>(expect, c);
    expect_written<F>(expect, kFound<F>, got, right, arguments<F>(c));
  } else {
    suspect_blocks(expect, c, got);
  }
}

/// The largest of the numbers alone. Where there is none, 0 is found, which amax[0] was before the
/// launch.
template <auto F>
void suspect_lost_nan(Expect& expect, const Tensor& c) {
  const Reals found = found_among<F>(c, [&](std::size_t i) { return !std::isnan(c.x[i]); });
  if (std::ranges::count(found, 0.0f) > 0) return;
  expect.suspect("N-NAN", kFound<F>, found, "a NaN is dropped, as fmaxf does");
}

template <auto F>
inline const auto finding = kernel_exercise<F>(
    [](const Tensor& c) {
      if (c.x.empty()) throw std::invalid_argument("no case is made smaller than one value");
      return arguments<F>(c);
    },
    by_definition<F>,
    [](Expect& expect, const Tensor& c, const Reals& got, const Reals& right) {
      const bool has_nan = std::ranges::any_of(c.x, [](float x) { return std::isnan(x); });
      if (has_nan) {
        suspect_lost_nan<F>(expect, c);
      } else if (expect.asks_for_suspects(got, right)) {
        suspect_all<F>(expect, c, got, right);
      }
      expect_same(expect, kFound<F>, got, right);
    });
inline const auto& in_block = finding<&absmax_block>;
inline const auto& in_warp = finding<&absmax_warp>;
inline const auto& of_all = finding<&absmax>;

}  // namespace nibble::judge::lab_20_cuda_absmax
