// Lab 03, dequantize_symmetric: what is right, and what people write instead.
#pragma once

#include "symmetric.hpp"

#include <bit>

#include "checks/03_symmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_03_symmetric {

using Dequantizing = Exercise<&dequantize_symmetric>;

inline void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals& right) {
  const auto& [tensor] = in;
  const auto products = [&, &codes = tensor.q](const char* code, const char* words,
                                               const auto& give) {
    expect.suspect(code, "real", each_of(codes, give), words);
  };
  const float scale = tensor.scale;
  products("N-SIGN", "codes below 0 are read as 256 more",
           [=](std::uint8_t q) { return scale * q; });
  products("N-OVERFLOW", "-128 comes back with the other sign: its magnitude is no int8",
           [=](int q) { return scale * static_cast<float>(q == -128 ? 128 : q); });
  products("N-SCALE", "codes are divided by the scale: they are multiplied",
           [=](float q) { return q / scale; });
  products("N-SCALE", "codes come back: they are multiplied by the scale",
           [](float q) { return q; });
  for (const std::uint32_t kept : {0xFFFFE000u, 0xFFFF0000u}) {
    const auto narrow = std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale) & kept);
    products("N-FORMULA", "the scale is kept in 16 bits: it is a float32",
             [=](float q) { return narrow * q; });
  }
  expect.suspect("N-TRUNC", "real", each_of(right, [](float value) { return std::trunc(value); }),
                 "products are made integers: they are real numbers");
  const auto capped = [](float value) { return std::clamp(value, -FLT_MAX, FLT_MAX); };
  expect.suspect("N-SCALE", "real", each_of(right, capped),
                 "an infinite product becomes FLT_MAX: it stays infinite");
  suspect_tail(expect, "real", right);
}

inline const Dequantizing dequantizing{{"q", "scale"}, {"real"}, suspect_reals};

// Scales that are no power of two, large and small.
inline std::vector<Dequantizing::Input> given_tensors(Seed seed_of, std::size_t longest) {
  std::vector<Dequantizing::Input> inputs;
  for (const std::size_t count : lengths(longest)) {
    const float scale = uniform_tensor(1, seed_of(count), 0.01f, 100.0f).front();
    const Codes q = code_tensor<std::int8_t>(count, seed_of(count + 1), -128, 127);
    Expect::healthy(count < longest || distinct(q) == 256, "a code is missing");
    inputs.push_back({std::to_string(count), {SymmetricTensor{q, scale}}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_03_symmetric
