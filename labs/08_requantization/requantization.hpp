// Lab 08: requantization. This header is the contract: read it, implement it, leave it be (the
// grader compiles your requantization.cpp against its own copy).
//
// The sums of a layer are integers, and the codes it hands on are integers. Between them stands a
// real factor, which lab 06 kept as a float. Here it becomes an integer and a shift:
//
//     factor = a_scale * b_scale / c_scale = multiplier * 2^(shift - 31)
//
//            bit 31  30                              0
//     multiplier | 0 | 1 . . . . . . . . . . . . . . . |     2^30 <= multiplier < 2^31:
//                    ^                                       the highest bit is worth 1/2,
//                    the point of 0.1......                  and shift moves the point
//
// Matrices are row-major. A column is a channel, with a factor and a bias of its own:
//
//     multiplier, shift, bias   [ . . . . ]   n numbers       acc[i,j] = acc[i * n + j]
//                           i +-----------+
//                             | acc, y, c |   m rows of n; m is what the length of acc says
//                             +-----------+
//
// Halves. Labs 01 to 06 round them to the even neighbour. Integer code adds one half and drops what
// stands behind the point, and so its halves go elsewhere: each function says where. The rules are
// those of TFLite's reference kernels.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// Factors as integers, one for each of n channels:  factor = multiplier * 2^(shift - 31).
struct QuantizedMultiplier {
  std::vector<std::int32_t> multiplier;  ///< [n], in [2^30, 2^31 - 1]; or 0, for a factor of 0
  std::vector<std::int32_t> shift;       ///< [n], in [-31, 30]; > 0 is to the left
};

/// How often a product is rounded on its way. TFLite has both, and one is chosen when it is built.
enum class Rounding {
  kSingle,  ///< once, where it ends
  kDouble,  ///< after the multiplication, and again after the shift to the right
};

/// Writes real factors as integers.
///
///     factors[j]    = mantissa * 2^exponent                1/2 <= mantissa < 1
///     multiplier[j] = round(mantissa * 2^31)               a half is rounded up
///     shift[j]      = exponent
///
///     factor 0.75: mantissa 0.75, exponent 0               {1610612736, 0}
///     factor 1:    mantissa 0.5, exponent 1                {1073741824, 1}
///
/// A mantissa close to 1 is rounded to 2^31, which no int32 holds: then multiplier is 2^30, and
/// shift is one more. A factor whose shift, after that, is below -31 makes less than one half of
/// every int32: multiplier and shift are both 0, as for a factor of 0.
///
/// Requires: every factor >= 0, and its shift at most 30 (so no NaN and no infinity). Otherwise
/// throws std::invalid_argument.
QuantizedMultiplier quantize_multiplier(std::span<const double> factors);

/// Multiplies every x[i,j] by the factor of its channel, in integers.
///
/// Rounding::kSingle      y    = saturate(floor(x * multiplier * 2^(shift - 31) + 1/2))
///
/// Rounding::kDouble      left = saturate(x * 2^max(shift, 0))
///                        high = floor(left * multiplier * 2^-31 + 1/2)
///                        y    = round(high * 2^min(shift, 0))
///
/// saturate() clamps to int32, [-2^31, 2^31 - 1], where TFLite leaves an overflow undefined. A left
/// that is clamped may make a y as small as 2^30: far beyond every code. Each formula is exact but
/// for its floor() and round(). floor(v + 1/2) sends a half up (2.5 -> 3, -2.5 -> -2); round()
/// sends it away from 0 (2.5 -> 3, -2.5 -> -3). No half appears where nothing is shifted: a shift
/// of 0 leaves high as it is. `high` is what CPUs call a rounding doubling high multiply.
///
/// x is [m,n], and so is the result; n is the number of factors. m and n may be 0.
///
/// Requires: as many shifts as multipliers; each multiplier in [2^30, 2^31 - 1] or 0, each shift in
/// [-31, 30]; x of m * n elements for some m. Otherwise throws std::invalid_argument.
std::vector<std::int32_t> multiply_by_quantized_multiplier(std::span<const std::int32_t> x,
                                                           const QuantizedMultiplier& factors,
                                                           Rounding rounding);

/// Makes codes of the sums of a layer: lab 06's last step, and lab 24's, without a float.
///
///     sum    = saturate(acc[i,j] + bias[j])
///     y      = sum times factor j, as multiply_by_quantized_multiplier does it
///     c[i,j] = clamp(y + zero_point)                                to [-128, 127]
///
/// The bias is in the unit of the sums, so it comes first; the zero point is a code of the result,
/// so it comes last, when everything is rounded. y + zero_point is exact, also where y is near the
/// end of int32. An empty bias adds nothing.
///
/// Requires: what multiply_by_quantized_multiplier requires of acc and factors; bias empty or of n
/// elements; zero_point in [-128, 127]. Otherwise throws std::invalid_argument.
std::vector<std::int8_t> requantize(std::span<const std::int32_t> acc,
                                    std::span<const std::int32_t> bias,
                                    const QuantizedMultiplier& factors, std::int32_t zero_point,
                                    Rounding rounding);

/// What a layer ends in, beside its codes.
enum class Activation {
  kRelu,   ///< max(real, 0)
  kRelu6,  ///< min(max(real, 0), 6)
};

/// Requantizes, and applies an activation on the way: it is no more than another clamp.
///
///     y      = as in requantize
///     c[i,j] = clamp(y + zero_point)        to [zero_point, 127]       kRelu
///                                           to [zero_point, six]       kRelu6
///     six    = min(zero_point + round(6 / c_scale), 127)
///
///     code   -128 ...... zero_point ......... six ...... 127
///     real               0                    6               real = c_scale * (code - zero_point)
///     kRelu              [---------------------------------]
///     kRelu6             [--------------------]
///
/// 6 / c_scale is one float32 division; round() sends a half away from 0. The quotient may be far
/// beyond every integer type, or infinite: six is 127 then.
///
/// Requires: what requantize requires; c_scale normal and > 0. Otherwise throws
/// std::invalid_argument.
std::vector<std::int8_t> requantize_relu(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors, float c_scale,
                                         std::int32_t zero_point, Activation activation,
                                         Rounding rounding);

/// Codes, and what they stand for:  real = scale * (q - zero_point).
struct QuantizedTensor {
  std::vector<std::int8_t> q;  ///< codes, in any shape
  float scale;                 ///< normal, > 0
  std::int32_t zero_point;     ///< in [-128, 127]
};

/// Adds two tensors whose scales differ, as a residual connection does.
///
/// A step of a is not a step of b: both are brought to a third unit, twice the larger scale, with
/// 20 bits more than a code has. unit is a double, and so are the factors, which
/// quantize_multiplier quantizes; each `times` is multiply_by_quantized_multiplier.
///
///     unit = 2 * max(a.scale, b.scale)
///     sum  = (a.q[i] - a.zero_point) * 2^20 times a.scale / unit
///          + (b.q[i] - b.zero_point) * 2^20 times b.scale / unit            below 2^28
///     c[i] = clamp((sum times unit / (2^20 * c_scale)) + c_zero_point)      to [-128, 127]
///
/// Requires: as many codes in a as in b; scales normal and > 0; zero points in [-128, 127]; a last
/// factor that quantize_multiplier takes. Otherwise throws std::invalid_argument.
std::vector<std::int8_t> add_quantized(const QuantizedTensor& a, const QuantizedTensor& b,
                                       float c_scale, std::int32_t c_zero_point, Rounding rounding);

/// Averages the codes of every channel over windows of rows: average pooling.
///
///     c[i,j] = round(sum of x[p,j] / count)      over the rows p of window i, count of them
///
///     x  [m, channels]      rows  0 1 2 | 3 4 5 | 6         window = 3: the last one has count 1
///     c  [ceil(m / window), channels]   0       1       2
///
/// The sum is exact; round() sends a half away from 0 (-2.5 -> -3). The mean of codes is the code
/// of the mean, with the same scale and zero point: neither is needed. m may be 0, and window may
/// be larger than m.
///
/// Requires: channels >= 1, window >= 1, x of m * channels elements for some m. Otherwise throws
/// std::invalid_argument.
std::vector<std::int8_t> average_quantized(std::span<const std::int8_t> x, int channels,
                                           int window);

NIBBLE_EXERCISES(quantize_multiplier, multiply_by_quantized_multiplier, requantize, requantize_relu,
                 add_quantized, average_quantized);

}  // namespace nibble
