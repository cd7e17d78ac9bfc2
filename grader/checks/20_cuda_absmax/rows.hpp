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

inline const auto quantizing = kernel_exercise<&quantize_rows>(
    [](const Rows& c) { return std::tuple(c.x, out(c.x.size()), out(c.rows()), c.cols); },
    [](const Rows& c) { return by_definition(c); },
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
      constexpr const char* kFloor = "a scale below FLT_MIN is raised to FLT_MIN";
      if (std::ranges::count(right.scale, FLT_MIN) > 0) {
        expect.suspect("N-DIV0", "scale",
                       scales(c, [](auto row) { return magnitude_of(row) / 127.0f; }), kFloor);
      }
      expect.suspect("N-TRUNC", "q",
                     codes(c, right.scale, [](float steps) { return std::trunc(steps); }),
                     "x / scale is cut off, and has to be rounded");
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
