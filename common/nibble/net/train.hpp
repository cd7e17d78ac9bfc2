// Trains a network on images: stochastic gradient descent with momentum. Loops are written so that
// a compiler can use vectors without changing a single sum, and nothing comes from a library whose
// last bit may differ: the same weights from every compiler that keeps IEEE 754.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "nibble/net/images.hpp"
#include "nibble/net/mlp.hpp"
#include "nibble/net/split_mix.hpp"

namespace nibble {

struct TrainingSchedule {
  int epochs = 5;
  std::size_t batch = 32;
  float rate = 0.05f;  ///< of learning, in the first epoch; it falls to a tenth in the last
  float momentum = 0.9f;
  std::uint64_t seed = 1;
};

/// Layers of these sizes, from inputs to classes; weights uniform, as wide as ReLU wants them
/// (He et al., 2015), biases 0.
inline Mlp untrained(std::span<const std::size_t> sizes, std::uint64_t seed) {
  SplitMix random(seed);
  Mlp net;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    Linear layer{sizes[l], sizes[l + 1], std::vector<float>(sizes[l] * sizes[l + 1]),
                 std::vector<float>(sizes[l + 1])};
    const float widest = std::sqrt(6.0f / static_cast<float>(layer.inputs));
    for (float& weight : layer.weight) weight = random.uniform(-widest, widest);
    net.layers.push_back(std::move(layer));
  }
  return net;
}

/// e^x for x <= 0, as (1 + x / 1024)^1024: by products alone.
inline float exponential(float x) {
  double power = std::max(0.0, 1.0 + static_cast<double>(x) / 1024);
  for (int i = 0; i < 10; ++i) power *= power;
  return static_cast<float>(power);
}

/// The gradient of the mean cross entropy by the scores, [rows, classes]: softmax minus 1 at the
/// label, over rows.
inline std::vector<float> score_gradient(std::span<const float> scores,
                                         std::span<const std::uint8_t> labels) {
  const std::size_t rows = labels.size(), count = scores.size() / rows;
  std::vector<float> gradient(scores.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto one = scores.subspan(row * count, count);
    const auto out = std::span(gradient).subspan(row * count, count);
    const float largest = *std::ranges::max_element(one);
    float sum = 0;
    for (std::size_t c = 0; c < count; ++c) sum += out[c] = exponential(one[c] - largest);
    for (float& value : out) value /= sum;
    out[labels[row]] -= 1;
    for (float& value : out) value /= static_cast<float>(rows);
  }
  return gradient;
}

/// The gradients of one layer: by its weights and bias, and by what it got.
struct LinearGradient {
  std::vector<float> weight;  ///< [outputs, inputs]
  std::vector<float> bias;    ///< [outputs]
  std::vector<float> input;   ///< [rows, inputs]
};

/// `x` is what the layer got, [rows, inputs]; `gradient` is by what it gave, [rows, outputs].
inline LinearGradient linear_gradient(const Linear& layer, std::span<const float> x,
                                      std::span<const float> gradient, bool by_input) {
  const std::size_t rows = x.size() / layer.inputs;
  LinearGradient all{std::vector<float>(layer.weight.size()), std::vector<float>(layer.outputs),
                     std::vector<float>(by_input ? x.size() : 0)};
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const in = x.data() + row * layer.inputs;
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      const float slope = gradient[row * layer.outputs + o];
      all.bias[o] += slope;
      if (slope == 0) continue;
      float* const weights = all.weight.data() + o * layer.inputs;
      for (std::size_t i = 0; i < layer.inputs; ++i) weights[i] += slope * in[i];
      if (!by_input) continue;
      const float* const forward = layer.weight.data() + o * layer.inputs;
      float* const back = all.input.data() + row * layer.inputs;
      for (std::size_t i = 0; i < layer.inputs; ++i) back[i] += slope * forward[i];
    }
  }
  return all;
}

/// values -= rate * velocity, where velocity = momentum * velocity + gradient.
inline void descend(std::span<float> values, std::span<float> velocity,
                    std::span<const float> gradient, float rate, float momentum) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    velocity[i] = momentum * velocity[i] + gradient[i];
    values[i] -= rate * velocity[i];
  }
}

/// One step: the gradients of all layers on one batch, then the descent.
inline void train_on_batch(Mlp& net, Mlp& velocity, std::span<const float> x,
                           std::span<const std::uint8_t> labels, float rate, float momentum) {
  const std::vector<std::vector<float>> values = forward_all(net, x);
  std::vector<float> gradient = score_gradient(values.back(), labels);
  for (std::size_t l = net.layers.size(); l-- > 0;) {
    LinearGradient all = linear_gradient(net.layers[l], values[l], gradient, l > 0);
    descend(net.layers[l].weight, velocity.layers[l].weight, all.weight, rate, momentum);
    descend(net.layers[l].bias, velocity.layers[l].bias, all.bias, rate, momentum);
    for (std::size_t i = 0; i < all.input.size(); ++i) {
      if (values[l][i] == 0) all.input[i] = 0;  // behind a ReLU that is shut
    }
    gradient = std::move(all.input);
  }
}

/// Trains `net` in place.
inline void train(Mlp& net, const Images& images, const TrainingSchedule& how) {
  Mlp velocity = net;
  for (Linear& layer : velocity.layers) {
    std::ranges::fill(layer.weight, 0.0f);
    std::ranges::fill(layer.bias, 0.0f);
  }
  std::vector<std::size_t> order(images.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  SplitMix random(how.seed);
  const std::vector<float> all = as_floats(images, 0, images.size());
  const std::size_t each = images.pixels_each();
  for (int epoch = 0; epoch < how.epochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    const float done = static_cast<float>(epoch) / static_cast<float>(std::max(how.epochs - 1, 1));
    const float rate = how.rate * (1 - 0.9f * done);
    for (std::size_t first = 0; first < order.size(); first += how.batch) {
      std::vector<float> x;
      std::vector<std::uint8_t> labels;
      for (std::size_t i = first; i < std::min(first + how.batch, order.size()); ++i) {
        x.insert(x.end(), all.begin() + static_cast<std::ptrdiff_t>(order[i] * each),
                 all.begin() + static_cast<std::ptrdiff_t>((order[i] + 1) * each));
        labels.push_back(images.labels[order[i]]);
      }
      train_on_batch(net, velocity, x, labels, rate, how.momentum);
    }
  }
}

/// The share of images whose class the network names, 0 .. 1.
inline double accuracy(const Mlp& net, const Images& images) {
  const std::vector<int> found = classes(forward(net, as_floats(images, 0, images.size())));
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == images.labels[i] ? 1 : 0;
  return images.size() == 0 ? 0 : static_cast<double>(right) / static_cast<double>(images.size());
}

}  // namespace nibble
