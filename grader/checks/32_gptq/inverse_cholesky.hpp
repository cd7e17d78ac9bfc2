// Lab 32, inverse_cholesky: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "checks/32_gptq/input_hessian.hpp"
#include "checks/32_gptq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_32_gptq {

using Factoring = Exercise<&inverse_cholesky>;

inline Doubles transposed(const Doubles& a, std::size_t n) {
  Doubles t(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) t[i % n * n + i / n] = a[i];
  return t;
}

inline Doubles lower_factor(const Doubles& a, std::size_t n) {
  Doubles l(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i * n + k] * l[j * n + k];
      if (i == j && !(rest > 0)) throw std::invalid_argument("not positive definite");
      l[i * n + j] = i == j ? std::sqrt(rest) : rest / l[j * n + j];
    }
  }
  return l;
}

/// By elimination, without exchanging rows: what is positive definite needs none.
inline Doubles inverse_of(Doubles a, std::size_t n) {
  Doubles b(n * n);
  for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i * n + i];
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= pivot, b[i * n + j] /= pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == i ? 0 : a[r * n + i];
      for (std::size_t j = 0; j < n; ++j) {
        a[r * n + j] -= factor * a[i * n + j];
        b[r * n + j] -= factor * b[i * n + j];
      }
    }
  }
  return b;
}

/// As the paper has it: the inverse first, then its factor.
inline Doubles factor_by_definition(const Doubles& h, std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  if (h.size() != n * n) throw std::invalid_argument("not square");
  return transposed(lower_factor(inverse_of(h, n), n), n);
}

inline void look_at_factor(Expect& expect, const Factoring::Arguments& in, const Doubles& got,
                           const Doubles& want) {
  const std::size_t n = static_cast<std::size_t>(in.b);
  const double off = factor_tolerance(largest(want)).absolute;
  const auto is = [&](const Doubles& other) {
    return all_near(got, other, off) && !all_near(got, want, off);
  };
  const Doubles of_h = lower_factor(in.a, n);
  expect.that(!is(of_h) && !is(transposed(of_h, n)) && !is(inverse_of(want, n)),
              "u is a factor of h, or the inverse of one that is wanted", "N-INVERSE");
  const Doubles other = inverse_of(of_h, n);
  expect.that(!is(transposed(want, n)) && !is(other) && !is(transposed(other, n)),
              "u is the other factor: not upper, or u * transpose(u)", "N-TRANS");
  const auto suspect = [&](const char* words, const auto& element) {
    expect.suspect("N-FORMULA", "u",
                   each_of(want,
                           [&](double v, std::size_t at) {
                             const std::size_t i = at / n, j = at % n;
                             return element(v, i, j, want[i * n + i], want[j * n + j]);
                           }),
                   words);
  };
  suspect("beside its diagonal u is 0",
          [](double v, auto i, auto j, auto...) { return i == j ? v : 0; });
  suspect("below its diagonal u is not 0",
          [&](double v, auto i, auto j, auto...) { return i <= j ? v : want[j * n + i]; });
  suspect("the diagonal has no root",
          [](double v, auto i, auto j, double, double) { return i == j ? v * v : v; });
  suspect("the diagonal has no root, and what is divided by it is off, too",
          [](double v, auto, auto, double at_i, double) { return v * at_i; });
  suspect("each row is divided by its diagonal",
          [](double v, auto, auto, double at_i, double) { return v / at_i; });
  suspect("an element is divided by the diagonal of its row: it is by that of its column",
          [](double v, auto i, auto j, double at_i, double at_j) {
            return i == j ? v : v * at_i / at_j;
          });
  const Doubles m = inverse_of(want, n);
  Doubles added = want;  // as if what is beside the diagonal were added up, and not taken away
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < j; ++k) sum += added[i * n + k] * m[k * n + j];
      added[i * n + j] = sum / m[j * n + j];
    }
  }
  expect.suspect("N-FORMULA", "u", added, "beside its diagonal u has the other sign");
  const Doubles inverse = inverse_of(in.a, n);
  if (n > 1)
    expect.suspect("N-FORMULA", "u", inverse, "u is the inverse of h: a factor of it is due");
  expect_reals(expect, "u", got, want, square(in.b));
}

inline std::vector<Factoring::Input> matrices(Seed seed_of, const std::vector<int>& sizes) {
  return each_of(sizes, [&](int n) -> Factoring::Input {
    const auto side = static_cast<std::size_t>(n);
    const Doubles x = correlated(3 * side, side, seed_of(side));
    return {size_text(side, side), {hessian_by_definition(x, n, 0.0625), n}};
  });
}

/// What is made smaller has to stay square: a corner of it.
inline std::vector<Factoring::Arguments> corners(const Factoring::Arguments& in) {
  std::vector<Factoring::Arguments> all;
  for (std::int32_t to = 1; to < in.b; to *= 2) {
    all.push_back({{}, to});
    for (std::int32_t i = 0; i < to; ++i) {
      const auto row = in.a.begin() + std::ptrdiff_t{i} * in.b;
      all.back().a.insert(all.back().a.end(), row, row + to);
    }
  }
  return all;
}

inline const Factoring shrinking{{"h", "inputs"}, {"u"}, {}, {.smaller = corners}};

}  // namespace nibble::judge::lab_32_gptq
