// A matrix of floats as a case of a check, where something is asked of each of its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/expect.hpp"
#include "judge/lists.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/show.hpp"

namespace nibble::judge {

struct Rows {
  std::string name;
  int cols;
  Reals x;  ///< [rows,cols]

  std::size_t rows() const { return x.size() / cols; }
  std::span<const float> row(std::size_t r) const { return std::span(x).subspan(r * cols, cols); }
  Shape shape() const { return {rows(), std::size_t(cols)}; }
};

inline std::string size_text(std::size_t rows, int cols) {
  return std::to_string(rows) + "x" + std::to_string(cols);
}
inline std::string show_size(const Rows& c) {
  return "rows x cols = " + size_text(c.rows(), c.cols);
}
inline std::string show(const Rows& c) { return show_size(c) + ", x = " + show_values(c.x); }

/// Either half of the rows, half of the columns, one less of both.
inline std::vector<Rows> smaller(const Rows& c) {
  std::vector<Rows> all;
  const auto add = [&](std::size_t first, std::size_t rows, int cols) {
    if (rows < 1 || cols < 1 || (rows == c.rows() && cols == c.cols)) return;
    const Reals from(c.x.begin() + std::ptrdiff_t(first) * c.cols, c.x.end());
    all.push_back({size_text(rows, cols), cols, corner(from, c.cols, std::ptrdiff_t(rows), cols)});
  };
  const std::size_t half = c.rows() / 2;
  add(0, half, c.cols);
  add(half, c.rows() - half, c.cols);
  add(0, c.rows(), c.cols / 2);
  add(0, c.rows() - 1, c.cols);
  add(0, c.rows(), c.cols - 1);
  return all;
}

/// Every got[i] is want[i], and NaN where that is.
inline void expect_same(Expect& expect, std::string_view what, const Reals& got,
                        const Reals& want) {
  expect.every(what, got, want, [&](std::size_t i) {
    return std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i];
  });
}

}  // namespace nibble::judge
