// Lab 33. The contract is in smoothquant_awq.hpp; the story is in README.md.
// Check yourself:  ./nibble run 33        (or leave ./nibble watch open)
#include "smoothquant_awq.hpp"

namespace nibble {

std::vector<double> smoothing_scales(std::span<const double> x, std::span<const double> w,
                                     std::int32_t inputs, double alpha) {
  // 1. Refuse.  2. Two maxima a column.  3. Which of them has which exponent?
  NIBBLE_TODO("by what to divide each input");
}

TwoLayers migrate_scales(const TwoLayers& layers, std::span<const double> scales) {
  // 1. Refuse.  2. A channel is a row of the first matrix, and a column of the second.
  NIBBLE_TODO("move the scales from one layer to the next");
}

TwoLayers equalize_layers(const TwoLayers& layers) {
  // Find the scales; the rest is written.
  NIBBLE_TODO("make both layers equally large");
}

AwqChoice awq_search(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                     std::int32_t num_bits, std::int32_t group_size) {
  // 1. Refuse.  2. How large is each input, on average?  3. Try twenty exponents: scales,
  // weights that are larger, rounded, and made smaller again; and what the outputs say.
  NIBBLE_TODO("find the scales with the least error");
}

std::vector<double> hadamard_transform(std::span<const double> x) {
  // 1. Refuse.  2. What does the matrix of two numbers do? And that of four, to pairs?
  // 3. How long is the result?
  NIBBLE_TODO("transform x");
}

std::vector<double> rotate_rows(std::span<const double> a, std::span<const std::int32_t> signs) {
  // Row by row: the signs first.
  NIBBLE_TODO("rotate each row");
}

}  // namespace nibble
