// Lab 29, quantize_layer: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Quantizing = Exercise<&quantize_layer>;

inline float scale_by_definition(const Reals& row) {
  return max_abs(row) == 0 ? 1 : std::max(max_abs(row) / 127, kLeastScale);
}

inline QuantizedLayer layer_by_definition(const Linear& layer, float a_scale,
                                          std::int32_t zero_point) {
  const std::size_t n = layer.inputs;
  if (layer.weight.size() != n * layer.outputs || layer.bias.size() != layer.outputs) {
    throw std::invalid_argument("sizes");
  }
  QuantizedLayer q{n, layer.outputs, {}, {}, {}, a_scale, zero_point};
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const Reals row = row_of(layer.weight, n, o);
    const float scale = scale_by_definition(row);
    q.w_scale.push_back(scale);
    for (const float w : row) q.weight.push_back(std::int8_t(std::nearbyint(w / scale)));
    const double steps = std::nearbyint(layer.bias[o] / (double{a_scale} * scale));
    q.bias.push_back(std::int32_t(std::clamp(steps, -0x1p30, 0x1p30)));
  }
  return q;
}

inline constexpr const char* kFractionCut = "a fraction is cut off: it is rounded";
inline constexpr const char* kTiesAway = "ties go away from zero: they go to the even neighbour";
inline constexpr const char* kColumns =
    "weights are read as [inputs, outputs]: they are [outputs, inputs]";

/// A matrix of [outputs, inputs], as those have it who take it for [inputs, outputs].
template <class T>
std::vector<T> read_by_columns(const std::vector<T>& weight, std::size_t outputs) {
  return each_of(weight, [&](T, std::size_t at) {
    const std::size_t inputs = weight.size() / outputs;
    return weight[at % inputs * outputs + at / inputs];
  });
}

inline void suspect_columns(Expect& expect, const Linear& layer) {
  Linear by_columns = layer;
  by_columns.weight = read_by_columns(layer.weight, layer.outputs);
  expect.suspect("N-AXIS", "weight", layer_by_definition(by_columns, 1, 0).weight, kColumns);
}

inline void suspect_layers(Expect& expect, const Quantizing::Arguments& in,
                           const QuantizedLayer& right) {
  const Linear& layer = in.a;
  expect.suspect("N-ZERO", "a_zero_point", 0, "a_zero_point is 0: it is kept as it is given");
  expect.suspect("N-DIV0", "w_scale",
                 each_of(right.w_scale,
                         [&](float scale, std::size_t o) {
                           const float amax = max_abs(row_of(layer.weight, layer.inputs, o));
                           return amax == 0 ? scale : amax / 127;
                         }),
                 "a scale is below kLeastScale");
  expect.suspect("N-RANGE", "w_scale",
                 each_of(right.w_scale, [](float scale) { return scale * 127 / 128; }),
                 "divided by 128: it is by 127");
  expect.suspect("N-DIV0", "w_scale",
                 each_of(right.w_scale,
                         [&](float scale, std::size_t o) {
                           const bool is_zero = max_abs(row_of(layer.weight, layer.inputs, o)) == 0;
                           return is_zero ? kLeastScale : scale;
                         }),
                 "a row of zeros has the least scale there is: it has 1");
  const auto scales = [&](const char* words, const auto& of) {
    Reals all;
    for (std::size_t o = 0; o < layer.outputs; ++o) all.push_back(of(o));
    if (all != right.w_scale) expect.suspect("N-AXIS", "w_scale", all, words);
  };
  scales("all rows have one scale: each has its own",
         [&](std::size_t) { return scale_by_definition(layer.weight); });
  scales("a scale is of a column: it is of a row, which makes an output", [&](std::size_t o) {
    Reals column;
    for (std::size_t at = o; at < layer.weight.size(); at += layer.outputs) {
      column.push_back(layer.weight[at]);
    }
    return scale_by_definition(column);
  });
  scales("a scale is of a column: it is of a row, which makes an output", [&](std::size_t o) {
    Reals column;
    for (std::size_t at = o; o < layer.inputs && at < layer.weight.size(); at += layer.inputs) {
      column.push_back(layer.weight[at]);
    }
    return column.empty() ? 1 : scale_by_definition(column);
  });
  scales("the largest weight: it is max |weight|", [&](std::size_t o) {
    const Reals row = row_of(layer.weight, layer.inputs, o);
    return scale_by_definition({std::max(0.0f, std::ranges::max(row))});
  });
  const auto codes = [&](const auto& round) {
    return each_of(layer.weight, [&](float w, std::size_t i) {
      return round(w / right.w_scale[i / layer.inputs]);
    });
  };
  expect.suspect("N-TRUNC", "weight", codes([](double v) { return std::trunc(v); }), kFractionCut);
  expect.suspect("N-ROUND", "weight", codes([](double v) { return std::round(v); }), kTiesAway);
  suspect_columns(expect, layer);
  expect.suspect("N-FORMULA", "weight",
                 each_of(layer.weight,
                         [&](float w, std::size_t i) {
                           return std::nearbyint(w * (1 / right.w_scale[i / layer.inputs]));
                         }),
                 "a weight is multiplied by 1 / w_scale: it is divided by w_scale");
  expect.suspect("N-FORMULA", "weight",
                 each_of(layer.weight,
                         [&](float w, std::size_t i) {
                           return std::nearbyint(double{w} / right.w_scale[i / layer.inputs]);
                         }),
                 "a weight is divided in double: it is divided in float32");
  const auto biases = [&](const auto& of) {
    return each_of(layer.bias, [&](float b, std::size_t o) { return of(b, right.w_scale[o]); });
  };
  expect.suspect("N-FLOAT32", "bias", biases([&](float b, float scale) {
                   return std::clamp(std::nearbyint(b / (in.b * scale)), -0x1p30f, 0x1p30f);
                 }),
                 "the unit of a bias is a float: it is a double");
  const auto unit = [&](const char* words, const auto& of) {
    expect.suspect("N-BIAS", "bias", biases([&](double b, double scale) {
                     return std::clamp(std::nearbyint(of(b, scale)), -0x1p30, 0x1p30);
                   }),
                   words);
  };
  const double a = double{in.b};
  unit("a bias is in steps of a_scale: it is of a_scale * w_scale[o]",
       [=](double b, double) { return b / a; });
  unit("a bias is in steps of w_scale: it is of a_scale * w_scale[o]",
       [](double b, double scale) { return b / scale; });
  unit("a bias is rounded as it is: it is in steps of a_scale * w_scale[o]",
       [](double b, double) { return b; });
  unit("a bias is multiplied by its unit: it is divided",
       [=](double b, double scale) { return b * a * scale; });
  unit("a bias is divided by a_scale / w_scale[o]: it is by their product",
       [=](double b, double scale) { return b / (a / scale); });
  unit("a_zero_point is in the bias: it is in no bias here",
       [=, &in](double b, double scale) { return b / (a * scale) - in.c; });
  expect.suspect("N-TRUNC", "bias", biases([&](double b, double scale) {
                   return std::trunc(std::clamp(b / (in.b * scale), -0x1p30, 0x1p30));
                 }),
                 kFractionCut);
  expect.suspect("N-ROUND", "bias", biases([&](double b, double scale) {
                   return std::round(std::clamp(b / (in.b * scale), -0x1p30, 0x1p30));
                 }),
                 kTiesAway);
}

inline const Quantizing quantizing{
    {"inputs", "outputs", "weight", "bias", "a_scale", "a_zero_point"},
    {"inputs", "outputs", "weight", "w_scale", "bias", "a_scale", "a_zero_point"},
    suspect_layers};

inline const auto kSameLayer =
    quantizing.only({"w_scale", "weight", "bias", "inputs", "outputs", "a_scale", "a_zero_point"});

struct LayerSize {
  std::size_t inputs, outputs;
  float largest = 1;
};

inline Linear some_layer(const LayerSize& size, std::uint64_t seed) {
  return {size.inputs, size.outputs, normal_tensor(size.inputs * size.outputs, seed, size.largest),
          normal_tensor(size.outputs, seed + 1)};
}

inline std::vector<Quantizing::Input> some_layers(Seed seed_of,
                                                  const std::vector<LayerSize>& sizes) {
  return each_of(sizes, [&](const LayerSize& size, std::size_t at) -> Quantizing::Input {
    return {std::to_string(size.inputs) + " inputs, " + std::to_string(size.outputs) + " outputs",
            {some_layer(size, seed_of(at)), 0.013f * static_cast<float>(at + 1),
             static_cast<std::int32_t>(at) * 60 % 256 - 128}};
  });
}

}  // namespace nibble::judge::lab_29_quantized_linear
