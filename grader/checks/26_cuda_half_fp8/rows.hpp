// Lab 26: rows that change their format.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cmath>
#include <string>

#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

using simt::Bfloat16Format;
using simt::E4m3Format;
using simt::HalfFormat;
using simt::Overflow;
using simt::Rounding;

struct RowsCase {
  std::string name;
  int rows = 1, k = 0;
  Reals x;                  ///< [rows,k]; for dequantize_to_half codes
  Reals scales{};           ///< [rows], for dequantize_to_half
  float limit = kInfinity;  ///< for quantize_fp8
  int group_size = 32;      ///< for quantize_int4
  int step = 4;             ///< k is a multiple of it, and stays one

  float at(std::ptrdiff_t i, std::ptrdiff_t p) const { return x[i * k + p]; }
};

inline std::string rows_text(int rows, int k) {
  return std::to_string(rows) + "x" + std::to_string(k);
}
inline std::string show_size(const RowsCase& c) { return "rows x k = " + rows_text(c.rows, c.k); }

inline std::string show(const RowsCase& c) {
  std::string text = show_size(c);
  if (!c.scales.empty())
    return text + ", scales = " + show_values(c.scales) + ", q = " + show_values(c.x);
  if (c.step > 8) text += ", group_size " + std::to_string(c.group_size);
  if (!std::isinf(c.limit)) text += ", limit = " + show_value(c.limit);
  return text + ", x = " + show_values(c.x);
}

inline std::vector<RowsCase> smaller(const RowsCase& c) {
  std::vector<RowsCase> all;
  for (const auto& [rows, one, k] : smaller_shapes({c.rows, 1, c.k}, c.step)) {
    RowsCase to = c;
    to.rows = rows;
    to.k = k;
    to.name = rows_text(rows, k);
    to.x = corner(c.x, c.k, rows, k);
    if (!c.scales.empty()) to.scales.resize(std::size_t(rows));
    all.push_back(std::move(to));
  }
  return all;
}

/// value(row, p) for each place of a matrix.
template <class T, class Value>
std::vector<T> matrix(int rows, int columns, const Value& value) {
  std::vector<T> all;
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < columns; ++j) all.push_back(static_cast<T>(value(i, j)));
  }
  return all;
}

inline Shape shape_of(const RowsCase& c) { return {std::size_t(c.rows), std::size_t(c.k)}; }

using Halves = std::vector<std::uint16_t>;

}  // namespace nibble::judge::lab_26_cuda_half_fp8
