// Lab 24: a layer, whichever part of it is asked for.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>
#include <limits>

#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {

inline constexpr int kMost = std::numeric_limits<std::int32_t>::max();
inline constexpr int kLeast = std::numeric_limits<std::int32_t>::min();

template <auto F>
inline constexpr bool kHasZeroPoints = same_function<F, &matmul_asymmetric>;
template <auto F>
inline constexpr bool kMultiplies =
    same_function<F, &matmul_fused> || same_function<F, &matmul_requantized> || kHasZeroPoints<F>;
template <auto F>
inline constexpr bool kMakesCodes =
    same_function<F, &requantize> || same_function<F, &matmul_requantized>;

struct Layer {
  std::string name;
  MatmulShape shape;  ///< k = 0: acc is given, or an empty sum
  Codes a, b_t;
  Sums acc;
  float a_scale;
  Reals scales;             ///< b_scales, or ratios
  Reals real_bias;          ///< for real numbers
  Sums integer_bias;        ///< for codes
  int zero_point;           ///< of c; or of a, where b has zero points
  Sums b_zero_points = {};  ///< one a column of c
};

/// Sums that are given have no k.
inline std::string name_of(MatmulShape s) {
  return s.k > 0 ? size_text(s) : std::to_string(s.m) + "x" + std::to_string(s.n);
}

inline std::string show_size(const Layer& c) { return "m x n x k = " + name_of(c.shape); }

inline std::string show(const Layer& c) {
  if (!c.b_zero_points.empty()) {
    return show_size(c) + ", a_scale = " + show_value(c.a_scale) +
           ", a_zero_point = " + std::to_string(c.zero_point) +
           ", b_scales = " + show_values(c.scales, 6) +
           ", b_zero_points = " + show_values(c.b_zero_points, 6) +
           ", a = " + show_values(c.a, 16) + ", b_t = " + show_values(c.b_t, 16);
  }
  const std::string text = show_size(c) + ", sums = " + show_values(c.acc, 12);
  if (c.integer_bias.empty()) {
    return text + ", a_scale = " + show_value(c.a_scale) +
           ", b_scales = " + show_values(c.scales, 6) + ", bias = " + show_values(c.real_bias, 6);
  }
  return text + ", ratios = " + show_values(c.scales, 6) +
         ", bias = " + show_values(c.integer_bias, 6) +
         ", zero_point = " + std::to_string(c.zero_point);
}

/// k is a multiple of 16, or 0, and stays so.
inline std::vector<Layer> smaller(const Layer& c) {
  std::vector<Layer> all;
  const auto [m, n, k] = c.shape;
  for (MatmulShape to : smaller_shapes({m, n, std::max(k, 1)}, 16)) {
    if (k == 0) to.k = 0;
    Layer& small = all.emplace_back(c);
    small.name = name_of(to);
    small.shape = to;
    small.a = corner(c.a, k, to.m, to.k);
    small.b_t = corner(c.b_t, k, to.n, to.k);
    small.acc = k > 0 ? sums_of(small.a, small.b_t, to, to.k) : corner(c.acc, n, to.m, to.n);
    small.scales.resize(to.n);
    if (!c.real_bias.empty()) small.real_bias.resize(to.n);
    if (!c.integer_bias.empty()) small.integer_bias.resize(to.n);
    if (!c.b_zero_points.empty()) small.b_zero_points.resize(to.n);
  }
  return all;
}

/// One value for each output: rule(acc, i, j).
template <class T, class Rule>
std::vector<T> each_output(const Layer& c, const Rule& rule) {
  std::vector<T> values;
  for (int i = 0; i < c.shape.m; ++i) {
    for (int j = 0; j < c.shape.n; ++j) {
      values.push_back(static_cast<T>(rule(c.acc[values.size()], i, j)));
    }
  }
  return values;
}

inline float relu(float v) { return v < 0.0f ? 0.0f : v; }

inline Reals reals_of(const Layer& c) {
  return each_output<float>(c, [&](int acc, int, int j) {
    return relu(static_cast<float>(acc) * (c.a_scale * c.scales[j]) + c.real_bias[j]);
  });
}

inline std::int32_t saturated(std::int64_t sum) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, kLeast, kMost));
}

inline Codes codes_of(const Layer& c) {
  return each_output<std::int8_t>(c, [&](int acc, int, int j) {
    const float v =
        static_cast<float>(saturated(std::int64_t{acc} + c.integer_bias[j])) * c.scales[j];
    return std::clamp<double>(std::nearbyint(double{v}) + c.zero_point, c.zero_point, 127);
  });
}

/// What a sum of codes becomes where both have zero points.
struct Terms {
  std::int64_t dot = 0, row = 0, column = 0;
};

/// rule(terms, i, j) of every output, as a float, times the scales. times(p): how often the codes
/// at p are counted.
template <class Rule, class Times>
Reals from_terms(const Layer& c, const Rule& rule, const Times& times) {
  const std::size_t k = std::size_t(c.shape.k);
  return each_output<float>(c, [&](int, int i, int j) {
    Terms terms;
    for (std::size_t p = 0; p < k; ++p) {
      const int a = c.a[std::size_t(i) * k + p], b = c.b_t[std::size_t(j) * k + p];
      terms.dot += times(p) * a * b;
      terms.row += times(p) * a;
      terms.column += times(p) * b;
    }
    return static_cast<float>(rule(terms, i, j)) * (c.a_scale * c.scales[std::size_t(j)]);
  });
}
template <class Rule>
Reals from_terms(const Layer& c, const Rule& rule) {
  return from_terms(c, rule, [](std::size_t) { return 1; });
}

/// Multiplied out: integers, so that the order of the terms is nobody's business.
inline Reals asymmetric_of(const Layer& c) {
  return from_terms(c, [&](const Terms& t, int, int j) {
    const std::int64_t za = c.zero_point, zb = c.b_zero_points[std::size_t(j)];
    return t.dot - za * t.column - zb * t.row + c.shape.k * za * zb;
  });
}

template <auto F>
auto by_definition(const Layer& c) {
  if constexpr (kHasZeroPoints<F>) {
    return asymmetric_of(c);
  } else if constexpr (kMakesCodes<F>) {
    return codes_of(c);
  } else {
    return reals_of(c);
  }
}

}  // namespace nibble::judge::lab_24_cuda_fused
