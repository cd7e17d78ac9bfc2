// Lab 29. The contract is in quantized_linear.hpp; the story is in README.md.
// Check yourself:  ./nibble run 29        (or leave ./nibble watch open)
#include "quantized_linear.hpp"

namespace nibble {

QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point) {
  // 1. Refuse what the contract refuses.  2. Whose weights share a scale?
  // 3. In which unit are the sums of an output, and so its bias?
  NIBBLE_TODO("make a layer of int8 weights");
}

std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x) {
  // Codes times floats, and the scale once for each sum. What unit has the bias?
  NIBBLE_TODO("multiply by weights as they are stored");
}

std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x) {
  // 1. A scale for each row, and its codes.  2. A sum of integers.
  // 3. Is the bias in the unit of this sum?
  NIBBLE_TODO("quantize each row when it comes");
}

std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x) {
  // 1. Enter: real numbers become codes, once.  2. Sums, and codes of sums.
  // 3. Where does a code have to become a real number again?
  NIBBLE_TODO("run the network on integers");
}

std::int64_t model_bytes(const QuantizedModel& model) {
  NIBBLE_TODO("count everything that the model owns");
}

QuantizedModel quantize_model(const FloatModel& net, std::span<const float> x,
                              std::span<const std::int32_t> skip) {
  // 1. What is each layer given, when the network is used?  2. Its range and scale.
  // 3. Which layers are left as they are, and what is not kept of the others?
  NIBBLE_TODO("quantize all layers but some");
}

}  // namespace nibble
