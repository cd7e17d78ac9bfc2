// Lab 05. The contract is in per_channel.hpp; the story is in README.md.
// Check yourself:  ./nibble run 05        (or leave ./nibble watch open)
#include "per_channel.hpp"

namespace nibble {

PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis, int num_bits, Symmetry symmetry) {
  // 1. Refuse what the contract refuses. A negative axis: which one is it?
  // 2. Which channel does x[i] belong to? Everything else follows from that.
  // 3. The range of every channel.  4. Scales and zero points.  5. Codes.
  NIBBLE_TODO("quantize every slice along axis");
}

std::vector<float> dequantize_per_channel(const PerChannelTensor& tensor) {
  // Refuse what the contract refuses, then undo: each code with its channel's scale and zero point.
  NIBBLE_TODO("undo quantize_per_channel");
}

GroupTensor quantize_per_group(std::span<const float> x, std::int32_t row_length,
                               std::int32_t group_size, int num_bits) {
  // Row by row, group by group: where does a group begin, and where does it end?
  NIBBLE_TODO("quantize every group of every row");
}

std::vector<float> dequantize_per_group(const GroupTensor& tensor) {
  // How many groups has a row? Then: which group holds q[i]?
  NIBBLE_TODO("undo quantize_per_group");
}

MemorySavings memory_savings(std::int64_t count, int num_bits, std::int64_t elements_per_scale,
                             int scale_bits, int zero_point_bits) {
  // How many scales are there, when the last one serves fewer elements?
  NIBBLE_TODO("count the bits");
}

MethodComparison compare_quantization_methods(std::span<const float> x,
                                              std::span<const std::int32_t> shape, int num_bits,
                                              std::int32_t group_size) {
  // 1. x_hat, five times: you have a function for each.
  // 2. The metrics of each, as in lab 02.  3. Bits of each.  4. The best.
  NIBBLE_TODO("compare five ways to quantize x");
}

}  // namespace nibble
