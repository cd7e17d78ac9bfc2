// Lab 32: GPTQ. Weights are rounded one after the other, and those that are still to come make up
// for what was lost. This header is the contract: read it, implement it, leave it be (the grader
// compiles your gptq.cpp against its own copy).
//
// All of it is double. A real number of an answer is within 1e-8 of the largest magnitude in that
// answer; codes are exact. Matrices are row-major, and a row has `inputs` numbers:
//
//                inputs                          inputs
//           +-------------+                 +-------------+
//   outputs |      w      |         samples |      x      |      y[s,o] = sum of x[s,i] * w[o,i]
//           +-------------+                 +-------------+      over i
//
// round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4). What overflows a double is
// nobody's concern, nor what only the last digits decide: a pivot or a group that is 0 on paper
// alone, a quotient beside a tie, the digits that a factor of an h next to a singular one has left.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- What the inputs say ------------------------------------------------------------------------

/// Returns how much an error of the weights costs: the second derivatives of the squared error of
/// y, [inputs, inputs], the same for every row of w.
///
///     g[i,j] = 2 * sum over s of x[s,i] * x[s,j]           1 where i = j, and every x[s,i] is 0
///     h[i,j] = g[i,j]                                      i and j differ
///     h[i,i] = g[i,i] + damping * (mean over j of g[j,j])
///
///     x        | 1  2  0 |       g        | 20 28  0 |
///              | 3  4  0 |                | 28 40  0 |
///                     dead                |  0  0  1 |     not 0: this matrix gets inverted
///
/// Damping makes sure of the same where inputs follow from each other. A square that is 0 where its
/// x is not, is nobody's concern.
///
/// Requires: inputs >= 1, x.size() a multiple of inputs, at least one row; every x[s,i] finite;
/// 0 <= damping <= 1. Otherwise throws std::invalid_argument.
std::vector<double> input_hessian(std::span<const double> x, std::int32_t inputs, double damping);

/// Returns the upper factor u [inputs, inputs] of the inverse of h.
///
///     transpose(u) * u = inverse of h       u[i,j] = 0 for j < i        u[i,i] > 0
///
///     | u u u |       row i says what an error of weight i asks of those behind it, when those
///     | 0 u u |       before it are fixed already
///     | 0 0 u |
///
/// h is symmetric: the caller sees to that.
///
/// Requires: inputs >= 1, h of inputs * inputs finite numbers; h positive definite. Otherwise
/// throws std::invalid_argument.
std::vector<double> inverse_cholesky(std::span<const double> h, std::int32_t inputs);

// --- One row ------------------------------------------------------------------------------------

/// A row of weights as codes:  real w[i] = scales[i / group_size] * q[i].
struct QuantizedRow {
  std::vector<std::int8_t> q;  ///< [inputs], in [qmin, qmax]
  std::vector<double> scales;  ///< [ceil(inputs / group_size)], > 0
};

/// Quantizes a row, weight by weight; each error is handed on to the weights behind it.
///
///     now = w;  for i = 0, 1, ..., inputs - 1:
///         where a group begins:   scale = max |now[p]| / qmax           over the group
///         q[i]   = clamp(round(now[i] / scale))                         to [qmin, qmax]
///         error  = (now[i] - scale * q[i]) / u[i,i]
///         now[p] = now[p] - error * u[i,p]                              p = i + 1, ..., inputs - 1
///
///     done       i         still to come
///     | q | q | now | now | now | now |      qmax = 2^(num_bits-1) - 1, qmin = -qmax - 1
///              error --> --> --> -->
///
/// What u holds below its diagonal changes nothing, but is finite, too. A group is group_size
/// weights, the last one what is left. Its scale is made when its first weight is due, of what the
/// weights have become by then; later errors may carry one of them beyond it. A group of zeros has
/// scale 1. A scale below DBL_MIN is raised to DBL_MIN.
///
/// Requires: at least one weight, u of inputs * inputs; every number finite, every u[i,i] > 0;
/// 2 <= num_bits <= 8, group_size >= 1. Otherwise throws std::invalid_argument.
QuantizedRow gptq_row(std::span<const double> w, std::span<const double> u, std::int32_t num_bits,
                      std::int32_t group_size);

// --- The layer ----------------------------------------------------------------------------------

/// Returns the inputs in the order of h[i,i], the largest first; of equal ones the lower index
/// first. Who comes early is rounded when many others can still make up for it.
///
///     h[i,i]   2 5 3 5      order   1 3 2 0
///
/// Requires: inputs >= 1, h of inputs * inputs finite numbers. Otherwise throws
/// std::invalid_argument.
std::vector<std::int32_t> activation_order(std::span<const double> h, std::int32_t inputs);

/// How a layer is to be quantized.
struct GptqOptions {
  std::int32_t num_bits;    ///< of a code, 2 to 8
  std::int32_t group_size;  ///< weights that share a scale, >= 1
  double damping;           ///< of input_hessian, 0 to 1
  bool by_activation;       ///< columns are done in activation_order, not as they stand
};

/// A layer as codes:  real w[o,i] = scales[o, group[i]] * q[o,i].
struct GptqMatrix {
  std::vector<std::int8_t> q;       ///< [outputs, inputs], columns as in w
  std::vector<double> scales;       ///< [outputs, groups], in the order in which they were made
  std::vector<std::int32_t> group;  ///< [inputs], the group of a column
};

/// Quantizes a layer, every row with the same h.
///
///     h        = input_hessian(x, inputs, damping)
///     order    = activation_order(h) if by_activation, otherwise 0, 1, 2, ...
///     w'[o,k]  = w[o, order[k]]                            0 where every x[s, order[k]] is 0
///     h'[k,l]  = h[order[k], order[l]]
///     u        = inverse_cholesky(h')
///     row, scales[o,..] = gptq_row(w'[o,..], u, num_bits, group_size)
///     q[o, order[k]] = row[k]          group[order[k]] = k / group_size
///
///     w      | a b c d |     order 2 0 3 1     w'  | c a d b |  -->  row  | C A D B |
///     q      | A B C D |     of groups of two: c and a are the first, d and b the second
///
/// Requires: what the functions above require; w of at least one row of inputs, finite. Otherwise
/// throws std::invalid_argument.
///
/// Source: Frantar et al., "GPTQ: Accurate post-training quantization for generative pre-trained
/// transformers" (2023).
GptqMatrix gptq_quantize(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                         const GptqOptions& options);

/// The weights that a matrix of codes stands for, [outputs, inputs]. Given.
inline std::vector<double> dequantize(const GptqMatrix& matrix) {
  const std::size_t inputs = matrix.group.size(), outputs = matrix.q.size() / inputs;
  const std::size_t groups = matrix.scales.size() / outputs;
  std::vector<double> w(matrix.q.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto group = static_cast<std::size_t>(matrix.group[i % inputs]);
    w[i] = matrix.scales[i / inputs * groups + group] * matrix.q[i];
  }
  return w;
}

/// Returns how far the layer's outputs are off when its weights are w_hat: the mean square.
///
///     error = mean over s and o of (sum over i of x[s,i] * (w[o,i] - w_hat[o,i]))^2
///
/// Two wrong weights may be one right output: this is what counts, not how far the weights are off.
///
/// Requires: inputs >= 1; w, w_hat and x of at least one row of inputs each, w and w_hat of as
/// many; every number finite. Otherwise throws std::invalid_argument.
double layer_error(std::span<const double> w, std::span<const double> w_hat,
                   std::span<const double> x, std::int32_t inputs);

NIBBLE_EXERCISES(input_hessian, inverse_cholesky, gptq_row, activation_order, gptq_quantize,
                 layer_error);

}  // namespace nibble
