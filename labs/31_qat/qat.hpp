// Lab 31: quantization-aware training. A network learns with its numbers rounded, so that nothing
// is left to lose when they become codes. This header is the contract: read it, implement it, leave
// it be (the grader compiles your qat.cpp against its own copy).
//
// All of it is double. A real number of an answer is within 1e-8 of the largest magnitude in that
// part of the answer. Matrices are row-major. round() sends ties to the even neighbour (2.5 -> 2,
// 3.5 -> 4), after one division; a code is clamped after it is rounded.
//
//            inputs                     outputs
//         +----------+               +----------+        y[r,o] = bias[o] + sum over i of
//    rows |    x     |          rows |    y     |                 x_hat[r,i] * w_hat[o,i]
//         +----------+               +----------+
//
// Gradients are of the loss. `upstream` [rows, outputs] is that by y: what comes back from behind.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

/// A number for each of a layer's two scales: the scale itself, or the gradient by it.
struct LayerScales {
  double weight;  ///< of the weights
  double input;   ///< of what the layer gets
};

/// A layer while it learns. Its weights are real numbers, and stay so: codes exist in its products
/// alone. Weights have the codes [qmin, qmax] of weight_bits with a sign, inputs the codes
/// [0, qmax] of input_bits without one; no zero points.
struct QatLayer {
  std::vector<double> weight;  ///< [outputs, inputs]
  std::vector<double> bias;    ///< [outputs]
  LayerScales scales;          ///< real units per step, each from 1e-30 to 1e30
  std::int32_t weight_bits;    ///< 2 to 8
  std::int32_t input_bits;     ///< 2 to 8
};

/// What the codes of weights and inputs go from and to. Given.
inline IntRange weight_range(const QatLayer& layer) { return signed_range(layer.weight_bits); }
inline IntRange input_range(const QatLayer& layer) { return unsigned_range(layer.input_bits); }

/// Throws std::invalid_argument unless `layer` is one, of at least one weight, and x has rows for
/// it, at least one; every number finite. Given: call it first.
inline void expects_layer(const QatLayer& layer, std::span<const double> x) {
  const auto& [weight, bias, scales, weight_bits, input_bits] = layer;
  NIBBLE_EXPECTS(!weight.empty() && !bias.empty(), weight.size());
  NIBBLE_EXPECTS(weight.size() % bias.size() == 0, weight.size());
  NIBBLE_EXPECTS(!x.empty() && x.size() % (weight.size() / bias.size()) == 0, x.size());
  for (const double scale : {scales.weight, scales.input}) {
    NIBBLE_EXPECTS(1e-30 <= scale && scale <= 1e30, scale);
  }
  for (const std::int32_t bits : {weight_bits, input_bits}) {
    NIBBLE_EXPECTS(2 <= bits && bits <= 8, bits);
  }
  for (const std::span<const double> all : {std::span<const double>(weight), {bias}, x}) {
    for (const double number : all) NIBBLE_EXPECTS(std::isfinite(number), number);
  }
}

// --- One layer ----------------------------------------------------------------------------------

/// Returns what the layer gives, [rows, outputs], as if its weights and inputs were codes already.
///
///     w_hat[o,i] = scales.weight * clamp(round(weight[o,i] / scales.weight))     to [qmin, qmax]
///     x_hat[r,i] = scales.input  * clamp(round(x[r,i] / scales.input))           to [0, qmax]
///     y[r,o]     = bias[o] + sum over i of x_hat[r,i] * w_hat[o,i]
///
/// Requires: expects_layer(layer, x) passes. Otherwise throws std::invalid_argument.
std::vector<double> linear_forward_fake(std::span<const double> x, const QatLayer& layer);

/// The gradients by what one may move.
struct QatGradient {
  std::vector<double> input;   ///< by x, [rows, inputs]
  std::vector<double> weight;  ///< by the real weights, [outputs, inputs]
  std::vector<double> bias;    ///< [outputs]
};

/// Returns the gradients by x, weights and bias: straight through the rounding, and not through
/// the clamp.
///
///     by_w_hat[o,i] = sum over r of upstream[r,o] * x_hat[r,i]
///     by_x_hat[r,i] = sum over o of upstream[r,o] * w_hat[o,i]
///
///     weight[o,i] = by_w_hat[o,i]   where the code of weight[o,i] was not clamped, otherwise 0
///     input[r,i]  = by_x_hat[r,i]   where the code of x[r,i] was not clamped, otherwise 0
///     bias[o]     = sum over r of upstream[r,o]
///
///     round(v)  -4  -3 |-2  -1   0   1 | 2   3        2 bits with a sign: |v| may be above qmax,
///     slope      0   0 | 1   1   1   1 | 0   0        and its code is still not clamped
///
/// Requires: expects_layer(layer, x) passes; upstream of rows * outputs finite numbers. Otherwise
/// throws std::invalid_argument.
QatGradient linear_backward_fake(std::span<const double> x, std::span<const double> upstream,
                                 const QatLayer& layer);

/// Returns the gradients by the two scales, as LSQ has them: small enough to learn with.
///
///     slope(v) = round(v) - v     not clamped
///                qmin or qmax     clamped: the code it was clamped to
///
///     weight = (sum over o, i of by_w_hat[o,i] * slope(weight[o,i] / scales.weight))
///                / sqrt(how many weights * their qmax)
///     input  = (sum over r, i of by_x_hat[r,i] * slope(x[r,i] / scales.input))
///                / sqrt(how many x * their qmax)
///
/// by_w_hat and by_x_hat are those of linear_backward_fake: a clamped number tells its scale most.
///
/// Requires: what linear_backward_fake requires. Otherwise throws std::invalid_argument.
///
/// Source: Esser et al., "Learned Step Size Quantization" (2020).
LayerScales scale_gradients(std::span<const double> x, std::span<const double> upstream,
                            const QatLayer& layer);

// --- A step -------------------------------------------------------------------------------------

/// Returns the layer after one step of stochastic gradient descent.
///
///     weight[o,i] = weight[o,i] - rate * gradient.weight[o,i]    real numbers, never their w_hat
///     bias[o]     = bias[o] - rate * gradient.bias[o]
///     scale       = scale - rate * its gradient                  then clamped to
///                                                                [scale / 2, 2 * scale]
///
///     weight    0.40 -> 0.43 -> 0.46 -> 0.52        steps smaller than half a code add up here,
///     w_hat     0       0       0       1           and would be lost in w_hat
///
/// Both scales are learnt alike. gradient.input is not read. What remains stays as it is.
///
/// Requires: expects_layer(layer, layer.weight) passes; as many gradients as weights and biases,
/// all finite, by_scales too; rate finite and > 0. Otherwise throws std::invalid_argument.
QatLayer sgd_step(const QatLayer& layer, const QatGradient& gradient, const LayerScales& by_scales,
                  double rate);

/// Returns the scales that a layer has in step `step` of a training that observes them, as PTQ
/// does, and does not learn them.
///
///     weight = max |weight[o,i]| / qmax                      in every step: the weights move
///
///     input  = max x[r,i] / qmax                             step 0
///              0.9 * scales.input + 0.1 * max x[r,i] / qmax  0 < step < frozen_from
///              scales.input                                  frozen_from <= step, and step > 0
///
///     step       0    1    2    3    4        frozen_from = 3: what comes last is used as it will
///     input      o -> o -> o -> ------        be when training is over
///
/// A scale whose maximum is 0, or below, stays as it is.
///
/// Requires: expects_layer(layer, x) passes; step >= 0, frozen_from >= 0. Otherwise throws
/// std::invalid_argument.
LayerScales observe_scales(std::span<const double> x, const QatLayer& layer, std::int32_t step,
                           std::int32_t frozen_from);

// --- The training -------------------------------------------------------------------------------

/// x -> layer 0 -> relu -> layer 1 -> relu -> layer 2 -> a score for each class.
using QatNet = std::array<QatLayer, 3>;

/// How a network is trained.
struct QatOptions {
  bool learn_scales;    ///< by scale_gradients (LSQ); otherwise observe_scales (plain STE)
  std::int32_t batch;   ///< rows of a step, >= 1
  std::int32_t epochs;  ///< how often all rows are seen
  double rate;          ///< of the first step; it falls to a tenth
};

/// A scale to begin with, where it is learnt: twice the mean magnitude over sqrt(qmax). Given.
/// Source: Esser et al., as above.
inline double starting_scale(std::span<const double> values, std::int32_t qmax) {
  double sum = 0;
  for (const double value : values) sum += std::fabs(value);
  return std::max(2 * sum / static_cast<double>(values.size()) / std::sqrt(qmax), 1e-9);
}

/// The gradient of the mean cross entropy by the scores, [rows, classes]. Given.
inline std::vector<double> loss_gradient(std::span<const double> scores,
                                         std::span<const std::uint8_t> labels) {
  const std::size_t rows = labels.size(), classes = scores.size() / rows;
  std::vector<double> gradient(scores.begin(), scores.end());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto one = std::span(gradient).subspan(row * classes, classes);
    const double most = *std::ranges::max_element(one);
    double sum = 0;
    for (double& value : one) sum += value = std::exp(value - most);
    for (double& value : one) value /= sum * static_cast<double>(rows);
    one[labels[row]] -= 1 / static_cast<double>(rows);
  }
  return gradient;
}

/// One step on one batch: forward, back, and every layer moves. Given.
inline void train_step(QatNet& net, std::span<const double> x, std::span<const std::uint8_t> labels,
                       const QatOptions& how, double rate, std::int32_t step, std::int32_t steps) {
  std::array<std::vector<double>, 4> values;  // what each layer gets, and the scores
  values[0].assign(x.begin(), x.end());
  for (std::size_t l = 0; l < net.size(); ++l) {
    QatLayer& layer = net[l];
    if (!how.learn_scales) {
      layer.scales = observe_scales(values[l], layer, step, steps * 3 / 4);
    } else if (step == 0) {
      layer.scales = {starting_scale(layer.weight, weight_range(layer).qmax),
                      starting_scale(values[l], input_range(layer).qmax)};
    }
    values[l + 1] = linear_forward_fake(values[l], layer);
    if (l + 1 == net.size()) break;
    for (double& value : values[l + 1]) value = std::max(value, 0.0);
  }
  std::vector<double> upstream = loss_gradient(values[3], labels);
  for (std::size_t l = net.size(); l-- > 0;) {
    QatGradient gradient = linear_backward_fake(values[l], upstream, net[l]);
    LayerScales by_scales{0, 0};
    if (how.learn_scales) by_scales = scale_gradients(values[l], upstream, net[l]);
    net[l] = sgd_step(net[l], gradient, by_scales, rate);
    upstream = std::move(gradient.input);
    for (std::size_t i = 0; i < upstream.size(); ++i) {
      if (values[l][i] <= 0) upstream[i] = 0;  // a ReLU that is shut
    }
  }
}

/// Trains a network that was trained in floats once more, with codes in its products. Written
/// already; it calls what you write, and is graded by what it does to networks: means over a few of
/// them, on signs that nobody trained with. Where weights have 2 bits,
///
///     inputs of 8 bits    learned scales are at least 30 points better than rounding what was
///                         trained in floats with scales of the largest magnitudes (PTQ), and 5
///                         better than rounding it with the scales that learning begins with
///     inputs of 2 bits    learned scales are not worse than observed ones
///
/// It learns from 1,500 images of 49 pixels in 300 steps; sanitizers look on for all of them.
///
/// Requires: as many labels as rows of x; batch >= 1, epochs >= 1. Otherwise throws
/// std::invalid_argument.
inline QatNet train_qat(const QatNet& start, std::span<const double> x,
                        std::span<const std::uint8_t> labels, const QatOptions& how) {
  QatNet net = start;
  expects_layer(net[0], x);
  const std::size_t inputs = net[0].weight.size() / net[0].bias.size();
  NIBBLE_EXPECTS(labels.size() == x.size() / inputs, labels.size());
  NIBBLE_EXPECTS(how.batch >= 1 && how.epochs >= 1, how.batch);
  const auto batch = static_cast<std::size_t>(how.batch);
  const auto each = static_cast<std::int32_t>(labels.size() / batch);
  const std::int32_t steps = how.epochs * each;
  for (std::int32_t step = 0; step < steps; ++step) {
    const std::size_t first = static_cast<std::size_t>(step % each) * batch;
    train_step(net, x.subspan(first * inputs, batch * inputs), labels.subspan(first, batch), how,
               how.rate * (1 - 0.9 * step / steps), step, steps);
  }
  if (!how.learn_scales) {  // the weights have moved once more
    for (QatLayer& layer : net) {
      layer.scales = observe_scales(std::vector<double>(layer.weight.size() / layer.bias.size()),
                                    layer, steps, 0);
    }
  }
  return net;
}

NIBBLE_EXERCISES(linear_forward_fake, linear_backward_fake, scale_gradients, sgd_step,
                 observe_scales, train_qat);

}  // namespace nibble
