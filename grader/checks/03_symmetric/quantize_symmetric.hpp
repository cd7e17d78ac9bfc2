// Lab 03, quantize_symmetric: what is right, and what people write instead.
#pragma once

#include "symmetric.hpp"

#include "checks/03_symmetric/quantize_with_scale.hpp"
#include "checks/03_symmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_03_symmetric {

using Symmetric = Exercise<&quantize_symmetric>;

/// Who does not pass num_bits on to symmetric_scale.
inline SymmetricTensor with_scale_of_8_bits(const Reals& x, int num_bits) {
  const float amax = max_abs(x), scale = amax == 0 ? 1 : std::max(amax / 127, FLT_MIN);
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto to_even = [](float steps) { return std::nearbyint(steps); };
  return {rounded_with(to_even, x, scale, qmin, qmax), scale};
}
inline constexpr const char* kEveryCodeIs0 = "every code is 0";
inline constexpr const char* kScaleOf8Bits = "the scale is that of 8 bits: it depends on num_bits";

inline void suspect_tensors(Expect& expect, const Symmetric::Arguments& in,
                            const SymmetricTensor& right) {
  const auto& [x, num_bits] = in;
  expect.suspect("N-SCALE", "scale", 1 / right.scale);
  const SymmetricTensor of_8_bits = with_scale_of_8_bits(x, num_bits);
  expect.suspect("N-RANGE", "scale", of_8_bits.scale, kScaleOf8Bits);
  expect.suspect("N-RANGE", "q", of_8_bits.q, kScaleOf8Bits);
  suspect_roundings(expect, "q", x, right.scale, num_bits, [](const Codes& q) { return q; });
  const auto divided = [&expect, &x = x](const char* code, const char* words, auto divide) {
    expect.suspect(code, "q",
                   each_of(x, [&](float value) { return std::nearbyint(divide(value)); }), words);
  };
  divided("N-FORMULA", "x is divided in double: it is divided in float32",
          [scale = right.scale](double value) { return value / scale; });
  divided("N-FORMULA", "x is multiplied by 1 / scale: it is divided by scale",
          [scale = right.scale](float value) { return value * (1 / scale); });
  divided("N-RANGE", "a scale is twice as large: half of the codes are not used",
          [scale = right.scale](float value) { return value / (2 * scale); });
  const auto [qmin, qmax] = signed_range(num_bits);
  expect.suspect("N-RANGE", "q",
                 rounded_with([](float steps) { return std::nearbyint(steps); }, x, 1, qmin, qmax),
                 "x is not divided by the scale");
  expect.suspect("N-RANGE", "q", Codes(x.size()), kEveryCodeIs0);
  suspect_tail(expect, "q", right.q);
}

inline const Symmetric symmetric{{"x", "num_bits"}, {"q", "scale"}, suspect_tensors};

inline Reals by_definition(const SymmetricTensor& t) {
  return each_of(t.q, [&](float q) { return t.scale * q; });
}

inline std::vector<Symmetric::Input> every_width_and_length(Seed seed_of,
                                                            std::size_t longest = 4099,
                                                            float factor = 1) {
  std::vector<Symmetric::Input> inputs;
  for (const std::size_t count : lengths(longest)) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      Reals x = normal_tensor(count, seed_of(count * 16 + num_bits), /*stddev=*/0.02f);
      for (float& value : x) value *= factor;
      inputs.push_back({std::to_string(count) + "x" + std::to_string(num_bits) + "bits",
                        {std::move(x), num_bits}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_03_symmetric
