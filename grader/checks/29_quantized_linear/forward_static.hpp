// Lab 29, forward_static: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include <optional>

#include "checks/29_quantized_linear/forward_dynamic.hpp"
#include "checks/29_quantized_linear/forward_weight_only.hpp"
#include "checks/29_quantized_linear/models.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Static = Exercise<&forward_static>;

/// How the network is run: right, or as somebody does who has one thing wrong.
struct Habit {
  const char* code = "";
  const char* words = "";
  float (*round)(float) = to_even;
  std::int32_t added = 1, subtracted = 1;  ///< zero points, where codes are made and read
  bool adds_bias = true, clamps = true;
  bool clamps_steps = false;          ///< before the zero point is added, too
  bool rounds_last = false;           ///< when the zero point has been added
  int next_scale = -1;                ///< as a power, in the factor
  std::optional<float> relu_at = {};  ///< another lower end than the next zero point
};

inline constexpr Habit kHabits[] = {
    {.code = "N-ZERO", .words = "a sum is of codes: it is of q - a_zero_point", .subtracted = 0},
    {.code = "N-ZP-SIGN",
     .words = "a zero point is added in the sum: it is subtracted",
     .subtracted = -1},
    {.code = "N-ZERO", .words = "no zero point is added where real numbers enter", .added = 0},
    {.code = "N-TRUNC", .words = "codes are cut: they are rounded", .round = cut},
    {.code = "N-ROUND",
     .words = "ties go away from zero: they go to the even neighbour",
     .round = away},
    {.code = "N-ROUND",
     .words = "rounded when the zero point has been added: it is before",
     .rounds_last = true},
    {.code = "N-BIAS", .words = "the bias is left out", .adds_bias = false},
    {.code = "N-CLAMP", .words = "codes are not clamped", .clamps = false},
    {.code = "N-SCALE",
     .words = "the factor is a_scale * w_scale: it is divided by the next a_scale",
     .next_scale = 0},
    {.code = "N-SCALE",
     .words = "the factor is multiplied by the next a_scale: it is divided by it",
     .next_scale = 1},
    {.code = "N-CLAMP",
     .words = "what is handed on ends at 0: it ends at the next a_zero_point",
     .relu_at = 0},
    {.code = "N-CLAMP",
     .words = "what is handed on ends at -128: it ends at the next a_zero_point, which is the ReLU",
     .relu_at = -128},
    {.code = "N-CLAMP",
     .words = "clamped before the zero point is added: it is after",
     .clamps_steps = true}};

/// A code as a float, which holds it exactly.
inline float code_of(float steps, float zero_point, float qmin, const Habit& habit) {
  const float rounded =
      habit.rounds_last ? habit.round(steps + zero_point) - zero_point : habit.round(steps);
  const float code =
      (habit.clamps_steps ? std::clamp(rounded, -128.0f, 127.0f) : rounded) + zero_point;
  return habit.clamps ? std::clamp(code, qmin, 127.0f) : std::clamp(code, -1e6f, 1e6f);
}

/// The sums of a quantized layer, [rows, outputs].
inline Reals sums_of(const QuantizedLayer& layer, const Reals& codes, const Habit& habit) {
  Reals sums;
  const std::size_t n = layer.inputs;
  for (std::size_t at = 0; at < codes.size() / n * layer.outputs; ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    std::int64_t acc = habit.adds_bias ? layer.bias[o] : 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto code = static_cast<std::int32_t>(codes[r * n + i]);
      const std::int64_t off = code - habit.subtracted * layer.a_zero_point;
      acc += off * layer.weight[o * n + i];
    }
    sums.push_back(static_cast<float>(acc));
  }
  return sums;
}

inline Reals static_by_definition(const QuantizedModel& model, const Reals& x,
                                  const Habit& habit = {}) {
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  Reals now = x;  // real numbers, or codes
  bool are_codes = false;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const QuantizedLayer& q = layers[l].quantized;
    const bool ends = l + 1 == layers.size(), hands_on = !ends && !layers[l + 1].is_float;
    if (layers[l].is_float) {
      now = linear(layers[l].linear, now);
    } else {
      const auto zero_point = static_cast<float>(habit.added * q.a_zero_point);
      if (!are_codes) {
        now =
            each_of(now, [&](float v) { return code_of(v / q.a_scale, zero_point, -128, habit); });
      }
      now = each_of(sums_of(q, now, habit), [&](float sum, std::size_t at) {
        const float unit = q.a_scale * q.w_scale[at % q.outputs];
        if (!hands_on) return sum * unit;
        const QuantizedLayer& behind = layers[l + 1].quantized;
        const auto zero = static_cast<float>(behind.a_zero_point);
        const float factor = habit.next_scale < 0    ? unit / behind.a_scale
                             : habit.next_scale == 0 ? unit
                                                     : unit * behind.a_scale;
        return code_of(sum * factor, zero, habit.relu_at.value_or(zero), habit);
      });
    }
    are_codes = !layers[l].is_float && hands_on;
    if (!ends && !are_codes) relu(now);
  }
  return now;
}

inline const Static running{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const Static::Arguments& in, const Reals&) {
      for (const Habit& habit : kHabits) {
        expect.suspect(habit.code, "y", static_by_definition(in.a, in.b, habit), habit.words);
      }
      expect.suspect("N-SCALE", "y", static_by_definition(with_mean_scales(in.a), in.b));
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Static::Arguments>}};

}  // namespace nibble::judge::lab_29_quantized_linear
