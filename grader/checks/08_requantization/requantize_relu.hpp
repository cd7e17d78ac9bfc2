// Lab 08, requantize_relu: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"
#include "checks/08_requantization/requantize.hpp"
#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Activating = Exercise<&requantize_relu>;

inline Real code_of_six(float c_scale, std::int32_t zero_point) {
  return std::min<Real>(zero_point + half_away(6.0f / c_scale), 127);
}

inline void suspect_activated(Expect& expect, const Activating::Arguments& in, const Codes&) {
  const Requantizing::Arguments plain{in.a, in.b, in.c, in.e, in.g};
  const float c_scale = in.d;
  const std::int32_t zero_point = in.e;
  const bool relu6 = in.f == Activation::kRelu6;
  const Real low = zero_point, high = relu6 ? code_of_six(c_scale, zero_point) : 127;
  const auto between = [&](const char* code, Real from, Real to) {
    const auto clamped = [=](const Element& e) {
      const Real c = e.steps() + e.zero_point;  // the ends may have crossed
      return static_cast<std::int8_t>(c < from ? from : to < c ? to : c);
    };
    expect.suspect(code, "c", each_code(plain, clamped));
  };
  const float six = 6.0f / c_scale;
  between("N-ZERO", 0, high);
  between("N-ZERO", -128, high);
  if (relu6) {
    between("N-FORMULA", low, std::min(low + half_away(6.0 / c_scale), 127.0L));
    between("N-CLAMP", low, 127);
    const auto whole = static_cast<std::int64_t>(std::min(std::round(six), 0x1p40f));
    between("N-CLAMP", low, std::max<Real>(low, static_cast<std::int8_t>(zero_point + whole)));
    between("N-SCALE", low, 6);
    between("N-SCALE", low, std::min<Real>(low + 6, 127));
    between("N-SCALE", low, std::min<Real>(low + std::round(6.0f * c_scale), 127));
    between("N-ZERO", low, std::min<Real>(std::round(six), 127));
    between("N-ROUND", low, std::min<Real>(low + std::nearbyint(six), 127));
    between("N-ROUND", low, std::min<Real>(low + std::floor(six + 0.5f), 127));
    between("N-TRUNC", low, std::min<Real>(low + std::trunc(six), 127));
  } else {
    between("N-CLAMP", low, code_of_six(c_scale, zero_point));
  }
  for (const auto& [code, rule] : kWrongProducts) {
    const auto give = [=, rule = rule](const Element& e) {
      return on_grid(e.times(e.sum(), rule) + e.zero_point, low, high);
    };
    expect.suspect(code, "c", each_code(plain, give));
  }
}

inline const Activating activating{
    {"acc", "bias", "multiplier", "shift", "c_scale", "zero_point", "activation", "rounding"},
    {"c"},
    suspect_activated};

}  // namespace nibble::judge::lab_08_requantization
