// Lab 08. The contract is in requantization.hpp; the story is in README.md.
// Check yourself:  ./nibble run 08        (or leave ./nibble watch open)
#include "requantization.hpp"

namespace nibble {

QuantizedMultiplier quantize_multiplier(std::span<const double> factors) {
  // 1. Refuse.  2. Which standard function takes a number apart like this?
  // 3. Mind the mantissa that is rounded to 1, and the factor that is next to nothing.
  NIBBLE_TODO("write real factors as integers");
}

std::vector<std::int32_t> multiply_by_quantized_multiplier(std::span<const std::int32_t> x,
                                                           const QuantizedMultiplier& factors,
                                                           Rounding rounding) {
  // 1. Refuse.  2. Write one product first, in a function of its own: how many bits has it,
  //    and which half is added before which shift?  3. Then all of them.
  NIBBLE_TODO("multiply by factors that are integers");
}

std::vector<std::int8_t> requantize(std::span<const std::int32_t> acc,
                                    std::span<const std::int32_t> bias,
                                    const QuantizedMultiplier& factors, std::int32_t zero_point,
                                    Rounding rounding) {
  // Bias, factor, zero point, clamp: in which unit is each, and which type holds the sum?
  NIBBLE_TODO("make codes of the sums of a layer");
}

std::vector<std::int8_t> requantize_relu(std::span<const std::int32_t> acc,
                                         std::span<const std::int32_t> bias,
                                         const QuantizedMultiplier& factors, float c_scale,
                                         std::int32_t zero_point, Activation activation,
                                         Rounding rounding) {
  // Which code stands for real 0, and which for 6? What is left is requantize.
  NIBBLE_TODO("requantize, and clamp to the activation");
}

std::vector<std::int8_t> add_quantized(const QuantizedTensor& a, const QuantizedTensor& b,
                                       float c_scale, std::int32_t c_zero_point,
                                       Rounding rounding) {
  // 1. Refuse.  2. a, then b, in steps of one unit, with 20 bits to spare.
  // 3. What is left to do with their sum is an exercise you have done.
  NIBBLE_TODO("add two tensors with different scales");
}

std::vector<std::int8_t> average_quantized(std::span<const std::int8_t> x, int channels,
                                           int window) {
  // 1. Refuse.  2. For each window and channel: the sum, and how many were summed.
  // 3. Which way does a division of integers drop its rest, above 0 and below?
  NIBBLE_TODO("average codes over windows of rows");
}

}  // namespace nibble
