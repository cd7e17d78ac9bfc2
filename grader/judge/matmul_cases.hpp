// What checks of matrix products share: how a size is written, parts of a matrix, smaller sizes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "nibble/matmul_shape.hpp"

namespace nibble::judge {

/// "2x3x4".
inline std::string size_text(MatmulShape s) {
  return std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k);
}

/// The first `columns` elements of the first `rows` rows of x,
/// whose rows are `pitch` elements apart.
template <class T>
std::vector<T> corner(const std::vector<T>& x, std::ptrdiff_t pitch, std::ptrdiff_t rows,
                      std::ptrdiff_t columns) {
  std::vector<T> part;
  for (std::ptrdiff_t row = 0; row < rows; ++row) {
    const auto begin = x.begin() + row * pitch;
    part.insert(part.end(), begin, begin + columns);
  }
  return part;
}

/// Half of a size, and one less of it. None is empty, and k is a multiple of `step`.
inline std::vector<MatmulShape> smaller_shapes(MatmulShape s, int step = 1) {
  const auto [m, n, k] = s;
  const std::array<MatmulShape, 6> fewer{{{m, n, k / 2 / step * step},
                                          {m / 2, n, k},
                                          {m, n / 2, k},
                                          {m, n, k - step},
                                          {m - 1, n, k},
                                          {m, n - 1, k}}};
  std::vector<MatmulShape> all;
  std::ranges::copy_if(fewer, std::back_inserter(all),
                       [](MatmulShape one) { return one.m >= 1 && one.n >= 1 && one.k >= 1; });
  return all;
}

}  // namespace nibble::judge
