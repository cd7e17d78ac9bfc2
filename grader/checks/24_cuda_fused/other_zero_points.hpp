// Lab 24: what is answered where zero points are taken off in another way.
#pragma once

#include "cuda_fused.hpp"

#include <string_view>

#include "checks/24_cuda_fused/layer.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_24_cuda_fused {

/// Zero points that are forgotten, exchanged, taken from elsewhere or counted too often.
inline void suspect_zero_points(const Layer& c, Expect& expect) {
  const std::int64_t za = c.zero_point, k = c.shape.k;
  const auto rule = [&](const char* code, std::string_view words, const auto& sum) {
    expect.suspect(code, "c",
                   from_terms(c,
                              [&](const Terms& t, int i, int j) {
                                return sum(t, std::int64_t{c.b_zero_points[std::size_t(j)]}, i);
                              }),
                   words);
  };
  const auto right = [](const Terms& t, std::int64_t a, std::int64_t b, std::int64_t count) {
    return t.dot - a * t.column - b * t.row + count * a * b;
  };
  constexpr const char* kOfA = "a_zero_point is not taken off";
  constexpr const char* kOfB = "the zero points of b are not taken off";
  constexpr const char* kColumn = "a_zero_point * column(j) is not taken off";
  constexpr const char* kRow = "b_zero_points[j] * row(i) is not taken off";
  constexpr const char* kBoth = "k * a_zero_point * b_zero_points[j] is missing, or not times k";
  constexpr const char* kAdded = "a zero point is added that has to be taken off";
  rule("N-ZERO", "no zero point is taken off", [&](const Terms& t, auto, int) { return t.dot; });
  rule("N-ZERO", kOfA, [&](const Terms& t, auto zb, int) { return right(t, 0, zb, k); });
  rule("N-ZERO", kOfB, [&](const Terms& t, auto, int) { return right(t, za, 0, k); });
  rule("N-ZERO", kBoth, [&](const Terms& t, auto zb, int) { return right(t, za, zb, 0); });
  rule("N-ZERO", kBoth, [&](const Terms& t, auto zb, int) { return right(t, za, zb, 1); });
  rule("N-ZERO", kColumn,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + za * t.column; });
  rule("N-ZERO", kRow,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + zb * t.row; });
  rule("N-ZERO", "row and column are exchanged: a_zero_point belongs to column(j)",
       [&](const Terms& t, auto zb, int) {
         return t.dot - za * t.row - zb * t.column + k * za * zb;
       });
  rule("N-ZERO", "row(i) is taken for column(j)",
       [&](const Terms& t, auto zb, int) { return t.dot - za * t.row - zb * t.row + k * za * zb; });
  rule("N-ZERO", "column(j) is taken for row(i)", [&](const Terms& t, auto zb, int) {
    return t.dot - za * t.column - zb * t.column + k * za * zb;
  });
  rule("N-ZP-SIGN", kAdded, [&](const Terms& t, auto zb, int) { return right(t, -za, -zb, k); });
  rule("N-ZP-SIGN", kAdded,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + 2 * za * t.column; });
  rule("N-ZP-SIGN", kAdded,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + 2 * zb * t.row; });
  rule("N-ZP-SIGN", "k * a_zero_point * b_zero_points[j] is added, and here it is taken off",
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, -k); });
  rule("N-OVERFLOW", "the sum of a row's codes is kept in 16 bits",
       [&](const Terms& t, auto zb, int) {
         return right(t, za, zb, k) + zb * (t.row - static_cast<std::int16_t>(t.row));
       });
  rule("N-OVERFLOW", "the sum of a column's codes is kept in 16 bits",
       [&](const Terms& t, auto zb, int) {
         return right(t, za, zb, k) + za * (t.column - static_cast<std::int16_t>(t.column));
       });
  constexpr const char* kFloats = "the terms are added as floats: they are integers, and exact";
  const auto without_columns = [za](const Terms& t) {
    return static_cast<float>(t.dot) - static_cast<float>(za * t.column);
  };
  rule("N-OVERFLOW", kFloats, [&](const Terms& t, auto zb, int) {
    return without_columns(t) - static_cast<float>(zb * t.row) + static_cast<float>(k * za * zb);
  });
  rule("N-OVERFLOW", kFloats, [&](const Terms& t, auto zb, int) {
    return without_columns(t) - static_cast<float>(zb * (t.row - k * za));
  });
  for (const std::int64_t step : {32, 64, 128}) {
    rule("N-TAIL", "the last term counts whole tiles, and has to count k",
         [&](const Terms& t, auto zb, int) {
           return right(t, za, zb, (k + step - 1) / step * step);
         });
    // Each pair of zero points behind k is added once, and taken off twice.
    rule("N-TAIL", "tiles are filled with zero points behind k: it is a 0 there that adds nothing",
         [&](const Terms& t, auto zb, int) {
           return right(t, za, zb, 2 * k - (k + step - 1) / step * step);
         });
  }
  rule("N-AXIS", "the zero point of column 0 is taken for all columns",
       [&](const Terms& t, auto, int) { return right(t, za, c.b_zero_points.front(), k); });
  rule("N-AXIS", "the zero point of b is that of the row, and belongs to the column",
       [&](const Terms& t, auto, int i) {
         return right(t, za, c.b_zero_points[std::size_t(i % c.shape.n)], k);
       });
  if (std::int64_t{c.shape.m} * c.shape.n * k <= 100'000) {
    each_wrong_step(std::size_t(k),
                    [&](const char* code, std::string_view words, const auto& times) {
                      const auto sum = [&](const Terms& t, int, int j) {
                        return right(t, za, c.b_zero_points[std::size_t(j)], k);
                      };
                      expect.suspect(code, "c", from_terms(c, sum, times), words);
                    });
  }
  Layer scaled = c;
  scaled.scales = Reals(c.scales.size(), c.scales.front());
  expect.suspect("N-AXIS", "c", asymmetric_of(scaled),
                 "the scale is that of column 0, for all columns");
  scaled.scales = Reals(c.scales.size(), 1);
  expect.suspect("N-SCALE", "c", asymmetric_of(scaled), "the sum is not scaled by b_scales[j]");
}

}  // namespace nibble::judge::lab_24_cuda_fused
