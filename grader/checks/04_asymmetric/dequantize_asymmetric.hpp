// Lab 04, dequantize_asymmetric: what is right, and what people write instead.
#pragma once

#include "asymmetric.hpp"

#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_04_asymmetric {

using Dequantizing = Exercise<&dequantize_asymmetric>;

/// Other arithmetic, with the right steps.
inline void suspect_products(Expect& expect, const AsymmetricTensor& tensor) {
  const float scale = tensor.scale, low = scale * static_cast<float>(tensor.zero_point);
  const auto suspect = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(
        code, "real",
        each_of(tensor.q,
                [&](int q) { return static_cast<float>(give(q - tensor.zero_point, q)); }),
        words);
  };
  suspect("N-CANCEL",
          "as if scale * zero_point were taken from scale * q: the difference comes first",
          [=](int, int q) {
            const float high = scale * static_cast<float>(q);
            return high - low;
          });
  suspect("N-FORMULA", "the difference is multiplied in double: it is made a float32 first",
          [=](double steps, int) { return scale * steps; });
  suspect("N-SCALE", "the difference is divided by the scale: it is multiplied",
          [=](float steps, int) { return steps / scale; });
}

inline void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals& right) {
  const auto& [tensor] = in;
  const float scale = tensor.scale;
  const std::int32_t zp = tensor.zero_point;
  const auto suspect = [&, &codes = tensor.q](const char* code, const auto& steps,
                                              const char* words) {
    expect.suspect(code, "real",
                   each_of(codes, [&](int q) { return scale * static_cast<float>(steps(q)); }),
                   words);
  };
  suspect(
      "N-ZP-SIGN", [&](int q) { return q + zp; }, "the zero point is added: it is subtracted");
  suspect(
      "N-ZP-SIGN", [&](int q) { return zp - q; },
      "the code is taken from the zero point: it is the other way round");
  suspect(
      "N-ZERO", [&](int q) { return q; }, "the zero point is not subtracted");
  suspect(
      "N-SIGN", [&](int q) { return static_cast<std::int8_t>(q) - zp; },
      "codes of 128 and more are read as 256 less");
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::uint8_t>(q - zp); },
      "the difference is kept in a uint8: it is an int32");
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::int8_t>(q - zp); },
      "the difference is kept in an int8: it is an int32");
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::int16_t>(q - zp); },
      "as if the difference had 16 bits");
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::uint32_t>(q - zp); },
      "the difference is made unsigned, and wraps around below 0: it is an int32");
  suspect(
      "N-OVERFLOW", [&](int q) { return std::max(q - zp, 0); },
      "differences below 0 become 0: they stay negative");
  suspect_products(expect, tensor);
  const auto capped = [](float value) { return std::clamp(value, -FLT_MAX, FLT_MAX); };
  expect.suspect("N-SCALE", "real", each_of(right, capped),
                 "an infinite product becomes FLT_MAX: it stays infinite");
  suspect_tail(expect, "real", right);
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
