// Lab 33, smoothing_scales: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/net_with_outliers.hpp"
#include "checks/33_smoothquant_awq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Smoothing = Exercise<&smoothing_scales>;

/// of_x^x_power * of_w^w_power, of columns as `of` sees them.
template <class Of>
Doubles smoothing_with(const Smoothing::Arguments& in, double x_power, double w_power,
                       const Of& of) {
  Doubles scales;
  rows_of(in.a, in.c), rows_of(in.b, in.c);
  for (std::size_t i = 0; i < static_cast<std::size_t>(in.c); ++i) {
    const double of_x = of(in.a, static_cast<std::size_t>(in.c), i),
                 of_w = of(in.b, static_cast<std::size_t>(in.c), i);
    scales.push_back(
        of_x == 0 || of_w == 0 ? 1 : std::exp(x_power * std::log(of_x) + w_power * std::log(of_w)));
  }
  return scales;
}
inline Doubles smoothing_by_definition(const Smoothing::Arguments& in) {
  return smoothing_with(in, in.d, in.d - 1, largest_of);
}

/// What SmoothQuant's authors raise maxima to, so that nothing is divided by 0.
inline constexpr double kLeastOfAuthors = 1e-5;

inline void suspect_smoothing(Expect& expect, const Smoothing::Arguments& in, const Doubles&) {
  const double alpha = in.d;
  const auto suspect = [&](const char* words, double x_power, double w_power, const auto& of) {
    expect.suspect("N-FORMULA", "scales", smoothing_with(in, x_power, w_power, of), words);
  };
  // Nobody looks for zeros, or at the maxima of x or of w alone.
  for (const auto& [looks_at_x, looks_at_w] : {std::pair{0, 0}, {1, 0}, {0, 1}}) {
    Doubles of_zeros;
    for (std::size_t i = 0; i < static_cast<std::size_t>(in.c); ++i) {
      const double of_x = largest_of(in.a, static_cast<std::size_t>(in.c), i),
                   of_w = largest_of(in.b, static_cast<std::size_t>(in.c), i);
      const bool is_one = (looks_at_x != 0 && of_x == 0) || (looks_at_w != 0 && of_w == 0);
      of_zeros.push_back(is_one ? 1 : std::pow(of_x, alpha) / std::pow(of_w, 1 - alpha));
    }
    if (of_zeros != smoothing_by_definition(in)) {
      expect.suspect("N-DIV0", "scales", of_zeros,
                     "a scale is 1 where one of the maxima is 0, whatever alpha is");
    }
  }
  const auto raised = [](const Doubles& a, std::size_t n, std::size_t i) {
    return std::max(largest_of(a, n, i), kLeastOfAuthors);
  };
  expect.suspect("N-DIV0", "scales", smoothing_with(in, alpha, alpha - 1, raised),
                 "maxima are raised to a least value: where one of them is 0, the scale is 1");
  suspect("the exponents are exchanged: alpha is that of the inputs", 1 - alpha, -alpha,
          largest_of);
  suspect("both exponents are alpha: that of the weights is 1 - alpha", alpha, -alpha, largest_of);
  suspect("the weights are left out", alpha, 0, largest_of);
  suspect("the inputs are left out", 0, alpha - 1, largest_of);
  suspect("both powers are multiplied: that of the weights is divided by", alpha, 1 - alpha,
          largest_of);
  suspect("alpha is 1/2, whatever is asked for", 0.5, -0.5, largest_of);
  suspect("both powers are 1", 1, -1, largest_of);
  const auto by_row = [](const Doubles& a, std::size_t n, std::size_t i) {
    return i < a.size() / n ? largest(row_of(a, n, i)) : 0;
  };
  constexpr const char* kByRow = "the largest of a row: an input is a column of x and of w";
  suspect(kByRow, alpha, alpha - 1, by_row);
  suspect(kByRow, alpha, alpha - 1, [](const Doubles& a, std::size_t n, std::size_t i) {
    return largest(row_of(a, a.size() / n, i));
  });
  suspect("the first row alone: the maxima are over all", alpha, alpha - 1,
          [](const Doubles& a, std::size_t, std::size_t i) { return std::fabs(a[i]); });
  suspect("means of magnitudes: they are maxima", alpha, alpha - 1,
          [](const Doubles& a, std::size_t n, std::size_t i) {
            double sum = 0;
            for (std::size_t at = i; at < a.size(); at += n) sum += std::fabs(a[at]);
            return sum * static_cast<double>(n) / static_cast<double>(a.size());
          });
}

inline const auto kSameScales = [](Expect& expect, const Smoothing::Arguments&, const Doubles& got,
                                   const Doubles& want) {
  const double off = factor_tolerance(largest(want)).absolute;
  const Doubles inverse = each_of(want, [](double s) { return 1 / s; });
  expect.that(!all_near(got, inverse, off) || all_near(got, want, off),
              "every scale is one over what is wanted", "N-INVERSE");
  expect_reals(expect, "scales", got, want);
};

inline const Smoothing smoothing{{"x", "w", "inputs", "alpha"}, {"scales"}, suspect_smoothing};

inline std::vector<Smoothing::Input> smoothings(Seed seed_of,
                                                const std::vector<std::int32_t>& sizes) {
  return each_of(sizes, [&](std::int32_t inputs) -> Smoothing::Input {
    const auto n = static_cast<std::size_t>(inputs);
    return {std::to_string(inputs) + " inputs",
            {with_outliers(2 * n + 1, n, seed_of(n)), normals((n + 2) * n, seed_of(n + 1)), inputs,
             0.05 * static_cast<double>(n % 21)}};
  });
}

/// Of a net, with alpha 1/2. A channel that the images leave at 0 counts as one that reaches 1:
/// what becomes of zeros is another check's.
inline Smoothing::Arguments smoothing_of(const LearntNet& one) {
  const Linear& second = one.net.layers[1];
  const Doubles between = each_of(forward_all(one.net, one.seen_x)[1],
                                  [](float v) { return std::max(double{v}, 1.0); });
  return {between, as_doubles(second.weight), static_cast<std::int32_t>(second.inputs), 0.5};
}

inline const auto kSmoothed = [](const LearntNet& one) {
  const TwoLayers layers = layers_of(one);
  const Doubles scales = smoothing(smoothing_of(one));
  return scales.size() == layers.bias.size() ? migrated(layers, scales) : TwoLayers{};
};

}  // namespace nibble::judge::lab_33_smoothquant_awq
