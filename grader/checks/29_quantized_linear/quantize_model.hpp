// Lab 29, quantize_model: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/forward_weight_only.hpp"
#include "checks/29_quantized_linear/models.hpp"
#include "checks/29_quantized_linear/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

/// What becomes of layers that are to stay float. scale_of(l): of a layer that is not.
template <class ScaleOf>
void suspect_skips(Expect& expect, const Modelling::Arguments& in, const QuantizedModel& right,
                   const ScaleOf& scale_of) {
  const std::vector<Linear> layers = layers_of(in.a);
  Reals of_all, but_first, bias_first;
  std::vector<std::int32_t> zero_points;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto number = static_cast<std::int32_t>(l);
    const bool is_first = !in.c.empty() && in.c.front() == number;
    const bool stays = std::ranges::count(in.c, number) > 0;
    of_all.push_back(scale_of(l));
    but_first.push_back(is_first ? 0 : scale_of(l));
    zero_points.push_back(stays ? -128 : right.a_zero_point[l]);
    if (stays) append(bias_first, layers[l].bias), append(bias_first, layers[l].weight);
  }
  if (in.c.empty()) return;
  const auto suspect = [&](const char* what, const char* words, const auto& values) {
    expect.suspect("N-FORMULA", what, values, words);
  };
  suspect("a_scale", "skip is not looked at", of_all);
  suspect("a_scale", "of skip the first layer alone stays float: all that it names do", but_first);
  suspect("a_zero_point", "a layer that stays float has the a_zero_point -128: it has 0",
          zero_points);
  suspect("floats", "a bias stands before its weights: it stands behind them", bias_first);
}

/// The scales of what layers hand on that have been quantized already.
inline Reals scales_in_sequence(const Modelling::Arguments& in) {
  Reals given = in.b, scales;
  for (const Linear& layer : layers_of(in.a)) {
    const bool stays = std::ranges::count(in.c, static_cast<std::int32_t>(scales.size())) > 0;
    const QuantizedModel one =
        model_by_definition({{std::int32_t(layer.inputs), std::int32_t(layer.outputs)},
                             layer.weight,
                             layer.bias,
                             false},
                            given, stays ? Skip{0} : Skip{});
    scales.push_back(one.a_scale.front());
    given = stays ? linear(layer, given) : weight_only_layer(one, given);
    for (float& v : given) v = std::max(v, 0.0f);
  }
  return scales;
}

inline const Modelling modelling{
    {"sizes", "weights", "biases", "training", "x", "skip"},
    MODEL_NAMES,
    [](Expect& expect, const Modelling::Arguments& in, const QuantizedModel& right) {
      const auto inputs = static_cast<std::size_t>(in.a.sizes[0]);
      const std::size_t rows = in.b.size() / inputs;
      for (const std::size_t row : {std::size_t{0}, rows - 1}) {
        expect.suspect("N-OBSERVER", "a_scale",
                       model_by_definition(in.a, row_of(in.b, inputs, row), in.c).a_scale,
                       "a range is of one row of x: it is of all rows");
      }
      const std::vector<Linear> layers = layers_of(in.a);
      const auto given = [&](const FloatModel& net) { return layer_inputs(net, in.b); };
      FloatModel used = in.a;
      used.training = false;
      const std::vector<Reals> values = given(used), dropped = given(in.a);
      const auto stays = [&](std::size_t l) {
        return std::ranges::count(in.c, static_cast<std::int32_t>(l)) > 0;
      };
      const auto ranges = [&](const char* code, const char* words, const auto& of) {
        Reals scales;
        for (std::size_t l = 0; l < layers.size(); ++l) scales.push_back(stays(l) ? 0 : of(l));
        expect.suspect(code, "a_scale", scales, words);
      };
      const auto step = [](const Reals& v, float steps) {
        const float lo = std::min(0.0f, std::ranges::min(v)),
                    hi = std::max(0.0f, std::ranges::max(v));
        return hi == lo ? 1 : std::max((hi - lo) / steps, kLeastScale);
      };
      ranges("N-OBSERVER",
             "ranges are those of a network that is training: take them as it is used",
             [&](std::size_t l) { return step(dropped[l], 255); });
      FloatModel rounded = used;
      rounded.weights.clear();
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const QuantizedLayer q = layer_by_definition(layers[l], 1, 0);
        const Reals real = each_of(q.weight, [&](std::int8_t code, std::size_t i) {
          return q.w_scale[i / q.inputs] * code;
        });
        append(rounded.weights, stays(l) ? layers[l].weight : real);
      }
      const std::vector<Reals> of_codes = given(rounded);
      ranges("N-OBSERVER",
             "ranges are those of a network that is rounded already: take the float one",
             [&](std::size_t l) { return step(of_codes[l], 255); });
      expect.suspect("N-OBSERVER", "a_scale", scales_in_sequence(in),
                     "a range is of what quantized layers hand on: it is of the float network");
      ranges("N-RANGE", "a range is of what a layer gives: it is of what it is given",
             [&](std::size_t l) { return step(values[l + 1], 255); });
      ranges("N-RANGE", "a range is divided by 127: it is by 255, all codes",
             [&](std::size_t l) { return step(values[l], 127); });
      ranges("N-RANGE", "a range is divided by 256: it is by 255, the steps between codes",
             [&](std::size_t l) { return step(values[l], 256); });
      ranges("N-RANGE", "a scale is max |x| / 127: it is (hi - lo) / 255",
             [&](std::size_t l) { return max_abs(values[l]) / 127; });
      ranges("N-RANGE", "a range does not hold 0: lo is at most 0, and hi at least",
             [&](std::size_t l) {
               return (std::ranges::max(values[l]) - std::ranges::min(values[l])) / 255;
             });
      ranges("N-RANGE", "a range is made symmetric: it is from lo to hi", [&](std::size_t l) {
        const float amax = max_abs(values[l]);
        return amax == 0 ? 1 : std::max(2 * amax / 255, kLeastScale);
      });
      ranges("N-RANGE", "a layer that is given zeros alone has the least scale: it has 1",
             [&](std::size_t l) {
               return max_abs(values[l]) == 0 ? kLeastScale : step(values[l], 255);
             });
      suspect_skips(expect, in, right, [&](std::size_t l) { return step(values[l], 255); });
      std::vector<std::int32_t> from_zero, negative, from_above;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const float lo = std::min(0.0f, std::ranges::min(values[l]));
        const float steps = std::nearbyint(lo / step(values[l], 255));
        from_zero.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-steps));
        from_above.push_back(
            stays(l) ? 0 : std::clamp(127 + static_cast<std::int32_t>(steps), -128, 127));
        negative.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-128 + steps));
      }
      expect.suspect("N-ZERO", "a_zero_point", from_zero,
                     "lo has the code 0, as where codes have no sign: it has -128");
      expect.suspect("N-RANGE", "a_zero_point", from_above,
                     "a_zero_point counts from 127, the upper end: it counts from -128");
      expect.suspect("N-ZP-SIGN", "a_zero_point", negative,
                     "lo is added: it is subtracted from -128, in steps");
    },
    {.tolerance = one_ulp()}};

/// A float weight of a layer that is quantized is told as such, whatever else is wrong.
inline const auto kSameModel = [](Expect& expect, const Modelling::Arguments& in,
                                  const QuantizedModel& got, const QuantizedModel& want) {
  expect.that(got.floats.size() <= want.floats.size(),
              std::to_string(got.floats.size()) + " floats are kept, where " +
                  std::to_string(want.floats.size()) + " are of layers that stay float",
              "N-OVERHEAD");
  modelling.only({"sizes", "a_scale", "a_zero_point", "w_scale", "weight", "bias", "floats"})(
      expect, in, got, want);
};

inline std::vector<Modelling::Input> some_nets(Seed seed_of, const std::vector<NetSize>& sizes) {
  return each_of(sizes, [&](const NetSize& size, std::size_t at) -> Modelling::Input {
    FloatModel net = some_net(size.sizes, seed_of(10 * at));
    net.training = at % 2 == 1;
    return {size.text(), {net, size.x(seed_of(10 * at + 9)), size.skip}};
  });
}

}  // namespace nibble::judge::lab_29_quantized_linear
