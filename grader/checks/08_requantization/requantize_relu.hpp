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
  const auto between = [&](const char* code, const char* words, Real from, Real to) {
    const auto clamped = [=](const Element& e) {
      const Real c = e.steps() + e.zero_point;  // the ends may have crossed
      return static_cast<std::int8_t>(c < from ? from : to < c ? to : c);
    };
    expect.suspect(code, "c", each_code(plain, clamped), words);
  };
  const float six = 6.0f / c_scale;
  between("N-ZERO", "codes begin at 0, and should begin at the zero point, which stands for real 0",
          0, high);
  between("N-ZERO",
          "codes begin at -128, and should begin at the zero point, which stands for real 0", -128,
          high);
  if (relu6) {
    between("N-FORMULA", "6 / c_scale is a double, and should be a float32", low,
            std::min(low + half_away(6.0 / c_scale), 127.0L));
    between("N-CLAMP", "codes of kRelu6 end where those of kRelu do", low, 127);
    const auto whole = static_cast<std::int64_t>(std::min(std::round(six), 0x1p40f));
    between("N-CLAMP", "the code of 6 is cut to 8 bits, and should be 127 at most", low,
            std::max<Real>(low, static_cast<std::int8_t>(zero_point + whole)));
    between("N-SCALE", "codes end at 6, and should end at the code of real 6", low, 6);
    if (zero_point != 0) {
      between("N-SCALE",
              "codes end 6 steps above the zero point, and real 6 is 6 / c_scale of them", low,
              std::min<Real>(low + 6, 127));
    }
    between("N-SCALE", "6 is multiplied by c_scale, and should be divided", low,
            std::min<Real>(low + std::round(6.0f * c_scale), 127));
    between("N-ZERO", "the code of 6 lacks the zero point", low,
            std::clamp<Real>(std::round(six), low, 127));
    between("N-ROUND",
            "a half of 6 / c_scale goes to the even neighbour, and should go away from 0", low,
            std::min<Real>(low + std::nearbyint(six), 127));
    between("N-ROUND",
            "the zero point is added before 6 / c_scale is rounded: below 0 its half goes down",
            low, std::min<Real>(half_away(static_cast<float>(zero_point) + six), 127));
    between("N-ROUND", "6 / c_scale + 1/2 is rounded itself: the float below 1/2 becomes 1", low,
            std::min<Real>(low + std::floor(six + 0.5f), 127));
    between("N-TRUNC", "6 / c_scale is cut off, and has to be rounded", low,
            std::min<Real>(low + std::trunc(six), 127));
  } else {
    between("N-CLAMP", "codes of kRelu end where those of kRelu6 do", low,
            code_of_six(c_scale, zero_point));
  }
  for (const Mistake& wrong : wrong_products(in.c)) {
    const auto give = [=, rule = wrong.rule](const Element& e) {
      return on_grid(e.times(e.sum(), rule) + e.zero_point, low, high);
    };
    expect.suspect(wrong.code, "c", each_code(plain, give), wrong.words);
  }
}

inline const Activating activating{
    {"acc", "bias", "multiplier", "shift", "c_scale", "zero_point", "activation", "rounding"},
    {"c"},
    suspect_activated};

}  // namespace nibble::judge::lab_08_requantization
