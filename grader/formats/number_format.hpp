// The number formats that one product is timed in, and what is stored in each.
//
//     weights [n, k]                                activations [batch, k]
//     fp32, fp16, bf16   as they are                the same
//     fp8                E4M3, a scale per output   E4M3, a scale per row
//     int8               -127 .. 127, the same      -127 .. 127, a scale per row
//     int4               -7 .. 7, a scale in half   int8: nobody multiplies by 4-bit activations here
//                        for 32 along k
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace nibble::formats {

enum class NumberFormat { kFp32, kFp16, kBf16, kFp8, kInt8, kInt4 };

inline constexpr std::array kEveryNumberFormat = {NumberFormat::kFp32, NumberFormat::kFp16,
                                                  NumberFormat::kBf16, NumberFormat::kFp8,
                                                  NumberFormat::kInt8, NumberFormat::kInt4};

/// int4: so many codes along k have a scale.
inline constexpr std::size_t kGroup = 32;

constexpr std::string_view name_of(NumberFormat format) {
  constexpr std::array<std::string_view, 6> names = {"fp32", "fp16", "bf16", "fp8", "int8", "int4"};
  return names.at(static_cast<std::size_t>(format));
}

constexpr bool is_float(NumberFormat format) { return format <= NumberFormat::kFp8; }

/// A scale for each output of the weights, and for each row of the activations.
constexpr bool has_row_scales(NumberFormat format) {
  return format == NumberFormat::kFp8 || format == NumberFormat::kInt8;
}

/// Of one weight, without scales.
constexpr std::size_t bits_of(NumberFormat format) {
  constexpr std::array<std::size_t, 6> bits = {32, 16, 16, 8, 8, 4};
  return bits.at(static_cast<std::size_t>(format));
}

/// What activations are stored in beside such weights.
constexpr NumberFormat activation_format(NumberFormat weights) {
  return weights == NumberFormat::kInt4 ? NumberFormat::kInt8 : weights;
}

}  // namespace nibble::formats
