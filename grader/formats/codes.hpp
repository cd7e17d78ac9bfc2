// One number in one format: its code, and what the code stands for. Ties go to the even neighbour.
#pragma once

#include <cstdint>
#include <span>

#include "formats/number_format.hpp"

namespace nibble::formats {

/// The code of x, which is divided by its scale already. Negative integers in two's complement, of
/// 8 bits or of 4. Too large a number becomes the largest, but for fp16 and bf16, where it is Inf.
std::uint32_t code_of(NumberFormat format, float x);

/// The value of a code, without its scale.
float value_of(NumberFormat format, std::uint32_t code);

/// The scale that takes the largest magnitude of x to the largest code; 1 where x is all zeros, or
/// where the format has none. int4: a half.
float scale_for(NumberFormat format, std::span<const float> x);

}  // namespace nibble::formats
