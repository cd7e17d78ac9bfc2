// Lab 09: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "fake_quant.hpp"

#include "checks/09_fake_quant/fake_linear.hpp"
#include "checks/09_fake_quant/fake_quantize_backward.hpp"
#include "checks/09_fake_quant/fold_to_integers.hpp"
#include "checks/09_fake_quant/layer.hpp"
#include "checks/09_fake_quant/learn_scale.hpp"
#include "checks/09_fake_quant/scale_gradient.hpp"
#include "checks/09_fake_quant/zero_point_gradient.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

TEST(fake_quantize_backward, EqualsTheReference) {
  back.agrees_with(back.reference, tensors<Back::Input>(hidden_seed, 1021));
}

TEST(scale_gradient, EqualsTheReference) {
  of_scale.agrees_with(of_scale.reference, tensors<OfScale::Input>(hidden_seed, 1021));
}

TEST(zero_point_gradient, EqualsTheReference) {
  of_zero.agrees_with(of_zero.reference, tensors<OfZero::Input>(hidden_seed, 1021));
}

TEST(learn_scale, EqualsTheReference) {
  std::vector<Learning::Input> inputs;
  for (int bits = 2; bits <= 8; ++bits) {
    const std::uint64_t which = hidden_seed(static_cast<std::uint64_t>(bits));
    const float rate = 0.01f * static_cast<float>(1 + mix(which, 1) % 9);
    inputs.push_back(
        {std::to_string(bits) + " bits",
         {normal_tensor(500, which), bits, 3.3f / static_cast<float>(1 << bits), rate, 30}});
  }
  learning.agrees_with(learning.reference, inputs);
}

TEST(fake_linear, EqualsTheReference) {
  running.agrees_with(running.reference, layers(hidden_seed, 1021));
}

TEST(fold_to_integers, EqualsTheReference) {
  std::vector<Folding::Input> inputs;
  for (const auto& [name, in] : layers(hidden_seed, 1021)) inputs.push_back({name, {in.b}});
  folding.agrees_with(folding.reference, inputs);
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
