// Lab 20: rows with a zero point.
#pragma once

#include "cuda_absmax.hpp"

#include <cmath>
#include <string_view>

#include "checks/20_cuda_absmax/absmax.hpp"
#include "checks/20_cuda_absmax/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_20_cuda_absmax {

struct Shifted {
  Codes q;
  Reals scale;
  Sums zero_point;
};

/// `round`: half to even. `widened`: lo and hi hold 0; where not, that is a mistake.
inline Shifted shifted_by_definition(const Rows& c, float (*round)(float), bool widened = true) {
  Shifted all;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    const auto row = c.row(r);
    const bool finite = std::isfinite(magnitude_of(row));
    const float lo = widened ? std::min(0.0f, std::ranges::min(row)) : std::ranges::min(row),
                hi = widened ? std::max(0.0f, std::ranges::max(row)) : std::ranges::max(row);
    const bool has_range = finite && hi - lo <= FLT_MAX;
    const float scale = !has_range ? kNan : lo == hi ? 1.0f : std::max((hi - lo) / 255.0f, FLT_MIN);
    const int zero_point = has_range ? -128 - static_cast<int>(round(lo / scale)) : 0;
    all.scale.push_back(scale);
    all.zero_point.push_back(zero_point);
    for (const float x : row) {
      const int code = has_range ? static_cast<int>(round(x / scale)) + zero_point : 0;
      all.q.push_back(static_cast<std::int8_t>(std::clamp(code, -128, 127)));
    }
  }
  return all;
}

inline float to_even(float steps) { return std::nearbyint(steps); }
inline float cut(float steps) { return std::trunc(steps); }

/// (hi - lo) / 255 of each row.
inline Reals widths_of(const Rows& c, float steps) {
  return scales(c, [=](auto row) {
    return (std::max(0.0f, std::ranges::max(row)) - std::min(0.0f, std::ranges::min(row))) / steps;
  });
}

/// The last columns left out, and warps that have one end of the range, or both, for themselves.
inline void suspect_reaches(Expect& expect, const Rows& c) {
  for (const std::size_t end : early_ends(c)) {
    const Rows first = columns_among(c, [=](auto column) { return column < end; });
    expect.suspect("N-TAIL", "scale", shifted_by_definition(first, to_even).scale, kLastColumns);
  }
  if (c.cols <= 32) return;
  for (const bool shares_below : {true, false}) {
    for (const bool shares_above : {true, false}) {
      if (shares_below && shares_above) continue;
      Shifted first;
      for (std::size_t warp = 0; warp < 8; ++warp) {
        Rows own = c;
        for (std::size_t i = 0; i < c.x.size(); ++i) {
          const bool is_shared = c.x[i] < 0.0f ? shares_below : shares_above;
          const bool is_own = warp_of(c, i % std::size_t(c.cols)) == warp;
          if (!is_own && !is_shared) own.x[i] = 0.0f;
        }
        const Shifted of = shifted_by_definition(own, to_even);
        if (warp == 0) first = of;
        for (std::size_t i = 0; i < c.x.size(); ++i) {
          if (warp_of(c, i % std::size_t(c.cols)) == warp) first.q[i] = of.q[i];
        }
      }
      expect.suspect("N-TAIL", "scale", first.scale, kWarps);
      expect.suspect("N-TAIL", "zero_point", first.zero_point, kWarps);
      expect.suspect("N-TAIL", "q", first.q, kWarps);
    }
  }
}

inline const auto shifting = kernel_exercise<&quantize_rows_asymmetric>(
    [](const Rows& c) {
      return std::tuple(c.x, out(c.x.size()), out(c.rows()), out(c.rows()), c.cols);
    },
    [](const Rows& c) { return shifted_by_definition(c, to_even); },
    [](Expect& expect, const Rows& c, const std::tuple<Codes, Reals, Sums>& got,
       const Shifted& right) {
      const auto& [q, scale, zero_point] = got;
      if (has_ranges(c)) {
        const auto widths = [&](std::string_view words, float steps) {
          expect.suspect("N-RANGE", "scale",
                         each_of(right.scale, [=](float s) { return s * 255 / steps; }), words);
        };
        expect.suspect("N-RANGE", "scale", scales(c, scale_by_definition),
                       "the scale is that of quantize_rows: amax / 127");
        widths("hi - lo is divided by 256: 256 codes are 255 steps", 256);
        widths("hi - lo is divided by 254: 256 codes are 255 steps", 254);
        widths("hi - lo is divided by 127: 256 codes are 255 steps", 127);
        expect.suspect("N-ZERO", "scale", shifted_by_definition(c, to_even, false).scale,
                       "lo and hi are those of the row alone: 0 has to lie between them");
        expect.suspect("N-SCALE", "scale",
                       each_of(widths_of(c, 1.0f), [](float w) { return w * (1.0f / 255.0f); }),
                       "the scale is (hi - lo) * (1 / 255): divide");
        if (got != std::tie(right.q, right.scale, right.zero_point)) suspect_reaches(expect, c);
      }
      suspect_small_scales(expect, widths_of(c, 255.0f), right.scale);
      const auto zeros = [&](const char* code, std::string_view words, const auto& zero) {
        Sums all;
        for (std::size_t r = 0; r < c.rows(); ++r) {
          const float lo = std::min(0.0f, std::ranges::min(c.row(r)));
          all.push_back(std::isnan(right.scale[r]) ? 0 : int(zero(lo / right.scale[r])));
        }
        expect.suspect(code, "zero_point", all, words);
      };
      constexpr const char* kSign = "zero_point has the wrong sign: -128 - round(lo / scale)";
      zeros("N-ZP-SIGN", kSign, [](float lo) { return 128 + to_even(lo); });
      zeros("N-ZP-SIGN", kSign, [](float lo) { return -128 + to_even(lo); });
      zeros("N-ZERO", "zero_point is -round(lo / scale), and begins at -128",
            [](float lo) { return -to_even(lo); });
      zeros("N-ROUND", "-128 - lo / scale is rounded, and lo / scale has to be",
            [](float lo) { return to_even(-128 - lo); });
      Sums upper, unranged = right.zero_point;
      for (std::size_t r = 0; r < c.rows(); ++r) {
        const float hi = std::max(0.0f, std::ranges::max(c.row(r)));
        upper.push_back(std::isnan(right.scale[r]) ? 0 : 127 - int(to_even(hi / right.scale[r])));
        if (std::isnan(right.scale[r])) unranged[r] = -128;
      }
      expect.suspect("N-ZERO", "zero_point", upper,
                     "zero_point is made of hi, and should be made of lo");
      expect.suspect("N-NAN", "zero_point", unranged,
                     "a row without a range has zero_point -128, and should have 0");
      const auto shifted = [&](const char* code, std::string_view words, const auto& of) {
        Codes q;
        for (const float x : c.x) {
          const std::size_t r = q.size() / std::size_t(c.cols);
          const float steps = x / right.scale[r];
          const bool has_range = !std::isnan(right.scale[r]);
          q.push_back(
              static_cast<std::int8_t>(has_range ? int(of(steps, right.zero_point[r])) : 0));
        }
        expect.suspect(code, "q", q, words);
      };
      const auto clamp = [](float code) { return std::clamp(code, -128.0f, 127.0f); };
      expect.suspect("N-TRUNC", "q", shifted_by_definition(c, cut).q,
                     "a fraction is cut off: it is rounded");
      shifted("N-ROUND", "the zero point is added before the rounding",
              [&](float steps, int zero) { return clamp(to_even(steps + float(zero))); });
      shifted("N-ROUND", "ties go away from zero: they go to the even neighbour",
              [&](float steps, int zero) { return clamp(std::round(steps) + float(zero)); });
      shifted("N-CLAMP", "the code is not clamped, and wraps around",
              [](float steps, int zero) { return to_even(steps) + float(zero); });
      shifted("N-ZP-SIGN", "the zero point is taken away, and should be added",
              [&](float steps, int zero) { return clamp(to_even(steps) - float(zero)); });
      shifted("N-ZERO", "the zero point is not added",
              [&](float steps, int) { return clamp(to_even(steps)); });
      expect_same(expect, "scale", scale, right.scale);
      recall_ranges(expect, c, scale);
      for (std::size_t r = 0; r < c.rows(); ++r) {
        const bool is_too_wide =
            std::isnan(right.scale[r]) && std::isfinite(magnitude_of(c.row(r)));
        if (!is_too_wide || std::isnan(scale[r])) continue;
        return expect.recall("hi - lo may be infinite where hi and lo are not");
      }
      expect.equal("zero_point", zero_point, right.zero_point);
      expect.equal("q", q, right.q, c.shape());
    });

}  // namespace nibble::judge::lab_20_cuda_absmax
