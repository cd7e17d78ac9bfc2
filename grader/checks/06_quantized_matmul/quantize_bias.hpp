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
  const auto looks = [&](const char* code, const char* words, const auto& give) {
    const auto give_at = [&](float x, I j) -> double { return give(x, b_scales[j]); };
    expect.suspect(code, "q", each_of(bias, give_at), words);
  };
  const auto rne = [](float x) { return std::nearbyint(x); };
  const float sa = in.b, first = or_zero(b_scales, 0);
  looks("N-SCALE", "the bias is multiplied by the scales, and should be divided",
        [=](float x, float sb) { return rne(x * (sa * sb)); });
  looks("N-SCALE",
        "the bias is divided by one scale and multiplied by the other: it is divided by both",
        [=](float x, float sb) { return rne(x / sa * sb); });
  looks("N-SCALE", "b_scales is left out", [=](float x, float) { return rne(x / sa); });
  looks("N-SCALE", "a_scale is left out", [=](float x, float sb) { return rne(x / sb); });
  looks("N-SCALE", "the bias is not divided by the scales", [=](float x, float) { return rne(x); });
  looks("N-AXIS", "the scale is that of column 0, for all columns",
        [=](float x, float) { return rne(x / (sa * first)); });
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    looks(code, words, [=](float x, float sb) { return round(x / (sa * sb)); });
  });
  for (const double most : {127.0, 32767.0}) {
    looks(
        "N-RANGE",
        most < 128 ? "q is clamped to int8, and should be to int32"
                   : "q is clamped to int16, and should be to int32",
        [=](float x, float sb) { return std::clamp<double>(rne(x / (sa * sb)), -most - 1, most); });
  }
  looks("N-FORMULA", "the bias is divided by one scale, then by the other: divide by their product",
        [=](float x, float sb) { return rne(x / sa / sb); });
  for (const I block : {4, 8, 16, 32, 64}) {
    const I end = bias.size() / block * block;
    if (end == 0) continue;  // all zeros say nothing about a remainder
    Sums cut = right;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(end), cut.end(), 0);
    expect.suspect("N-TAIL", "q", cut, "the last biases are left at 0");
  }
}

inline const Biasing biasing{{"bias", "a_scale", "b_scales"}, {"q"}, suspect_biases};

}  // namespace nibble::judge::lab_06_quantized_matmul
