// Lab 13: words and bits.
#pragma once

#include "binary.hpp"

#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Trits = std::vector<std::int8_t>;

/// Shrinking tries sizes that do not belong together, too: those are no inputs.
inline void belong_together(bool they_do) {
  if (!they_do) throw std::invalid_argument("sizes");
}

inline std::string name_of(int rows, int cols) {
  return std::to_string(rows) + "x" + std::to_string(cols);
}

/// A matrix [rows,cols] and its sizes, as three of the functions take it.
using Matrix = Exercise<&pack_signs>::Arguments;

/// A bit a column where is_minus(x), and `tail` up to the end of each row's last word.
template <class IsMinus>
Bits bits_where(const Matrix& in, const IsMinus& is_minus, int tail = 0) {
  const auto& [x, rows, cols] = in;
  belong_together(x.size() == std::size_t(rows) * std::size_t(cols));
  Bits bits;
  for (std::size_t row = 0; row < x.size(); row += std::size_t(cols)) {
    for (int c = 0; c < cols; ++c) bits.push_back(is_minus(x[row + std::size_t(c)]) ? 1 : 0);
    while (bits.size() % 32 > 0) bits.push_back(tail);
  }
  return bits;
}

inline bool is_below_zero(float x) { return x < 0.0f; }

/// Row r of x [rows,cols].
inline std::span<const float> row_of(const Reals& x, int row, int cols) {
  return std::span(x).subspan(std::size_t(row) * std::size_t(cols), std::size_t(cols));
}

/// Steps of 1/64 up to 8, a zero among 1024.
inline Reals random_floats(int rows, int cols, std::uint64_t its_seed) {
  Reals x;
  for (const int code : code_tensor<int>(std::size_t(rows) * cols, its_seed, -512, 511)) {
    x.push_back(float(code) / 64.0f);
  }
  return x;
}

}  // namespace nibble::judge::lab_13_binary
