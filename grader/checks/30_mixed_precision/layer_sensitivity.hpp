// Lab 30, layer_sensitivity: what is right, and what people write instead.
#pragma once

#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Sensing = Exercise<&layer_sensitivity>;

/// How weights are rounded: rightly, or as a known mistake has it.
enum class Rounding { kRight, kByLayer, kOneStepMore, kAway, kCut, kFirstRow, kSigned };

/// The weights of the layers from `first` to `last`, rounded.
inline Network rounded(Network net, std::size_t first, std::size_t last, int num_bits,
                       Rounding how = Rounding::kRight) {
  std::span<double> rest = net.weights;
  for (std::size_t l = 0; l + 1 < net.sizes.size(); ++l) {
    const auto n = std::size_t(net.sizes[l]), count = n * std::size_t(net.sizes[l + 1]);
    const auto layer = rest.first(count);
    rest = rest.subspan(count);
    if (l < first || l > last) continue;
    const std::size_t each = how == Rounding::kByLayer ? count : n;
    for (std::size_t at = 0; at < (how == Rounding::kFirstRow ? each : count); at += each) {
      const auto row = layer.subspan(at, each);
      const double amax = how == Rounding::kSigned ? std::max(0.0, *std::ranges::max_element(row))
                                                   : largest_of(row);
      const int qmax = signed_range(num_bits).qmax + (how == Rounding::kOneStepMore ? 1 : 0);
      const double step = amax == 0 ? 1 : amax / qmax;
      for (double& w : row) {
        const double v = w / step;
        w = step * (how == Rounding::kAway  ? std::round(v)
                    : how == Rounding::kCut ? std::trunc(v)
                                            : std::nearbyint(v));
      }
    }
  }
  return net;
}

inline double mean_square(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

inline const auto kSameErrors = [](Expect& expect, const Sensing::Arguments& in, const Doubles& got,
                                   const Doubles& want) {
  const double off = factor_tolerance(largest(want)).absolute;
  const auto outputs = static_cast<double>(forward(in.a, in.b).size());
  const Doubles sums = each_of(want, [=](double v) { return v * outputs; });
  expect.that(!all_near(got, sums, off * outputs) || all_near(got, want, off),
              "errors are sums where means are wanted", "N-DENOM");
  const Doubles roots = each_of(want, [](double v) { return std::sqrt(v); });
  expect.that(
      !all_near(got, roots, factor_tolerance(largest(roots)).absolute) || all_near(got, want, off),
      "errors are roots where mean squares are wanted");
  const std::size_t layers = want.size();
  const Doubles right = forward(in.a, in.b);
  const auto suspect = [&](const char* code, const char* words, const auto& error) {
    Doubles errors;
    for (std::size_t l = 0; l < layers; ++l) errors.push_back(error(l));
    expect.suspect(code, "error", errors, words);
  };
  const auto of = [&](std::size_t first, std::size_t last, Rounding how = Rounding::kRight) {
    return mean_square(forward(rounded(in.a, first, last, in.c, how), in.b), right);
  };
  const auto each = [&](const char* code, const char* words, Rounding how) {
    suspect(code, words, [&](std::size_t l) { return of(l, l, how); });
  };
  each("N-AXIS", "a layer has one scale: each of its rows has its own", Rounding::kByLayer);
  each("N-FORMULA", "qmax is 2^(num_bits-1): it is one less", Rounding::kOneStepMore);
  each("N-ROUND", "ties go away from zero: they go to the even neighbour", Rounding::kAway);
  each("N-TRUNC", "codes are cut: they are rounded", Rounding::kCut);
  each("N-FORMULA", "the first row of a layer is rounded: all of them are", Rounding::kFirstRow);
  each("N-FORMULA", "the scale is of the largest weight: it is of the largest |weight|",
       Rounding::kSigned);
  suspect("N-FORMULA", "the layers in front are rounded, too: they stay as they are",
          [&](std::size_t l) { return of(0, l); });
  suspect("N-FORMULA", "the layers behind are rounded, too: they stay as they are",
          [&](std::size_t l) { return of(l, layers); });
  suspect("N-FORMULA", "all layers are rounded each time: one alone is",
          [&](std::size_t) { return of(0, layers); });
  suspect("N-FORMULA", "the first layer is rounded each time: it is layer l",
          [&](std::size_t) { return of(0, 0); });
  for (const bool of_layer : {true, false}) {  // a mean over the layer, or over all of them
    suspect("N-FORMULA",
            "how far the weights are off: it is how far the outputs of the network are",
            [&](std::size_t l) {
              const double all = static_cast<double>(in.a.weights.size());
              const double count = of_layer ? double(in.a.sizes[l]) * in.a.sizes[l + 1] : all;
              return mean_square(rounded(in.a, l, l, in.c).weights, in.a.weights) * all / count;
            });
  }
  const double samples = static_cast<double>(rows_of(in.b, in.a.sizes[0]));
  for (const double count : {samples, outputs / samples}) {
    if (count > 1) {
      expect.suspect("N-DENOM", "error", each_of(want, [=](double v) { return v * count; }),
                     "a mean is over samples and outputs");
    }
  }
  expect_reals(expect, "error", got, want);
};

inline const Sensing sensing{{"sizes", "weights", "x", "num_bits"}, {"error"}};

inline Network some_network(const Places& sizes, std::uint64_t seed) {
  std::size_t count = 0;
  for (std::size_t l = 1; l < sizes.size(); ++l) count += std::size_t(sizes[l - 1] * sizes[l]);
  return {sizes, normals(count, seed)};
}

inline std::vector<Sensing::Input> networks(Seed seed_of, const std::vector<Places>& sizes) {
  return each_of(sizes, [&](const Places& one, std::size_t at) -> Sensing::Input {
    return {std::to_string(one.size() - 1) + " layers",
            {some_network(one, seed_of(at)), normals(7 * std::size_t(one[0]), seed_of(at + 9)),
             2 + static_cast<int>(at % 3)}};
  });
}

}  // namespace nibble::judge::lab_30_mixed_precision
