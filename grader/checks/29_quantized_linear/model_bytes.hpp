// Lab 29, model_bytes: what is right, and what people write instead.
#pragma once

#include "quantized_linear.hpp"

#include "checks/29_quantized_linear/models.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_29_quantized_linear {

using Counting = Exercise<&model_bytes>;

inline const Counting counting{
    MODEL_NAMES, {"bytes"}, [](Expect& expect, const auto& in, const auto& right) {
      expect.suspect("N-UNITS", "bytes", 8 * right, "bits are told: it is bytes");
      const QuantizedModel& m = in.a;
      const auto codes = std::ssize(m.weight), sizes = 4 * std::ssize(m.sizes);
      const auto less = [&](const char* words, std::int64_t bytes) {
        if (bytes != 0) expect.suspect("N-OVERHEAD", "bytes", right - bytes, words);
      };
      less("sizes are not counted", sizes);
      less("a_scale is not counted", 4 * std::ssize(m.a_scale));
      less("a_zero_point is not counted", 4 * std::ssize(m.a_zero_point));
      less("a_scale and a_zero_point are not counted", 8 * std::ssize(m.a_scale));
      less("w_scale is not counted", 4 * std::ssize(m.w_scale));
      less("biases are not counted", 4 * std::ssize(m.bias));
      less("the floats of layers that stay float are not counted", 4 * std::ssize(m.floats));
      less("the weights are not counted", codes);
      less("a weight is counted as four bytes: an int8 is one", -3 * codes);
      less("elements are counted: most of them have four bytes", 3 * (right - codes) / 4);
      less("the weights alone are counted", right - codes);
    }};

}  // namespace nibble::judge::lab_29_quantized_linear
