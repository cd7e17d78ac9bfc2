// A product that is made real before it is stored: one scale and one bias a column, and what is
// below 0 becomes 0.
//
//     v      = float(acc[i,j]) * scale[j] + bias[j]       rounded after *, again after +
//     c[i,j] = v > 0 ? v : 0
#pragma once

#include <cfloat>
#include <cmath>
#include <string>
#include <string_view>
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
  const auto suspect = [&](const char* code, std::string_view words, const auto& finish) {
    expect.suspect(code, "c", finished(x, sums, finish), words);
  };
  const auto column = [&](const char* code, std::string_view words, const auto& finish) {
    suspect(code, words,
            [&](float acc, auto, auto j) { return finish(acc, x.scale[j], x.bias[j]); });
  };
  // Scale and bias as if they stood at other places.
  const auto axis = [&](std::string_view words, const auto& scale_at, const auto& bias_at) {
    suspect("N-AXIS", words, [&](float acc, std::size_t i, std::size_t j) {
      const std::size_t n = x.scale.size(), s = scale_at(i, j), b = bias_at(i, j);
      return fused(acc, s < n ? x.scale[s] : 0, b < n ? x.bias[b] : 0);
    });
  };
  column("N-CLAMP", "what is below 0 does not become 0", [](float acc, float scale, float bias) {
    const float scaled = acc * scale;
    return scaled + bias;
  });
  column("N-CLAMP", "the bias is added after ReLU",
         [](float acc, float scale, float bias) { return relu(acc * scale) + bias; });
  column("N-ROUND", "product and sum are rounded once, as by a fused multiply-add",
         [](float acc, float scale, float bias) { return relu(std::fma(acc, scale, bias)); });
  column("N-ROUND", "product and sum are made in double", [](double acc, float scale, float bias) {
    return static_cast<float>(std::max(0.0, acc * scale + bias));
  });
  column("N-BIAS", "the bias is not added",
         [](float acc, float scale, float) { return relu(acc * scale); });
  column("N-BIAS", "the bias is added before the scale",
         [](float acc, float scale, float bias) { return relu((acc + bias) * scale); });
  column("N-BIAS", "the bias is taken away",
         [](float acc, float scale, float bias) { return fused(acc, scale, -bias); });
  constexpr const char* kRow = "scale or bias is that of the row, and belongs to the column";
  constexpr const char* kFirst = "scale or bias is that of column 0, for all columns";
  constexpr const char* kPanel = "each panel of columns takes scales or biases from column 0 on";
  constexpr const char* kFlushed = "numbers too small to be normal are taken for 0";
  const auto own = [](std::size_t, std::size_t j) { return j; };
  const auto row = [](std::size_t i, std::size_t) { return i; };
  const auto first = [](std::size_t, std::size_t) { return std::size_t{0}; };
  axis(kRow, row, own);
  axis(kRow, own, row);
  axis(kRow, row, row);
  axis(kFirst, first, own);
  axis(kFirst, own, first);
  axis(kFirst, first, first);
  for (const std::size_t width : {16, 64}) {  // as if each panel of columns began anew
    const auto within = [=](std::size_t, std::size_t j) { return j % width; };
    axis(kPanel, within, within);
    axis(kPanel, within, own);
    axis(kPanel, own, within);
  }
  column("N-SCALE", "the sum is not scaled",
         [](float acc, float, float bias) { return fused(acc, 1, bias); });
  column("N-SCALE", "the sum is divided by its scale",
         [](float acc, float scale, float bias) { return relu(acc / scale + bias); });
  const auto flushed = [](float value) { return std::fabs(value) < FLT_MIN ? 0.0f : value; };
  column("N-FLUSH", kFlushed,
         [=](float acc, float scale, float bias) { return fused(acc, scale, flushed(bias)); });
  column("N-FLUSH", kFlushed, [=](float acc, float scale, float bias) {
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
