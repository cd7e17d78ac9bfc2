// Lab 14: b, as an exercise wants it.
#pragma once

#include "cpu_int8_gemm.hpp"

#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

using Packed = std::vector<std::int16_t>;

/// Where the contract says that b_t[j,p] lies in a packed b.
inline std::size_t packed_place(MatmulShape shape, std::size_t j, std::size_t p) {
  const std::size_t columns = round_up(shape.n, 4), steps = round_up(shape.k, 32);
  const std::size_t begin = p / 256 * 256, depth = std::min<std::size_t>(256, steps - begin);
  return begin * columns + j * depth + (p - begin);
}

inline Packed pack_by_definition(const Codes& b_t, MatmulShape shape) {
  Packed packed(packed_size(shape));
  for (std::size_t at = 0; at < b_t.size(); ++at) {
    packed[packed_place(shape, at / shape.k, at % shape.k)] = b_t[at];
  }
  return packed;
}

inline Codes transposed(const Codes& b_t, MatmulShape shape) {
  Codes b(b_t.size());
  for (std::size_t at = 0; at < b.size(); ++at) b[at % shape.k * shape.n + at / shape.k] = b_t[at];
  return b;
}

enum class Storage { kRows, kTransposed, kPacked };
template <auto F>
inline constexpr Storage kStorage = Storage::kTransposed;
template <>
inline constexpr Storage kStorage<&multiply_naive> = Storage::kRows;
template <>
inline constexpr Storage kStorage<&multiply_rows> = Storage::kRows;
template <>
inline constexpr Storage kStorage<&multiply_packed> = Storage::kPacked;
template <>
inline constexpr Storage kStorage<&multiply_zero_points> = Storage::kPacked;

/// b, stored as F takes it.
template <auto F>
auto stored(const Codes& b_t, MatmulShape shape) {
  if constexpr (kStorage<F> == Storage::kRows) {
    return transposed(b_t, shape);
  } else if constexpr (kStorage<F> == Storage::kPacked) {
    return pack_by_definition(b_t, shape);
  } else {
    return b_t;
  }
}

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
