// Lab 04, dequantize_asymmetric: what is right, and what people write instead.
#pragma once

#include "asymmetric.hpp"

#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_04_asymmetric {

using Dequantizing = Exercise<&dequantize_asymmetric>;

inline void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals&) {
  const auto& [tensor] = in;
  const float scale = tensor.scale;
  const std::int32_t zp = tensor.zero_point;
  const auto suspect = [&, &codes = tensor.q](const char* code, const auto& steps,
                                              std::string_view words = "") {
    expect.suspect(code, "real",
                   each_of(codes, [&](int q) { return scale * static_cast<float>(steps(q)); }),
                   words);
  };
  suspect("N-ZP-SIGN", [&](int q) { return q + zp; });
  suspect("N-ZP-SIGN", [&](int q) { return zp - q; });
  suspect("N-ZERO", [&](int q) { return q; });
  suspect("N-SIGN", [&](int q) { return static_cast<std::int8_t>(q) - zp; });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::uint8_t>(q - zp); });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::int8_t>(q - zp); });
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::int16_t>(q - zp); },
      "as if the difference had 16 bits");
  suspect("N-OVERFLOW", [&](int q) { return std::max(q - zp, 0); });
  const float low = scale * static_cast<float>(zp);
  expect.suspect("N-CANCEL", "real", each_of(tensor.q, [&](float q) {
                   const float high = scale * q;
                   return high - low;
                 }));
  expect.suspect("N-FORMULA", "real", each_of(tensor.q, [&](int q) {
                   return static_cast<float>(static_cast<double>(scale) * (q - zp));
                 }));
}

inline const Dequantizing dequantizing{{"q", "scale", "zero_point"}, {"real"}, suspect_reals};

// Lengths as above; scales that are no power of two; zero points inside and outside the codes.
inline std::vector<Dequantizing::Input> given_tensors(Seed seed_of, std::size_t longest) {
  std::vector<Dequantizing::Input> inputs;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, longest}) {
    for (const std::int32_t zero_point : {117, -1701, 3'000'001}) {
      const std::uint64_t salt = count * 4 + static_cast<std::uint64_t>(zero_point & 3);
      const float scale = uniform_tensor(1, seed_of(salt), 0.01f, 100.0f).front();
      const Codes q = code_tensor<std::uint8_t>(count, seed_of(salt + 1'000'000), 0, 255);
      Expect::healthy(count < longest || distinct(q) == 256, "a code is missing");
      inputs.push_back({std::to_string(count) + " with " + std::to_string(zero_point),
                        {AsymmetricTensor{q, scale, zero_point}}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_04_asymmetric
