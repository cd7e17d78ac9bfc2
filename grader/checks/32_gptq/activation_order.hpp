// Lab 32, activation_order: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_32_gptq {

using Ordering = Exercise<&activation_order>;

inline std::vector<std::int32_t> order_by_definition(const Doubles& h, std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  if (h.size() != n * n) throw std::invalid_argument("not square");
  std::vector<std::pair<double, std::int32_t>> all;
  for (std::int32_t i = 0; i < inputs; ++i) {
    all.emplace_back(-h[static_cast<std::size_t>(i) * (n + 1)], i);
  }
  std::ranges::sort(all);
  return each_of(all, [](const auto& one) { return one.second; });
}

/// A diagonal between numbers that are larger than it.
inline Doubles with_diagonal(const Doubles& diagonal) {
  Doubles h(diagonal.size() * diagonal.size());
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = 9 + static_cast<double>(i % 3);
  for (std::size_t i = 0; i < diagonal.size(); ++i) h[i * (diagonal.size() + 1)] = diagonal[i];
  return h;
}

inline void suspect_orders(Expect& expect, const Ordering::Arguments& in,
                           const std::vector<std::int32_t>& right) {
  const std::size_t n = right.size();
  std::vector<std::int32_t> places(n);
  for (std::size_t k = 0; k < n; ++k) {
    places[static_cast<std::size_t>(right[k])] = static_cast<std::int32_t>(k);
  }
  expect.suspect("N-ORDER", "order", places,
                 "at which place an input comes: it is which input comes at a place");
  Doubles turned = in.a, sums(n * n);
  for (double& v : turned) v = -v;
  for (std::size_t at = 0; at < in.a.size(); ++at) sums[at / n * (n + 1)] += in.a[at];
  const std::vector<std::int32_t> upwards = order_by_definition(turned, in.b);
  expect.suspect("N-ORDER", "order", upwards, "the smallest is first");
  expect.suspect("N-ORDER", "order", std::vector<std::int32_t>(upwards.rbegin(), upwards.rend()),
                 "of equal ones the higher index is first");
  expect.suspect("N-ORDER", "order", order_by_definition(sums, in.b),
                 "sorted by the sums of the rows: it is by h[i,i]");
}

inline const Ordering ordering{{"h", "inputs"}, {"order"}, suspect_orders};

}  // namespace nibble::judge::lab_32_gptq
