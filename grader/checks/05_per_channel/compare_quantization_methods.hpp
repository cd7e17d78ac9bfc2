// Lab 05, compare_quantization_methods: what is right, and what people write instead.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "per_channel.hpp"

#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

using Comparing = Exercise<&compare_quantization_methods>;

/// One method as a result has it.
struct MethodOf {
  const char* name;
  MethodResult MethodComparison::*result;
  bool is_asymmetric;
};
inline constexpr std::array kMethods{
    MethodOf{"per_tensor_symmetric", &MethodComparison::per_tensor_symmetric, false},
    MethodOf{"per_tensor_asymmetric", &MethodComparison::per_tensor_asymmetric, true},
    MethodOf{"per_channel_symmetric", &MethodComparison::per_channel_symmetric, false},
    MethodOf{"per_channel_asymmetric", &MethodComparison::per_channel_asymmetric, true},
    MethodOf{"per_group", &MethodComparison::per_group, false}};

inline Places one_place(const Reals& x) { return {std::vector<std::size_t>(x.size()), 1}; }

/// What comes back of symmetric codes with a scale at each of `places`.
inline Reals come_back(const Reals& x, const Places& places, int num_bits) {
  const IntRange range = signed_range(num_bits);
  const Steps steps = steps_of(x, places, num_bits, Symmetry::kSymmetric);
  Reals back;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float scale = std::max(steps.size[places.of[i]], FLT_MIN);
    const float code = std::clamp(std::nearbyint(x[i] / scale), static_cast<float>(range.qmin),
                                  static_cast<float>(range.qmax));
    back.push_back(scale * code);
  }
  return back;
}

inline double mse_of(const Reals& x, const Places& places, int num_bits) {
  const Reals back = come_back(x, places, num_bits);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(double{x[i]} - back[i], 2);
  return sum / static_cast<double>(x.size());
}

/// Other means than that of the squares.
inline void suspect_means(Expect& expect, double n, const MethodComparison& right) {
  for (const MethodOf& method : kMethods) {
    const std::string what = std::string(method.name) + ".mse";
    const double mse = (right.*method.result).mse;
    const auto suspect = [&](const char* words, double value) {
      expect.suspect("N-DENOM", what, value, words);
    };
    suspect("a sum: it is divided by n", mse * n);
    if (n > 1) suspect("a sum is divided by n - 1: it is by n", mse * n / (n - 1));
    suspect("the root of the mean of e^2: mse has none", std::sqrt(mse));
  }
}

/// The mse of one method in the place of another. What a row leaves out is 0.
inline void suspect_order(Expect& expect, const Comparing::Arguments& in,
                          const MethodComparison& right) {
  const auto suspect = [&](const char* what, const char* words, double value) {
    if (value > 0) expect.suspect("N-ORDER", what, value, words);
  };
  constexpr const char* asymmetric = "codes are asymmetric: these are symmetric";
  constexpr const char* symmetric = "codes are symmetric: these are asymmetric";
  const double tensor = right.per_tensor_symmetric.mse, rows = right.per_channel_symmetric.mse;
  const double of_groups = right.per_group.mse;
  suspect("per_tensor_symmetric.mse", asymmetric, right.per_tensor_asymmetric.mse);
  suspect("per_tensor_symmetric.mse", "one scale per row: it is one for all", rows);
  suspect("per_tensor_symmetric.mse", "one scale per group: it is one for all", of_groups);
  suspect("per_tensor_asymmetric.mse", symmetric, tensor);
  suspect("per_channel_symmetric.mse", asymmetric, right.per_channel_asymmetric.mse);
  suspect("per_channel_symmetric.mse", "one scale per group: it is one per row", of_groups);
  suspect("per_channel_asymmetric.mse", symmetric, rows);
  if (in.d > in.b.back()) {
    expect.suspect("N-TAIL", "per_group.mse", tensor,
                   "a group goes on in the next row: it ends with its row");
  }
}

/// Scales in other places, and codes of another width.
inline void suspect_scales(Expect& expect, const Comparing::Arguments& in) {
  const Reals& x = in.a;
  const Sizes& shape = in.b;
  const int num_bits = in.c, group_size = in.d;
  const auto last = static_cast<int>(shape.size()) - 1;
  expect.suspect("N-AXIS", "per_channel_symmetric.mse",
                 mse_of(x, places_along(shape, last), num_bits),
                 "one scale per column: it is one per row");
  const auto suspect_width = [&](int other, const char* words) {
    if (other == num_bits) return;
    const auto suspect = [&](const char* what, const Places& places) {
      expect.suspect("N-RANGE", what, mse_of(x, places, other), words);
    };
    suspect("per_tensor_symmetric.mse", one_place(x));
    suspect("per_channel_symmetric.mse", places_along(shape, 0));
    suspect("per_group.mse", places_in_rows(x.size(), shape.back(), group_size));
  };
  suspect_width(4, "codes have 4 bits, the default: they have num_bits");
  suspect_width(8, "codes have 8 bits, the default: they have num_bits");
}

inline void suspect_bits(Expect& expect, int num_bits, const MethodComparison& right) {
  for (const MethodOf& method : kMethods) {
    const double codes = num_bits, bits = (right.*method.result).bits_per_element;
    if (bits <= codes) continue;  // a row that does not say them
    const double scales = (bits - codes) / (method.is_asymmetric ? 32 + codes : 32);
    const std::string what = std::string(method.name) + ".bits_per_element";
    const auto suspect = [&](const char* code, const char* words, double value) {
      expect.suspect(code, what, value, words);
    };
    suspect("N-RANGE", "a code is counted as 4 bits: it has num_bits", bits - codes + 4);
    suspect("N-OVERHEAD", "scales are not counted", bits - 32 * scales);
    suspect("N-OVERHEAD", "a scale is counted as 16 bits: it has 32", bits - 16 * scales);
    if (method.is_asymmetric) {
      suspect("N-OVERHEAD", "zero points are not counted", codes + 32 * scales);
      suspect("N-OVERHEAD", "a zero point is counted as 32 bits: it has num_bits",
              codes + 64 * scales);
    } else {
      suspect("N-OVERHEAD", "zero points are counted: symmetric codes store none",
              bits + codes * scales);
    }
  }
}

inline void suspect_best(Expect& expect, const MethodComparison& right) {
  std::vector<double> sqnr_db;
  for (const MethodOf& method : kMethods) sqnr_db.push_back((right.*method.result).sqnr_db);
  if (std::ranges::count(sqnr_db, 0.0) == std::ssize(sqnr_db)) return;  // the row leaves them out
  const auto suspect = [&](const char* words, std::int64_t value) {
    expect.suspect("N-ORDER", "best", value, words);
  };
  const auto highest = std::ranges::max_element(sqnr_db);
  const auto last = std::find(sqnr_db.rbegin(), sqnr_db.rend(), *highest);
  suspect("the lowest sqnr_db: it is the highest",
          std::ranges::min_element(sqnr_db) - sqnr_db.begin());
  suspect("the last of equals: it is the first", sqnr_db.rend() - last - 1);
  suspect("always kPerGroup: it has the highest sqnr_db", 4);
}

/// The other metrics, of one scale for all of x.
inline void suspect_metrics(Expect& expect, const Comparing::Arguments& in,
                            const MethodResult& right) {
  const Reals &x = in.a, back = come_back(x, one_place(x), in.c);
  double sum = 0, above = 0, below = 0, power = 0, dot = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double e = double{x[i]} - back[i];
    sum += e;
    above = std::max(above, e);
    below = std::max(below, -e);
    power += double{x[i]} * x[i];
    dot += double{x[i]} * back[i];
  }
  const auto n = static_cast<double>(x.size());
  const auto suspect = [&](const char* code, const char* metric, const char* words, double value) {
    expect.suspect(code, std::string("per_tensor_symmetric.") + metric, value, words);
  };
  suspect("N-SIGN", "mae", "as if errors kept their signs", sum / n);
  suspect("N-SIGN", "max_error", "where x_hat is above x, no error is seen", above);
  suspect("N-SIGN", "max_error", "where x_hat is below x, no error is seen", below);
  suspect("N-FORMULA", "max_error", "the square of an error: it is in the units of x",
          right.max_error * right.max_error);
  if (power == 0) return;
  suspect("N-DENOM", "relative_error",
          "as if mse were divided by the mean square of x: it is by its variance",
          right.mse / (power / n));
  suspect("N-FORMULA", "snr_db", "by the power of x: snr_db is by the variance", right.sqnr_db);
  suspect("N-FORMULA", "cosine", "one length twice: the product is divided by both", dot / power);
}

inline void suspect_methods(Expect& expect, const Comparing::Arguments& in,
                            const MethodComparison& right) {
  suspect_order(expect, in, right);
  suspect_means(expect, static_cast<double>(in.a.size()), right);
  suspect_scales(expect, in);
  suspect_bits(expect, in.c, right);
  suspect_best(expect, right);
  suspect_metrics(expect, in, right.per_tensor_symmetric);
}

inline const Comparing comparing{{"x", "shape", "num_bits", "group_size"},
                                 {"per_tensor_symmetric.mse",
                                  "per_tensor_symmetric.mae",
                                  "per_tensor_symmetric.max_error",
                                  "per_tensor_symmetric.relative_error",
                                  "per_tensor_symmetric.snr_db",
                                  "per_tensor_symmetric.sqnr_db",
                                  "per_tensor_symmetric.cosine",
                                  "per_tensor_symmetric.bits_per_element",
                                  "per_tensor_asymmetric.mse",
                                  "per_tensor_asymmetric.mae",
                                  "per_tensor_asymmetric.max_error",
                                  "per_tensor_asymmetric.relative_error",
                                  "per_tensor_asymmetric.snr_db",
                                  "per_tensor_asymmetric.sqnr_db",
                                  "per_tensor_asymmetric.cosine",
                                  "per_tensor_asymmetric.bits_per_element",
                                  "per_channel_symmetric.mse",
                                  "per_channel_symmetric.mae",
                                  "per_channel_symmetric.max_error",
                                  "per_channel_symmetric.relative_error",
                                  "per_channel_symmetric.snr_db",
                                  "per_channel_symmetric.sqnr_db",
                                  "per_channel_symmetric.cosine",
                                  "per_channel_symmetric.bits_per_element",
                                  "per_channel_asymmetric.mse",
                                  "per_channel_asymmetric.mae",
                                  "per_channel_asymmetric.max_error",
                                  "per_channel_asymmetric.relative_error",
                                  "per_channel_asymmetric.snr_db",
                                  "per_channel_asymmetric.sqnr_db",
                                  "per_channel_asymmetric.cosine",
                                  "per_channel_asymmetric.bits_per_element",
                                  "per_group.mse",
                                  "per_group.mae",
                                  "per_group.max_error",
                                  "per_group.relative_error",
                                  "per_group.snr_db",
                                  "per_group.sqnr_db",
                                  "per_group.cosine",
                                  "per_group.bits_per_element",
                                  "best"},
                                 suspect_methods,
                                 {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_05_per_channel
