// A network of 2-bit weights: rounded when it is finished, or trained once more through rounding.
// `31_train large`: 28 x 28 pixels and 128 and 64 hidden units instead of 7 x 7, 32 and 16.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

using nibble::Images;
using nibble::Linear;
using nibble::Mlp;
using Reals = std::vector<float>;

struct Codes {
  float min, max;
};
constexpr Codes kWeights{-2, 1};

/// A layer, its two scales, and the codes of its inputs.
struct Layer {
  Linear real;
  float weight_scale, input_scale;
  Codes inputs;
};
using Net = std::vector<Layer>;

// [hats]
Reals hats(const Reals& values, float scale, Codes codes) {
  Reals all;
  for (const float value : values) {
    all.push_back(scale * std::clamp(std::nearbyint(value / scale), codes.min, codes.max));
  }
  return all;
}

/// From the gradients by the hats to those by the values: 0 where a code was clamped. Returns the
/// gradient by the scale.
float go_through(Reals& gradient, const Reals& values, float scale, Codes codes) {
  double by_scale = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float v = values[i] / scale, rounded = std::nearbyint(v);
    const float code = std::clamp(rounded, codes.min, codes.max);
    by_scale += double{gradient[i]} * double{code == rounded ? code - v : code};
    if (code != rounded) gradient[i] = 0;
  }
  return static_cast<float>(by_scale / std::sqrt(static_cast<double>(values.size()) * codes.max));
}
// [/hats]

float largest_over(const Reals& values, float max) {
  float most = 1e-9f;
  for (const float value : values) most = std::max(most, std::fabs(value));
  return most / max;
}

float mean_over(const Reals& values, float max) {
  double sum = 1e-9;
  for (const float value : values) sum += std::fabs(value);
  return static_cast<float>(2 * sum / static_cast<double>(values.size()) / std::sqrt(max));
}

using Statistic = float (*)(const Reals&, float max);

/// The layer on x, with codes in its products: the layer with w_hat, x_hat, and what it gives.
struct Passed {
  Linear fake;
  Reals x, x_hat, y;
};

Passed pass(const Layer& layer, Reals x) {
  Passed all{layer.real, std::move(x), {}, {}};
  all.fake.weight = hats(layer.real.weight, layer.weight_scale, kWeights);
  all.x_hat = hats(all.x, layer.input_scale, layer.inputs);
  all.y = nibble::linear(all.fake, all.x_hat);
  return all;
}

Net rounded(const Mlp& net, const Images& images, int input_bits, Statistic statistic) {
  Net all;
  Reals x = nibble::as_floats(images, 0, images.size());
  const Codes inputs{0, static_cast<float>((1 << input_bits) - 1)};
  for (const Linear& layer : net.layers) {
    all.push_back({layer, statistic(layer.weight, kWeights.max), statistic(x, inputs.max), inputs});
    x = nibble::linear(layer, x);
    nibble::relu(x);
  }
  return all;
}

double percent(const Net& net, const Images& images) {
  Reals x = nibble::as_floats(images, 0, images.size());
  for (const Layer& layer : net) {
    x = pass(layer, std::move(x)).y;
    if (&layer != &net.back()) nibble::relu(x);
  }
  const std::vector<int> found = nibble::classes(x);
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == images.labels[i] ? 1 : 0;
  return 100.0 * right / static_cast<double>(found.size());
}

/// Trains once more. `observe`: where scales come from; none: they are learnt.
struct Training {
  Statistic observe;
  int epochs;
  float rate;
};

void move(float& scale, float by, float rate) {
  scale = std::clamp(scale - rate * by, scale / 2, scale * 2);
}

// [step]
void train_on_batch(Net& net, Reals x, std::span<const std::uint8_t> labels, const Training& how,
                    float rate, bool frozen) {
  std::vector<Passed> all;
  for (Layer& layer : net) {
    if (how.observe != nullptr) {
      layer.weight_scale = how.observe(layer.real.weight, kWeights.max);
      const float now = how.observe(x, layer.inputs.max);
      if (!frozen) layer.input_scale = 0.9f * layer.input_scale + 0.1f * now;
    }
    all.push_back(pass(layer, std::move(x)));
    x = all.back().y;
    if (&layer != &net.back()) nibble::relu(x);
  }
  Reals gradient = nibble::score_gradient(x, labels);
  for (std::size_t l = net.size(); l-- > 0;) {
    auto& [real, weight_scale, input_scale, inputs] = net[l];
    nibble::LinearGradient by =
        nibble::linear_gradient(all[l].fake, all[l].x_hat, gradient, /*by_input=*/true);
    const float by_weights = go_through(by.weight, real.weight, weight_scale, kWeights);
    const float by_inputs = go_through(by.input, all[l].x, input_scale, inputs);
    // real weights take the step: it is too small for a code to notice
    for (std::size_t i = 0; i < by.weight.size(); ++i) real.weight[i] -= rate * by.weight[i];
    for (std::size_t o = 0; o < by.bias.size(); ++o) real.bias[o] -= rate * by.bias[o];
    if (how.observe == nullptr) {
      move(weight_scale, by_weights, rate);
      move(input_scale, by_inputs, rate);
    }
    for (std::size_t i = 0; i < by.input.size(); ++i) {
      if (all[l].x[i] == 0) by.input[i] = 0;  // a ReLU that is shut
    }
    gradient = std::move(by.input);
  }
}
// [/step]

Net trained(Net net, const Images& images, const Training& how) {
  constexpr std::size_t kBatch = 10;
  const std::size_t each = images.size() / kBatch;
  const std::size_t steps = each * static_cast<std::size_t>(how.epochs);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t first = step % each * kBatch;
    const float done = static_cast<float>(step) / static_cast<float>(steps);
    train_on_batch(net, nibble::as_floats(images, first, kBatch),
                   std::span(images.labels).subspan(first, kBatch), how,
                   how.rate * (1 - 0.9f * done), 4 * step >= 3 * steps);
  }
  for (Layer& layer : net) {
    if (how.observe != nullptr) {
      layer.weight_scale = how.observe(layer.real.weight, kWeights.max);
    }
  }
  return net;
}

/// Means of side x side pixels: smaller images of the same signs.
Images smaller(const Images& images, std::size_t side) {
  const std::size_t to = nibble::kGlyphSide / side;
  Images all{static_cast<int>(to), static_cast<int>(to), {}, images.labels};
  for (std::size_t at = 0; at < images.size() * to * to; ++at) {
    const auto image = images.image(at / to / to);
    std::size_t ink = 0;
    for (std::size_t i = 0; i < side * side; ++i) {
      const std::size_t row = at / to % to * side + i / side, column = at % to * side + i % side;
      ink += image[row * nibble::kGlyphSide + column];
    }
    all.pixels.push_back(static_cast<std::uint8_t>(ink / (side * side)));
  }
  return all;
}

int main(int argc, char** argv) {
  const bool large = argc > 1 && std::string(argv[1]) == "large";
  const std::size_t side = large ? 1 : 4;
  const Images images = smaller(nibble::make_glyphs(large ? 5000 : 1500, 1), side);
  const Images others = smaller(nibble::make_glyphs(1000, 2), side);
  const std::array<std::size_t, 4> sizes{images.pixels_each(), large ? 128u : 32u,
                                         large ? 64u : 16u, 10};
  const int epochs = large ? 3 : 2;
  const float rate = large ? 0.05f : 0.1f;
  std::printf(
      "               inputs of 8 bits               inputs of 2 bits\n"
      "seed  float    PTQ   STE  mean   LSQ          PTQ   STE  mean   LSQ\n");
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Mlp net = nibble::untrained(sizes, seed);
    nibble::train(net, images, {.epochs = large ? 5 : 20, .seed = seed});
    std::printf("%4d  %5.1f", static_cast<int>(seed), 100 * nibble::accuracy(net, others));
    for (const int bits : {8, 2}) {
      const Net by_largest = rounded(net, images, bits, largest_over);
      const Net by_mean = rounded(net, images, bits, mean_over);
      const auto after = [&](const Net& from, Statistic observe) {
        return percent(trained(from, images, {observe, epochs, rate}), others);
      };
      std::printf("%s  %5.1f %5.1f %5.1f %5.1f", bits == 8 ? "" : "      ",
                  percent(by_largest, others), after(by_largest, largest_over),
                  after(by_mean, mean_over), after(by_mean, nullptr));
    }
    std::printf("\n");
  }
}
