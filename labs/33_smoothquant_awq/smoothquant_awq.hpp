// Lab 33: SmoothQuant, AWQ, rotations. A few inputs are a hundred times as large as the others,
// and spoil the scale of all; but they can be moved out of the way, and nothing is computed
// differently.
// This header is the contract: read it, implement it, leave it be (the grader compiles your
// smoothquant_awq.cpp against its own copy).
//
// All of it is double. A real number of an answer is within 1e-8 of the largest magnitude in that
// answer. What overflows a double is nobody's concern, nor is a scale below DBL_MIN, nor what only
// the last digits decide: a quotient beside a tie, an error that is 0 on paper alone. Matrices are
// row-major; a layer computes y[s,o] = sum over i of x[s,i] * w[o,i]:
//
//                inputs                          inputs
//           +-------------+                 +-------------+
//   outputs |      w      |         samples |      x      |       rows: w.size() / inputs
//           +-------------+                 +-------------+             x.size() / inputs
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- Out of the inputs, into the weights --------------------------------------------------------

/// Returns by what to divide each input, so that it and its weights are equally hard to quantize.
///
///     scales[i] = (max over s of |x[s,i]|)^alpha / (max over o of |w[o,i]|)^(1 - alpha)
///
///     max |x|    1   64   1         alpha = 1/2      scales    1   8   1
///     max |w|    1    1   1                          x / s     1   8   1      w * s     1   8   1
///
/// 1 where one of the maxima is 0, whatever alpha is. alpha = 0 looks at the weights alone,
/// alpha = 1 at the inputs.
///
/// Requires: inputs >= 1; x and w of at least one row of inputs each; every number finite;
/// 0 <= alpha <= 1. Otherwise throws std::invalid_argument.
///
/// Source: Xiao et al., "SmoothQuant" (2023).
std::vector<double> smoothing_scales(std::span<const double> x, std::span<const double> w,
                                     std::int32_t inputs, double alpha);

/// Two layers with a ReLU between:  y = second * relu(first * x + bias).
struct TwoLayers {
  std::vector<double> first;   ///< [middle, inputs]
  std::vector<double> bias;    ///< [middle]: their number is that of the channels between
  std::vector<double> second;  ///< [outputs, middle]
};

/// Throws std::invalid_argument unless `layers` are two: at least one channel, one input and one
/// output, sizes that fit, finite numbers. Given: call it first.
inline void expects_layers(const TwoLayers& layers) {
  const std::size_t middle = layers.bias.size();
  NIBBLE_EXPECTS(middle >= 1, middle);
  for (const auto* matrix : {&layers.first, &layers.second}) {
    NIBBLE_EXPECTS(!matrix->empty() && matrix->size() % middle == 0, matrix->size());
  }
  for (const auto* numbers : {&layers.first, &layers.bias, &layers.second}) {
    for (const double number : *numbers) NIBBLE_EXPECTS(std::isfinite(number), number);
  }
}

/// Divides what is between two layers, and gives the same y: what a channel loses in front, its
/// weights have behind.
///
///     first[m,i] / scales[m]      bias[m] / scales[m]      second[o,m] * scales[m]
///
///     x ---> first ---> relu ---> second ---> y
///             / s         relu(v / s) = relu(v) / s, since s > 0
///                                  * s
///
/// Requires: expects_layers(layers) passes; as many scales as biases, each finite and > 0.
/// Otherwise throws std::invalid_argument.
TwoLayers migrate_scales(const TwoLayers& layers, std::span<const double> scales);

/// Makes the weights of each channel equally large in front and behind, without a single input.
///
///     in front = max over i of |first[m,i]|          behind = max over o of |second[o,m]|
///     scales[m] = sqrt(in front / behind)            1 where one of them is 0
///
/// and what migrate_scales makes of it: both are sqrt(in front * behind) then. Ranges whose product
/// or quotient overflows a double, or is below DBL_MIN, are nobody's concern.
///
/// Requires: expects_layers(layers) passes. Otherwise throws std::invalid_argument.
///
/// Source: Nagel et al., "Data-free quantization through weight equalization" (2019).
TwoLayers equalize_layers(const TwoLayers& layers);

// --- Weights that matter ------------------------------------------------------------------------

/// What awq_search found.
struct AwqChoice {
  std::int32_t exponent;       ///< k, 0 to 19: scales are a power k / 20
  std::vector<double> scales;  ///< [inputs], > 0
  double error;                ///< of the outputs, with these scales
};

/// Weights of large inputs matter more: makes them larger before they are rounded, as far as it
/// helps, and no further.
///
///     a[i]    = max(mean over s of |x[s,i]|, 1e-4)
///     p[i]    = a[i]^(k / 20)                               k = 0, 1, ..., 19
///     s[i]    = p[i] / sqrt(max p * min p)
///     w_hat   = rounded(w[o,i] * s[i]) / s[i]
///     error   = mean over s and o of (sum over i of x[s,i] * (w[o,i] - w_hat[o,i]))^2
///
/// of the k with the least error, of equal ones the least; errors within 1e-8 of each other, as a
/// share, may be taken for equal: none but 0 equals 0. rounded() is by group: of group_size numbers
/// of a row, the last group what is left,
///
///     scale   = max |v| / qmax           1 for zeros        qmax = 2^(num_bits-1) - 1
///     rounded = scale * round(v / scale)                    ties to the even neighbour
///
///     v        |--*--|-----|--*--|-----|      one step is as long for all weights of a group:
///     v * 4    |-----|--*--|-----|-----|      who is made larger loses less, and who makes
///                                             the step longer, loses it for the others
///
/// Requires: inputs >= 1; w and x of at least one row of inputs each; every number finite;
/// 2 <= num_bits <= 8; group_size >= 1. Otherwise throws std::invalid_argument.
///
/// Source: Lin et al., "AWQ: Activation-aware weight quantization" (2024).
AwqChoice awq_search(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                     std::int32_t num_bits, std::int32_t group_size);

// --- Rotations ----------------------------------------------------------------------------------

/// Returns x times the Hadamard matrix: each number is spread over all places.
///
///     y[j] = (sum over i of (-1)^(ones in i & j) * x[i]) / sqrt(n)           n = x.size()
///
///     n = 4     | + + + + |      i & j in binary; an even number of ones is a plus.
///               | + - + - |      8 0 0 0  -->  4 4 4 4:  no outlier is left.
///               | + + - - |      The matrix is symmetric, and its own inverse.
///               | + - - + |
///
/// log2(n) rounds of n / 2 sums and differences are enough, and n * n are too many: n may be 2^18.
///
/// Requires: n a power of two, 1 too; every x[i] finite. Otherwise throws std::invalid_argument.
std::vector<double> hadamard_transform(std::span<const double> x);

/// Rotates every row of a matrix: changes signs, then transforms.
///
///     rotated[r,..] = hadamard_transform(signs[i] * a[r,i], i = 0 .. n - 1)    n = signs.size()
///
/// Where x and w are rotated alike, their products are what they were. A ReLU between two layers
/// lets no rotation through.
///
/// Requires: n a power of two, each sign 1 or -1; a of at least one row of n finite numbers.
/// Otherwise throws std::invalid_argument.
///
/// Source: Ashkboos et al., "QuaRot: Outlier-free 4-bit inference in rotated LLMs" (2024).
std::vector<double> rotate_rows(std::span<const double> a, std::span<const std::int32_t> signs);

NIBBLE_EXERCISES(smoothing_scales, migrate_scales, equalize_layers, awq_search, hadamard_transform,
                 rotate_rows);

}  // namespace nibble
