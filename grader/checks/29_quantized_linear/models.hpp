// Lab 29: models.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/quantize_layer.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Modelling = Exercise<&quantize_model>;
using Skip = std::vector<std::int32_t>;

template <class T>
void append(std::vector<T>& list, const std::vector<T>& part) {
  list.insert(list.end(), part.begin(), part.end());
}

inline QuantizedModel model_by_definition(FloatModel net, const Reals& x, const Skip& skip) {
  net.training = false;
  const std::vector<Linear> layers = layers_of(net);
  const std::vector<Reals> inputs = layer_inputs(net, x);
  QuantizedModel model{net.sizes, {}, {}, {}, {}, {}, {}};
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const bool stays = std::ranges::count(skip, static_cast<std::int32_t>(l)) > 0;
    const float lo = std::min(0.0f, std::ranges::min(inputs[l])),
                hi = std::max(0.0f, std::ranges::max(inputs[l]));
    const float scale = hi == lo ? 1 : std::max((hi - lo) / 255, kLeastScale);
    const auto zero_point = std::int32_t(-128 - std::nearbyint(lo / scale));
    model.a_scale.push_back(stays ? 0 : scale);
    model.a_zero_point.push_back(stays ? 0 : zero_point);
    if (stays) {
      append(model.floats, layers[l].weight), append(model.floats, layers[l].bias);
    } else {
      const QuantizedLayer q = layer_by_definition(layers[l], scale, zero_point);
      append(model.weight, q.weight), append(model.w_scale, q.w_scale), append(model.bias, q.bias);
    }
  }
  return model;
}

inline FloatModel some_net(const std::vector<std::int32_t>& sizes, std::uint64_t seed) {
  FloatModel net{sizes, {}, {}, false};
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const Linear layer = some_layer({std::size_t(sizes[l]), std::size_t(sizes[l + 1])}, seed + l);
    append(net.weights, layer.weight), append(net.biases, layer.bias);
  }
  return net;
}

struct NetSize {
  std::vector<std::int32_t> sizes;
  std::size_t rows;
  Skip skip = {};

  std::string text() const {
    std::string all;
    for (const std::int32_t size : sizes) all += (all.empty() ? "" : "-") + std::to_string(size);
    return all;
  }
  Reals x(std::uint64_t seed) const {
    return normal_tensor(rows * static_cast<std::size_t>(sizes[0]), seed);
  }
};

/// For the three ways to run a model: quantized ones of these sizes, and rows.
template <class E>
std::vector<typename E::Input> some_models(Seed seed_of, const std::vector<NetSize>& sizes) {
  return each_of(sizes, [&](const NetSize& size, std::size_t at) -> typename E::Input {
    const FloatModel net = some_net(size.sizes, seed_of(10 * at));
    return {size.text(),
            {model_by_definition(net, size.x(seed_of(10 * at + 8)), size.skip),
             size.x(seed_of(10 * at + 9))}};
  });
}

/// The sizes of a result: rows, and the outputs of the last layer.
template <class Arguments>
Shape outputs_of(const Arguments& in) {
  const auto inputs = static_cast<std::size_t>(in.a.sizes.front()),
             outputs = static_cast<std::size_t>(in.a.sizes.back());
  return {in.b.size() / inputs, outputs};
}

#define MODEL_NAMES \
  { "sizes", "a_scale", "a_zero_point", "weight", "w_scale", "bias", "floats" }
#define RUN_NAMES \
  { "sizes", "a_scale", "a_zero_point", "weight", "w_scale", "bias", "floats", "x" }

}  // namespace nibble::judge::lab_29_quantized_linear
