// What a contender is given, and what it can be asked to compute.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "nibble/matmul_shape.hpp"

namespace nibble::peers {

/// Each call computes all of it anew.
enum class Operation : std::int32_t {
  kMultiply,      ///< int32 sums; b was packed beforehand
  kFused,         ///< max(0, float(sum) * scale[j] + bias[j]); b was packed beforehand
  kPackMultiply,  ///< packs b, then multiplies: what weights cost that are used once
  kQuantize,      ///< float32 to int8, one scale
  kDequantize,    ///< int8 to float32, one scale
  kGemvInt8,      ///< one row times int8 weights, cold: other memory was read in between
  kGemvInt4,      ///< one row times int4 weights, cold
};

constexpr std::string_view name_of(Operation work) {
  constexpr std::array<std::string_view, 7> names = {
      "multiply", "fused", "pack and multiply", "quantize", "dequantize", "int8 gemv", "int4 gemv"};
  return names.at(static_cast<std::size_t>(work));
}

/// True for a kind whose weights are to come from memory, not from a cache.
constexpr bool is_cold(Operation work) {
  return work == Operation::kGemvInt8 || work == Operation::kGemvInt4;
}

/// Numbers in memory that the benchmark and every contender's process see. What a kind of work does
/// not need is null.
struct Problem {
  MatmulShape shape{};  ///< [m,k] x [k,n] -> [m,n]
  std::int32_t threads = 1;
  const std::int8_t* a = nullptr;    ///< [m,k] row-major, every int8 value
  const std::int8_t* b_t = nullptr;  ///< [n,k] row-major: b stored transposed
  const float* scale = nullptr;      ///< [n]
  const float* bias = nullptr;       ///< [n]
  std::int64_t count = 0;            ///< of x and q
  const float* x = nullptr;          ///< [count], to be quantized with x_scale
  const std::int8_t* q = nullptr;    ///< [count], to be dequantized with x_scale
  float x_scale = 0;
};

/// Bytes of the weights [n,k] of a row's product: int8,
/// or int4 with a float32 scale for 128 of them.
inline constexpr int kInt4Group = 128;
constexpr std::int64_t weight_bytes(const MatmulShape& shape, Operation work) {
  const std::int64_t codes = std::int64_t{shape.n} * shape.k;
  return work == Operation::kGemvInt4 ? codes / 2 + codes / kInt4Group * 4 : codes;
}

}  // namespace nibble::peers
