// How tensor cores add up 16 products of 16-bit floats and c. PTX promises "at least single
// precision" and leaves order and rounding open. This is what an H100 does, bit by bit: all addends
// at once, each as far as 25 bits behind the place of the largest.
//
//     largest    1 . x x x x … x x x             place: the sum of its factors' exponents, though
//     another    0 . 0 0 1 x … x x x|x x         the product may be 2 or more times that
//                                   25 bits; what lies below is cut off, of c too
//
// Of halves and of bfloat16, by mma.sync and by WMMA, every sum that was drawn was so
// (docs/benchmarks/gpu.md).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace nibble::simt {

/// A product, exact, and where it is taken to begin: its leading bit, or the one before.
struct Addend {
  double value;
  int exponent;
};

/// Of a number's leading bit; of a number below the normal ones, of the smallest normal one.
template <class Format>
int exponent_of(std::uint32_t code) {
  const auto field =
      static_cast<int>(code >> Format::kMantissaBits & ((1u << Format::kExponentBits) - 1));
  return (field == 0 ? 1 : field) - Format::kBias;
}

/// Exact but for the bits that are cut off: 17 addends of 27 bits.
inline double aligned_sum(std::span<const Addend> addends) {
  constexpr int kBitsBehind = 25, kNone = -10'000;
  double whole = 0;
  int largest = kNone;
  for (const Addend& one : addends) {
    whole += one.value;
    if (one.value != 0 && one.exponent > largest) largest = one.exponent;
  }
  if (largest == kNone || !std::isfinite(whole)) return whole;
  const double scale = std::ldexp(1.0, kBitsBehind - largest);
  std::int64_t sum = 0;
  for (const Addend& one : addends) sum += static_cast<std::int64_t>(one.value * scale);
  return std::ldexp(static_cast<double>(sum), largest - kBitsBehind);
}

}  // namespace nibble::simt
