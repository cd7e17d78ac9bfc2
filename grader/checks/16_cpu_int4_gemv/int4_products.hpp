// Lab 16: gemv_int4 and gemm_int4: data, oracle, and what goes wrong.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>
#include <string_view>

#include "checks/16_cpu_int4_gemv/gemv_int8.hpp"
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"
#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

/// Activations [m,k] and weights. The packed form that the judge hands over is the definition's: no
/// exercise depends on another.
struct Batch {
  Codes a;
  Reals a_scales;
  Weights weights;
  static constexpr std::array names{"a", "a_scales", "n", "k", "group_size", "codes", "scales"};

  std::size_t m() const { return a_scales.size(); }
  std::size_t n() const { return std::size_t(weights.shape.n); }
  std::size_t k() const { return std::size_t(weights.shape.k); }
};

inline std::vector<Named<Batch>> smaller(const Named<Batch>& c) {
  std::vector<Named<Batch>> all;
  const auto& [shape, w, scales] = c.weights;
  for (const auto [m, n, groups] : smaller_shapes({int(c.m()), shape.n, int(c.weights.groups())})) {
    const Weights less = crop(c.weights, n, groups);
    all.push_back({std::to_string(m) + "x" + shape_text(less.shape),
                   {corner(c.a, shape.k, m, less.shape.k), first(c.a_scales, m), less}});
  }
  return all;
}

/// The contract's formulas: term(p, a, w) is what is summed over a group, scale(j, G) what its sum
/// is multiplied by. kFused: product and sum of a group are rounded once.
template <class Sum = std::int64_t, class Real = float, bool kFused = false, class Term,
          class Scale>
Reals products(const Batch& c, const Term& term, const Scale& scale) {
  const std::size_t n = c.n(), k = c.k();
  const std::size_t size = std::size_t(c.weights.shape.group_size);
  Reals all;
  for (std::size_t i = 0; i < c.m(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real y = 0;
      for (std::size_t p = 0; p < k;) {
        const std::size_t group = p / size;
        Sum acc = 0;
        for (; p < (group + 1) * size; ++p) {
          acc = static_cast<Sum>(acc + term(p, c.a[i * k + p], c.weights.w[j * k + p]));
        }
        const Real sum = static_cast<Real>(acc), by = scale(j, group), scaled = sum * by;
        y = kFused ? std::fma(sum, by, y) : y + scaled;
      }
      all.push_back(static_cast<float>(y * c.a_scales[i]));
    }
  }
  return all;
}

inline Reals products(const Batch& c) {
  return products(
      c, [](std::size_t, int a, int w) { return a * w; },
      [&](std::size_t j, std::size_t group) {
        return c.weights.scales[j * c.weights.groups() + group];
      });
}

/// What known mistakes make of this input.
inline void suspect_products(Expect& expect, const Batch& c) {
  const std::size_t groups = c.weights.groups(), size = std::size_t(c.weights.shape.group_size);
  const auto right = [](std::size_t, int a, int w) { return a * w; };
  const auto own = [&](std::size_t j, std::size_t group) {
    return c.weights.scales[j * groups + group];
  };
  const auto term = [&](const char* code, std::string_view words, const auto& wrong) {
    expect.suspect(code, "c", products(c, wrong, own), words);
  };
  const auto scale = [&](std::string_view words, const auto& wrong) {
    expect.suspect("N-SCALE", "c", products(c, right, wrong), words);
  };
  expect.suspect("N-OVERFLOW", "c", products<std::int16_t>(c, right, own),
                 "a group's sum is kept in 16 bits");
  expect.suspect("N-FORMULA", "c", products<std::int64_t, double>(c, right, own),
                 "as if products and sums of groups were doubles");
  expect.suspect(
      "N-FORMULA", "c", products<std::int64_t, float, true>(c, right, own),
      "product and sum are rounded once, as by a fused multiply-add: each is, by itself");
  int sum_a = 0;  // 8 times what 16 bits lose of it stays in the sum of excess codes
  term("N-OVERFLOW", "what the activations of a group add up to is kept in 16 bits",
       [&](std::size_t p, int a, int w) {
         sum_a = p % size == 0 ? a : sum_a + a;
         const bool last = p % size + 1 == size;
         return a * w + (last ? 8 * (sum_a - static_cast<std::int16_t>(sum_a)) : 0);
       });
  term("N-OVERFLOW", "8 times the sum of a group's activations is kept in 16 bits",
       [&](std::size_t p, int a, int w) {
         sum_a = p % size == 0 ? a : sum_a + a;
         const bool last = p % size + 1 == size;
         return a * w + (last ? 8 * sum_a + static_cast<std::int16_t>(-8 * sum_a) : 0);
       });
  term("N-SIGN", "8 is added to a code, and not taken off the sum",
       [](std::size_t, int a, int w) { return a * (w + 8); });
  term("N-SIGN", "8 is taken off a nibble that has no 8 more",
       [](std::size_t, int a, int w) { return a * ((w & 15) - 8); });
  term("N-SIGN", "codes below 0 are read as 256 more",
       [](std::size_t, int a, int w) { return (a & 255) * w; });
  for (const std::size_t lost : {8, 16}) {
    term("N-TAIL", "the last products of each group are not added",
         [&](std::size_t p, int a, int w) { return p % size + lost < size ? a * w : 0; });
  }
  scale("the sum of a group is not scaled", [](auto, auto) { return 1.0f; });
  scale("a row has one scale for all of its groups",
        [&](std::size_t j, std::size_t) { return own(j, 0); });
  scale("a group has the scale of the next one",
        [&](std::size_t j, std::size_t group) { return own(j, std::min(group + 1, groups - 1)); });
  const auto changed = [&](const char* code, std::string_view words, const auto& change) {
    Batch wrong = c;
    change(wrong);
    expect.suspect(code, "c", products(wrong), words);
  };
  changed("N-SCALE", "the scale of a is missing",
          [](Batch& wrong) { std::ranges::fill(wrong.a_scales, 1.0f); });
  changed("N-SCALE", "all rows of a have the scale of row 0", [](Batch& wrong) {
    std::ranges::fill(wrong.a_scales, wrong.m() == 0 ? 1.0f : wrong.a_scales[0]);
  });
  for (const std::size_t block : {2, 4, 8, 16}) {
    changed("N-SCALE", "rows behind the first block of rows have the scales of rows in it",
            [&](Batch& wrong) {
              for (std::size_t i = block; i < c.m(); ++i) {
                wrong.a_scales[i] = wrong.a_scales[i % block];
              }
            });
  }
  for (const std::size_t block : {2, 4, 8, 16}) {
    if (block > c.m()) break;  // without a block, all rows are left
    changed("N-SCALE", "rows that are left behind blocks have the scale of row 0",
            [&](Batch& wrong) {
              for (std::size_t i = c.m() / block * block; i < c.m(); ++i) {
                wrong.a_scales[i] = wrong.a_scales[0];
              }
            });
  }
  changed("N-LAYOUT", "every row of a is taken for the first", [k = c.k()](Batch& wrong) {
    for (std::size_t at = k; at < wrong.a.size(); ++at) wrong.a[at] = wrong.a[at % k];
  });
  for (const std::size_t block : {1, 2, 4, 8}) {
    Reals wrong;
    for (std::size_t i = 0; i < c.m(); ++i) {
      const auto row = std::span(c.a).subspan(i * c.k(), c.k());
      const auto lent = std::span(c.a).subspan(i % block * c.k(), c.k());
      const Batch one{{row.begin(), row.end()}, {c.a_scales[i]}, c.weights};
      std::ranges::copy(
          products(
              one, [&](std::size_t p, int a, int w) { return a * w + 8 * (a - lent[p]); }, own),
          std::back_inserter(wrong));
    }
    expect.suspect("N-LAYOUT", "c", wrong, "8 is taken off with the sum of another row of a");
  }
  const Reals want = products(c);
  Reals turned(want.size());
  for (std::size_t at = 0; at < want.size(); ++at)
    turned[at % c.n() * c.m() + at / c.n()] = want[at];
  if (c.m() > 1 && c.n() > 1) {
    expect.suspect("N-LAYOUT", "c", turned, "c[i,j] is written where c[j,i] belongs");
  }
}

inline Named<Batch> random_batch(std::size_t m, Int4Shape shape, Seed seed_of) {
  const std::uint64_t salt = std::uint64_t(shape.n) * 7919 + std::uint64_t(shape.k) + (m << 50);
  const Batch c{code_tensor<std::int8_t>(m * std::size_t(shape.k), seed_of(salt), -128, 127),
                uniform_tensor(m, seed_of(salt + 1), 0.01f, 0.05f), random_weights(shape, seed_of)};
  expect_distinct(products(c));
  return {std::to_string(m) + "x" + shape_text(shape), c};
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
