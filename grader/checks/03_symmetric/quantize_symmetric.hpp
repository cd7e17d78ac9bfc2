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

inline void suspect_tensors(Expect& expect, const Symmetric::Arguments& in,
                            const SymmetricTensor& right) {
  const auto& [x, num_bits] = in;
  expect.suspect("N-SCALE", "scale", 1 / right.scale);
  suspect_roundings(expect, "q", x, right.scale, num_bits, [](const Codes& q) { return q; });
  const auto divided = [&expect, &x = x](auto divide) {
    expect.suspect("N-FORMULA", "q",
                   each_of(x, [&](float value) { return std::nearbyint(divide(value)); }));
  };
  divided([scale = right.scale](double value) { return value / scale; });
  divided([scale = right.scale](float value) { return value * (1 / scale); });
  suspect_lost_tail(expect, "q", right.q);
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
