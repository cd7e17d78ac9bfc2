// Lab 33, rotate_rows: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/hadamard_transform.hpp"
#include "checks/33_smoothquant_awq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Rotating = Exercise<&rotate_rows>;

inline Doubles rotated(const Doubles& a, const std::vector<std::int32_t>& signs) {
  Doubles all;
  const std::size_t n = signs.size();
  if (n == 0 || a.empty() || a.size() % n != 0) throw std::invalid_argument("no rows");
  for (std::size_t r = 0; r < a.size() / n; ++r) {
    const Doubles turned = transform_by_definition(
        each_of(row_of(a, n, r), [&](double v, std::size_t i) { return signs[i] * v; }));
    all.insert(all.end(), turned.begin(), turned.end());
  }
  return all;
}

inline const auto kSameRows = [](Expect& expect, const Rotating::Arguments& in, const Doubles& got,
                                 const Doubles& want) {
  expect_reals(expect, "rotated", got, want, {want.size() / in.b.size(), in.b.size()});
};

inline void suspect_rotations(Expect& expect, const Rotating::Arguments& in, const Doubles&) {
  const auto& a = in.a;
  const auto& signs = in.b;
  const std::size_t n = signs.size();
  const auto ones = [](std::size_t count) { return std::vector<std::int32_t>(count, 1); };
  const auto suspect = [&](const char* code, const char* words, const Doubles& values) {
    expect.suspect(code, "rotated", values, words);
  };
  const Doubles unsigned_rows = rotated(a, ones(n));
  suspect("N-ORDER", "signs are changed behind the transform: they are before it",
          each_of(unsigned_rows, [&](double v, std::size_t at) { return v * signs[at % n]; }));
  suspect("N-FORMULA", "no sign is changed", unsigned_rows);
  suspect("N-AXIS", "a row has one sign: each place of it has its own",
          rotated(each_of(a, [&](double v, std::size_t at) { return v * signs[at / n % n]; }),
                  ones(n)));
  suspect("N-AXIS", "every number has the first sign: place i has signs[i]",
          each_of(unsigned_rows, [&](double v) { return v * signs[0]; }));
  suspect("N-FORMULA", "signs are changed, and nothing is transformed",
          each_of(a, [&](double v, std::size_t at) { return v * signs[at % n]; }));
}

inline const Rotating rotating{{"a", "signs"}, {"rotated"}, suspect_rotations};

inline std::vector<std::int32_t> some_signs(std::size_t n, std::uint64_t seed) {
  return each_of(code_tensor<std::int32_t>(n, seed, 0, 1),
                 [](std::int32_t v) { return 2 * v - 1; });
}

inline std::vector<Rotating::Input> rotations(Seed seed_of, const std::vector<std::size_t>& sizes) {
  return each_of(sizes, [&](std::size_t n) -> Rotating::Input {
    return {std::to_string(n), {normals(n * (n + 1), seed_of(n)), some_signs(n, seed_of(n + 1))}};
  });
}

}  // namespace nibble::judge::lab_33_smoothquant_awq
