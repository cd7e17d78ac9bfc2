// Lab 20: rows.
#pragma once

#include "cuda_absmax.hpp"

#include <cmath>
#include <string_view>

#include "checks/20_cuda_absmax/absmax.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/rows.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_20_cuda_absmax {

struct Quantized {
  Codes q;
  Reals scale;
};

template <class ScaleOf>
Reals scales(const Rows& c, const ScaleOf& scale_of) {
  Reals all;
  for (std::size_t r = 0; r < c.rows(); ++r) all.push_back(scale_of(c.row(r)));
  return all;
}

inline float scale_by_definition(std::span<const float> row) {
  const float amax = magnitude_of(row);
  if (!std::isfinite(amax)) return kNan;
  return amax == 0.0f ? 1.0f : std::max(amax / 127.0f, FLT_MIN);
}

template <class Round>
Codes codes(const Rows& c, const Reals& scale, const Round& round) {
  Codes q;
  for (const float x : c.x) {
    const float own = scale[q.size() / c.cols];
    q.push_back(std::isnan(own) ? std::int8_t{0} : static_cast<std::int8_t>(round(x / own)));
  }
  return q;
}

inline Quantized by_definition(const Rows& c) {
  const Reals scale = scales(c, scale_by_definition);
  return {codes(c, scale, [](float steps) { return std::nearbyint(steps); }), scale};
}

/// What a wrong formula makes of zeros, of infinity, or of what is raised, others answer as well.
inline bool has_ranges(const Rows& c) {
  return std::ranges::all_of(scales(c, magnitude_of), [](float amax) {
    return amax / 255.0f >= FLT_MIN && std::isfinite(amax);
  });
}

inline constexpr const char* kFloor = "a scale below FLT_MIN is raised to FLT_MIN";

/// What becomes of a row of zeros, and of scales that are too small. `steps`: what is raised.
inline void suspect_small_scales(Expect& expect, const Reals& steps, const Reals& right) {
  const auto suspect = [&](std::string_view words, const auto& of) {
    expect.suspect("N-DIV0", "scale", each_of(steps, of), words);
  };
  const auto as_is = [](float step) { return step; };
  if (std::ranges::count(right, FLT_MIN) > 0) {
    suspect(kFloor, as_is);
    suspect(kFloor, [](float step) { return step == 0.0f ? 1.0f : step; });
    return;
  }
  if (std::ranges::count(steps, 0.0f) == 0) return;
  suspect("a row of zeros has scale 0, and should have scale 1", as_is);
  suspect("a row of zeros has scale FLT_MIN, and should have scale 1",
          [](float step) { return std::max(step, FLT_MIN); });
}

/// Who finds a range in a row without one.
inline void recall_ranges(Expect& expect, const Rows& c, const Reals& scale) {
  for (std::size_t r = 0; r < c.rows(); ++r) {
    const float amax = magnitude_of(c.row(r));
    if (std::isfinite(amax) || std::isnan(scale[r])) continue;
    return expect.recall(std::isnan(amax)
                             ? "a NaN is dropped: the scale of its row has to be a NaN"
                             : "a row with an infinity has a scale: it has to be a NaN");
  }
}

/// Zeros in all columns of which counts(column) does not hold.
template <class Counts>
Rows columns_among(Rows c, const Counts& counts) {
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (!counts(i % std::size_t(c.cols))) c.x[i] = 0.0f;
  }
  return c;
}

/// The warp that has a column, where each thread takes four at a time if rows have whole fours.
inline std::size_t warp_of(const Rows& c, std::size_t column) {
  return (c.cols % 4 == 0 ? column / 4 : column) % 256 / 32;
}

/// Columns that a row may be thought to end at: one or four for each of 256 or 512 threads. The
/// first 32 are a warp's as well.
inline std::vector<std::size_t> early_ends(const Rows& c) {
  std::vector<std::size_t> ends;
  for (const int end : {256, 512, 1024, 2048, c.cols / 4 * 4}) {
    if (end != 32 && end < c.cols) ends.push_back(std::size_t(end));
  }
  return ends;
}

inline constexpr const char* kLastColumns = "the last columns of a row have no part in its range";
inline constexpr const char* kWarps =
    "each warp has a range of its own: it is that of the whole row";

inline void suspect_columns(Expect& expect, const Rows& c) {
  const auto of_columns = [&](const auto& counts) {
    return by_definition(columns_among(c, counts));
  };
  for (const std::size_t end : early_ends(c)) {
    expect.suspect("N-TAIL", "scale", of_columns([=](auto column) { return column < end; }).scale,
                   kLastColumns);
  }
  if (warp_of(c, std::size_t(c.cols) - 1) == 0 && c.cols <= 128) return;
  Codes q(c.x.size());
  for (std::size_t warp = 0; warp < 8; ++warp) {
    const auto is_own = [&](std::size_t column) { return warp_of(c, column) == warp; };
    const Quantized own = of_columns(is_own);
    if (warp == 0) expect.suspect("N-TAIL", "scale", own.scale, kWarps);
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (is_own(i % std::size_t(c.cols))) q[i] = own.q[i];
    }
  }
  expect.suspect("N-TAIL", "q", q, kWarps);
}

inline auto arguments_of(const Rows& c) {
  return std::tuple(c.x, out(c.x.size()), out(c.rows()), c.cols);
}

inline const auto quantizing = kernel_exercise<&quantize_rows>(
    [](const Rows& c) { return arguments_of(c); }, [](const Rows& c) { return by_definition(c); },
    [](Expect& expect, const Rows& c, const std::tuple<Codes, Reals>& got, const Quantized& right) {
      const auto suspect = [&](const char* code, std::string_view words, const auto& scale_of) {
        if (has_ranges(c)) expect.suspect(code, "scale", scales(c, scale_of), words);
      };
      suspect("N-RANGE", "the scale is amax / 128, and should be amax / 127",
              [](auto row) { return magnitude_of(row) / 128.0f; });
      suspect("N-RANGE",
              "the scale is made of the largest number, and not of the largest magnitude",
              [](auto row) { return std::ranges::max(row) / 127.0f; });
      suspect("N-SCALE", "the scale is 127 / amax, and should be amax / 127",
              [](auto row) { return 127.0f / magnitude_of(row); });
      suspect("N-SCALE", "the scale is amax * (1 / 127): divide",
              [](auto row) { return magnitude_of(row) * (1.0f / 127.0f); });
      suspect("N-AXIS", "the scale is that of all rows, and each has its own",
              [&](auto) { return magnitude_of(c.x) / 127.0f; });
      suspect("N-AXIS", "the scale is that of row 0, and each row has its own",
              [&](auto) { return magnitude_of(c.row(0)) / 127.0f; });
      suspect("N-SCALE", "the scale is amax, and should be amax / 127",
              [](auto row) { return magnitude_of(row); });
      suspect_small_scales(expect, scales(c, [](auto row) { return magnitude_of(row) / 127.0f; }),
                           right.scale);
      each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
        expect.suspect(code, "q", codes(c, right.scale, round), words);
      });
      const auto divided = [&](std::string_view words, const auto& steps) {
        Codes q;
        for (const float x : c.x) {
          const float own = right.scale[q.size() / c.cols];
          q.push_back(
              static_cast<std::int8_t>(std::isnan(own) ? 0 : std::nearbyint(steps(x, own))));
        }
        expect.suspect("N-SCALE", "q", q, words);
      };
      if (has_ranges(c)) {
        divided("x is multiplied by 1 / scale, and should be divided by scale",
                [](float x, float own) { return x * (1.0f / own); });
        divided("x / scale is a quotient of doubles, and should be one of floats",
                [](float x, float own) { return double{x} / double{own}; });
      }
      if (got != std::tie(right.q, right.scale) && has_ranges(c)) suspect_columns(expect, c);
      const auto of_scales = [&](const char* code, std::string_view words, const Reals& scale) {
        expect.suspect(
            code, "q",
            codes(c, scale,
                  [](float steps) { return std::clamp(std::nearbyint(steps), -128.0f, 127.0f); }),
            words);
      };
      of_scales("N-SCALE", "x is multiplied by its scale, and should be divided",
                each_of(right.scale, [](float scale) { return 1 / scale; }));
      of_scales("N-AXIS", "codes of all rows come from the scale of row 0",
                Reals(c.rows(), right.scale.front()));
      const auto& [q, scale] = got;
      expect_same(expect, "scale", scale, right.scale);
      recall_ranges(expect, c, scale);
      expect_written(expect, "q", q, right.q,
                     [&] { return std::get<0>(call_with<&quantize_rows>(arguments_of(c))); });
      expect.equal("q", q, right.q, c.shape());
    });

/// Rows of very different sizes, so that no row's scale serves another.
inline Rows random_rows(std::size_t rows, int cols, std::uint64_t its_seed) {
  Rows c{size_text(rows, cols), cols, normal_tensor(rows * cols, its_seed)};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    c.x[i] *= std::ldexp(1.0f, static_cast<int>(i / cols % 5) * 3 - 6);
  }
  if (c.x.size() > 400) Expect::healthy(distinct(by_definition(c).q) > 100, "few different codes");
  return c;
}

// Rows that begin at any byte, the longest, and rows of whole sectors.
inline std::vector<Rows> counted_rows() {
  return {random_rows(4, 333, counted_seed(333)),
          random_rows(1, kMostColumns, counted_seed(kMostColumns)),
          random_rows(3, 1024, counted_seed(1024))};
}

}  // namespace nibble::judge::lab_20_cuda_absmax
