// Lab 30: mixed precision. Which layers may be narrow, which columns stay wide, which operations
// run in half. This header is the contract: read it, implement it, leave it be (the grader compiles
// your mixed_precision.cpp against its own copy).
//
// All of it is double. A real number of an answer is within 1e-8 of the largest magnitude in that
// answer. Matrices are row-major. round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4).
// What overflows a double is nobody's concern, nor is a scale below DBL_MIN, nor what only the last
// digits decide: sums and gains that are equal on paper alone, a quotient beside a tie.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- Layer by layer -----------------------------------------------------------------------------

/// A network without biases:  x -> layer 0 -> relu -> layer 1 -> relu -> ... -> last layer -> y.
struct Network {
  std::vector<std::int32_t> sizes;  ///< [layers + 1]: the inputs, then the outputs of each layer
  std::vector<double> weights;      ///< layer after layer, each [outputs, inputs]
};

/// Throws std::invalid_argument unless `net` is one: a layer or more, sizes >= 1, as many weights
/// as they say, all finite. Given: call it first.
inline void expects_network(const Network& net) {
  NIBBLE_EXPECTS(net.sizes.size() >= 2, net.sizes.size());
  std::size_t weights = 0;
  for (std::size_t l = 0; l < net.sizes.size(); ++l) {
    NIBBLE_EXPECTS(1 <= net.sizes[l] && net.sizes[l] <= 4096, net.sizes[l]);
    if (l > 0) weights += std::size_t(net.sizes[l - 1]) * std::size_t(net.sizes[l]);
  }
  NIBBLE_EXPECTS(net.weights.size() == weights, net.weights.size());
  for (const double weight : net.weights) NIBBLE_EXPECTS(std::isfinite(weight), weight);
}

/// The outputs of `net` for the rows of x: [samples, inputs] becomes [samples, outputs]. Given.
inline std::vector<double> forward(const Network& net, std::span<const double> x) {
  std::vector<double> now(x.begin(), x.end());
  const double* weights = net.weights.data();
  for (std::size_t l = 1; l < net.sizes.size(); ++l) {
    const auto inputs = std::size_t(net.sizes[l - 1]), outputs = std::size_t(net.sizes[l]);
    std::vector<double> next(now.size() / inputs * outputs);
    for (std::size_t at = 0; at < next.size(); ++at) {
      const double* const row = weights + at % outputs * inputs;
      for (std::size_t i = 0; i < inputs; ++i) next[at] += row[i] * now[at / outputs * inputs + i];
      if (l + 1 < net.sizes.size()) next[at] = std::max(next[at], 0.0);
    }
    weights += inputs * outputs;
    now = std::move(next);
  }
  return now;
}

/// Returns, for each layer, how far the outputs of the network are off when the weights of this
/// layer alone are rounded: the mean square, [layers].
///
///     scale    = max |w| over the row / qmax        1 for a row of zeros    qmax = 2^(num_bits-1)-1
///     w_hat    = scale * round(w / scale)           rows of layer l; all other layers stay
///     error[l] = mean of (forward(net, x) - forward(net with w_hat in layer l, x))^2
///
///     x ---> | w0 | ---> | w1 | ---> | w2 | ---> y          error[0]:  *w0   w1   w2
///                                                           error[1]:   w0  *w1   w2
///
/// Requires: expects_network(net) passes; x of at least one row of inputs, finite;
/// 2 <= num_bits <= 8. Otherwise throws std::invalid_argument.
std::vector<double> layer_sensitivity(const Network& net, std::span<const double> x,
                                      std::int32_t num_bits);

/// What there is to choose from.
struct Candidates {
  std::vector<std::int32_t> bits;    ///< [choices], ascending, each 1 to 32
  std::vector<std::int32_t> counts;  ///< [layers], weights of a layer, each >= 1
  std::vector<double> errors;        ///< [layers, choices], of a layer at so many bits, >= 0
};

/// Throws std::invalid_argument unless `candidates` are some: a choice and a layer at least, values
/// as Candidates says, finite errors. Given: call it first.
inline void expects_candidates(const Candidates& candidates) {
  const auto& [bits, counts, errors] = candidates;
  NIBBLE_EXPECTS(!bits.empty() && !counts.empty(), counts.size());
  for (std::size_t c = 0; c < bits.size(); ++c) {
    NIBBLE_EXPECTS((c == 0 ? 1 : bits[c - 1] + 1) <= bits[c] && bits[c] <= 32, bits[c]);
  }
  for (const std::int32_t count : counts) NIBBLE_EXPECTS(count >= 1, count);
  NIBBLE_EXPECTS(errors.size() == counts.size() * bits.size(), errors.size());
  for (const double error : errors) NIBBLE_EXPECTS(std::isfinite(error) && error >= 0, error);
}

/// Chooses bits for each layer, as long as the budget lasts: always where a bit gains most.
/// Returns the place in `bits` of each layer's choice, [layers].
///
///     every layer begins at place 0
///     gain = (errors[l,c] - errors[l,c+1]) / (counts[l] * (bits[c+1] - bits[c]))
///     of the layers whose next step fits the budget, the one with the largest gain takes it, of
///     equal ones the lowest; until nobody fits, or nobody gains (gain > 0)
///
///     total bits = sum over l of counts[l] * bits[choice of l]               <= budget_bits
///
/// Who does not fit is passed over: a smaller layer may. Totals may need 64 bits.
///
/// Requires: expects_candidates(candidates) passes; budget_bits enough for place 0 everywhere.
/// Otherwise throws std::invalid_argument.
std::vector<std::int32_t> choose_bits(const Candidates& candidates, std::int64_t budget_bits);

/// Chooses bits for each layer so that the sum of errors is the least of all that the budget
/// allows. Of equal sums the one of fewer total bits, of these the first: place 0 before place 1,
/// in layer 0 first.
///
///     choose_bits took a small gain, and then the large one did not fit any more:
///     budget 8, two layers of one weight:   errors at 2, 4, 6 bits   9 5 4.5  |  9 8 0
///     choose_bits: 4 and 4, 13              best_bits: 2 and 6, 9
///
/// Requires: what choose_bits requires; at most 8 layers and 4 choices. Otherwise throws
/// std::invalid_argument.
std::vector<std::int32_t> best_bits(const Candidates& candidates, std::int64_t budget_bits);

// --- Column by column ---------------------------------------------------------------------------

/// Returns the inputs that have an outlier, in ascending order: those with |x[s,i]| >= threshold in
/// at least one row s.
///
/// Requires: inputs >= 1; x of at least one row of inputs, finite; threshold > 0, infinity too.
/// Otherwise throws std::invalid_argument.
std::vector<std::int32_t> split_outliers(std::span<const double> x, std::int32_t inputs,
                                         double threshold);

/// Multiplies in int8, but for the inputs with outliers, which stay as they are: LLM.int8.
///
///     y[s,o] = sum over i of x[s,i] * w[o,i]                            i an outlier
///            + x_scale[s] * w_scale[o] * (sum over i of xq[s,i] * wq[o,i])      the others
///
///     x_scale[s] = max |x[s,i]| over the others / 127      xq[s,i] = round(x[s,i] / x_scale[s])
///     w_scale[o] = max |w[o,i]| over the others / 127      wq[o,i] = round(w[o,i] / w_scale[o])
///
///     x   | . . # . . # . |         # as floats, two columns of seven      8 bits for the rest,
///     w   | . . # . . # . |                                                without its outliers
///
/// The outliers are those of split_outliers. A scale of zeros is 1. y is [samples, outputs].
///
/// Requires: what split_outliers requires; w of at least one row of inputs, finite. Otherwise
/// throws std::invalid_argument.
///
/// Source: Dettmers et al., "LLM.int8(): 8-bit matrix multiplication for transformers at scale"
/// (2022).
std::vector<double> matmul_with_outliers(std::span<const double> x, std::span<const double> w,
                                         std::int32_t inputs, double threshold);

// --- Operation by operation ---------------------------------------------------------------------

/// Kinds of operations.
inline constexpr std::int32_t kProduct = 0;      ///< of matrices, convolutions: runs in half
inline constexpr std::int32_t kReduction = 1;    ///< sums, softmax, losses: runs in float
inline constexpr std::int32_t kElementwise = 2;  ///< additions, ReLU: in half if all it reads is

/// What an operation may read beside the results of those before it.
inline constexpr std::int32_t kInput = -1;    ///< the network's input, which is float
inline constexpr std::int32_t kNothing = -2;  ///< it has no second operand

/// Operations in the order in which they run, each with what it reads.
struct Operations {
  std::vector<std::int32_t> kinds;   ///< [operations]
  std::vector<std::int32_t> first;   ///< [operations], an earlier operation, or kInput
  std::vector<std::int32_t> second;  ///< [operations], an earlier operation, kInput or kNothing
};

/// In which type each operation runs.
struct Autocast {
  std::vector<std::int32_t> half;  ///< [operations], 1: runs in half and gives half; 0: float
  std::int32_t casts;              ///< conversions that it takes
};

/// Decides in which type each operation runs, and counts the casts.
///
///     a value that is read in the other type is cast once, however many operations read it
///
///     input --> product --> relu --> softmax         input and relu are cast: 2
///     float      half       half      float
///
/// No operations are a program, too: half is empty, and casts is 0.
///
/// Requires: as many first and second as kinds, each one of those above; no operation reads itself
/// or a later one. Otherwise throws std::invalid_argument.
Autocast autocast(const Operations& program);

NIBBLE_EXERCISES(layer_sensitivity, choose_bits, best_bits, split_outliers, matmul_with_outliers,
                 autocast);

}  // namespace nibble
