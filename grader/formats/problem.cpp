#include "formats/problem.hpp"

#include <cmath>
#include <numeric>

#include "nibble/net/split_mix.hpp"

namespace nibble::formats {
namespace {

/// Twelve uniform numbers add up to one that is nearly normal, of variance 1.
float normal(SplitMix& random) {
  float sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.uniform(-0.5f, 0.5f);
  return sum;
}

}  // namespace

void weights_row(std::size_t j, std::span<float> row) {
  SplitMix random(1000 + j);
  const float scale = 1 / std::sqrt(static_cast<float>(row.size()));
  for (float& w : row) w = scale * normal(random);
}

std::vector<float> some_activations(std::size_t batch, std::size_t k) {
  SplitMix random(batch);
  std::vector<float> x(batch * k);
  for (float& value : x) value = normal(random);
  return x;
}

PackedWeights packed_weights(NumberFormat format, ProblemSize size) {
  return pack(format, size.n, size.k, weights_row);
}

std::vector<double> right_product(std::span<const float> x, std::size_t rows, ProblemSize size) {
  const auto [n, k] = size;
  std::vector<double> y(rows * n);
  std::vector<float> w(k);
  for (std::size_t j = 0; j < n; ++j) {
    weights_row(j, w);
    for (std::size_t i = 0; i < rows; ++i) {
      y[i * n + j] = std::inner_product(w.begin(), w.end(), x.data() + i * k, 0.0);
    }
  }
  return y;
}

}  // namespace nibble::formats
