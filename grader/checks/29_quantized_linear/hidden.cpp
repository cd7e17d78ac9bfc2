// Lab 29: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/forward_dynamic.hpp"
#include "checks/29_quantized_linear/forward_static.hpp"
#include "checks/29_quantized_linear/forward_weight_only.hpp"
#include "checks/29_quantized_linear/learnt_nets.hpp"
#include "checks/29_quantized_linear/model_bytes.hpp"
#include "checks/29_quantized_linear/models.hpp"
#include "checks/29_quantized_linear/quantize_layer.hpp"
#include "checks/29_quantized_linear/quantize_model.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

TEST(quantize_layer, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference,
                         some_layers(hidden_seed, {{2, 5}, {19, 4, 1e-4f}, {64, 31, 7}}),
                         kSameLayer);
}

TEST(forward_weight_only, EqualsTheReference) {
  floating.agrees_with(floating.reference,
                       some_models<Floating>(hidden_seed, {{{4, 7}, 3}, {{150, 12}, 11}}),
                       kSameSums);
}

TEST(forward_dynamic, EqualsTheReference) {
  dynamic.agrees_with(dynamic.reference,
                      some_models<Dynamic>(hidden_seed, {{{4, 7}, 3}, {{150, 12}, 11}}),
                      kNearlySame);
}

TEST(forward_static, EqualsTheReference) {
  running.agrees_with(
      running.reference,
      some_models<Static>(hidden_seed,
                          {{{7, 5, 4}, 5}, {{5, 6, 6, 6, 4}, 12, {0, 2}}, {{50, 24, 24, 10}, 16}}));
}

TEST(forward_static, KeepsHiddenNets) {
  keeps_nets(kLesson, {3, 4000, 3}, hidden_seed(0), [](const LearntNet& one) {
    return running({quantize_model(as_model(one), one.seen_x, {}), one.x});
  });
}

TEST(model_bytes, EqualsTheReference) {
  const std::vector<NetSize> sizes{{{9, 4}, 1}, {{3, 8, 2}, 1, {0}}, {{70, 30, 20, 5}, 1, {1}}};
  counting.agrees_with(
      counting.reference,
      each_of(sizes, [](const NetSize& size, std::size_t at) -> Counting::Input {
        const FloatModel net = some_net(size.sizes, hidden_seed(at));
        return {size.text(), {model_by_definition(net, size.x(hidden_seed(at + 9)), size.skip)}};
      }));
}

TEST(quantize_model, EqualsTheReference) {
  modelling.agrees_with(
      modelling.reference,
      some_nets(hidden_seed, {{{6, 3}, 4}, {{5, 9, 4}, 20}, {{12, 10, 10, 6}, 40, {0, 2}}}),
      kSameModel);
}

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
