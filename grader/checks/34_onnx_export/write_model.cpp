// Lab 34, write_model: the checks.
#include "checks/34_onnx_export/write_model.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

Models::Row model_row(const char* name, const QuantizedMlp& net) {
  return {name, {net}, joined(parts_of(net))};
}

TEST(write_model, OneLayer) { writing_model.gives({model_row("OneLayer", kOneLayer)}, kSameModel); }

TEST(write_model, TwoLayers) {
  writing_model.gives({model_row("TwoLayers", kTwoLayers)}, kSameModel);
}

TEST(write_model, AnyNetwork) {
  writing_model.agrees_with(
      [](const auto& in) { return joined(parts_of(in.a)); },
      nets(seed,
           {{1, 1}, {5, 2}, {3, 4, 2}, {20, 9, 8, 7}, {40, 33, 10}, Sums(13, 2), {4096, 1, 4096}}),
      kSameModel);
}

TEST(write_model, RefusesWhatIsNoNetwork) {
  QuantizedMlp short_bias = kOneLayer, no_scale = kOneLayer, no_layer{{2}, {}, {}, {}, {}, {}};
  QuantizedMlp huge_scale = kOneLayer;
  huge_scale.weight_scales[1] = 0x1p61f;
  short_bias.biases.pop_back();
  no_scale.weight_scales[1] = 0;
  writing_model.refuses(
      {model_row("Fine", kOneLayer)},
      {{"N-SIZE", {short_bias}}, {"", {no_scale}}, {"", {huge_scale}}, {"", {no_layer}}},
      kSameModel);
}

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
