// A network whose weights have two bits: rounded when it is finished, and trained through rounding.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

using nibble::Images;
using nibble::Linear;
using nibble::Mlp;

/// What is taken for the slope of round().
enum class Slope { kNone, kStraightThrough };

constexpr float kMin = -2, kMax = 1;  // two bits

float scale_of(const Linear& layer) {
  double squares = 0;  // of a bell, near the clip with the least error
  for (const float weight : layer.weight) squares += double{weight} * weight;
  return static_cast<float>(std::sqrt(squares / static_cast<double>(layer.weight.size())));
}

// [fake]
Mlp fake_quantized(const Mlp& net) {
  Mlp fake = net;
  for (Linear& layer : fake.layers) {
    const float scale = scale_of(layer);
    for (float& weight : layer.weight) {
      weight = scale * std::clamp(std::nearbyint(weight / scale), kMin, kMax);
    }
  }
  return fake;
}

/// The gradient by the float weights, from that by the fake ones.
void go_back(std::vector<float>& gradient, const Linear& layer, Slope slope) {
  const float scale = scale_of(layer);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const float code = std::nearbyint(layer.weight[i] / scale);
    if (slope == Slope::kNone || code < kMin || code > kMax) gradient[i] = 0;
  }
}
// [/fake]

// [step]
void train_on_batch(Mlp& net, Mlp& velocity, std::span<const float> x,
                    std::span<const std::uint8_t> labels, Slope slope) {
  const Mlp fake = fake_quantized(net);  // forward and back through this one
  const std::vector<std::vector<float>> values = nibble::forward_all(fake, x);
  std::vector<float> gradient = nibble::score_gradient(values.back(), labels);
  for (std::size_t l = net.layers.size(); l-- > 0;) {
    nibble::LinearGradient all =
        nibble::linear_gradient(fake.layers[l], values[l], gradient, l > 0);
    go_back(all.weight, net.layers[l], slope);
    // what is changed are the floats behind the codes: a step is too small for a code to notice
    nibble::descend(net.layers[l].weight, velocity.layers[l].weight, all.weight, 0.005f, 0.9f);
    nibble::descend(net.layers[l].bias, velocity.layers[l].bias, all.bias, 0.005f, 0.9f);
    for (std::size_t i = 0; i < all.input.size(); ++i) {
      if (values[l][i] == 0) all.input[i] = 0;
    }
    gradient = std::move(all.input);
  }
}
// [/step]

void train(Mlp& net, const Images& images, Slope slope) {
  Mlp velocity = net;
  for (Linear& layer : velocity.layers) {
    std::ranges::fill(layer.weight, 0.0f);
    std::ranges::fill(layer.bias, 0.0f);
  }
  constexpr std::size_t kBatch = 32;
  for (std::size_t first = 0; first + kBatch <= images.size(); first += kBatch) {
    train_on_batch(net, velocity, nibble::as_floats(images, first, kBatch),
                   std::span(images.labels).subspan(first, kBatch), slope);
  }
}

int main() {
  const Images images = nibble::make_glyphs(3000, 1), others = nibble::make_glyphs(1000, 2);
  const std::vector<std::size_t> sizes{784, 64, 10};
  std::printf("seed   float   2 bits, rounded   slope 0    straight through\n");
  for (const std::uint64_t seed : {1, 2, 3}) {
    Mlp net = nibble::untrained(sizes, seed);
    nibble::train(net, images, {.epochs = 5, .seed = seed});
    Mlp without = net, with = net;
    for (int epoch = 0; epoch < 2; ++epoch) {
      train(without, images, Slope::kNone);
      train(with, images, Slope::kStraightThrough);
    }
    const auto percent = [&](const Mlp& one) { return 100 * nibble::accuracy(one, others); };
    std::printf("%4d   %5.1f   %15.1f   %7.1f   %17.1f\n", static_cast<int>(seed), percent(net),
                percent(fake_quantized(net)), percent(fake_quantized(without)),
                percent(fake_quantized(with)));
  }
}
