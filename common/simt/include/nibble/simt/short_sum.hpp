// How tensor cores add up products of e4m3. PTX promises "at least single precision" and leaves
// order and rounding open; what was measured on GPUs is less: sums of 22 bits, 13 of them behind
// the leading one (SageAttention2 on mma.sync, arXiv 2411.10958), "around 14 bits" (DeepSeek-V3
// on H800, arXiv 2412.19437). The engine keeps 13, so that what holds here holds on a GPU that
// keeps more.
//
//     largest addend    1 . x x x x x x x x x x x x x          13 bits behind its leading one;
//     another           0 . 0 0 0 1 x x x x x x x x x|x x x    what lies below is cut off, of c too
//     sum           1 1 . x x x x x x x x x x x x|x            and once more of the sum
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace nibble::simt {

/// The bits of x from 2^-13 of the power of two in `scale` up; x is finite, and so is `scale`.
inline double without_low_bits(double x, double scale) {
  constexpr int kBitsBehind = 13;
  if (scale == 0) return 0;
  const int lowest = std::ilogb(scale) - kBitsBehind;
  return std::ldexp(std::trunc(std::ldexp(x, -lowest)), lowest);
}

/// Exact on the way where numbers are floats or products of e4m3: at most 33 of 14 bits.
inline float short_sum(std::span<const double> addends) {
  double largest = 0, whole = 0;
  for (const double x : addends) {
    largest = std::max(largest, std::fabs(x));
    whole += x;
  }
  if (!std::isfinite(whole)) return static_cast<float>(whole);
  double sum = 0;
  for (const double x : addends) sum += without_low_bits(x, largest);
  return static_cast<float>(without_low_bits(sum, sum));
}

}  // namespace nibble::simt
