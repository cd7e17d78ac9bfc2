// Every tolerance a check may use, each with the argument that produced it. No other file holds a
// bare epsilon. A tolerance carries its formula, which is printed with a failure.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace nibble::judge {

/// True for NaN and +-Inf, judged by the bits: the usual `x != x` is deleted by -ffast-math.
constexpr bool is_non_finite(double value) {
  constexpr std::uint64_t kExponent = 0x7FF0'0000'0000'0000u;
  return (std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent;
}

/// How far a value may be from the one that is wanted.
struct Tolerance {
  double absolute = 0.0;  ///< in the value's own units
  double relative = 0.0;  ///< as a share of the wanted magnitude
  std::string formula;    ///< as a person reads it
};

/// What "near" means in every float check: finite numbers and a small gap. The wanted value and the
/// tolerance are looked at too: a NaN there is a bug of ours and must not read as a pass. Equal
/// infinities are near: some metrics are infinite by definition.
inline bool is_near(double got, double want, const Tolerance& tolerance) {
  if (std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(want)) {
    return !is_non_finite(want) || std::bit_cast<std::uint64_t>(want) << 12 == 0;  // not a NaN
  }
  const double allowed = tolerance.absolute + tolerance.relative * std::fabs(want);
  return !is_non_finite(got) && !is_non_finite(want) && !is_non_finite(allowed) &&
         std::fabs(got - want) <= allowed;
}

/// Largest |x - dequantize(quantize(x))| when no value was clamped.
///
/// Rounding to the nearest integer moves x/scale by at most 1/2. The division and the product are
/// each off by at most half an eps, relative, of at most `steps` steps (eps = 2^-23): together
/// steps * eps. Doubled, so that the comparison's own rounding cannot matter. In steps:
///
///     1/2 + 2 * steps * eps
inline Tolerance round_trip_tolerance(double scale, int steps) {
  return {scale * (0.5 + 2.0 * steps * std::numeric_limits<float>::epsilon()), 0.0,
          "scale * (1/2 + 2 * steps * 2^-23)"};
}

/// One unit in the last place of a float32: what another order of two correctly rounded operations
/// may change. |want| * 2^-23 is at least one ulp of a normal number and less than two.
inline Tolerance one_ulp() { return {0.0, 0x1p-23, "1 ulp = 2^-23 * |want|"}; }

/// product + bias in float32, with one rounding (an FMA,
/// which compilers for GPUs make of it) or two.
///
/// Let u be one ulp of the larger of |product| and |bias|. Rounding the product first moves it by
/// at most u/2. The sum is at most twice the larger, so that its neighbours are at most 2u apart:
/// moved by u/2 and rounded again, it ends at most one such step away, 2u; where its neighbours are
/// closer, at most u/2 and one step of u. Not 2 ulp of the sum: cancellation can make that as small
/// as it likes. ReLU brings two numbers nearer, or leaves them.
///
///     2u <= 2^-22 * max(|product|, |bias|)
inline Tolerance fused_tolerance(double product, double bias) {
  return {0x1p-22 * std::max(std::fabs(product), std::fabs(bias)), 0.0,
          "2 ulp = 2^-22 * max(|product|, |bias|)"};
}

/// A metric summed in double: n terms add a relative error of at most n * 2^-53, and no tensor of a
/// check has 2^30 elements, so 2^-20 would do; 1e-6 is the round number the contract promises.
/// A sum in float32 is off by about sqrt(n) * 2^-24 or more, and is told apart on long tensors.
inline Tolerance metric_tolerance() { return {0.0, 1e-6, "1e-6 * |want|"}; }

/// A metric that is near 0 where terms cancel: the logarithm of a ratio near 1, the cosine of a
/// right angle. Its terms are of the size of 1, and their error is a part of that.
inline Tolerance cancelling_tolerance() { return {1e-6, 1e-6, "1e-6 * (1 + |want|)"}; }

/// Numbers that were computed in double, at worst by a factorization. Cholesky's error is about
/// n^2 * 2^-53 times the condition of the matrix, relative to the largest (Higham, 2002); no check
/// has more than 64 rows and a condition of 10^4, which makes 4.5e-9. float32 is off by
/// 2^-24 = 6e-8 at once.
inline Tolerance factor_tolerance(double largest) {
  return {1e-8 * largest, 0.0, "1e-8 * max |want|"};
}

/// True when x/scale is so near a tie that its code may honestly be either.
///
/// A scale one ulp away moves x/scale by 2^-23, relative; multiplying by a rounded 1/scale instead
/// of dividing, by another 2^-23. Together 2^-22; four times that is allowed. Where the scale is a
/// power of two, an exact tie is excluded: there all the ways agree, and it is a question of
/// rounding alone. With another scale random data hits an exact tie now and then.
inline bool is_near_tie(float x, float scale) {
  const double steps = static_cast<double>(x) / scale;
  const double gap = std::fabs(steps - std::floor(steps) - 0.5);
  int exponent = 0;
  const bool power_of_two = std::frexp(scale, &exponent) == 0.5f;
  return !(gap == 0.0 && power_of_two) && gap <= 0x1p-20 * std::max(1.0, std::fabs(steps));
}

/// A sum of `terms` products in float32, in whatever order, fused or not. Each of the terms - 1
/// additions is off by half an ulp of a partial sum, which is at most 2^-24 of `magnitude`, the sum
/// of |terms|. What makes a term, a conversion and up to two products,
/// and a factor of the whole sum, adds 2^-24 each.
inline Tolerance sum_tolerance(double magnitude, int terms) {
  return {(terms + 4) * 0x1p-24 * magnitude, 0.0, "(terms + 4) * 2^-24 * sum of |terms|"};
}

/// A sum of `terms` products of 16-bit floats on tensor cores, and the scaling of it. Products
/// are exact in float32. PTX promises sums "with at least single precision", and leaves order and
/// rounding open: each addition may be off by a whole ulp of a partial sum, at most 2^-23 of
/// `magnitude`, the sum of |terms|. Up to two products, and a sum that may be one operation with
/// them, add less than 4 halves of that.
inline Tolerance tensor_sum_tolerance(double magnitude, int terms) {
  return {(terms + 4) * 0x1p-23 * magnitude, 0.0, "(terms + 4) * 2^-23 * sum of |terms|"};
}

/// A sum of products of e4m3, of which tensor cores add up 128, in 4 instructions, and float32
/// the rest. An instruction cuts off each of its 33 addends what lies below 2^-13 of the largest
/// one, and the same of the sum: what was measured on GPUs, and the least that a kernel may count
/// on. The largest addend, and the sum, are at most the sum of |terms| of their 128. Over all of
/// them:
///
///     4 * 34 * 2^-13 * magnitude       a 35th covers what float32 and the scales add: fewer than
///                                      2^13 roundings of 2^-24
inline Tolerance short_sum_tolerance(double magnitude) {
  return {4 * 35 * 0x1p-13 * magnitude, 0.0, "4 * 35 * 2^-13 * sum of |terms|"};
}

/// A clip that was found in a histogram, at every 16th bin: the neighbour of one whose divergence
/// is as good as equal, and the middle of a bin for its end. The product of a bin and its width is
/// rounded once.
inline Tolerance few_bins(double width) { return {16.0 * width, 0x1p-23, "16 bins"}; }

/// A clip that was learnt by descent, beside lab 07's best of a hundred. Those are 1 % of the
/// largest magnitude apart: half of that. The rest was measured, since descent ends where the noise
/// of rounding, taken for that of a uniform error, balances clamping, and the hundred are tried on
/// what rounding really does: of 100 tensors of 8192 normal values at each of 3 to 6 bits, learnt
/// from both sides, 3.7 % at most.
inline Tolerance learned_clip(double amax) { return {amax / 200, 0.06, "max |x| / 200 + 6 %"}; }

}  // namespace nibble::judge
