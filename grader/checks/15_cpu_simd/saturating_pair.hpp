// Lab 15, saturating_pair: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include "checks/15_cpu_simd/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/speed.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_15_cpu_simd {

using Pairs = Exercise<&saturating_pair>;
inline const Pairs pairs{{"s0", "s1"}, {"u"}};

/// The range of u[0] * s0 + u[1] * s1 leaves that of int16.
inline bool can_saturate(int s0, int s1) {
  const int highest = 255 * (std::max(s0, 0) + std::max(s1, 0));
  const int lowest = 255 * (std::min(s0, 0) + std::min(s1, 0));
  return highest > 32767 || lowest < -32768;
}

inline void saturates_or_refuses(Expect& expect, const Pairs::Arguments& in) {
  const auto [s0, s1] = in;
  if (!can_saturate(s0, s1)) {
    expect.that(refuses<&saturating_pair>(s0, s1), "accepted " + pairs.text(in), "N-RANGE");
    return;
  }
  const auto u = pairs(in);
  const int exact = u[0] * s0 + u[1] * s1;
  expect.that(std::clamp(exact, -32768, 32767) != exact,
              "u = " + show_values(u) + " gives " + std::to_string(exact) + ", which int16 holds",
              "N-OVERFLOW");
}

inline std::vector<Pairs::Input> weights(const std::vector<std::pair<int, int>>& some) {
  std::vector<Pairs::Input> inputs;
  for (const auto& [s0, s1] : some) {
    inputs.push_back({std::to_string(s0) + "," + std::to_string(s1),
                      {static_cast<std::int8_t>(s0), static_cast<std::int8_t>(s1)}});
  }
  return inputs;
}

inline std::vector<std::pair<int, int>> random_weights(std::size_t count, std::uint64_t seed) {
  const Codes codes = random_codes(2 * count, seed);
  std::vector<std::pair<int, int>> all;
  for (std::size_t i = 0; i < codes.size(); i += 2) all.emplace_back(codes[i], codes[i + 1]);
  return all;
}

}  // namespace nibble::judge::lab_15_cpu_simd
