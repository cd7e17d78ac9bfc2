// Lab 23: a matrix of weights, and what it is multiplied by.
#pragma once

#include "cuda_int4.hpp"

#include <cmath>
#include <utility>

#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

struct Int4Case {
  std::string name;
  int m = 0;  ///< rows of activations
  Int4Shape shape{};
  Codes w;                    ///< [n,k], one element a code
  Reals scales;               ///< [n,groups]
  Codes a;                    ///< [m,k]
  Reals a_scales;             ///< [m]
  Reals x;                    ///< [k], each of them a half exactly
  bool exact = true;          ///< every sum is a float, in whatever order it is made
  std::uint64_t padding = 0;  ///< the seed of what lies behind rows; 0: zeros
};

struct Sizes {
  int m, n, k, group_size, spare = 0;
};

inline int least_pitch(int k) { return (k + 31) / 32 * 16; }
inline int groups_of(Int4Shape s) { return (s.k + s.group_size - 1) / s.group_size; }

inline std::string show_size(const Int4Case& c) { return "m x n x k = " + c.name; }

/// One matrix of weights serves all exercises; what it is multiplied by is told while it is short.
inline std::string show(const Int4Case& c) {
  std::string text = "n x k = " + std::to_string(c.shape.n) + "x" + std::to_string(c.shape.k) +
                     ", pitch " + std::to_string(c.shape.pitch) + ", groups of " +
                     std::to_string(c.shape.group_size) + ", codes = " + show_values(c.w) +
                     ", scales = " + show_values(c.scales);
  if (c.shape.k > 8 || c.m > 2) return text + ", m = " + std::to_string(c.m);
  return text + "; a = " + show_values(c.a) + ", a_scales = " + show_values(c.a_scales) +
         "; x = " + show_values(c.x);
}

/// As many bytes behind each row as before.
inline std::vector<Int4Case> smaller(const Int4Case& c) {
  std::vector<Int4Case> all;
  const auto [n, k, pitch, group_size] = c.shape;
  for (const MatmulShape s : smaller_shapes({c.m, n, k})) {
    Int4Case to = c;
    to.m = s.m;
    to.shape = {s.n, s.k, least_pitch(s.k) + pitch - least_pitch(k), group_size};
    to.name = size_text(s);
    to.w = corner(c.w, k, s.n, s.k);
    to.scales = corner(c.scales, groups_of(c.shape), s.n, groups_of(to.shape));
    to.a = corner(c.a, k, s.m, s.k);
    to.a_scales.resize(std::size_t(s.m));
    to.x.resize(std::size_t(s.k));
    all.push_back(std::move(to));
  }
  return all;
}

/// Exact: scales are 1/4 to 2, x has four binary places.
/// No sum of 2048 terms needs more than 24 bits.
inline Int4Case random_case(Sizes s, std::uint64_t seed, bool exact, bool noise) {
  Int4Case c;
  c.name = size_text({s.m, s.n, s.k});
  c.m = s.m;
  c.shape = {s.n, s.k, least_pitch(s.k) + s.spare, s.group_size};
  c.exact = exact;
  c.padding = noise ? seed + 9 : 0;
  const auto scales = [&](int count, std::uint64_t salt) {
    if (!exact) return uniform_tensor(std::size_t(count), seed + salt, 0.01f, 0.1f);
    return each_of(code_tensor<int>(std::size_t(count), seed + salt, -2, 1),
                   [](int e) { return std::ldexp(1.0f, e); });
  };
  c.w = code_tensor<std::int8_t>(std::size_t(s.n) * s.k, seed, -8, 7);
  c.scales = scales(s.n * groups_of(c.shape), 1);
  c.a = code_tensor<std::int8_t>(std::size_t(s.m) * s.k, seed + 2, -128, 127);
  c.a_scales = scales(s.m, 3);
  const int most = exact ? 127 : 2047;
  for (const int step : code_tensor<int>(std::size_t(s.k), seed + 4, -most, most)) {
    c.x.push_back(static_cast<float>(step) / (exact ? 16.0f : 512.0f));
  }
  return c;
}

inline std::vector<Int4Case> random_cases(const std::vector<Sizes>& sizes,
                                          std::uint64_t (*seeds)(std::uint64_t), bool exact = true,
                                          bool noise = false) {
  return each_of(sizes, [&](Sizes s, std::uint64_t at) {
    return random_case(s, seeds(16 * at), exact, noise);
  });
}

}  // namespace nibble::judge::lab_23_cuda_int4
