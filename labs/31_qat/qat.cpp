// Lab 31. The contract is in qat.hpp; the story is in README.md.
// Check yourself:  ./nibble run 31        (or leave ./nibble watch open)
#include "qat.hpp"

namespace nibble {

std::vector<double> linear_forward_fake(std::span<const double> x, const QatLayer& layer) {
  // 1. Refuse.  2. What codes stand for: of the weights, of the inputs.  3. Products.
  NIBBLE_TODO("go forward as if all were codes");
}

QatGradient linear_backward_fake(std::span<const double> x, std::span<const double> upstream,
                                 const QatLayer& layer) {
  // 1. Refuse.  2. The gradients by w_hat and x_hat: which of the two does each need?
  // 3. Through the rounding, not through the clamp.
  NIBBLE_TODO("go back through the staircase");
}

LayerScales scale_gradients(std::span<const double> x, std::span<const double> upstream,
                            const QatLayer& layer) {
  // 1. Refuse.  2. By w_hat and by x_hat, as before.  3. Times a slope, added up, divided.
  NIBBLE_TODO("find out which way the scales should go");
}

QatLayer sgd_step(const QatLayer& layer, const QatGradient& gradient, const LayerScales& by_scales,
                  double rate) {
  // 1. Refuse.  2. A copy that moves: weights, biases, scales.
  NIBBLE_TODO("take a step down");
}

LayerScales observe_scales(std::span<const double> x, const QatLayer& layer, std::int32_t step,
                           std::int32_t frozen_from) {
  // 1. Refuse.  2. The weights as they are now.  3. The inputs: first, later, at the end.
  NIBBLE_TODO("watch the ranges");
}

}  // namespace nibble
