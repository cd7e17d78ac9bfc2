#include "formats/net_accuracy.hpp"

#include <algorithm>
#include <array>

#include "formats/product.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble::formats {
namespace {

std::vector<float> layer_in(NumberFormat format, Isa isa, const Linear& layer,
                            std::span<const float> x) {
  const std::size_t rows = x.size() / layer.inputs, outputs = layer.outputs;
  const auto row_of = [&layer](std::size_t j, std::span<float> row) {
    std::copy_n(layer.weight.data() + j * layer.inputs, layer.inputs, row.data());
  };
  const PackedWeights weights = pack(format, outputs, layer.inputs, row_of);
  Workspace workspace;
  std::vector<float> wide(rows * weights.n), y;
  multiply(isa, activations_for(format, x, rows), weights, workspace, wide);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < outputs; ++j) y.push_back(wide[i * weights.n + j] + layer.bias[j]);
  }
  return y;
}

double share_right(std::span<const float> scores, std::span<const std::uint8_t> labels) {
  const std::vector<int> found = classes(scores);
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(found.size());
}

Mlp trained(std::size_t images, std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kSizes = {784, 128, 64, 10};
  Mlp net = untrained(kSizes, seed);
  train(net, make_glyphs(images, 2 * seed), {.seed = seed});
  return net;
}

}  // namespace

std::vector<float> scores_in(NumberFormat format, Isa isa, const Mlp& net,
                             std::span<const float> x) {
  std::vector<float> values(x.begin(), x.end());
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    values = layer_in(format, isa, net.layers[l], values);
    if (l + 1 < net.layers.size()) relu(values);
  }
  return values;
}

std::vector<std::vector<double>> net_accuracies(Isa isa, const NetPlan& plan) {
  std::vector<std::vector<double>> accuracies(kEveryNumberFormat.size());
  for (const std::uint64_t seed : plan.seeds) {
    const Mlp net = trained(plan.training_images, seed);
    const Images images = make_glyphs(plan.test_images, 2 * seed + 1);
    const std::vector<float> x = as_floats(images, 0, images.size());
    for (std::size_t f = 0; f < kEveryNumberFormat.size(); ++f) {
      const std::vector<float> scores = scores_in(kEveryNumberFormat[f], isa, net, x);
      accuracies[f].push_back(share_right(scores, images.labels));
    }
  }
  return accuracies;
}

}  // namespace nibble::formats
