#include "formats/codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "nibble/float_format.hpp"
#include "nibble/half.hpp"

namespace nibble::formats {
namespace {

std::uint32_t integer_code(float x, float largest, std::uint32_t mask) {
  const auto q = static_cast<std::int32_t>(std::clamp(std::nearbyint(x), -largest, largest));
  return static_cast<std::uint32_t>(q) & mask;
}

/// What a scale takes the largest magnitude to; 0: the format has no scale.
float largest_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFp8:
      return 448;
    case NumberFormat::kInt8:
      return 127;
    case NumberFormat::kInt4:
      return 7;
    default:
      return 0;
  }
}

}  // namespace

std::uint32_t code_of(NumberFormat format, float x) {
  switch (format) {
    case NumberFormat::kFp32:
      return std::bit_cast<std::uint32_t>(x);
    case NumberFormat::kFp16:
      return simt::encode<simt::HalfFormat>(x);
    case NumberFormat::kBf16:
      return simt::encode<simt::Bfloat16Format>(x);
    case NumberFormat::kFp8:
      return simt::encode<simt::E4m3Format>(x, simt::Rounding::kNearestEven,
                                            simt::Overflow::kSaturate);
    case NumberFormat::kInt8:
      return integer_code(x, 127, 0xFF);
    case NumberFormat::kInt4:
      return integer_code(x, 7, 0xF);
  }
  return 0;
}

float value_of(NumberFormat format, std::uint32_t code) {
  switch (format) {
    case NumberFormat::kFp32:
      return std::bit_cast<float>(code);
    case NumberFormat::kFp16:
      return simt::decode<simt::HalfFormat>(code);
    case NumberFormat::kBf16:
      return simt::decode<simt::Bfloat16Format>(code);
    case NumberFormat::kFp8:
      return simt::decode<simt::E4m3Format>(code);
    case NumberFormat::kInt8:
      return static_cast<float>(static_cast<std::int8_t>(code));
    case NumberFormat::kInt4:
      return static_cast<float>(static_cast<std::int32_t>(code ^ 8) - 8);
  }
  return 0;
}

float scale_for(NumberFormat format, std::span<const float> x) {
  float largest = 0;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  const float codes = largest_of(format);
  if (codes == 0 || largest == 0) return 1;
  const float scale = largest / codes;
  if (format != NumberFormat::kInt4) return std::max(scale, 0x1p-126f);
  return std::max(float_from_half(half_from_float(scale)), 0x1p-24f);
}

}  // namespace nibble::formats
