// Lab 29, forward_weight_only: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include <numeric>

#include "checks/29_quantized_linear/models.hpp"
#include "checks/29_quantized_linear/quantize_layer.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Floating = Exercise<&forward_weight_only>;

/// One quantized layer. `magnitude`: the terms of a sum without their signs.
inline Reals weight_only_layer(const QuantizedModel& model, const Reals& x,
                               bool magnitude = false) {
  const QuantizedLayer layer = layers_of(model).at(0).quantized;
  expects_rows(x, layer.inputs);
  const auto term = [&](double v) { return magnitude ? std::fabs(v) : v; };
  Reals y;
  for (std::size_t at = 0; at < x.size() / layer.inputs * layer.outputs; ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    double sum = term(double{layer.a_scale} * layer.bias[o]);
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      sum += term(double{x[r * layer.inputs + i]} * layer.weight[o * layer.inputs + i]);
    }
    y.push_back(static_cast<float>(layer.w_scale[o] * sum));
  }
  return y;
}

/// One scale for all outputs of a layer: the mean of theirs.
inline QuantizedModel with_mean_scales(QuantizedModel model) {
  float* scales = model.w_scale.data();
  for (std::size_t l = 0; l + 1 < model.sizes.size(); ++l) {
    if (model.a_scale[l] == 0) continue;
    const auto outputs = static_cast<std::size_t>(model.sizes[l + 1]);
    const float sum = std::accumulate(scales, scales + outputs, 0.0f);
    std::fill_n(scales, outputs, sum / static_cast<float>(outputs));
    scales += outputs;
  }
  return model;
}

/// What mistakes about scales and biases make of one layer, which `right` computes.
template <class Arguments>
void suspect_units(Expect& expect, const Arguments& in,
                   Reals (*right)(const QuantizedModel&, const Reals&)) {
  if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
  const auto suspect = [&](const char* code, const char* words, const Reals& y) {
    expect.suspect(code, "y", y, words);
  };
  suspect("N-SCALE", "all outputs have one scale: each has its own",
          right(with_mean_scales(in.a), in.b));
  QuantizedModel model = in.a;
  model.a_scale[0] = 1;
  suspect("N-BIAS", "a bias is not multiplied by a_scale", right(model, in.b));
  if (const float scale = scale_by_definition(in.b); scale != 1) {  // as if it were not there
    model.a_scale[0] = std::min(scale, kMostScale);
    suspect("N-BIAS", "a bias is in steps of the scale of x: it is in steps of a_scale",
            right(model, in.b));
  }
  std::ranges::fill(model.bias, 0);
  const Reals without = right(model, in.b);
  suspect("N-BIAS", "the bias is left out", without);
  const std::size_t outputs = in.a.w_scale.size();
  suspect("N-BIAS", "the bias is not multiplied by w_scale: it is within the parentheses",
          each_of(without, [&](float y, std::size_t at) {
            return y + in.a.a_scale[0] * static_cast<float>(in.a.bias[at % outputs]);
          }));
  suspect("N-BIAS", "w_scale multiplies the bias twice: within the parentheses a_scale alone does",
          each_of(without, [&](float y, std::size_t at) {
            const float scale = in.a.w_scale[at % outputs];
            return y +
                   scale * scale * in.a.a_scale[0] * static_cast<float>(in.a.bias[at % outputs]);
          }));
  suspect("N-BIAS", "the bias is added for each input: a sum has it once",
          each_of(without, [&](float y, std::size_t at) {
            const std::size_t o = at % outputs;
            return y + in.a.w_scale[o] * in.a.a_scale[0] * static_cast<float>(in.a.bias[o]) *
                           static_cast<float>(in.a.sizes[0]);
          }));
  suspect("N-BIAS", "codes of the bias are added as they are",
          each_of(without, [&](float y, std::size_t at) {
            return y + static_cast<float>(in.a.bias[at % outputs]);
          }));
  QuantizedModel unscaled = in.a;
  std::ranges::fill(unscaled.w_scale, 1.0f);
  suspect("N-SCALE", "nothing is multiplied by w_scale", right(unscaled, in.b));
}

inline Reals weight_only(const QuantizedModel& model, const Reals& x) {
  return weight_only_layer(model, x);
}

/// One quantized layer whose sums of products are kept as keep(sum), after each product or at the
/// end alone.
template <class Keep>
Reals with_kept_sums(const QuantizedModel& model, const Reals& x, bool each, const Keep& keep) {
  const QuantizedLayer layer = layers_of(model).at(0).quantized;
  Reals y;
  for (std::size_t at = 0; at < x.size() / layer.inputs * layer.outputs; ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    float sum = 0;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      sum += x[r * layer.inputs + i] * static_cast<float>(layer.weight[o * layer.inputs + i]);
      if (each) sum = keep(sum);
    }
    y.push_back(layer.w_scale[o] * (keep(sum) + layer.a_scale * static_cast<float>(layer.bias[o])));
  }
  return y;
}

inline void suspect_other_sums(Expect& expect, const QuantizedModel& model, const Reals& x) {
  const auto suspect = [&](const char* code, const char* words, const Reals& y) {
    expect.suspect(code, "y", y, words);
  };
  QuantizedModel by_columns = model;
  by_columns.weight = read_by_columns(model.weight, model.w_scale.size());
  suspect("N-LAYOUT", kColumns, weight_only(by_columns, x));
  const float step = model.a_scale[0];
  suspect("N-FORMULA", "x is rounded to steps of a_scale: it stays as it is",
          weight_only(model, each_of(x, [=](float v) { return std::nearbyint(v / step) * step; })));
  suspect("N-FORMULA", "a sum is kept in an integer: it is a float",
          with_kept_sums(model, x, /*each=*/true, [](float sum) { return std::trunc(sum); }));
  const auto to_11_bits = [](float sum) {
    if (sum == 0) return sum;
    const int exponent = std::ilogb(sum);
    return std::ldexp(std::nearbyint(std::ldexp(sum, 10 - exponent)), exponent - 10);
  };
  for (const bool each : {false, true}) {
    suspect("N-FORMULA", "a sum has the digits of a half: it is a float32",
            with_kept_sums(model, x, each, to_11_bits));
  }
}

inline const Floating floating{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const auto& in, const Reals&) {
      suspect_units(expect, in, weight_only);
      if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
      const auto zero_point = static_cast<float>(in.a.a_zero_point[0]);
      expect.suspect(
          "N-FORMULA", "y",
          weight_only(in.a, each_of(in.b, [&](float x, std::size_t) { return x - zero_point; })),
          "a_zero_point is subtracted: it is one of codes, and x are none");
      suspect_other_sums(expect, in.a, in.b);
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Floating::Arguments>}};

inline const auto kSameSums = [](Expect& expect, const Floating::Arguments& in, const Reals& got,
                                 const Reals& want) {
  const float magnitude = max_abs(weight_only_layer(in.a, in.b, true));
  expect.near("y", got, want, sum_tolerance(magnitude, in.a.sizes[0] + 1),
              outputs_of<Floating::Arguments>(in));
};
inline const auto kWeightOnly = [](const Floating::Arguments& in) {
  return weight_only(in.a, in.b);
};

}  // namespace nibble::judge::lab_29_quantized_linear
