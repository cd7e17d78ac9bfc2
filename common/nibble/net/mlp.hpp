// A network of layers: y = W x + b, ReLU between them. Plain vectors, as frameworks export them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace nibble {

/// y[o] = sum over i of weight[o][i] * x[i] + bias[o].
struct Linear {
  std::size_t inputs = 0, outputs = 0;
  std::vector<float> weight;  ///< [outputs, inputs], row-major: the weights of one output in a row
  std::vector<float> bias;    ///< [outputs]
};

struct Mlp {
  std::vector<Linear> layers;
};

/// The layer on `rows` inputs at once: x is [rows, inputs], the result [rows, outputs]. Sums run
/// over the inputs in order, in float32.
inline std::vector<float> linear(const Linear& layer, std::span<const float> x) {
  const std::size_t rows = x.size() / layer.inputs;
  std::vector<float> transposed(layer.weight.size());  // so that the inner loop has no sum in it
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      transposed[i * layer.outputs + o] = layer.weight[o * layer.inputs + i];
    }
  }
  std::vector<float> y(rows * layer.outputs);
  for (std::size_t row = 0; row < rows; ++row) {
    float* const sums = y.data() + row * layer.outputs;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      const float value = x[row * layer.inputs + i];
      if (value == 0) continue;  // paper, and what ReLU has cut
      const float* const weights = transposed.data() + i * layer.outputs;
      for (std::size_t o = 0; o < layer.outputs; ++o) sums[o] += value * weights[o];
    }
    for (std::size_t o = 0; o < layer.outputs; ++o) sums[o] += layer.bias[o];
  }
  return y;
}

inline void relu(std::span<float> x) {
  for (float& value : x) value = std::max(value, 0.0f);
}

/// What each layer gets: x itself, then the outputs of the hidden layers behind their ReLU; the
/// last entry is the network's output.
inline std::vector<std::vector<float>> forward_all(const Mlp& net, std::span<const float> x) {
  std::vector<std::vector<float>> values{{x.begin(), x.end()}};
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    values.push_back(linear(net.layers[l], values.back()));
    if (l + 1 < net.layers.size()) relu(values.back());
  }
  return values;
}

/// The network's output for `x`, [rows, inputs]: a score for each class.
inline std::vector<float> forward(const Mlp& net, std::span<const float> x) {
  return forward_all(net, x).back();
}

/// The class with the largest score, row by row; of equal ones the first.
inline std::vector<int> classes(std::span<const float> scores, std::size_t count = 10) {
  std::vector<int> best;
  for (std::size_t row = 0; row < scores.size() / count; ++row) {
    const auto one = scores.subspan(row * count, count);
    best.push_back(static_cast<int>(std::ranges::max_element(one) - one.begin()));
  }
  return best;
}

}  // namespace nibble
