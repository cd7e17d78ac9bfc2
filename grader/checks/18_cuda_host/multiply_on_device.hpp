// Lab 18, multiply_on_device: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/product.hpp"

namespace nibble::judge::lab_18_cuda_host {

/// c with rows of others in the place of its own: row i is that of source(i).
template <class Source>
Sums with_rows(const Sums& c, MatmulShape shape, const Source& source) {
  Sums all;
  for (int i = 0; i < shape.m; ++i) {
    const auto row = c.begin() + std::ptrdiff_t{source(i)} * shape.n;
    all.insert(all.end(), row, row + shape.n);
  }
  return all;
}

/// What halves in the wrong places make of c, b that is stored another way, and sums in 16 bits.
inline void suspect_halves(Expect& expect, const Product& c, const Sums& right) {
  const int m = c.shape.m, first = m / 2;
  expect.suspect("N-ORDER", "c",
                 with_rows(right, c.shape, [=](int i) { return (i + m - first) % m; }),
                 "the halves of c are exchanged");
  expect.suspect("N-LAYOUT", "c",
                 with_rows(right, c.shape, [=](int i) { return i < first ? i : i - first; }),
                 "the second half of c is the first once more");
  Product misread = c;
  misread.b_t = turned(c.b_t, c.shape.n, c.shape.k);
  expect.suspect("N-TRANS", "c", by_definition(misread), "b [k,n] is read as b_t [n,k]");
  expect.suspect("N-OVERFLOW", "c", std::vector<std::int16_t>(right.begin(), right.end()),
                 "the sum is kept in 16 bits");
}

/// Of empty sums, the zeros need no device.
template <class Answer>
bool took_no_terms(const Answer& answer, Expect& expect) {
  return expect.that(answer.error == 0,
                     "returns " + detail::name_of_error(answer.error) +
                         " for k = 0: every sum is empty, and c is zeros",
                     "N-REFUSED");
}

inline const auto multiplying = host_exercise<&multiply_on_device>(
    [](const Product& c) {
      return std::tuple(c.a, turned(c.b_t, c.shape.n, c.shape.k), out(c.outputs()), c.shape);
    },
    [](Expect& expect, const Product& c, const auto& answer) {
      if (c.outputs() == 0) return did_nothing(answer, expect);
      if (c.shape.k > 0 ? !succeeded(answer, 1, expect) : !took_no_terms(answer, expect)) return;
      const Sums right = by_definition(c);
      if (expect.asks_for_suspects(answer.output(), right)) suspect_halves(expect, c, right);
      expect.equal("c", answer.output(), right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

}  // namespace nibble::judge::lab_18_cuda_host
