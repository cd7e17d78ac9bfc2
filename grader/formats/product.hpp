// One product, y = x * w^T, of operands in one format; y is float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/operands.hpp"
#include "nibble/cpu.hpp"

namespace nibble::formats {

/// The widest instructions that kernels here are written for, and this CPU has.
Isa widest_isa();

/// What a product needs besides its operands. Kept from call to call: fresh memory costs page
/// faults.
struct Workspace {
  Lines x;                               ///< activations as float32: emulated formats
  Lines w;                               ///< part of a panel as float32: the same
  std::vector<std::int32_t> group_sums;  ///< of activations: integers
};

/// Writes y [rows, weights.n]. The activations are of the format that belongs to the weights.
void multiply(Isa isa, const Activations& x, const PackedWeights& weights, Workspace& workspace,
              std::span<float> y);

/// How a product in this format is computed here: "float32 FMA of AVX2, converted as it is loaded".
std::string arithmetic_of(NumberFormat format, Isa isa);

/// Codes are made something else before they are multiplied, because nothing multiplies them.
constexpr bool is_emulated(NumberFormat format) {
  return format != NumberFormat::kFp32 && format != NumberFormat::kInt8;
}

}  // namespace nibble::formats
