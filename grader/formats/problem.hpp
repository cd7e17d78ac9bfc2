// The product that is timed: weights and activations of a normal distribution, each seed its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/operands.hpp"

namespace nibble::formats {

/// y [batch, n] = x [batch, k] * w^T, w [n, k].
struct ProblemSize {
  std::size_t n = 1024, k = 1024;
};

/// Row j of the weights: as large as makes a sum of k products as large as an activation.
void weights_row(std::size_t j, std::span<float> row);

/// Activations [batch, k].
std::vector<float> some_activations(std::size_t batch, std::size_t k);

PackedWeights packed_weights(NumberFormat format, ProblemSize size);

/// The first `rows` rows of the product, of what is not quantized, in double.
std::vector<double> right_product(std::span<const float> x, std::size_t rows, ProblemSize size);

}  // namespace nibble::formats
