// Lab 08, quantize_multiplier: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Quantizing = Exercise<&quantize_multiplier>;

/// What the contract says, and what it leaves out when `part` is left out.
struct Quantized {
  double (*round)(double) = [](double value) { return std::floor(value + 0.5); };
  bool halves_2_to_the_31 = true;
  bool vanishes = true;

  Factors operator()(const Reals& factors) const {
    Factors all;
    for (const double factor : factors) {
      int shift = 0;
      auto multiplier = static_cast<std::int64_t>(round(std::frexp(factor, &shift) * 0x1p31));
      if (halves_2_to_the_31 && multiplier >> 31 != 0) {
        multiplier /= 2;
        ++shift;
      }
      if (vanishes && shift < -31) multiplier = shift = 0;
      all.multiplier.push_back(wrapped(multiplier));
      all.shift.push_back(shift);
    }
    return all;
  }
};

inline void suspect_quantized(Expect& expect, const Quantizing::Arguments& in,
                              const Factors& right) {
  const Reals& factors = in.a;
  const auto looks = [&](const char* code, const Factors& wrong) {
    if (wrong.multiplier != right.multiplier) {
      expect.suspect(code, "multiplier", wrong.multiplier);
    } else {
      expect.suspect(code, "shift", wrong.shift);
    }
  };
  const auto each = [&](const char* code, const auto& change) {
    Factors wrong = right;
    for (std::size_t j = 0; j < factors.size(); ++j) change(wrong.multiplier[j], wrong.shift[j]);
    looks(code, wrong);
  };
  looks("N-TRUNC", Quantized{[](double value) { return std::floor(value); }}(factors));
  looks("N-ROUND", Quantized{[](double value) { return std::nearbyint(value); }}(factors));
  looks("N-SHIFT", Quantized{.vanishes = false}(factors));
  Reals floats;
  for (const double factor : factors) floats.push_back(static_cast<float>(factor));
  looks("N-FLOAT32", Quantized{}(floats));
  each("N-SHIFT", [](auto&, auto& shift) { shift = -shift; });
  each("N-SHIFT", [](auto&, auto& shift) { --shift; });
  each("N-SHIFT", [](auto&, auto& shift) { shift -= 31; });
  each("N-SHIFT", [](auto& multiplier, auto&) { multiplier /= 2; });
  each("N-SHIFT", [](auto& multiplier, auto& shift) {  // vanishes before it is rounded
    if (shift == -31 && multiplier == kHalf) multiplier = shift = 0;
  });
  looks("N-CARRY", Quantized{.halves_2_to_the_31 = false}(factors));
  each("N-CARRY", [](auto& multiplier, auto& shift) {  // cut to what an int32 holds
    if (multiplier != kHalf) return;
    multiplier = kLast;
    --shift;
  });
  each("N-CARRY", [](auto& multiplier, auto& shift) {  // halved, and not made up for
    if (multiplier == kHalf) --shift;
  });
}

inline const Quantizing quantizing{{"factors"}, {"multiplier", "shift"}, suspect_quantized};

/// Factors below 2^29 and downwards, of so many octaves: with 66 of them some vanish.
inline std::vector<Quantizing::Input> random_factors(Seed seed_of, std::size_t longest,
                                                     int octaves) {
  std::vector<Quantizing::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{67}, longest}) {
    Reals factors;
    const auto mantissas = uniform_tensor(2 * count, seed_of(count), 0.5f, 1.0f);
    for (std::size_t j = 0; j < count; ++j) {  // the second float fills the bits behind the first
      const double mantissa = mantissas[2 * j] + (mantissas[2 * j + 1] - 0.75) * 0x1p-23;
      factors.push_back(std::ldexp(mantissa, 29 - static_cast<int>(j) % octaves));
    }
    inputs.push_back({std::to_string(count), {factors}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_08_requantization
