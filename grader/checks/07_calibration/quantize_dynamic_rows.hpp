// Lab 07, quantize_dynamic_rows: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/moving_average_observe.hpp"
#include "checks/07_calibration/mse_clip.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_07_calibration {

using Dynamic = Exercise<&quantize_dynamic_rows>;

inline float scale_of(float amax) { return amax == 0 ? 1 : std::max(amax / 127, FLT_MIN); }

/// Row by row, where range_of(r) chooses the amax of row r.
template <class RangeOf, class Round>
DynamicRows rows_with(const Dynamic::Arguments& in, RangeOf range_of, Round round) {
  const auto& [x, columns] = in;
  const auto width = static_cast<std::size_t>(columns);
  DynamicRows rows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % width == 0) {
      rows.scales.push_back(scale_of(range_of(i / width)));
    }
    rows.q.push_back(
        static_cast<std::int8_t>(std::clamp(round(x[i] / rows.scales.back()), -127.0f, 127.0f)));
  }
  return rows;
}

inline std::span<const float> row_of(const Dynamic::Arguments& in, std::size_t r) {
  return std::span(in.a).subspan(r * static_cast<std::size_t>(in.b),
                                 static_cast<std::size_t>(in.b));
}

/// Rows whose range is not their own.
inline void suspect_ranges_of_rows(Expect& expect, const Dynamic::Arguments& in) {
  const auto looks = [&](const char* code, const char* words, const auto& range_of) {
    const DynamicRows rows = rows_with(in, range_of, to_even);
    expect.suspect(code, "scales", rows.scales, words);
    expect.suspect(code, "q", rows.q, words);
  };
  const auto own = [&](std::size_t r) { return max_abs(row_of(in, r)); };
  looks("N-OBSERVER", "a row has the scale of the row before: each row has its own",
        [&](std::size_t r) { return own(r == 0 ? 0 : r - 1); });
  looks("N-OBSERVER", "all rows have the scale of the first: each row has its own",
        [&](std::size_t) { return own(0); });
  float running = 0;
  looks("N-OBSERVER", "amax is the largest so far: no row remembers what came before",
        [&](std::size_t r) { return running = std::max(running, own(r)); });
  float kept = 0;
  looks("N-OBSERVER", "a row of zeros has the scale of the row before: it is 1",
        [&](std::size_t r) { return own(r) == 0 ? kept : kept = own(r); });
  looks("N-AXIS", "all rows have one scale: each row has its own",
        [&](std::size_t) { return max_abs(in.a); });
  looks("N-AXIS", "a row of zeros has the scale of all rows: it is 1",
        [&](std::size_t r) { return own(r) == 0 ? max_abs(in.a) : own(r); });
}

/// What people make of the amax of a row.
inline void suspect_scales(Expect& expect, const Dynamic::Arguments& in, const DynamicRows& right) {
  const auto looks = [&](const char* code, const char* words, const auto& scale) {
    Reals scales;
    for (std::size_t r = 0; r < right.scales.size(); ++r) scales.push_back(scale(row_of(in, r)));
    expect.suspect(code, "scales", scales, words);
  };
  looks("N-SCALE", "the inverse of a scale: it is in real units per step",
        [](auto row) { return 1 / scale_of(max_abs(row)); });
  const auto unless_zeros = [](float amax, float scale) {
    return amax == 0 ? 1 : std::max(scale, FLT_MIN);
  };
  looks("N-FORMULA", "amax is multiplied by 1 / 127: it is divided by 127",
        [&](auto row) { return unless_zeros(max_abs(row), max_abs(row) * (1 / 127.0f)); });
  looks("N-RANGE", "divided by 128: it is by 127",
        [&](auto row) { return unless_zeros(max_abs(row), max_abs(row) / 128); });
  looks("N-TAIL", "the last value of a row is left out",
        [](auto row) { return scale_of(max_abs(row.first(row.size() - (row.size() > 1)))); });
  looks("N-RANGE", "amax is the greatest value: it is the largest magnitude",
        [](auto row) { return scale_of(std::max(*std::ranges::max_element(row), 0.0f)); });
  looks("N-DIV0", "a row of zeros has the scale FLT_MIN: it is 1",
        [](auto row) { return std::max(max_abs(row) / 127, FLT_MIN); });
  for (const float least : {FLT_TRUE_MIN, FLT_MIN}) {
    looks("N-DIV0", "a scale is below FLT_MIN",
          [=](auto row) { return max_abs(row) < least ? 1 : max_abs(row) / 127; });
  }
}

inline void suspect_rows(Expect& expect, const Dynamic::Arguments& in, const DynamicRows& right) {
  suspect_ranges_of_rows(expect, in);
  suspect_scales(expect, in, right);
  Codes products, in_double, by_column;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const std::size_t rows = right.scales.size(), columns = in.a.size() / rows;
    by_column.push_back(right.q[i % rows * columns + i / rows]);
    const float scale = right.scales[i / static_cast<std::size_t>(in.b)];
    products.push_back(static_cast<std::int8_t>(to_even(in.a[i] * (1 / scale))));
    in_double.push_back(static_cast<std::int8_t>(std::nearbyint(double{in.a[i]} / scale)));
  }
  expect.suspect("N-FORMULA", "q", products);
  expect.suspect("N-FORMULA", "q", in_double);
  expect.suspect("N-LAYOUT", "q", by_column);
  const auto own = [&](std::size_t r) { return max_abs(row_of(in, r)); };
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    expect.suspect(code, "q", rows_with(in, own, round).q, words);
  });
}

/// The cause before what follows from it.
inline void scales_first(Expect& expect, const Dynamic::Arguments&, const DynamicRows& got,
                         const DynamicRows& want) {
  expect.equal("scales", got.scales, want.scales);
  expect.equal("q", got.q, want.q);
}

inline const Dynamic dynamic{{"x", "columns"}, {"q", "scales"}, suspect_rows};

/// Rows whose loudness differs by a factor of up to 2^12.
inline std::vector<Dynamic::Input> matrices(Seed seed_of, std::size_t longest) {
  std::vector<Dynamic::Input> inputs;
  for (const auto& [rows, columns] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {3, 2}, {2, 3}, {5, 31}, {4, 32}, {3, 33}, {33, 5}, {17, longest}}) {
    Reals x = normal_tensor(rows * columns, seed_of(rows * 8192 + columns));
    const Reals loudness = uniform_tensor(rows, seed_of(rows), -6, 6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::exp2(loudness[i / columns]);
    inputs.push_back({std::to_string(rows) + "x" + std::to_string(columns),
                      {std::move(x), static_cast<std::int32_t>(columns)}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_07_calibration
