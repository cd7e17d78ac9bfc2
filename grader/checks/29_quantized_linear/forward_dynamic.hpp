// Lab 29, forward_dynamic: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include <optional>

#include "checks/29_quantized_linear/forward_weight_only.hpp"
#include "checks/29_quantized_linear/models.hpp"
#include "checks/29_quantized_linear/quantize_layer.hpp"
#include "checks/29_quantized_linear/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Dynamic = Exercise<&forward_dynamic>;

/// scale_of(row): what a row is divided by.
template <class ScaleOf>
Reals dynamic_layer_by(const QuantizedModel& model, const Reals& x, float (*round)(float),
                       const ScaleOf& scale_of) {
  const QuantizedLayer layer = layers_of(model).at(0).quantized;
  expects_rows(x, layer.inputs);
  Reals y;
  for (std::size_t at = 0; at < x.size() / layer.inputs * layer.outputs; ++at) {
    const Reals row = row_of(x, layer.inputs, at / layer.outputs);
    const std::size_t o = at % layer.outputs;
    const float scale = scale_of(row);
    double acc = 0;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      acc += round(row[i] / scale) * layer.weight[o * layer.inputs + i];
    }
    y.push_back(static_cast<float>(layer.w_scale[o] *
                                   (scale * acc + double{layer.a_scale} * layer.bias[o])));
  }
  return y;
}

/// `given`: the scale of every row; none: its own.
inline Reals dynamic_layer(const QuantizedModel& model, const Reals& x, float (*round)(float),
                           std::optional<float> given = {}) {
  return dynamic_layer_by(
      model, x, round, [&](const Reals& row) { return given.value_or(scale_by_definition(row)); });
}

/// A layer whose sums are exact as integers, and are not in a float: 33 millions are added, 2047
/// times 127 * 127 and one 127 * 126, and almost as much is taken away.
inline QuantizedModel long_layer() {
  Codes weight(4096, 127);
  std::fill(weight.begin() + 2048, weight.end(), std::int8_t{-126});
  return {{4096, 1}, {1}, {0}, weight, {1}, {0}, {}};
}
inline constexpr std::int32_t kLongSum = 2047 * 127 * 127 + 127 * 126 - 2048 * 127 * 126;

inline Reals long_row() {
  Reals x(4096, 127);
  x[0] = 126;
  return x;
}

/// The sum of `long_row`, added up in a float.
inline float sum_in_floats(const QuantizedModel& model, const Reals& x) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * static_cast<float>(model.weight[i]);
  return sum;
}

inline float to_even(float steps) { return std::nearbyint(steps); }
inline float cut(float steps) { return std::trunc(steps); }
inline float as_it_is(float steps) { return steps; }
inline float away(float steps) { return std::round(steps); }

inline Reals dynamic_by_definition(const QuantizedModel& model, const Reals& x) {
  return dynamic_layer(model, x, to_even);
}

inline const Dynamic dynamic{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const auto& in, const Reals&) {
      suspect_units(expect, in, dynamic_by_definition);
      if (in.a.sizes.size() == 2 && in.a.a_scale[0] != 0) {
        expect.suspect("N-OBSERVER", "y",
                       dynamic_layer(in.a, in.b, to_even, scale_by_definition(in.b)),
                       "all rows have one x_scale: each has its own");
        expect.suspect("N-OBSERVER", "y", dynamic_layer(in.a, in.b, to_even, in.a.a_scale[0]),
                       "inputs are in steps of a_scale: a row has its own x_scale");
      }
      if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
      expect.suspect("N-TRUNC", "y", dynamic_layer(in.a, in.b, cut), kFractionCut);
      expect.suspect("N-ROUND", "y", dynamic_layer(in.a, in.b, away), kTiesAway);
      expect.suspect("N-FORMULA", "y", dynamic_layer(in.a, in.b, as_it_is),
                     "x is multiplied as it is: codes of x are");
      const Reals first = row_of(in.b, static_cast<std::size_t>(in.a.sizes[0]), 0);
      expect.suspect("N-OBSERVER", "y",
                     dynamic_layer(in.a, in.b, to_even, scale_by_definition(first)),
                     "all rows have the x_scale of the first: each has its own");
      const auto of_largest = [](const Reals& row) {
        const float most = std::ranges::max(row);
        return most == 0 ? 1 : std::max(most / 127, kLeastScale);
      };
      expect.suspect("N-OBSERVER", "y", dynamic_layer_by(in.a, in.b, to_even, of_largest),
                     "x_scale is of the largest x: it is of the largest |x|");
      if (in.b.size() < 1000 || in.a.weight.size() != in.b.size()) return;
      expect.suspect("N-FLOAT32", "y", Reals{sum_in_floats(in.a, in.b)},
                     "acc is added up in a float: it is a sum of integers, and exact");
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Dynamic::Arguments>}};

inline const auto kNearlySame = [](Expect& expect, const Dynamic::Arguments& in, const Reals& got,
                                   const Reals& want) {
  const float magnitude = max_abs(weight_only_layer(in.a, in.b, true));
  expect.near("y", got, want, sum_tolerance(magnitude, 2), outputs_of<Dynamic::Arguments>(in));
};
inline const auto kDynamic = [](const Dynamic::Arguments& in) {
  return dynamic_by_definition(in.a, in.b);
};

}  // namespace nibble::judge::lab_29_quantized_linear
