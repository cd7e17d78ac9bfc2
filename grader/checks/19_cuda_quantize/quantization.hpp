// Lab 19: quantization: checks that three kernels share.
#pragma once

#include "cuda_quantize.hpp"

#include <cmath>

#include "checks/19_cuda_quantize/right.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_19_cuda_quantize {

template <class X>
struct QuantizeCase {
  std::string name;
  std::vector<X> x;
  float scale;
};

template <class X>
std::string show_size(const QuantizeCase<X>& c) {
  return "n = " + std::to_string(c.x.size());
}

template <class X>
std::string show(const QuantizeCase<X>& c) {
  const Reals values = each_of(c.x, [](X x) { return real(x); });
  return show_size(c) + ", scale = " + show_value(c.scale) + ", x = " + show_values(values, 21);
}

/// Either half of x, and x without its last element.
template <class X>
std::vector<QuantizeCase<X>> smaller(const QuantizeCase<X>& c) {
  std::vector<QuantizeCase<X>> all;
  const auto part = [&](std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const std::vector<X> x(c.x.begin() + std::ptrdiff_t(begin), c.x.begin() + std::ptrdiff_t(end));
    all.push_back({"n=" + std::to_string(x.size()), x, c.scale});
  };
  const std::size_t n = c.x.size();
  if (n < 2) return all;
  part(0, n / 2);
  part(n / 2, n);
  part(0, n - 1);
  return all;
}

template <auto F>
using Cases = std::vector<QuantizeCase<Element<F>>>;

/// Roughly normal numbers, or halves from 2^-4 to 256 with either sign.
template <auto F>
std::vector<Element<F>> random_input(std::size_t n, std::uint64_t from) {
  if constexpr (kTakesHalves<F>) {
    return each_of(code_tensor<int>(n, from, 2 * 0x2c00, 2 * 0x5c00 - 1),
                   [](int draw) { return static_cast<std::uint16_t>(draw / 2 | draw % 2 << 15); });
  } else {
    return normal_tensor(n, from, 8.0f);
  }
}

template <auto F>
inline const auto quantizing = kernel_exercise<F>(
    [](const QuantizeCase<Element<F>>& c) { return std::tuple(c.x, out(c.x.size()), c.scale); },
    [](const QuantizeCase<Element<F>>& c) { return by_definition(c.x, c.scale); },
    [](Expect& expect, const QuantizeCase<Element<F>>& c, const Codes& got, const Codes& right) {
      if (got == right) return;
      expect_written<F>(expect, "q", got, right, std::tuple(c.x, out(c.x.size()), c.scale));
      suspect_rules<Element<F>>(expect, {c.x, c.scale, right, kVector<F>});
      suspect_joints(right, expect);
      suspect_rests(right, expect);
      expect.equal("q", got, right);
    });

/// What lies half-way between two codes, for a scale whose reciprocal is rounded.
inline Reals half_way(float scale) {
  Reals x;
  for (int code = -130; code < 130; ++code) x.push_back((float(code) + 0.5f) * scale);
  return x;
}

/// The same, and the floats on both sides.
inline Reals around_half_way(float scale) {
  Reals x;
  for (const float tie : half_way(scale)) {
    x.insert(x.end(), {tie, std::nextafter(tie, -kInfinity), std::nextafter(tie, kInfinity)});
  }
  return x;
}

inline constexpr float kScale = 0.1f;

template <auto F>
Cases<F> random_cases(const std::vector<std::size_t>& lengths,
                      std::uint64_t (*seeds)(std::uint64_t)) {
  Cases<F> cases;
  for (const std::size_t n : lengths) {
    cases.push_back({std::to_string(n), random_input<F>(n, seeds(n)), kScale});
  }
  return cases;
}

// A block that finds nothing to do has to be started all the same.
inline const Measure kThreads{"threads launched", "N-LAUNCH", nullptr,
                              [](const simt::SessionTotals& t) { return t.threads; }};

/// As much of it as the published solution has, times a factor.
struct Limit {
  const Measure& measure;
  double factor;
};

// Values too: who writes nothing moves nothing.
template <class Exercise, class Case>
void check_counts(const Exercise& exercise, const std::vector<Case>& cases,
                  const std::vector<Limit>& limits) {
  exercise.each_counted(cases, [&](Expect& expect, const Case& c, const Counted& both) {
    exercise.look(expect, c, exercise(c));
    for (const auto& [measure, factor] : limits) at_most(expect, measure, factor, both);
  });
}

// Whole tiles of every kind; and a prime, long enough for its last tile to weigh little.
template <auto F>
void check_counts(const std::vector<Limit>& limits) {
  check_counts(quantizing<F>, random_cases<F>({8192, 10007}, counted_seed), limits);
}

/// Every number that 16 bits can say, NaNs and subnormals included.
inline Halves every_half() {
  Halves bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  return bits;
}

}  // namespace nibble::judge::lab_19_cuda_quantize
