// A product that is made real before it is stored: one scale and one bias a column, and what is
// below 0 becomes 0.
//
//     v      = float(acc[i,j]) * scale[j] + bias[j]       rounded after *, again after +
//     c[i,j] = v > 0 ? v : 0
#pragma once

#include <cfloat>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "judge/wrong_products.hpp"

namespace nibble::judge {

struct FusedProduct : Product {
  Reals scale, bias;
};

inline std::string show(const FusedProduct& c) {
  return show(static_cast<const Product&>(c)) + ", scale = " + show_values(c.scale) +
         ", bias = " + show_values(c.bias);
}

inline std::vector<FusedProduct> smaller(const FusedProduct& c) {
  std::vector<FusedProduct> all;
  for (const Product& of : smaller(static_cast<const Product&>(c))) {
    const auto columns = [n = of.shape.n](const Reals& values) {
      return std::vector(values.begin(), values.begin() + n);
    };
    all.push_back({of, columns(c.scale), columns(c.bias)});
  }
  return all;
}

/// Scales of both signs, biases as large as the scaled sums.
inline std::vector<FusedProduct> random_fused(const std::vector<Product>& products, Seed seed_of) {
  return each_of(products, [&](const Product& of, std::uint64_t at) -> FusedProduct {
    const std::size_t n = of.shape.n;
    const float size = 16384.0f * std::sqrt(static_cast<float>(of.shape.k)) / 3;
    return {of, uniform_tensor(n, seed_of(500 + 2 * at), -0.01f, 0.04f),
            uniform_tensor(n, seed_of(501 + 2 * at), -0.01f * size, 0.03f * size)};
  });
}

/// finish(acc, i, j) of every element.
template <class Sums, class Finish>
Reals finished(const FusedProduct& x, const Sums& sums, const Finish& finish) {
  Reals real;
  real.reserve(sums.size());
  const std::size_t n = x.scale.size();
  for (std::size_t at = 0; at < sums.size(); ++at) {
    real.push_back(finish(static_cast<float>(sums[at]), at / n, at % n));
  }
  return real;
}

inline float relu(float v) { return v > 0 ? v : 0; }

/// The formula, for one sum.
inline float fused(float acc, float scale, float bias) {
  const float scaled = acc * scale, v = scaled + bias;
  return relu(v);
}

inline Reals fused_product(const FusedProduct& x) {
  return finished(x, by_definition(x), [&](float acc, std::size_t, std::size_t j) {
    return fused(acc, x.scale[j], x.bias[j]);
  });
}

/// As if the sum were rounded once, by a fused multiply-add.
inline Reals product_rounded_once(const FusedProduct& x) {
  return finished(x, by_definition(x), [&](float acc, std::size_t, std::size_t j) {
    return relu(std::fma(acc, x.scale[j], x.bias[j]));
  });
}

inline void suspect_finishes(Expect& expect, const FusedProduct& x) {
  if (!is_worth_suspecting(x)) return;
  const std::vector<std::int32_t> sums = by_definition(x);
  const auto suspect = [&](const char* code, const auto& finish) {
    expect.suspect(code, "c", finished(x, sums, finish));
  };
  const auto column = [&](const char* code, const auto& finish) {  // of acc, scale and bias
    suspect(code, [&](float acc, auto, auto j) { return finish(acc, x.scale[j], x.bias[j]); });
  };
  // Scale and bias as if they stood at other places.
  const auto axis = [&](const auto& scale_at, const auto& bias_at) {
    suspect("N-AXIS", [&](float acc, std::size_t i, std::size_t j) {
      const std::size_t n = x.scale.size(), s = scale_at(i, j), b = bias_at(i, j);
      return fused(acc, s < n ? x.scale[s] : 0, b < n ? x.bias[b] : 0);
    });
  };
  column("N-CLAMP", [](float acc, float scale, float bias) {
    const float scaled = acc * scale;
    return scaled + bias;
  });
  column("N-CLAMP", [](float acc, float scale, float bias) { return relu(acc * scale) + bias; });
  column("N-ROUND",
         [](float acc, float scale, float bias) { return relu(std::fma(acc, scale, bias)); });
  column("N-ROUND", [](double acc, float scale, float bias) {
    return static_cast<float>(std::max(0.0, acc * scale + bias));
  });
  column("N-BIAS", [](float acc, float scale, float) { return relu(acc * scale); });
  column("N-BIAS", [](float acc, float scale, float bias) { return relu((acc + bias) * scale); });
  column("N-BIAS", [](float acc, float scale, float bias) { return fused(acc, scale, -bias); });
  const auto own = [](std::size_t, std::size_t j) { return j; };
  const auto row = [](std::size_t i, std::size_t) { return i; };
  const auto first = [](std::size_t, std::size_t) { return std::size_t{0}; };
  axis(row, own);
  axis(own, row);
  axis(row, row);
  axis(first, own);
  axis(own, first);
  axis(first, first);
  for (const std::size_t width : {16, 64}) {  // as if each panel of columns began anew
    const auto within = [=](std::size_t, std::size_t j) { return j % width; };
    axis(within, within);
    axis(within, own);
    axis(own, within);
  }
  column("N-SCALE", [](float acc, float, float bias) { return fused(acc, 1, bias); });
  column("N-SCALE", [](float acc, float scale, float bias) { return relu(acc / scale + bias); });
  const auto flushed = [](float value) { return std::fabs(value) < FLT_MIN ? 0.0f : value; };
  column("N-FLUSH",
         [=](float acc, float scale, float bias) { return fused(acc, scale, flushed(bias)); });
  column("N-FLUSH", [=](float acc, float scale, float bias) {
    return flushed(fused(acc, flushed(scale), flushed(bias)));
  });
  suspect_sums(expect, x, "c", [&](const auto& wrong) {
    const Reals real = finished(
        x, wrong, [&](float acc, auto, auto j) { return fused(acc, x.scale[j], x.bias[j]); });
    // What is clipped everywhere tells nothing.
    return std::ranges::count(real, 0.0f) == std::ssize(real) ? Reals{} : real;
  });
}

}  // namespace nibble::judge
