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

inline void suspect_rows(Expect& expect, const Dynamic::Arguments& in, const DynamicRows& right) {
  const auto looks = [&](const char* code, const DynamicRows& rows) {
    expect.suspect(code, "scales", rows.scales);
    expect.suspect(code, "q", rows.q);
  };
  const auto own = [&](std::size_t r) { return max_abs(row_of(in, r)); };
  looks("N-OBSERVER", rows_with(
                          in, [&](std::size_t r) { return own(r == 0 ? 0 : r - 1); }, to_even));
  looks("N-OBSERVER", rows_with(
                          in, [&](std::size_t) { return own(0); }, to_even));
  float running = 0;
  looks("N-OBSERVER",
        rows_with(
            in, [&](std::size_t r) { return running = std::max(running, own(r)); }, to_even));
  float kept = 0;
  looks("N-OBSERVER",
        rows_with(
            in, [&](std::size_t r) { return own(r) == 0 ? kept : kept = own(r); }, to_even));
  looks("N-AXIS", rows_with(
                      in, [&](std::size_t) { return max_abs(in.a); }, to_even));
  looks("N-AXIS",
        rows_with(
            in, [&](std::size_t r) { return own(r) == 0 ? max_abs(in.a) : own(r); }, to_even));
  Reals signless, halves, inverses, multiplied, without_last;
  for (std::size_t r = 0; r < right.scales.size(); ++r) {
    const auto row = row_of(in, r);
    without_last.push_back(scale_of(max_abs(row.first(row.size() - (row.size() > 1)))));
    signless.push_back(scale_of(std::max(*std::ranges::max_element(row), 0.0f)));
    halves.push_back(own(r) / 128);
    multiplied.push_back(own(r) == 0 ? 1 : std::max(own(r) * (1 / 127.0f), FLT_MIN));
    inverses.push_back(1 / right.scales[r]);
  }
  expect.suspect("N-SCALE", "scales", inverses);
  expect.suspect("N-FORMULA", "scales", multiplied);
  expect.suspect("N-TAIL", "scales", without_last);
  expect.suspect("N-RANGE", "scales", signless);
  expect.suspect("N-RANGE", "scales", halves);
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
  each_wrong_rounding([&](const char* code, const auto& round) {
    expect.suspect(code, "q", rows_with(in, own, round).q);
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
