// Lab 06: what more than one of its exercises needs.
#pragma once

#include "quantized_matmul.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {

/// QuantizedOperands that own what they hold.
struct Operands {
  Codes a;
  std::int32_t za;
  float a_scale;
  Codes b;
  std::int32_t zb;
  Reals b_scales;
  operator QuantizedOperands() const { return {a, za, a_scale, b, zb, b_scales}; }
};
template <>
struct Owned<QuantizedOperands> {
  using Type = Operands;
};

/// A LinearLayer that owns what it holds.
struct OwnedLayer {
  float x_scale;
  std::int32_t zx;
  Codes w;
  Reals w_scales, bias;
  float y_scale;
  std::int32_t zy;
  operator LinearLayer() const { return {x_scale, zx, w, w_scales, bias, y_scale, zy}; }
};
template <>
struct Owned<LinearLayer> {
  using Type = OwnedLayer;
};

}  // namespace nibble::judge

namespace nibble::judge::lab_06_quantized_matmul {

inline constexpr std::int32_t kTop = 2147483647, kBottom = -kTop - 1;

using I = std::size_t;

using Shapes = std::vector<MatmulShape>;

inline Shape rows_and_columns(MatmulShape s) { return {I(s.m), I(s.n)}; }

/// The element at an index, or 0 outside: of an empty bias, or where a mistake would look.
template <class T>
T or_zero(const std::vector<T>& list, I i) {
  return i < list.size() ? list[i] : T{0};
}

}  // namespace nibble::judge::lab_06_quantized_matmul
