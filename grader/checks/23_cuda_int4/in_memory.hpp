// Lab 23: as it lies in memory.
#pragma once

#include "cuda_int4.hpp"

#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/half.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

inline Bytes packed(const Int4Case& c) {
  const auto [n, k, pitch, group_size] = c.shape;
  Bytes bytes(std::size_t(n) * pitch);
  if (c.padding != 0) bytes = code_tensor<std::uint8_t>(bytes.size(), c.padding, 0, 255);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::ptrdiff_t p = 0; p < k; ++p) {
      std::uint8_t& byte = bytes[i * pitch + p / 2];
      const int nibble = c.w[i * k + p] & 0xf;
      byte = std::uint8_t(p % 2 == 0 ? (byte & 0xf0) | nibble : (byte & 0x0f) | nibble << 4);
    }
  }
  return bytes;
}

inline Codes padded_a(const Int4Case& c) {
  const std::ptrdiff_t k = c.shape.k, width = std::ptrdiff_t{2} * c.shape.pitch;
  Codes codes(std::size_t(c.m * width));
  if (c.padding != 0) codes = code_tensor<std::int8_t>(codes.size(), c.padding + 1, -128, 127);
  for (std::ptrdiff_t i = 0; i < c.m; ++i) {
    std::copy_n(c.a.begin() + i * k, k, codes.begin() + i * width);
  }
  return codes;
}

inline std::vector<std::uint16_t> padded_x(const Int4Case& c) {
  constexpr std::uint16_t kNan = 0x7e00;
  std::vector<std::uint16_t> bits(2 * std::size_t(c.shape.pitch), c.padding != 0 ? kNan : 0);
  std::transform(c.x.begin(), c.x.end(), bits.begin(), half_from_float);
  return bits;
}

/// [rows,columns] as [columns,rows].
inline Reals turned(const Reals& x, int rows, int columns) {
  Reals all;
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) all.push_back(x[std::size_t(row) * columns + column]);
  }
  return all;
}

}  // namespace nibble::judge::lab_23_cuda_int4
