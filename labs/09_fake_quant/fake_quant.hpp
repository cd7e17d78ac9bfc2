// Lab 09: fake quantization, and training through it. This header is the contract: read it,
// implement it, leave it be (the grader compiles your fake_quant.cpp against its own copy).
//
// While a network is trained, a number x is replaced by the x_hat that its code stands for. It
// stays a float, so that training goes on as before, but for one thing: a staircase has no slope.
//
//     x_hat          __                    x_hat = scale * (code - zero_point)
//                 __|                      code  = clamp(round(x / scale) + zero_point)
//              __|
//           __|                            slope: 0 on each step, infinite between two of them
//        __|               --> x
//
// So another slope is taken for it: that of the line through the steps, as if round() changed
// nothing, and 0 where the value was clamped. This is called a straight-through estimator:
//
//     x / scale is treated as        round(x / scale) treated as     clamped treated as
//     a number that moves            x / scale, with slope 1         a constant
//
// "Inside" and "outside" are said of the code before it is clamped, in all of this lab:
//
//     inside       qmin <= round(x / scale) + zero_point <= qmax
//     below        round(x / scale) + zero_point < qmin
//     above        round(x / scale) + zero_point > qmax
//
// x / scale is one float32 division, and may be infinite; round() sends ties to the even neighbour
// (2.5 -> 2, 3.5 -> 4), and comes before the zero point. A sum over a tensor is a double, whose
// terms are added from the first to the last. 0 and -0 are one answer.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// The codes of a tensor, and what they stand for:  real = scale * (code - zero_point).
struct Grid {
  float scale;              ///< real units per integer step; normal and > 0
  std::int32_t zero_point;  ///< the code that stands for real 0; in [qmin, qmax]
  std::int32_t qmin;        ///< the smallest code; >= -2^15, < qmax
  std::int32_t qmax;        ///< the largest code; >= 1, < 2^16
};

/// Throws std::invalid_argument unless `grid` is one. Given: call it first where a Grid comes in.
inline void expects_grid(const Grid& grid) {
  NIBBLE_EXPECTS(std::isnormal(grid.scale) && grid.scale > 0.0f, grid.scale);
  NIBBLE_EXPECTS(grid.qmin >= -32768, grid.qmin);
  NIBBLE_EXPECTS(1 <= grid.qmax && grid.qmax <= 65535, grid.qmax);
  NIBBLE_EXPECTS(grid.qmin < grid.qmax, grid.qmin);
  NIBBLE_EXPECTS(grid.qmin <= grid.zero_point && grid.zero_point <= grid.qmax, grid.zero_point);
}

/// The way forward, which lab 01 asks for. Given.
inline float fake_quantize(float x, const Grid& grid) {
  const float steps =
      std::clamp(std::nearbyint(x / grid.scale), static_cast<float>(grid.qmin - grid.zero_point),
                 static_cast<float>(grid.qmax - grid.zero_point));
  return grid.scale * steps;
}

// --- The way back -------------------------------------------------------------------------------
//
// `upstream[i]` is the gradient of the loss by x_hat[i]: what comes back from the next layer.

/// Returns the gradient of the loss by every x[i].
///
///     gradient[i] = upstream[i]     inside
///                   0               below and above
///
///     code, not clamped   -2    -1     0     1     2     3     4     5       qmin = 0, qmax = 3,
///     slope                0     0  |  1     1     1     1  |  0     0       zero_point = 0
///     x / scale                   -0.5                     3.5
///                                   0                       4                ties to even
///
/// Requires: expects_grid(grid) passes; as many upstream as x; every x[i] and upstream[i] finite.
/// Otherwise throws std::invalid_argument.
std::vector<float> fake_quantize_backward(std::span<const float> x, std::span<const float> upstream,
                                          const Grid& grid);

/// Returns the gradient of the loss by the scale, as LSQ has it: small enough to learn with.
///
///     slope[i] = round(x[i] / scale) - x[i] / scale        inside
///                qmin - zero_point                         below
///                qmax - zero_point                         above
///
///     gradient = (sum over i of upstream[i] * slope[i]) / sqrt(n * qmax)           n = x.size()
///
///      qmax |                             ......    above: as many steps as x_hat is long
///       1/2 |      \   \   \   \   \                inside: x_hat follows x, so that a longer
///         0 |-------\---\---\---\---\-------        step changes nothing but the rounding,
///      -1/2 |        \   \   \   \   \              which is half a step at most
///      qmin |......                                 below; x / scale to the right, zero_point 0
///
/// A slope is exact in float32, behind its one division. What follows is double: products, which
/// are exact, their sum, the root of the product n * qmax, the quotient. It is rounded to float32
/// at the end, and infinite where it is beyond. The gradient of an empty tensor is 0, unless it is
/// refused.
///
/// Requires: what fake_quantize_backward requires. Otherwise throws std::invalid_argument.
///
/// Source: Esser et al., "Learned Step Size Quantization" (2020), where x is clamped before it is
/// rounded; after it, as here, in PyTorch.
float scale_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid);

/// Returns the gradient of the loss by the zero point, treated as a number that moves: LSQ+.
///
///     slope[i] = 0          inside: the code moves with the zero point, and x_hat stays
///                -scale     below and above: the code stays, and x_hat moves
///
///     gradient = (sum over i of upstream[i] * slope[i]) / sqrt(n * qmax)
///
/// Rounded as in scale_gradient. The gradient of an empty tensor is 0, unless it is refused.
///
/// Requires: what fake_quantize_backward requires. Otherwise throws std::invalid_argument.
///
/// Source: Bhalgat et al., "LSQ+: Improving low-bit quantization through learnable offsets and
/// better initialization" (2020), whose offset is -scale * zero_point.
float zero_point_gradient(std::span<const float> x, std::span<const float> upstream,
                          const Grid& grid);

// --- Learning a scale ---------------------------------------------------------------------------

/// Returns the scale after one step of descent. A scale has to stay one: a step that is too wide
/// would make it 0 or negative, and then no code means anything.
///
///     next = scale - rate * gradient                     float32: one product, one difference
///     next is clamped to [scale / 2, 2 * scale]          it halves at most, it doubles at most
///     next is clamped to [FLT_MIN, FLT_MAX]
///
/// scale is normal and > 0, rate finite and > 0: learn_scale sees to it. gradient may be infinite,
/// and is never NaN.
float scale_step(float scale, float gradient, float rate);

/// Learns a scale for x by descent, and returns what it was after each step: [steps]. Written
/// already; it calls your scale_gradient and your scale_step, and is graded.
///
///     loss        = 1/2 * sum over i of (x_hat[i] - x[i])^2
///     upstream[i] = x_hat[i] - x[i]
///
/// The codes are those of num_bits with a sign, and zero_point is 0. With enough values, and a rate
/// that is neither too small nor too large, the scale ends where the clip scale * qmax is what lab
/// 07's mse_clip finds by trying a hundred: what shrinking saves in rounding, it loses in clamping.
///
/// Requires: 2 <= num_bits <= 8; start normal and > 0; rate finite and > 0; steps >= 0; every x[i]
/// finite, and every x_hat[i] of a step. Otherwise throws std::invalid_argument.
inline std::vector<float> learn_scale(std::span<const float> x, int num_bits, float start,
                                      float rate, std::int32_t steps) {
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(std::isfinite(rate) && rate > 0.0f, rate);
  NIBBLE_EXPECTS(steps >= 0, steps);
  const auto [qmin, qmax] = signed_range(num_bits);
  Grid grid{start, 0, qmin, qmax};
  expects_grid(grid);
  expects_finite(x);

  std::vector<float> scales, upstream(x.size());
  for (std::int32_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < x.size(); ++i) upstream[i] = fake_quantize(x[i], grid) - x[i];
    grid.scale = scale_step(grid.scale, scale_gradient(x, upstream, grid), rate);
    scales.push_back(grid.scale);
  }
  return scales;
}

// --- A layer, fake and real ---------------------------------------------------------------------
//
// What was trained in floats has to run in integers, and to give the same answers. It does so when
// both do the same arithmetic: whole numbers are multiplied and added, where floats are exact, and
// each scale is multiplied in at one place.
//
//     trained     x, weight --round--> whole numbers in floats --sum--> times multiplier --round-->
//     deployed    int8 codes           int8 times int8         --sum--> times multiplier --round-->
//
// x is [rows, inputs], weight [outputs, inputs], the result [rows, outputs], all row-major.
// outputs is the number of biases, and inputs = weight.size() / outputs. rows may be 0.

/// A layer as it is trained. All codes are int8, in [-128, 127].
struct FakeLayer {
  std::vector<float> weight;         ///< [outputs, inputs]; finite
  std::vector<float> weight_scales;  ///< [outputs]; normal, > 0; weights have no zero point
  std::vector<float> bias;           ///< [outputs]; finite
  float input_scale;                 ///< of x; normal, > 0
  std::int32_t input_zero_point;     ///< in [-128, 127]
  float output_scale;                ///< of the result; normal, > 0
  std::int32_t output_zero_point;    ///< in [-128, 127]
};

/// Runs a layer as it is trained: everything is a float, and rounded as the codes will be.
///
///     a[i,p] = clamp(round(x[i,p] / input_scale))          to [-128, 127] - input_zero_point
///     w[j,p] = clamp(round(weight[j,p] / weight_scales[j]))                 to [-128, 127]
///     b[j]   = round(bias[j] / (input_scale * weight_scales[j]))
///     sum    = b[j] + sum over p of a[i,p] * w[j,p]                         exact
///     v      = float32(sum) * ((input_scale * weight_scales[j]) / output_scale)
///     y[i,j] = output_scale * clamp(round(v))              to [-128, 127] - output_zero_point
///
/// [-128, 127] - z is [-128 - z, 127 - z]. Everything is float32 but the sum, which float32 would
/// round beyond 2^24. y may be infinite. A zero point is in no product: a is already the code less
/// its zero point.
///
/// Requires: outputs >= 1, inputs from 1 to 32768, as many weight_scales as outputs, weight.size()
/// a multiple of outputs, x.size() a multiple of inputs; every x finite; what FakeLayer holds as it
/// says; for each j, input_scale * weight_scales[j] and the factor of v normal and > 0, and
/// |b[j]| <= 2^30. Otherwise throws std::invalid_argument.
std::vector<float> fake_linear(std::span<const float> x, const FakeLayer& layer);

/// The same layer as it is deployed.
struct IntegerLayer {
  std::vector<std::int8_t> weight;  ///< codes [outputs, inputs]
  std::vector<std::int32_t> bias;   ///< [outputs], in the unit of the sums; below 2^31
  std::vector<float> multiplier;    ///< [outputs], what one unit of the sums is in output steps
  std::int32_t output_zero_point;   ///< in [-128, 127]
};

/// Turns a trained layer into its integer form, which gives exactly the same codes.
///
///     weight[j,p]   = w[j,p]                                                       of fake_linear
///     bias[j]       = b[j] - input_zero_point * (sum over p of w[j,p])             exact
///     multiplier[j] = (input_scale * weight_scales[j]) / output_scale              float32
///
/// The zero point of x is folded into the bias, since it is the same in every row:
///
///     sum over p of (q - z) * w   =   sum over p of q * w   -   z * (sum over p of w)
///
/// Requires: what fake_linear requires of the layer. Otherwise throws std::invalid_argument.
IntegerLayer fold_to_integers(const FakeLayer& layer);

/// Runs the integer form on codes q [rows, inputs], and gives codes [rows, outputs]. Given: this is
/// what runs where there is no training any more, and it knows nothing but the IntegerLayer.
///
///     code = clamp(round(float32(bias[j] + sum over p of q[i,p] * weight[j,p]) * multiplier[j])
///                  + output_zero_point)                                         to [-128, 127]
inline std::vector<std::int8_t> integer_linear(std::span<const std::int8_t> q,
                                               const IntegerLayer& layer) {
  const std::size_t outputs = layer.bias.size(), inputs = layer.weight.size() / outputs;
  std::vector<std::int8_t> codes;
  for (std::size_t start = 0; start + inputs <= q.size(); start += inputs) {
    for (std::size_t j = 0; j < outputs; ++j) {
      std::int32_t sum = layer.bias[j];
      for (std::size_t p = 0; p < inputs; ++p) {
        sum += q[start + p] * layer.weight[j * inputs + p];
      }
      const float v = std::nearbyint(static_cast<float>(sum) * layer.multiplier[j]) +
                      static_cast<float>(layer.output_zero_point);
      codes.push_back(static_cast<std::int8_t>(std::clamp(v, -128.0f, 127.0f)));
    }
  }
  return codes;
}

NIBBLE_EXERCISES(fake_quantize_backward, scale_gradient, zero_point_gradient, learn_scale,
                 fake_linear, fold_to_integers);

}  // namespace nibble
