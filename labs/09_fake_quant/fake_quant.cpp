// Lab 09. The contract is in fake_quant.hpp; the story is in README.md.
// Check yourself:  ./nibble run 09        (or leave ./nibble watch open)
#include "fake_quant.hpp"

namespace nibble {

std::vector<float> fake_quantize_backward(std::span<const float> x, std::span<const float> upstream,
                                          const Grid& grid) {
  // 1. Refuse.  2. Which code has x[i] before it is clamped?  3. Who passes?
  NIBBLE_TODO("let the gradient through where nothing was clamped");
}

float scale_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  // 1. Refuse.  2. A slope for each x[i]: below, inside, above.
  // 3. A sum, in which type?  4. Divided by what? And when there is nothing?
  NIBBLE_TODO("add up what a longer step would do");
}

float zero_point_gradient(std::span<const float> x, std::span<const float> upstream,
                          const Grid& grid) {
  // The same sum with another slope. What moves when the zero point does?
  NIBBLE_TODO("add up what another zero point would do");
}

float scale_step(float scale, float gradient, float rate) {
  // Downhill. And if that is too far?
  NIBBLE_TODO("take one step down, and stay a scale");
}

std::vector<float> fake_linear(std::span<const float> x, const FakeLayer& layer) {
  // 1. Refuse; a helper of your own can do it for both forms.  2. Whole numbers.
  // 3. Which type holds their sum?  4. One product, one rounding, one clamp.
  NIBBLE_TODO("run the layer in floats, as its integers will run");
}

IntegerLayer fold_to_integers(const FakeLayer& layer) {
  // 1. Refuse.  2. Codes of the weights.  3. What does the zero point of x add to
  //    every row? 4. The multiplier, in the order that fake_linear has it.
  NIBBLE_TODO("fold the layer into integers");
}

}  // namespace nibble
