// Products of floats: codes are made float32 as they are loaded, and multiplied as float32. No
// instruction used here multiplies halves or bytes of float: but for fp32 the format is emulated.
#pragma once

#include <cstddef>
#include <span>

#include "formats/number_format.hpp"
#include "nibble/cpu.hpp"

namespace nibble::formats {

/// Makes `count` codes float32; a multiple of 32. fp8: without its factor, see kFp8Factor.
using Widen = void (*)(const std::byte* codes, float* x, std::size_t count);

/// E4M3 differs from the upper byte of a half by the bias, 15 for 7: read as a half it is 2^8 too
/// small, NaN apart, which no quantized tensor holds.
inline constexpr float kFp8Factor = 256;

/// y[r][c] += sum over p of x[r][p] * w[p][c], for some rows r and kPanel outputs c.
struct FloatTile {
  const float* x;      ///< [rows, depth]
  const std::byte* w;  ///< codes, [depth, kPanel]
  std::size_t depth;   ///< a multiple of 32
  float* y;            ///< [rows], `stride` apart
  std::size_t stride;  ///< of y, in elements
};
using MultiplyFloats = void (*)(const FloatTile& tile);

struct FloatKernels {
  Widen widen;
  std::span<const MultiplyFloats> multiply;  ///< for 1, 2, … rows at once
};

/// What is made of the instructions of `isa`; of a lesser set, where there is nothing better.
FloatKernels float_kernels(Isa isa, NumberFormat format);

}  // namespace nibble::formats
