// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 11. Written to be read: two formats, and one way to convert to both.
// NIBBLE-STUB: // Lab 11. The contract is in fp8.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 11        (or leave ./nibble watch open)
// NIBBLE-END
#include "fp8.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// Codes here are those of positive numbers.
struct Format {
  int fraction_bits, bias;
  int largest;   ///< the code of the largest number: codes count in the order of what they mean
  int overflow;  ///< what kNonFinite wants: infinity, or NaN where there is none
  int nan;
};
constexpr Format kE4m3{3, 7, 0x7E, 0x7F, 0x7F}, kE5m2{2, 15, 0x7B, 0x7C, 0x7E};

/// Divides by 2^count, 1 to 31, and rounds to the nearest, ties to even: up where what is cut off
/// is more than half of the last bit kept, or half of it and that bit is 1.
std::uint32_t shift_to_even(std::uint32_t bits, int count) {
  const std::uint32_t odd = bits >> count & 1u;
  return (bits + (1u << (count - 1)) - 1u + odd) >> count;
}

std::uint8_t encode(float x, const Format& f, Overflow overflow) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7FFF'FFFFu;  // ordered as |x| is, since x is a float
  const int exponent = static_cast<int>(magnitude >> 23);
  const int rebias = 127 - f.bias;
  int code = 0;
  if (exponent > rebias) {
    // A carry out of the fraction goes where it belongs: into the exponent.
    const std::uint32_t rebiased = magnitude - (static_cast<std::uint32_t>(rebias) << 23);
    code = static_cast<int>(shift_to_even(rebiased, 23 - f.fraction_bits));
  } else {
    // Subnormal: a count of the smallest number there is. Behind a shift by 25 nothing is left.
    const std::uint32_t significand = (magnitude & 0x007F'FFFFu) | 0x0080'0000u;
    const int count = 24 - f.fraction_bits + rebias - exponent;
    code = static_cast<int>(shift_to_even(significand, std::min(count, 25)));
  }
  // Rounded first: what is too large to begin with may round to the largest. Infinity, read as a
  // number, is larger than all of them.
  if (code > f.largest) code = overflow == Overflow::kSaturate ? f.largest : f.overflow;
  if (std::isnan(x)) code = f.nan;
  return static_cast<std::uint8_t>(std::signbit(x) ? code | 0x80 : code);
}

float decode(std::uint8_t code, const Format& f) {
  const int magnitude = code & 0x7F;
  const int exponent = magnitude >> f.fraction_bits;
  const int hidden = exponent == 0 ? 0 : 1 << f.fraction_bits;
  const int fraction = magnitude & ((1 << f.fraction_bits) - 1);
  float x = std::ldexp(static_cast<float>(hidden + fraction),
                       std::max(exponent, 1) - f.bias - f.fraction_bits);
  if (magnitude > f.largest) {
    const bool infinite = magnitude == f.overflow && f.overflow != f.nan;
    x = infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return std::copysign(x, code < 0x80 ? 1.0f : -1.0f);
}

const Format& format_of(Fp8Format format) { return format == Fp8Format::kE4m3 ? kE4m3 : kE5m2; }

float max_abs(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

}  // namespace
// NIBBLE-END

std::uint8_t encode_e4m3(float x, Overflow overflow) {
  // NIBBLE-BEGIN-SOLUTION
  return encode(x, kE4m3, overflow);
  // NIBBLE-STUB: // 1. The bits of x: sign, exponent, fraction.  2. Normal numbers, subnormal ones.
  // NIBBLE-STUB: // 3. What is too large: before rounding, or behind it?  4. NaN.
  // NIBBLE-STUB: NIBBLE_TODO("find the E4M3 nearest to x");
  // NIBBLE-END
}

float decode_e4m3(std::uint8_t code) {
  // NIBBLE-BEGIN-SOLUTION
  return decode(code, kE4m3);
  // NIBBLE-STUB: // The same parts, the other way. Which two codes are no numbers?
  // NIBBLE-STUB: NIBBLE_TODO("say what an E4M3 stands for");
  // NIBBLE-END
}

std::uint8_t encode_e5m2(float x, Overflow overflow) {
  // NIBBLE-BEGIN-SOLUTION
  return encode(x, kE5m2, overflow);
  // NIBBLE-STUB: // What is different from E4M3, in numbers? Is one function enough for both?
  // NIBBLE-STUB: NIBBLE_TODO("find the E5M2 nearest to x");
  // NIBBLE-END
}

float decode_e5m2(std::uint8_t code) {
  // NIBBLE-BEGIN-SOLUTION
  return decode(code, kE5m2);
  // NIBBLE-STUB: // Which codes are no numbers here, and which of them is infinite?
  // NIBBLE-STUB: NIBBLE_TODO("say what an E5M2 stands for");
  // NIBBLE-END
}

Fp8Tensor quantize_fp8(std::span<const float> x, Fp8Format format) {
  // NIBBLE-BEGIN-SOLUTION
  expects_finite(x);
  const Format& f = format_of(format);
  const float largest = decode(static_cast<std::uint8_t>(f.largest), f);
  const float amax = max_abs(x);

  Fp8Tensor tensor;
  tensor.scale = amax == 0.0f ? 1.0f : std::max(amax / largest, FLT_MIN);
  for (const float value : x) {
    // Rounding the scale may have left a little more than `largest` here: no harm to who saturates.
    tensor.codes.push_back(encode(value / tensor.scale, f, Overflow::kSaturate));
  }
  return tensor;
  // NIBBLE-STUB: // 1. Refuse.  2. The scale: of zeros, of tiny values, of all others.
  // NIBBLE-STUB: // 3. Codes, with the scale that is returned.
  // NIBBLE-STUB: NIBBLE_TODO("quantize with one scale");
  // NIBBLE-END
}

MxTensor quantize_mx(std::span<const float> x, Fp8Format format) {
  // NIBBLE-BEGIN-SOLUTION
  expects_finite(x);
  const Format& f = format_of(format);
  const int top = (f.largest >> f.fraction_bits) - f.bias;

  MxTensor tensor;
  while (!x.empty()) {
    const std::span<const float> v = x.first(std::min(x.size(), kMxBlock));
    x = x.subspan(v.size());
    // The exponent is in the bits: a logarithm would round 2^k, less one ulp, to k. Where it is 0,
    // of zeros and subnormal floats, the scale is 0 whatever the exponent.
    const int exponent = static_cast<int>(std::bit_cast<std::uint32_t>(max_abs(v)) >> 23);
    const int scale = std::max(exponent - top, 0);
    tensor.scales.push_back(static_cast<std::uint8_t>(scale));
    for (const float value : v) {
      tensor.codes.push_back(encode(std::ldexp(value, 127 - scale), f, Overflow::kSaturate));
    }
  }
  return tensor;
  // NIBBLE-STUB: // 1. Refuse.  2. Block by block: where in a float is its e?  3. Codes, with the
  // NIBBLE-STUB: //    power of two that the scale stands for. How long is the last block?
  // NIBBLE-STUB: NIBBLE_TODO("quantize in blocks that share a power of two");
  // NIBBLE-END
}

}  // namespace nibble
