// Lab 19, dequantize: what is right, and what people write instead.
#pragma once

#include "cuda_quantize.hpp"

#include <string_view>

#include "checks/19_cuda_quantize/quantization.hpp"
#include "checks/19_cuda_quantize/right.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "nibble/half.hpp"

namespace nibble::judge::lab_19_cuda_quantize {

struct DequantizeCase {
  std::string name;
  std::size_t rows, cols;
  Codes q;
  Reals scales;
};

inline std::string show_size(const DequantizeCase& c) { return "rows x cols = " + c.name; }

inline std::string show(const DequantizeCase& c) {
  return show_size(c) + ", scales = " + show_values(c.scales) + ", q = " + show_values(c.q, 12);
}

inline DequantizeCase random_codes(std::size_t rows, std::size_t cols, std::uint64_t from) {
  return {std::to_string(rows) + "x" + std::to_string(cols), rows, cols,
          code_tensor<std::int8_t>(rows * cols, from, -128, 127),
          uniform_tensor(rows, from + 1, 0.001f, 0.1f)};
}

/// Fewer rows, or fewer columns: the upper left corner.
inline std::vector<DequantizeCase> smaller(const DequantizeCase& c) {
  std::vector<DequantizeCase> all;
  for (const auto& [m, n, k] : smaller_shapes({int(c.rows), int(c.cols), 1})) {
    all.push_back({std::to_string(m) + "x" + std::to_string(n), std::size_t(m), std::size_t(n),
                   corner(c.q, std::ptrdiff_t(c.cols), m, n),
                   Reals(c.scales.begin(), c.scales.begin() + m)});
  }
  return all;
}

/// x_hat[i,j] = term(i, j), row after row.
template <class Term>
Reals each_element(const DequantizeCase& c, const Term& term) {
  Reals x_hat;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) x_hat.push_back(term(i, j));
  }
  return x_hat;
}

inline Reals by_definition(const DequantizeCase& c) {
  return each_element(c, [&](auto i, auto j) { return c.scales[i] * float(c.q[i * c.cols + j]); });
}

inline void suspect_elements(const DequantizeCase& c, Expect& expect) {
  const auto as = [&](const char* code, std::string_view words, const auto& term) {
    expect.suspect(code, "x_hat", each_element(c, term), words);
  };
  const auto code = [&](auto i, auto j) { return float(c.q[i * c.cols + j]); };
  as("N-AXIS", "the scale is that of the column, and belongs to the row",
     [&](auto i, auto j) { return c.scales[j % c.rows] * code(i, j); });
  as("N-AXIS", "all rows have the scale of row 0",
     [&](auto i, auto j) { return c.scales[0] * code(i, j); });
  as("N-SCALE", "a code is divided by its scale",
     [&](auto i, auto j) { return code(i, j) / c.scales[i]; });
  as("N-SCALE", "the scale was rounded to a half first, and stays a float",
     [&](auto i, auto j) { return float_from_half(half_from_float(c.scales[i])) * code(i, j); });
  as("N-SIGN", "codes below 0 are read as 256 more", [&](auto i, auto j) {
    return c.scales[i] * float(static_cast<std::uint8_t>(c.q[i * c.cols + j]));
  });
  as("N-LAYOUT", "q is read by columns, and lies by rows",
     [&](auto i, auto j) { return c.scales[i] * float(c.q[j * c.rows + i]); });
  for (const std::size_t tile : {128, 256, 512, 1024}) {
    if (tile >= c.cols) break;
    as("N-TAIL", "the first columns of a row stand for the later ones: each has codes of its own",
       [&](auto i, auto j) { return c.scales[i] * code(i, j % tile); });
  }
  if (c.rows > c.cols) return;  // no such rows
  as("N-LAYOUT",
     "rows of q are cols codes long, and are read as if they had as many as there are rows",
     [&](auto i, auto j) { return c.scales[i] * float(c.q[i * c.rows + j]); });
}

inline auto arguments(const DequantizeCase& c) {
  return std::tuple(c.q, c.scales, out(c.q.size()), std::int64_t(c.cols));
}

inline const auto dequantizing = kernel_exercise<&dequantize>(
    arguments, [](const DequantizeCase& c) { return by_definition(c); },
    [](Expect& expect, const DequantizeCase& c, const Reals& got, const Reals& right) {
      if (got == right) return;
      expect_written<&dequantize>(expect, "x_hat", got, right, arguments(c));
      suspect_elements(c, expect);
      expect.equal("x_hat", got, right, {c.rows, c.cols});
    });

struct Size {
  std::size_t rows, cols;
};

inline std::vector<DequantizeCase> shaped(const std::vector<Size>& sizes,
                                          std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<DequantizeCase> cases;
  for (const auto& [rows, cols] : sizes) {
    cases.push_back(random_codes(rows, cols, seeds(rows * 10'000 + cols)));
  }
  return cases;
}

}  // namespace nibble::judge::lab_19_cuda_quantize
