// The oracle of every conversion: a format as a staircase over the floats, made of nothing but the
// definition of its values. The codes rise with the values, so each code owns one run of floats:
//
//   code      ...  |--- c-1 ---|--- c ---|--- c+1 ---|  ...      the step after the largest finite
//   float     first[c-1]   first[c]   first[c+1]                 code is the overflow
//
// To nearest, first[c] is the midpoint of two values, itself included when c is even.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "nibble/float_format.hpp"

namespace nibble::simt {

struct Shape {
  int exponent_bits, mantissa_bits;
  std::uint32_t largest;  // the largest finite code
};
inline constexpr Shape kHalf{5, 10, 0x7BFF}, kBfloat16{8, 7, 0x7F7F}, kE4m3{4, 3, 0x7E},
    kE5m2{5, 2, 0x7B};

/// The value of a positive code, and of the code after the largest as if it were a number.
inline double value_of(Shape shape, std::uint32_t code) {
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>(code >> shape.mantissa_bits);
  const double mantissa = std::ldexp(static_cast<double>(code & ((1u << shape.mantissa_bits) - 1)),
                                     -shape.mantissa_bits);
  return exponent == 0 ? std::ldexp(mantissa, 1 - bias) : std::ldexp(1 + mantissa, exponent - bias);
}

inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

class Staircase {
 public:
  /// For magnitudes; kUp is away from zero here, and kDown is towards it.
  Staircase(Shape shape, Rounding rounding) : largest_(shape.largest) {
    first_.push_back(0);
    for (std::uint32_t code = 1; code <= shape.largest + 1; ++code) {
      const double below = value_of(shape, code - 1);
      const double value = value_of(shape, code);
      first_.push_back(first_float(below, value, code % 2 == 0, rounding));
    }
  }

  /// The code of a magnitude, given as the bits of a float below Inf; largest + 1 is an overflow.
  std::uint32_t code(std::uint32_t magnitude) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), magnitude);
    return static_cast<std::uint32_t>(after - first_.begin()) - 1;
  }

  /// The same, for magnitudes asked in rising order: far quicker.
  std::uint32_t next_code(std::uint32_t magnitude) {
    while (last_ <= largest_ && first_[last_ + 1] <= magnitude) {
      ++last_;
    }
    return last_;
  }

  const std::vector<std::uint32_t>& first() const { return first_; }

 private:
  static std::uint32_t first_float(double below, double value, bool even, Rounding rounding) {
    // 2^128 is not a float; its bits are those of Inf, which no finite magnitude reaches.
    const auto bits = [](double x) { return bits_of(static_cast<float>(x)); };
    switch (rounding) {
      case Rounding::kNearestEven:
        return bits((below + value) / 2) + (even ? 0 : 1);
      case Rounding::kUp:
        return bits(below) + 1;
      default:
        return bits(value);
    }
  }

  std::uint32_t largest_;
  std::uint32_t last_ = 0;
  std::vector<std::uint32_t> first_;  // bits of the first float of each code
};

}  // namespace nibble::simt
