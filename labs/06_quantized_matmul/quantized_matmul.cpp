// Lab 06. The contract is in quantized_matmul.hpp; the story is in README.md.
// Check yourself:  ./nibble run 06        (or leave ./nibble watch open)
#include "quantized_matmul.hpp"

namespace nibble {

void quantized_matmul(std::span<const std::int8_t> a, std::int32_t a_zero_point,
                      std::span<const std::int8_t> b, std::int32_t b_zero_point, MatmulShape shape,
                      std::span<std::int32_t> c) {
  // 1. Refuse what the contract refuses: sizes, zero points, then the bound on k.
  // 2. Which type holds a difference, which a sum?  3. Start every sum afresh.
  NIBBLE_TODO("multiply codes as integers");
}

void apply_zero_points(std::span<const std::int32_t> raw, std::span<const std::int32_t> row_sums,
                       std::span<const std::int32_t> column_sums, std::int32_t a_zero_point,
                       std::int32_t b_zero_point, MatmulShape shape, std::span<std::int32_t> c) {
  // Multiply (a - za) * (b - zb) out on paper first: which sum goes with which zero point?
  NIBBLE_TODO("correct the raw product");
}

void quantized_matmul_float(const QuantizedOperands& operands, std::span<const float> bias,
                            MatmulShape shape, std::span<float> c) {
  // 1. Refuse.  2. The exact integer sums: you have a function for them.
  // 3. One multiplication by the combined scale of its column.  4. The bias, if any.
  NIBBLE_TODO("scale the integer sums");
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float a_scale,
                                        std::span<const float> b_scales) {
  // Which real value does a sum of 1 stand for? How many of those is bias[j]?
  // Mind what does not fit in int32, and what is no number.
  NIBBLE_TODO("express the bias in the unit of the sums");
}

void quantized_matmul_int8(const QuantizedOperands& operands, std::span<const std::int32_t> bias,
                           float c_scale, std::int32_t c_zero_point, MatmulShape shape,
                           std::span<std::int8_t> c) {
  // 1. Refuse.  2. The integer sums.  3. The bias joins them while they are integers.
  // 4. Rescale, round, add the zero point, clamp: which order does the contract say?
  NIBBLE_TODO("requantize the integer sums");
}

void quantized_linear(const LinearLayer& layer, std::span<const std::uint8_t> x, MatmulShape shape,
                      std::span<std::uint8_t> y) {
  // All of it is written already, for int8. Which int8 codes have the same distances to
  // their zero point as these? And in which unit is the bias?
  NIBBLE_TODO("from uint8 codes to uint8 codes");
}

}  // namespace nibble
