// Lab 09: a layer, right and wrong.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {

using Running = Exercise<&fake_linear>;
using Folding = Exercise<&fold_to_integers>;

enum class SumOf { kDouble, kFloat, kFloatBiasLast };

/// Where a layer rounds, clamps and multiplies. What people do differently is one of these with
/// another value.
struct LayerWay {
  float (*round)(float) = to_even;  ///< of x, weights and bias
  float (*divide)(float, float) = [](float value, float scale) { return value / scale; };
  float (*round_v)(float) = to_even;  ///< of v
  SumOf sum = SumOf::kDouble;
  float (*factor)(double sum, float x, float w, float y) =
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * ((x * w) / y); };
  float (*bias)(float bias, float x, float w) = [](float bias, float x, float w) {
    return bias / (x * w);
  };
  bool round_bias = true, clamp_x = true, clamp_w = true, clamp_y = true;
  int x_zero = 1, y_zero = 1;      ///< how often the ends of the clamp are moved by it
  bool moves_w = false;            ///< the ends of weights are moved by the zero point of x
  bool keeps_x_zero = false;       ///< a is the code, not the code less its zero point
  bool keeps_y_zero = false;       ///< y is the scale times the code
  bool zero_before_round = false;  ///< of the output
  bool x_zero_before_round = false;
  float least_w = -128, least_x = -128, least_y = -128;
  bool transposed = false, first_scale = false, first_unit = false;
  bool gives_codes = false;
};

struct Size {
  std::size_t inputs, outputs;
};

inline Size size_of(const FakeLayer& layer) {
  const std::size_t outputs = layer.bias.size();
  if (outputs == 0 || layer.weight_scales.size() != outputs || layer.weight.empty() ||
      layer.weight.size() % outputs != 0) {
    throw std::invalid_argument("no layer");
  }
  return {layer.weight.size() / outputs, outputs};
}

inline float clamped(float steps, float least, float zero, bool clamps = true) {
  return clamps ? std::clamp(steps, least - zero, 127 - zero) : steps;
}

inline float weight_scale(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  return layer.weight_scales[way.first_scale ? 0 : j];
}
/// Of the unit of the sums.
inline float unit_scale(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  return layer.weight_scales[way.first_scale || way.first_unit ? 0 : j];
}

inline float whole_weight(const FakeLayer& layer, std::size_t j, std::size_t p,
                          const LayerWay& way) {
  const auto [inputs, outputs] = size_of(layer);
  const float weight = layer.weight[way.transposed ? p * outputs + j : j * inputs + p];
  const float zero = way.moves_w ? static_cast<float>(layer.input_zero_point) : 0.0f;
  return clamped(way.round(way.divide(weight, weight_scale(layer, j, way))), way.least_w, zero,
                 way.clamp_w);
}

inline float whole_bias(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  const float steps = way.bias(layer.bias[j], layer.input_scale, unit_scale(layer, j, way));
  return way.round_bias ? way.round(steps) : steps;
}

inline Reals run_layer(const Running::Arguments& in, const LayerWay& way = {}) {
  const auto& [x, layer] = in;
  const auto [inputs, outputs] = size_of(layer);
  if (x.size() % inputs != 0) throw std::invalid_argument("no rows");
  const auto x_zero = static_cast<float>(layer.input_zero_point);
  const auto y_zero = static_cast<float>(layer.output_zero_point);
  Reals a, y;
  for (const float value : x) {
    const float v = way.divide(value, layer.input_scale);
    const float rounded = way.x_zero_before_round ? way.round(v + x_zero) - x_zero : way.round(v);
    const float steps =
        clamped(rounded, way.least_x, static_cast<float>(way.x_zero) * x_zero, way.clamp_x);
    a.push_back(steps + (way.keeps_x_zero ? x_zero : 0));
  }
  for (std::size_t i = 0; i < a.size(); i += inputs) {
    for (std::size_t j = 0; j < outputs; ++j) {
      const float bias = whole_bias(layer, j, way);
      double sum = way.sum == SumOf::kFloatBiasLast ? 0 : bias;
      for (std::size_t p = 0; p < inputs; ++p) {
        sum += double{a[i + p]} * double{whole_weight(layer, j, p, way)};
        if (way.sum != SumOf::kDouble) sum = static_cast<float>(sum);
      }
      if (way.sum == SumOf::kFloatBiasLast) sum = static_cast<float>(sum + bias);
      const float v =
          way.factor(sum, layer.input_scale, unit_scale(layer, j, way), layer.output_scale);
      const float rounded =
          way.zero_before_round ? way.round_v(v + y_zero) - y_zero : way.round_v(v);
      const float steps =
          clamped(rounded, way.least_y, static_cast<float>(way.y_zero) * y_zero, way.clamp_y);
      const float code = steps + y_zero;
      y.push_back(way.gives_codes ? code : layer.output_scale * (way.keeps_y_zero ? code : steps));
    }
  }
  return y;
}

/// What most people write first: real numbers, multiplied and added in float32.
inline Reals run_in_reals(const Running::Arguments& in, bool with_bias_steps) {
  const auto& [x, layer] = in;
  const auto [inputs, outputs] = size_of(layer);
  const Grid input{layer.input_scale, layer.input_zero_point, -128, 127};
  const Grid output{layer.output_scale, layer.output_zero_point, -128, 127};
  Reals y;
  for (std::size_t i = 0; i < x.size(); i += inputs) {
    for (std::size_t j = 0; j < outputs; ++j) {
      const Grid weights{layer.weight_scales[j], 0, -128, 127};
      const float unit = layer.input_scale * layer.weight_scales[j];
      const float bias = with_bias_steps ? unit * to_even(layer.bias[j] / unit) : layer.bias[j];
      float sum = 0;
      for (std::size_t p = 0; p < inputs; ++p) {
        sum +=
            fake_quantize(x[i + p], input) * fake_quantize(layer.weight[j * inputs + p], weights);
      }
      y.push_back(fake_quantize(sum + bias, output));
    }
  }
  return y;
}

struct WrongLayer {
  const char* code;
  LayerWay way;
  const char* words = "";
};

using Factor = decltype(LayerWay::factor);
using Bias = decltype(LayerWay::bias);

inline const std::vector<Factor>& wrong_factors() {
  static const std::vector<Factor> all{
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x * w) / y; },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x * (w / y)); },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x / y * w); },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * x * w / y; },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(sum) * (x * w * (1 / y));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(static_cast<float>(sum) * (double{x} * w / y));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(sum * double{(x * w) / y});
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(std::nearbyint(sum * double{(x * w) / y}));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(std::nearbyint(sum * (double{x} * w / y)));
      },
  };
  return all;
}

inline const std::vector<Bias>& wrong_biases() {
  static const std::vector<Bias> all{
      [](float bias, float x, float w) { return bias / x / w; },
      [](float bias, float x, float w) { return bias / w / x; },
      [](float bias, float x, float w) { return bias * (1 / (x * w)); },
      [](float bias, float x, float w) {
        return static_cast<float>(std::nearbyint(double{bias} / (double{x} * w)));
      },
  };
  return all;
}

inline constexpr const char* kFloatSum = "the sum is a float32: it is exact";

inline std::vector<WrongLayer> wrong_layers() {
  std::vector<WrongLayer> all;
  for (const Factor factor : wrong_factors()) all.push_back({"N-FORMULA", {.factor = factor}});
  for (const Bias bias : wrong_biases()) all.push_back({"N-FORMULA", {.bias = bias}});
  const std::vector<WrongLayer> others{
      {"N-FORMULA",
       {.divide = [](float value, float scale) { return value * (1 / scale); }},
       "a quotient is a product with 1 / scale: it is one division"},
      {"N-FLOAT32", {.sum = SumOf::kFloat}, kFloatSum},
      {"N-FLOAT32", {.sum = SumOf::kFloatBiasLast}, kFloatSum},
      {"N-RANGE", {.x_zero = 0}, "the ends of a are not moved by input_zero_point"},
      {"N-RANGE",
       {.moves_w = true},
       "the ends of weights are moved by a zero point: they have none"},
      {"N-ZP-SIGN", {.x_zero = -1}},
      {"N-ZP-SIGN", {.keeps_x_zero = true}},
      {"N-ZP-SIGN", {.x_zero = 0, .keeps_x_zero = true}},
      {"N-ZP-SIGN", {.keeps_y_zero = true}},
      {"N-RANGE", {.y_zero = 0}, "the ends of v are not moved by output_zero_point"},
      {"N-ZP-SIGN", {.y_zero = -1}},
      {"N-CLAMP", {.round = in_an_int}, "a quotient is put into an int, which does not hold it"},
      {"N-CLAMP", {.round_v = in_an_int}, "v is put into an int, which does not hold it"},
      {"N-CLAMP", {.clamp_x = false}, "codes of x are not clamped"},
      {"N-CLAMP", {.clamp_w = false}, "codes of weights are not clamped"},
      {"N-CLAMP", {.clamp_y = false}, "codes of y are not clamped"},
      {"N-RANGE", {.least_w = -127}, "codes of weights end at -127: they end at -128"},
      {"N-RANGE", {.least_x = -127}, "codes of x end at -127: they end at -128"},
      {"N-RANGE", {.least_y = -127}, "codes of y end at -127: they end at -128"},
      {"N-BIAS", {.bias = [](float, float, float) { return 0.0f; }}, "the bias is left out"},
      {"N-BIAS",
       {.bias = [](float bias, float, float) { return bias; }},
       "the bias is in real units: it is in units of the sum"},
      {"N-BIAS",
       {.bias = [](float bias, float x, float) { return bias / x; }},
       "a bias is not divided by the scale of the weights: it is by both"},
      {"N-BIAS",
       {.bias = [](float bias, float, float w) { return bias / w; }},
       "a bias is not divided by input_scale: it is by both scales"},
      {"N-FORMULA", {.round_bias = false}},
      {"N-TRANS",
       {.transposed = true},
       "weights are read as [inputs, outputs]: they are [outputs, inputs]"},
      {"N-SCALE",
       {.first_scale = true},
       "all outputs have the scale of the first: each has its own"},
      {"N-SCALE", {.first_unit = true}},
      {"N-SCALE", {.gives_codes = true}, "codes are returned: y is in real units"},
      {"N-SCALE",
       {.factor = [](double sum, float x, float w,
                     float) { return static_cast<float>(sum) * (x * w); }},
       "the factor is not divided by output_scale"},
      {"N-SCALE",
       {.factor = [](double sum, float x, float w,
                     float y) { return static_cast<float>(sum) * ((x * w) * y); }},
       "the factor is multiplied by output_scale: it is divided"},
      {"N-FORMULA", {.zero_before_round = true}},
      {"N-FORMULA", {.x_zero_before_round = true}},
      {"N-ROUND", {.round_v = away}, kAwayFromEven},
      {"N-ROUND", {.round_v = half_up}, kAwayFromEven},
      {"N-TRUNC", {.round_v = cut}, kCutOff},
      {"N-ROUND", {.round = away}, kAwayFromEven},
      {"N-ROUND", {.round = half_up}, kAwayFromEven},
      {"N-TRUNC", {.round = cut}, kCutOff},
      {"N-ROUND", {.round = away, .round_v = away}, kAwayFromEven},
      {"N-TRUNC", {.round = cut, .round_v = cut}, kCutOff},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

inline void suspect_layers(Expect& expect, const Running::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const Reals& wrong, const char* words = "") {
    if (wrong != right) expect.suspect(code, "y", wrong, words);
  };
  const std::vector<WrongLayer> all = wrong_layers();
  for (const auto& [code, way, words] : all) {
    if (way.sum != SumOf::kDouble) looks(code, run_layer(in, way), words);
  }
  looks("N-FORMULA", run_in_reals(in, /*with_bias_steps=*/true));
  for (const auto& [code, way, words] : all) looks(code, run_layer(in, way), words);
  looks("N-FORMULA", run_in_reals(in, /*with_bias_steps=*/false));
}

/// Without some rows, outputs or inputs.
inline FakeLayer corner_of(const FakeLayer& layer, Size part) {
  const auto [inputs, outputs] = size_of(layer);
  FakeLayer less = layer;
  less.weight =
      corner(layer.weight, static_cast<int>(inputs), static_cast<std::ptrdiff_t>(part.outputs),
             static_cast<std::ptrdiff_t>(part.inputs));
  less.weight_scales.resize(part.outputs);
  less.bias.resize(part.outputs);
  return less;
}

inline std::vector<Size> smaller_sizes(Size size) {
  std::vector<Size> all;
  for (const Size part :
       {Size{size.inputs, size.outputs / 2}, Size{size.inputs / 2, size.outputs},
        Size{size.inputs, size.outputs - 1}, Size{size.inputs - 1, size.outputs}}) {
    if (part.inputs >= 1 && part.outputs >= 1 &&
        (part.inputs < size.inputs || part.outputs < size.outputs)) {
      all.push_back(part);
    }
  }
  return all;
}

inline std::vector<Running::Arguments> smaller_runs(const Running::Arguments& in) {
  const auto& [x, layer] = in;
  const Size size = size_of(layer);
  const std::size_t rows = x.size() / size.inputs;
  const auto with = [&, &x = x, &layer = layer](std::size_t some_rows, Size part) {
    return Running::Arguments{
        corner(x, static_cast<int>(size.inputs), static_cast<std::ptrdiff_t>(some_rows),
               static_cast<std::ptrdiff_t>(part.inputs)),
        corner_of(layer, part)};
  };
  std::vector<Running::Arguments> all;
  if (rows > 1) all.push_back(with(rows / 2, size));
  if (rows > 1) all.push_back(with(rows - 1, size));
  for (const Size part : smaller_sizes(size)) all.push_back(with(rows, part));
  return all;
}

inline std::vector<Folding::Arguments> smaller_folds(const Folding::Arguments& in) {
  std::vector<Folding::Arguments> all;
  for (const Size part : smaller_sizes(size_of(in.a))) all.push_back({corner_of(in.a, part)});
  return all;
}

}  // namespace nibble::judge::lab_09_fake_quant
