// Lab 09, fake_linear: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/fake_quantize_backward.hpp"
#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "checks/09_fake_quant/layer.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_09_fake_quant {

inline Shape rows_by_outputs(const Running::Arguments& in) {
  const std::size_t outputs = std::max<std::size_t>(in.b.bias.size(), 1);
  const std::size_t inputs = std::max<std::size_t>(in.b.weight.size() / outputs, 1);
  return {in.a.size() / inputs, outputs};
}

inline const Running running{{"x", "weight", "weight_scales", "bias", "input_scale",
                              "input_zero_point", "output_scale", "output_zero_point"},
                             {"y"},
                             suspect_layers,
                             {.sizes = rows_by_outputs, .smaller = smaller_runs}};

/// One input and one output.
inline FakeLayer one_weight(float weight, float weight_scale, float bias, float input_scale = 1,
                            std::int32_t input_zero = 0, float output_scale = 1,
                            std::int32_t output_zero = 0) {
  return {{weight}, {weight_scale}, {bias}, input_scale, input_zero, output_scale, output_zero};
}

inline const FakeLayer two_by_two{{1, 10, 20, 30}, {1, 1}, {5, -7}, 1, 0, 1, 0};
inline const FakeLayer three_by_two{{1, 2, 3, -1, 4, -5}, {1, 0.5f}, {0.5f, 3}, 0.5f, 0, 0.25f, 0};

inline FakeLayer some_layer(std::size_t inputs, std::size_t outputs, std::uint64_t which) {
  FakeLayer layer;
  layer.weight = normal_tensor(inputs * outputs, which);
  layer.weight_scales = uniform_tensor(outputs, which + 1, 0.005f, 0.03f);
  layer.bias = normal_tensor(outputs, which + 2, 2.0f);
  layer.input_scale = uniform_tensor(1, which + 3, 0.01f, 0.03f)[0];
  layer.output_scale =
      0.02f * std::sqrt(static_cast<float>(inputs)) * uniform_tensor(1, which + 4, 0.5f, 2.0f)[0];
  const auto zeros = code_tensor<std::int32_t>(2, which + 5, -128, 127);
  layer.input_zero_point = zeros[0];
  layer.output_zero_point = zeros[1];
  return layer;
}

inline std::vector<Running::Input> layers(Seed seed_of, std::size_t longest) {
  std::vector<Running::Input> inputs;
  for (const auto& [rows, columns, outputs] : std::vector<std::array<std::size_t, 3>>{
           {1, 1, 1}, {2, 3, 2}, {1, 31, 5}, {5, 32, 1}, {3, 33, 7}, {2, longest, 3}}) {
    const std::uint64_t which = seed_of(rows * 4096 + columns);
    inputs.push_back(
        {size_text(MatmulShape{static_cast<int>(rows), static_cast<int>(outputs),
                               static_cast<int>(columns)}),
         {normal_tensor(rows * columns, which + 6), some_layer(columns, outputs, which)}});
  }
  return inputs;
}

inline constexpr const char* kOneUnit =
    "bias[j] is divided once: by the product of the two scales, which is a float32";
inline constexpr const char* kOneFactor =
    "whole numbers are summed, and float32(sum) is multiplied once, in float32, by the one factor";

struct BrokenLayer {
  const char* code;
  FakeLayer layer;
};

inline std::vector<BrokenLayer> broken_layers() {
  std::vector<BrokenLayer> all;
  const auto add = [&](const char* code, const auto& change) {
    all.push_back({code, two_by_two});
    change(all.back().layer);
  };
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales.pop_back(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales.push_back(1); });
  add("N-SIZE", [](FakeLayer& l) { l.weight.pop_back(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight.clear(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight = {}, l.weight_scales = {}, l.bias = {}; });
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales = {}, l.bias = {}; });
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    add("N-NAN", [&](FakeLayer& l) { l.weight[3] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.bias[1] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.weight_scales[1] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.input_scale = value; });
    add("N-NAN", [&](FakeLayer& l) { l.output_scale = value; });
  }
  for (const float value : {0.0f, FLT_MIN / 2}) {
    add("N-DIV0", [&](FakeLayer& l) { l.weight_scales[1] = value; });
    add("N-DIV0", [&](FakeLayer& l) { l.input_scale = value; });
    add("N-DIV0", [&](FakeLayer& l) { l.output_scale = value; });
  }
  add("N-DIV0",
      [](FakeLayer& l) { l.weight_scales[1] = FLT_MIN / 2, l.input_scale = 4, l.bias[1] = 0; });
  add("N-DIV0", [](FakeLayer& l) {
    l.input_scale = FLT_MIN / 2, l.weight_scales = {4, 4}, l.bias = {0, 0};
  });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = -1, l.weight_scales = {-1, -1}; });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = -1, l.output_scale = -1; });
  add("N-SCALE", [](FakeLayer& l) { l.weight_scales = {1, -1}, l.output_scale = -1; });
  for (const std::int32_t zero : {-129, 128}) {
    add("N-RANGE", [&](FakeLayer& l) { l.input_zero_point = zero; });
    add("N-RANGE", [&](FakeLayer& l) { l.output_zero_point = zero; });
  }
  // products of scales that are too small or too large, where each of them alone is fine
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = 1e-30f, l.weight_scales[1] = 1e-10f; });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = 1e30f, l.weight_scales[1] = 1e10f; });
  add("N-SCALE",
      [](FakeLayer& l) { l.output_scale = 1e30f, l.weight_scales[1] = 1e-10f, l.bias[1] = 0; });
  add("N-SCALE", [](FakeLayer& l) { l.output_scale = 1e-30f, l.weight_scales[1] = 1e10f; });
  add("N-SCALE", [](FakeLayer& l) {  // the unit is no float, its quotient is
    l.weight_scales[1] = 1e-20f, l.input_scale = 1e-20f, l.output_scale = 1e-30f, l.bias = {0, 0};
  });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = 0x1.000002p30f; });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = -0x1.000002p30f; });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = 1e30f, l.input_scale = 1e-30f; });
  all.push_back({"N-OVERFLOW", {Reals(32'769, 1), {1}, {0}, 1, 0, 1, 0}});
  return all;
}

}  // namespace nibble::judge::lab_09_fake_quant
