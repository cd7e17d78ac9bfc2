// Lab 29: nets that have learnt.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/models.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {

inline const Lesson kLesson{{196, 32, 16, 10}, 3000, 5};

inline FloatModel as_model(const LearntNet& one) {
  FloatModel model{{196}, {}, {}, false};
  for (const Linear& layer : one.net.layers) {
    model.sizes.push_back(static_cast<std::int32_t>(layer.outputs));
    append(model.weights, layer.weight), append(model.biases, layer.bias);
  }
  return model;
}

/// The public nets are the same for all exercises, so that they learn once.
template <class E>
void keeps_public_nets(const E& running) {
  keeps_nets(kLesson, {2, 2000, 10}, this_run().seed, [&](const LearntNet& one) {
    return running({model_by_definition(as_model(one), one.seen_x, {}), one.x});
  });
}

inline constexpr const char* kZerosHaveABias = "of a row of zeros the bias is left";

}  // namespace nibble::judge::lab_29_quantized_linear
