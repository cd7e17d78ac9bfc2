// Lab 06, quantize_bias: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

using Biasing = Exercise<&quantize_bias>;

inline void suspect_biases(Expect& expect, const Biasing::Arguments& in, const Sums& right) {
  const Reals &bias = in.a, &b_scales = in.c;
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "q",
                   each_of(bias, [&](float x, I j) -> double { return give(x, b_scales[j]); }));
  };
  const auto rne = [](float x) { return std::nearbyint(x); };
  const float sa = in.b, first = or_zero(b_scales, 0);
  looks("N-SCALE", [=](float x, float sb) { return rne(x * (sa * sb)); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sa * sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x / sa); });
  looks("N-SCALE", [=](float x, float sb) { return rne(x / sb); });
  looks("N-SCALE", [=](float x, float) { return rne(x); });
  looks("N-AXIS", [=](float x, float) { return rne(x / (sa * first)); });
  each_wrong_rounding([&](const char* code, const auto& round) {
    looks(code, [=](float x, float sb) { return round(x / (sa * sb)); });
  });
  for (const double most : {127.0, 32767.0}) {
    looks("N-RANGE", [=](float x, float sb) {
      return std::clamp<double>(rne(x / (sa * sb)), -most - 1, most);
    });
  }
  for (const I block : {4, 8, 16, 32, 64}) {
    const I end = bias.size() / block * block;
    if (end == 0) continue;  // all zeros say nothing about a remainder
    Sums cut = right;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(end), cut.end(), 0);
    expect.suspect("N-TAIL", "q", cut);
  }
}

inline const Biasing biasing{{"bias", "a_scale", "b_scales"}, {"q"}, suspect_biases};

}  // namespace nibble::judge::lab_06_quantized_matmul
