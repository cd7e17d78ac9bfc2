// Lab 29, quantize_model: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/models.hpp"
#include "checks/29_quantized_linear/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

inline const Modelling modelling{
    {"sizes", "weights", "biases", "training", "x", "skip"},
    MODEL_NAMES,
    [](Expect& expect, const Modelling::Arguments& in, const QuantizedModel&) {
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
      std::vector<std::int32_t> from_zero, negative;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const float lo = std::min(0.0f, std::ranges::min(values[l]));
        const float steps = std::nearbyint(lo / step(values[l], 255));
        from_zero.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-steps));
        negative.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-128 + steps));
      }
      expect.suspect("N-ZERO", "a_zero_point", from_zero,
                     "lo has the code 0, as where codes have no sign: it has -128");
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
