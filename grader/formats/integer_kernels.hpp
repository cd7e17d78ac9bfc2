// Products of integers: int8 codes times int8 codes, and int4 codes times int8 codes, summed in
// int32. No instruction multiplies 4-bit codes: they are spread to bytes as they are loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nibble/cpu.hpp"

namespace nibble::formats {

/// Some rows of activations, and one panel of weights.
struct IntegerTile {
  const std::uint8_t* codes;          ///< the panel
  const std::uint16_t* group_scales;  ///< [k / kGroup][kPanel], halves: int4
  const float* scales;                ///< [kPanel]: int8
  const std::int8_t* x;               ///< [rows, k]
  const std::int32_t* group_sums;     ///< [rows, k / kGroup], of x
  const float* x_scales;              ///< [rows]
  std::size_t k;
  float* y;            ///< [rows], `stride` apart; is written
  std::size_t stride;  ///< of y, in elements
};
using MultiplyIntegers = void (*)(const IntegerTile& tile);

/// For 1, 2, … rows at once.
struct IntegerKernels {
  std::span<const MultiplyIntegers> int8, int4;
};

/// What is made of the instructions of `isa`; of a lesser set, where there is nothing better.
IntegerKernels integer_kernels(Isa isa);

}  // namespace nibble::formats
