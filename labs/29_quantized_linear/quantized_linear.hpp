// Lab 29: a quantized network. Layers of int8 weights, and three ways to run them: with a float
// product, with inputs quantized on the fly, and in integers from the first layer to the last.
// This header is the contract: read it, implement it, leave it be (the grader compiles your
// quantized_linear.cpp against its own copy).
//
// Matrices are row-major. Linear is the float layer of nibble/net/mlp.hpp: the weights of one
// output stand in a row. round() sends ties to the even neighbour (2.5 -> 2, 3.5 -> 4). A float of
// an answer may be one ulp off, and as far as another order of its sums takes it.
//
//              inputs                     inputs                       outputs
//           +----------+             +--------------+             +-------------+
//   outputs |  weight  |        rows |      x       |        rows |      y      |
//           +----------+             +--------------+             +-------------+
#pragma once

#include "nibble/lab.hpp"
#include "nibble/net/mlp.hpp"

namespace nibble {

inline constexpr float kLeastScale = 0x1p-60f, kMostScale = 0x1p60f;

// --- One layer ----------------------------------------------------------------------------------

/// A layer of int8 weights, and what it is to be given:  real = a_scale * (q - a_zero_point).
struct QuantizedLayer {
  std::size_t inputs, outputs;      ///< 1 to 4096 each
  std::vector<std::int8_t> weight;  ///< [outputs, inputs], each in [-127, 127]
  std::vector<float> w_scale;       ///< [outputs], real units per step of a row
  std::vector<std::int32_t> bias;   ///< [outputs], real = a_scale * w_scale[o] * bias[o]
  float a_scale;                    ///< real units per step of an input
  std::int32_t a_zero_point;        ///< the code of real 0, in [-128, 127]
};

/// Quantizes a layer: a scale for each output, the bias in the unit of its sums.
///
///     w_scale[o]  = max over i of |weight[o,i]| / 127         float32; 1 for a row of zeros
///     weight[o,i] = round(weight[o,i] / w_scale[o])           float32
///     bias[o]     = round(bias[o] / (a_scale * w_scale[o]))   double; clamped to [-2^30, 2^30]
///
///     weight | 127    5 |   w_scale  1    codes 127  5     bias 3, a_scale 0.5:    6 of 0.5
///            | 254    5 |            2          127  2          3                  3 of 1
///
/// w_scale is never below kLeastScale. a_scale and a_zero_point are kept as they are. With a bias
/// of at most 2^30 and 4096 inputs, every sum of the layer fits an int32.
///
/// Requires: inputs and outputs from 1 to 4096; as many weights and biases as they say, each of a
/// magnitude of at most kMostScale; a_scale in [kLeastScale, kMostScale]; a_zero_point in
/// [-128, 127]. Otherwise throws std::invalid_argument.
QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point);

// --- Networks -----------------------------------------------------------------------------------

/// A network in float: layers with a ReLU between, and none behind the last.
struct FloatModel {
  std::vector<std::int32_t> sizes;  ///< [layers + 1]: the inputs, then the outputs of each layer
  std::vector<float> weights;       ///< layer after layer, each [outputs, inputs]
  std::vector<float> biases;        ///< layer after layer, each [outputs]
  bool training;                    ///< hidden values are dropped, as while it learns
};

/// The same network where layers are quantized. Lists hold one layer after the other.
struct QuantizedModel {
  std::vector<std::int32_t> sizes;         ///< [layers + 1], as in FloatModel
  std::vector<float> a_scale;              ///< [layers]; 0: this layer stays float
  std::vector<std::int32_t> a_zero_point;  ///< [layers]; 0 where the layer stays float
  std::vector<std::int8_t> weight;         ///< of the quantized layers
  std::vector<float> w_scale;              ///< of the quantized layers
  std::vector<std::int32_t> bias;          ///< of the quantized layers
  std::vector<float> floats;               ///< of each float layer its weights, then its bias
};

/// A layer of a QuantizedModel: one of the two is in use.
struct ModelLayer {
  bool is_float;
  Linear linear;
  QuantizedLayer quantized;
};

/// Takes the next numbers of a list; throws std::invalid_argument where there are too few. Given.
template <class T>
std::vector<T> take(std::span<const T>& list, std::size_t count) {
  NIBBLE_EXPECTS(count <= list.size(), list.size());
  const auto taken = list.first(count);
  list = list.subspan(count);
  return {taken.begin(), taken.end()};
}

/// A size of a network; throws std::invalid_argument unless it is from 1 to 4096. Given.
inline std::size_t size_at(std::span<const std::int32_t> sizes, std::size_t l) {
  NIBBLE_EXPECTS(sizes.size() >= 2, sizes.size());
  NIBBLE_EXPECTS(1 <= sizes[l] && sizes[l] <= 4096, sizes[l]);
  return static_cast<std::size_t>(sizes[l]);
}

/// The layers of `net`; throws std::invalid_argument unless its lists are as long as sizes say.
/// Given.
inline std::vector<Linear> layers_of(const FloatModel& net) {
  std::span<const float> weights = net.weights, biases = net.biases;
  std::vector<Linear> layers;
  for (std::size_t l = 0; l + 1 < std::max(net.sizes.size(), std::size_t{2}); ++l) {
    const std::size_t inputs = size_at(net.sizes, l), outputs = size_at(net.sizes, l + 1);
    layers.push_back({inputs, outputs, take(weights, inputs * outputs), take(biases, outputs)});
  }
  NIBBLE_EXPECTS(weights.empty() && biases.empty(), weights.size());
  return layers;
}

/// The layers of `model`; throws std::invalid_argument unless its lists are as long as sizes and
/// a_scale say, and hold what quantize_layer gives. A layer that stays float may hold any floats.
/// Given.
inline std::vector<ModelLayer> layers_of(const QuantizedModel& model) {
  std::span<const std::int8_t> weight = model.weight;
  std::span<const float> w_scale = model.w_scale, floats = model.floats;
  std::span<const std::int32_t> bias = model.bias;
  NIBBLE_EXPECTS(model.a_scale.size() + 1 == model.sizes.size(), model.a_scale.size());
  NIBBLE_EXPECTS(model.a_zero_point.size() == model.a_scale.size(), model.a_zero_point.size());
  std::vector<ModelLayer> layers;
  for (std::size_t l = 0; l < model.a_scale.size(); ++l) {
    const std::size_t inputs = size_at(model.sizes, l), outputs = size_at(model.sizes, l + 1);
    const float a_scale = model.a_scale[l];
    const std::int32_t a_zero_point = model.a_zero_point[l];
    NIBBLE_EXPECTS(a_scale == 0 || (kLeastScale <= a_scale && a_scale <= kMostScale), a_scale);
    NIBBLE_EXPECTS(-128 <= a_zero_point && a_zero_point <= 127, a_zero_point);
    const bool is_float = a_scale == 0;
    const std::size_t in_float = is_float ? outputs : 0, in_codes = outputs - in_float;
    Linear linear{inputs, outputs, take(floats, inputs * in_float), take(floats, in_float)};
    layers.push_back({is_float,
                      std::move(linear),
                      {inputs, outputs, take(weight, inputs * in_codes), take(w_scale, in_codes),
                       take(bias, in_codes), a_scale, a_zero_point}});
  }
  for (const float scale : model.w_scale) {
    NIBBLE_EXPECTS(kLeastScale <= scale && scale <= kMostScale, scale);
  }
  for (const std::int32_t b : model.bias) NIBBLE_EXPECTS(-(1 << 30) <= b && b <= 1 << 30, b);
  const std::size_t left = weight.size() + w_scale.size() + bias.size() + floats.size();
  NIBBLE_EXPECTS(!layers.empty() && left == 0, left);
  return layers;
}

/// Throws std::invalid_argument unless x is at least one row of `inputs` finite numbers. Given.
inline void expects_rows(std::span<const float> x, std::size_t inputs) {
  NIBBLE_EXPECTS(!x.empty() && x.size() % inputs == 0, x.size());
  expects_finite(x);
}

// --- Two ways that need no calibration ----------------------------------------------------------

/// Computes a layer with its weights as they are stored, and everything else in float.
///
///     y[r,o] = w_scale[o] * (sum over i of x[r,i] * weight[o,i] + a_scale * bias[o])
///
/// Of the layer's input nothing is rounded, so a_zero_point plays no part. Sums are float32, in any
/// order. x is [rows, inputs], at least one row, finite; y is [rows, outputs].
std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x);

/// Computes a layer with a scale for each row of x, found when the row is there.
///
///     x_scale[r] = max over i of |x[r,i]| / 127           float32; 1 for a row of zeros
///     q[r,i]     = round(x[r,i] / x_scale[r])             float32
///     acc[r,o]   = sum over i of q[r,i] * weight[o,i]     exact
///     y[r,o]     = w_scale[o] * (x_scale[r] * acc[r,o] + a_scale * bias[o])
///
///     x | 1   -2    4 |  x_scale  4/127       what stands in another row changes nothing
///       | 0    0  100 |         100/127
///
/// x_scale is never below kLeastScale. The bias has the unit that quantize_layer gave it, whatever
/// x_scale is. The last line is float32, what is in parentheses first: a product of the two scales
/// alone may overflow. x is [rows, inputs], at least one row, finite; y is [rows, outputs].
std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x);

/// The outputs of `model` for the rows of x: quantized layers as `compute` does them, float layers
/// by `linear`, a ReLU between. Given: these two drive yours, and are what is graded.
inline std::vector<float> forward_by_layers(const QuantizedModel& model, std::span<const float> x,
                                            std::vector<float> (*compute)(const QuantizedLayer&,
                                                                          std::span<const float>)) {
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  std::vector<float> now(x.begin(), x.end());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (l > 0) relu(now);
    const ModelLayer& layer = layers[l];
    now = layer.is_float ? linear(layer.linear, now) : compute(layer.quantized, now);
  }
  return now;
}
inline std::vector<float> forward_weight_only(const QuantizedModel& model,
                                              std::span<const float> x) {
  return forward_by_layers(model, x, linear_weight_only);
}
inline std::vector<float> forward_dynamic(const QuantizedModel& model, std::span<const float> x) {
  return forward_by_layers(model, x, linear_dynamic);
}

// --- Integers from the first layer to the last --------------------------------------------------

/// Runs the network on codes: between two quantized layers no number is a float.
///
///     enter     q[r,i]    = clamp(round(x[r,i] / a_scale) + a_zero_point)         to [-128, 127]
///     layer     acc[r,o]  = sum over i of (q[r,i] - a_zero_point) * weight[o,i] + bias[o]   int32
///     hand on   q'[r,o]   = clamp(round(acc[r,o] * factor[o]) + a_zero_point')
///                                                                      to [a_zero_point', 127]
///               factor[o] = (a_scale * w_scale[o]) / a_scale'
///     leave     y[r,o]    = acc[r,o] * (a_scale * w_scale[o])
///
///      x --enter--> | layer 0 | --hand on--> | layer 1 | --hand on--> | layer 2 | --leave--> y
///                      int8                     int8                     int8        float
///
/// ' is of the next layer. To clamp to its code of real 0 is the ReLU. Codes are handed on where
/// the next layer is quantized; before a float layer and at the end they are left: a float layer is
/// `linear` of real numbers, with `relu` between, and they enter again behind it. Arithmetic is
/// float32, one rounding for each operation, with acc as a float32. What overflows a float is
/// nobody's concern.
///
/// x is [rows, inputs], the result [rows, outputs]: of the last layer, and real.
///
/// Requires: layers_of(model) and expects_rows(x, inputs) pass. Otherwise throws
/// std::invalid_argument.
std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x);

// --- What it takes, and how it is made ----------------------------------------------------------

/// Returns how many bytes the numbers of `model` are: of every list of it, elements times their
/// size. sizes, scales, zero points, biases and float layers are counted as weights are, whether
/// lists fit each other or not.
///
///     784 x 128, quantized: 100'352 of weight, 512 of w_scale, 512 of bias, 4 of a_scale, ...
std::int64_t model_bytes(const QuantizedModel& model);

/// What each layer of `net` is given for the rows of x, and behind that its output. While it is
/// training, hidden values are dropped: every second is 0, the others are doubled. Given.
inline std::vector<std::vector<float>> layer_inputs(const FloatModel& net,
                                                    std::span<const float> x) {
  const std::vector<Linear> layers = layers_of(net);
  expects_rows(x, layers.front().inputs);
  std::vector<std::vector<float>> values{{x.begin(), x.end()}};
  for (const Linear& layer : layers) {
    values.push_back(linear(layer, values.back()));
    if (values.size() > layers.size()) break;
    relu(values.back());
    for (std::size_t i = 0; net.training && i < values.back().size(); ++i) {
      values.back()[i] *= i % 2 == 0 ? 0.0f : 2.0f;
    }
  }
  return values;
}

/// Quantizes a network of any depth. The layers whose numbers are in `skip` stay float.
///
///     lo           = min(0, min of what the layer is given)        over all rows of x
///     hi           = max(0, max of what the layer is given)
///     a_scale      = (hi - lo) / 255           float32; 1 where hi = lo
///     a_zero_point = -128 - round(lo / a_scale)                       float32
///
/// and what quantize_layer makes of the layer. What a layer is given says layer_inputs, of `net` as
/// it is used: not training, whatever net.training is, and with no layer rounded. a_scale is never
/// below kLeastScale. Of a quantized layer no float weight is kept. Where what a quantized layer is
/// given is not finite, that is nobody's concern.
///
/// Requires: layers_of(net) and expects_rows(x, inputs) pass; each of skip in 0 ... layers - 1;
/// what quantize_layer requires, of the layers that are not skipped. Otherwise throws
/// std::invalid_argument.
QuantizedModel quantize_model(const FloatModel& net, std::span<const float> x,
                              std::span<const std::int32_t> skip);

NIBBLE_EXERCISES(quantize_layer, forward_weight_only, forward_dynamic, forward_static, model_bytes,
                 quantize_model);

}  // namespace nibble
