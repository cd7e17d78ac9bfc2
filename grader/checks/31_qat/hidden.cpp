// Lab 31: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "qat.hpp"

#include "checks/31_qat/linear_backward_fake.hpp"
#include "checks/31_qat/linear_forward_fake.hpp"
#include "checks/31_qat/observe_scales.hpp"
#include "checks/31_qat/scale_gradients.hpp"
#include "checks/31_qat/sgd_step.hpp"
#include "checks/31_qat/train_qat.hpp"
#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

TEST(linear_forward_fake, EqualsTheReference) {
  forward_fake.agrees_with(forward_fake.reference, forward_inputs(hidden_seed, kHiddenShapes),
                           kSameY);
}

TEST(linear_backward_fake, EqualsTheReference) {
  backward_fake.agrees_with(backward_fake.reference, backward_inputs(hidden_seed, kHiddenShapes),
                            kSameGradient);
}

TEST(scale_gradients, EqualsTheReference) {
  scaling.agrees_with(scaling.reference, scaling_inputs(hidden_seed, kHiddenShapes), kSameScales);
}

TEST(sgd_step, EqualsTheReference) {
  stepping.agrees_with(stepping.reference,
                       each_of(layers(hidden_seed, kHiddenShapes),
                               [](const Drawn& one) -> Stepping::Input {
                                 const auto& [name, x, upstream, layer] = one;
                                 const Worked all = worked(x, upstream, layer);
                                 return {name, {layer, all.gradient, all.by_scales, 0.0625}};
                               }),
                       kSameLayer);
}

TEST(observe_scales, EqualsTheReference) {
  std::vector<Observing::Input> inputs;
  for (const Drawn& one : layers(hidden_seed, kHiddenShapes)) {
    for (const std::int32_t step : {0, 3, 7}) {
      inputs.push_back({one.name + ", step " + std::to_string(step), {one.x, one.layer, step, 5}});
    }
  }
  observing.agrees_with(observing.reference, inputs, kSameScales);
}

TEST(train_qat, HoldsForOtherNets) {
  once([](Expect& expect) {
    const Course course = course_of(hidden_seed, 3);
    beats_rounding(expect, course);
    learns_scales(expect, course);
  });
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
