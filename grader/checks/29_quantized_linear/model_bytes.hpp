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
      less("a_scale and a_zero_point are not counted",
           4 * (std::ssize(m.a_scale) + std::ssize(m.a_zero_point)));
      less("w_scale is not counted", 4 * std::ssize(m.w_scale));
      less("biases are not counted", 4 * std::ssize(m.bias));
      less("the floats of layers that stay float are not counted", 4 * std::ssize(m.floats));
      less("the weights are not counted", codes);
      less("a weight is counted as four bytes: an int8 is one", -3 * codes);
      less("elements are counted: most of them have four bytes", 3 * (right - codes) / 4);
      less("the weights alone are counted", right - codes);
      expect.suspect("N-OVERHEAD", "bytes", static_cast<std::int64_t>(sizeof m),
                     "the struct is counted, without what its lists hold");
      std::int64_t in_8_bits = std::uint8_t(codes) + std::int64_t{std::uint8_t(sizes)};
      for (const auto count : {std::ssize(m.a_scale), std::ssize(m.a_zero_point),
                               std::ssize(m.w_scale), std::ssize(m.bias), std::ssize(m.floats)}) {
        in_8_bits += std::uint8_t(4 * count);
      }
      expect.suspect("N-OVERHEAD", "bytes", in_8_bits,
                     "the bytes of a list are kept in 8 bits: there may be more");
    }};

}  // namespace nibble::judge::lab_29_quantized_linear
