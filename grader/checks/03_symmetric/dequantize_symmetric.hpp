// Lab 03, dequantize_symmetric: what is right, and what people write instead.
#pragma once

#include "symmetric.hpp"

#include "checks/03_symmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_03_symmetric {

using Dequantizing = Exercise<&dequantize_symmetric>;

inline void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals& right) {
  const auto& [tensor] = in;
  expect.suspect("N-SIGN", "real",
                 each_of(tensor.q, [scale = tensor.scale](std::uint8_t q) { return scale * q; }));
  expect.suspect("N-OVERFLOW", "real", each_of(tensor.q, [scale = tensor.scale](int q) {
                   return scale * static_cast<float>(q == -128 ? 128 : q);  // no int8 is 128
                 }));
  expect.suspect("N-TRUNC", "real", each_of(right, [](float value) { return std::trunc(value); }));
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
