// The network of the kit, 784-128-64-10 on QGlyphs, computed in one format: by the same products
// that are timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/number_format.hpp"
#include "nibble/cpu.hpp"
#include "nibble/net/images.hpp"
#include "nibble/net/mlp.hpp"

namespace nibble::formats {

struct NetPlan {
  std::vector<std::uint64_t> seeds = {1, 2, 3};  ///< each its own images and its own network
  std::size_t training_images = 8'000, test_images = 5'000;
};

/// The scores of `net` for x [rows, inputs]. Weights are quantized once, activations as they come,
/// a scale for each row where the format has one; biases and ReLU are float32.
std::vector<float> scores_in(NumberFormat format, Isa isa, const Mlp& net,
                             std::span<const float> x);

/// The share of images whose class is named, 0 .. 1, for each seed: [format][seed].
std::vector<std::vector<double>> net_accuracies(Isa isa, const NetPlan& plan);

}  // namespace nibble::formats
