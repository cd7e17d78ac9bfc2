// Lab 09, fold_to_integers: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/fake_quantize_backward.hpp"
#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "checks/09_fake_quant/layer.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {

struct FoldWay {
  LayerWay layer = {};
  int zero_points = -1;       ///< how many times the sum of the weights are added to a bias
  bool sum_of_all = false;    ///< of all outputs
  bool sum_of_one = false;    ///< of inputs, each taken for 1
  bool sums_run_on = false;   ///< from one output to the next
  bool sum_of_reals = false;  ///< of weights in steps, rounded once
  bool output_zero = true;
  bool in_16_bits = false;  ///< the sum of the weights
  bool in_float = false;    ///< the bias
};

inline IntegerLayer fold(const FakeLayer& layer, const FoldWay& way = {}) {
  const auto [inputs, outputs] = size_of(layer);
  IntegerLayer folded{{}, {}, {}, way.output_zero ? layer.output_zero_point : 0};
  std::vector<double> sums(outputs);
  for (std::size_t j = 0; j < outputs; ++j) {
    const float scale = unit_scale(layer, j, way.layer);
    folded.multiplier.push_back(way.layer.factor(1, layer.input_scale, scale, layer.output_scale));
    for (std::size_t p = 0; p < inputs; ++p) {
      const float weight = whole_weight(layer, j, p, way.layer);
      folded.weight.push_back(
          static_cast<std::int8_t>(static_cast<std::int32_t>(std::clamp(weight, -1e9f, 1e9f))));
      const double code = way.sum_of_reals ? double{layer.weight[j * inputs + p] / scale}
                                           : static_cast<double>(folded.weight.back());
      sums[j] += way.sum_of_one ? 1.0 : code;
    }
    if (way.sum_of_reals) sums[j] = std::nearbyint(sums[j]);
    if (way.sums_run_on && j > 0) sums[j] += sums[j - 1];
  }
  const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
  for (std::size_t j = 0; j < outputs; ++j) {
    if (way.in_16_bits) sums[j] = static_cast<std::int16_t>(static_cast<std::int32_t>(sums[j]));
    const double bias = whole_bias(layer, j, way.layer) +
                        way.zero_points * layer.input_zero_point * (way.sum_of_all ? all : sums[j]);
    const double kept = way.in_float ? static_cast<float>(bias) : bias;
    folded.bias.push_back(static_cast<std::int32_t>(std::clamp(kept, -2e9, 2e9)));
  }
  return folded;
}

inline void suspect_folds(Expect& expect, const Folding::Arguments& in, const IntegerLayer& right) {
  const auto looks = [&](const char* code, const FoldWay& way, const char* words) {
    const IntegerLayer wrong = fold(in.a, way);
    if (wrong.weight != right.weight) expect.suspect(code, "weight", wrong.weight, words);
    if (wrong.bias != right.bias) expect.suspect(code, "bias", wrong.bias, words);
    if (wrong.multiplier != right.multiplier) {
      expect.suspect(code, "multiplier", wrong.multiplier, words);
    }
    if (wrong.output_zero_point != right.output_zero_point) {
      expect.suspect(code, "output_zero_point", wrong.output_zero_point, words);
    }
  };
  looks("N-ZP-SIGN", {.zero_points = 1},
        "input_zero_point times the weights is added: it is subtracted");
  looks("N-OVERFLOW", {.in_16_bits = true}, "");
  looks("N-FLOAT32", {.in_float = true}, "the bias is a float32 on its way: it is an integer");
  looks("N-BIAS", {.zero_points = 0}, "input_zero_point is not folded into the bias");
  looks("N-AXIS", {.sum_of_all = true}, "the sum is of the codes of all outputs: each has its row");
  looks("N-AXIS", {.sums_run_on = true},
        "the sum of a row's codes is not set back to 0 for the next output");
  looks("N-BIAS", {.sum_of_one = true},
        "input_zero_point is subtracted once an input: it is multiplied by the code");
  looks("N-FORMULA", {.sum_of_reals = true},
        "weights are added before they are rounded: their codes are added");
  looks("N-ZP-SIGN", {.output_zero = false}, "output_zero_point is lost: it is handed on");
  for (const auto& [code, way, words] : wrong_layers()) looks(code, {.layer = way}, words);
  Reals inverses;
  for (const float multiplier : right.multiplier) inverses.push_back(1 / multiplier);
  if (inverses != right.multiplier) {
    expect.suspect("N-SCALE", "multiplier", inverses, "the inverse of a multiplier");
  }
}

inline const Folding folding{{"weight", "weight_scales", "bias", "input_scale", "input_zero_point",
                              "output_scale", "output_zero_point"},
                             {"weight", "bias", "multiplier", "output_zero_point"},
                             suspect_folds,
                             {.smaller = smaller_folds}};

}  // namespace nibble::judge::lab_09_fake_quant
