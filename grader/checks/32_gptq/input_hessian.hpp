// Lab 32, input_hessian: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "checks/32_gptq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_32_gptq {

using Costing = Exercise<&input_hessian>;

template <class Real>
Doubles products(const Doubles& x, std::size_t samples, std::size_t n, bool by_columns) {
  Doubles g;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t s = 0; s < samples; ++s) {
        sum += static_cast<Real>(by_columns ? x[i * samples + s] * x[j * samples + s]
                                            : x[s * n + i] * x[s * n + j]);
      }
      g.push_back(2 * static_cast<double>(sum));
    }
  }
  return g;
}

inline Doubles hessian_by_definition(const Doubles& x, std::int32_t inputs, double damping) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  Doubles h = products<double>(x, rows_of(x, inputs), n, false);
  double mean = 0;
  for (std::size_t at = 0; at < h.size(); at += n + 1) {
    if (h[at] == 0) h[at] = 1;  // a sum of squares that are not all 0 is not 0 here
    mean += h[at] / static_cast<double>(n);
  }
  for (std::size_t at = 0; at < h.size(); at += n + 1) h[at] += damping * mean;
  return h;
}

inline void suspect_costs(Expect& expect, const Costing::Arguments& in, const Doubles& right) {
  const std::size_t n = static_cast<std::size_t>(in.b), samples = rows_of(in.a, in.b);
  if (samples > 2) {  // of two, half is also what a forgotten 2 gives
    const auto count = static_cast<double>(samples);
    expect.suspect("N-DENOM", "h", each_of(right, [=](double v) { return v / count; }),
                   "h is divided by the samples: it is a sum over them");
  }
  if (n > 1)
    expect.suspect("N-AXIS", "h", products<double>(in.a, samples, n, true),
                   "x is read by columns: a row of it is a sample");
  if (samples > 1000)
    expect.suspect("N-FLOAT32", "h", products<float>(in.a, samples, n, false),
                   "a sum is kept in a float: all of it is double");
  const Doubles g = products<double>(in.a, samples, n, false);
  double trace = 0, dead = 0, most = 0;
  for (std::size_t at = 0; at < g.size(); at += n + 1) {
    trace += g[at], dead += g[at] == 0 ? 1 : 0, most = std::max(most, g[at]);
  }
  const auto inputs = static_cast<double>(n), share = in.c, mean = (trace + dead) / inputs;
  const auto with = [&](const auto& diagonal) {
    Doubles h = g;
    for (std::size_t at = 0; at < h.size(); at += n + 1) h[at] = diagonal(g[at]);
    return h;
  };
  const auto suspect = [&](const char* code, const char* words, const auto& diagonal) {
    expect.suspect(code, "h", with(diagonal), words);
  };
  const auto is = [](double v) { return v == 0 ? 1 : v; };
  suspect("N-DIV0", "a dead input is 0 before it is damped: it is 1",
          [&](double v) { return v + share * trace / inputs; });
  suspect("N-DIV0", "the mean counts a dead input as 0: it is 1 before the mean is taken",
          [&](double v) { return is(v) + share * trace / inputs; });
  suspect("N-DIV0",
          "the mean is of those inputs that are not dead: it is of all, and the dead are 1",
          [&](double v) { return is(v) + share * trace / std::max(inputs - dead, 1.0); });
  suspect("N-DIV0", "a dead input becomes 1 behind the damping: it is 1 before it",
          [&](double v) { return v == 0 ? 1 : v + share * trace / inputs; });
  suspect("N-DIV0", "a dead input is not damped: all of the diagonal is",
          [&](double v) { return v == 0 ? 1 : v + share * mean; });
  suspect("N-FORMULA", "nothing is damped", is);
  suspect("N-FORMULA", "damping is added as it is: it is a share of the mean",
          [&](double v) { return is(v) + share; });
  suspect("N-FORMULA", "each element is damped by a share of itself: it is one of the mean",
          [&](double v) { return is(v) * (1 + share); });
  suspect("N-FORMULA", "damping is a share of the sum of the diagonal: it is one of the mean",
          [&](double v) { return is(v) + share * mean * inputs; });
  suspect("N-FORMULA", "damping is a share of the largest element: it is one of the mean",
          [&](double v) { return is(v) + share * std::max(most, dead > 0 ? 1.0 : 0.0); });
  suspect("N-DENOM", "the sum of the diagonal is divided by the samples: it is by the inputs",
          [&](double v) { return is(v) + share * mean * inputs / static_cast<double>(samples); });
  expect.suspect("N-FORMULA", "h", each_of(with(is), [&](double v) { return v + share * mean; }),
                 "every element is damped: those of the diagonal are");
  Doubles growing = with(is);
  double sum = mean * inputs;
  for (std::size_t at = 0; at < growing.size(); at += n + 1) {
    growing[at] += share * sum / inputs;
    sum += share * sum / inputs;
  }
  Doubles single = each_of(g, [](double v) { return v / 2; });
  for (std::size_t at = 0; at < g.size(); at += n + 1) {
    single[at] = is(single[at]) + share * (trace / 2 + dead) / inputs;
  }
  expect.suspect("N-FORMULA", "h", single, "a sum is not multiplied by 2");
  constexpr const char* grows =
      "the mean is taken anew while the diagonal is damped: it is one number";
  Doubles all_of_it = with(is);
  double larger = mean * inputs;
  for (std::size_t at = 0; at < g.size(); at += n + 1) {
    larger += all_of_it[at] += share * larger / inputs;
  }
  expect.suspect("N-FORMULA", "h", all_of_it, grows);
  expect.suspect("N-FORMULA", "h", growing, grows);
  expect.suspect("N-FORMULA", "h", products<double>({in.a.end() - in.b, in.a.end()}, 1, n, false),
                 "h is of the last sample alone: it is a sum over all");
}

inline const auto kSame = [](Expect& expect, const Costing::Arguments& in, const Doubles& got,
                             const Doubles& want) {
  expect_reals(expect, "h", got, want, square(in.b));
};

inline const Costing costing{{"x", "inputs", "damping"}, {"h"}, suspect_costs};

inline constexpr const char* kDeadIsAllZero =
    "an input is dead where every x is 0, not where their sum is";
inline constexpr const char* kDeadInAll =
    "an input is dead where it is 0 in every sample, not in the first";
inline constexpr const char* kTinyIsAlive =
    "an input is dead where every x is 0, not where all are tiny";

}  // namespace nibble::judge::lab_32_gptq
