// What the usual mistakes make of a product of int8 codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "judge/expect.hpp"
#include "judge/product.hpp"

namespace nibble::judge {

/// The sum over p of term(i, j, p) for each element of c, wrapped to Sum after every addition.
template <class Sum = std::int64_t, class Term>
std::vector<Sum> each_sum(MatmulShape shape, const Term& term) {
  std::vector<Sum> c;
  c.reserve(std::size_t(shape.m) * std::size_t(shape.n));
  for (std::size_t i = 0; i < std::size_t(shape.m); ++i) {
    for (std::size_t j = 0; j < std::size_t(shape.n); ++j) {
      Sum sum = 0;
      for (std::size_t p = 0; p < std::size_t(shape.k); ++p) {
        sum = static_cast<Sum>(sum + static_cast<Sum>(term(i, j, p)));
      }
      c.push_back(sum);
    }
  }
  return c;
}

/// Beyond so many products and sums, what mistakes would answer takes longer than it tells.
inline bool is_worth_suspecting(const Product& x) {
  constexpr int kOfSum = 16;  // each mistake keeps its sums: one costs as much as so many products
  return std::int64_t{x.shape.m} * x.shape.n * (x.shape.k + kOfSum) <= 400'000;
}

/// Whole answers of known mistakes, each element gone wrong in the same way. `what` is compared,
/// and `as` turns sums into it.
template <class As = std::identity>
void suspect_sums(Expect& expect, const Product& x, std::string_view what, const As& as = {}) {
  const std::size_t m = x.shape.m, n = x.shape.n, k = x.shape.k;
  if (m * n * k == 0 || !is_worth_suspecting(x)) return;
  const auto suspect = [&](const char* code, const auto& term) {
    expect.suspect(code, what, as(each_sum(x.shape, term)));
  };
  const auto terms = [&](const char* code, const auto& term) {  // of a code of a and one of b
    suspect(code, [&](auto i, auto j, auto p) { return term(x.a[i * k + p], x.b_t[j * k + p]); });
  };
  const auto only = [&](const char* code, const auto& counts) {
    suspect(code, [&](auto i, auto j, auto p) {
      return counts(i, j, p) ? x.a[i * k + p] * x.b_t[j * k + p] : 0;
    });
  };
  const Sums right = by_definition(x);
  const auto of_right = [&](const char* code, const auto& wrong) {
    std::vector<std::int64_t> sums;
    for (const std::int32_t sum : right) sums.push_back(static_cast<std::int64_t>(wrong(sum)));
    expect.suspect(code, what, as(sums));
  };
  // Pairs stop at the ends of int16, as vpmaddubsw's; `excess` is put on a and taken off again.
  const auto saturated_pairs = [&](int excess) {
    suspect("N-OVERFLOW", [&](auto i, auto j, auto p) {
      const auto product = [&](std::size_t at) {
        return at < k ? (x.a[i * k + at] + excess) * x.b_t[j * k + at] : 0;
      };
      const int pair = p % 2 == 0 ? std::clamp(product(p) + product(p + 1), -32768, 32767) : 0;
      return pair - excess * x.b_t[j * k + p];
    });
  };
  std::vector<std::int64_t> crossed(m * n);
  for (std::size_t at = 0; at < m * n; ++at) crossed[at % n * m + at / n] = right[at];
  if (m > 1 && n > 1) expect.suspect("N-LAYOUT", what, as(crossed));
  const auto byte = [](int code) { return code & 255; };
  saturated_pairs(0);
  saturated_pairs(128);
  of_right("N-OVERFLOW", [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
  of_right("N-OVERFLOW", [](std::int32_t sum) { return static_cast<std::int8_t>(sum); });
  terms("N-OVERFLOW", [](int a, int b) { return static_cast<std::int8_t>(a * b); });
  terms("N-SIGN", [&](int a, int b) { return byte(a) * b; });
  terms("N-SIGN", [&](int a, int b) { return a * byte(b); });
  terms("N-SIGN", [&](int a, int b) { return byte(a) * byte(b); });
  terms("N-SIGN", [](int a, int b) { return (a + 128) * b; });  // the +128 never taken off
  terms("N-SIGN", [](int a, int b) { return (a + 256) * b; });  // put on once more
  terms("N-SIGN", [](int a, int b) { return (a - 128) * b; });  // taken off and never put on
  terms("N-SIGN", [](int a, int b) { return (a + 128) * (b + 128); });
  terms("N-SIGN", [&](int a, int b) { return (byte(a) - 128) * b; });
  terms("N-RANGE", [](int a, int b) { return std::max(a, -127) * b; });
  terms("N-RANGE", [](int a, int b) { return a * std::max(b, -127); });
  terms("N-RANGE", [](int a, int b) { return std::max(a, -127) * std::max(b, -127); });
  for (const std::size_t block : {2, 4, 8, 16, 32, 64}) {
    only("N-TAIL", [=](auto, auto, auto p) { return p < k / block * block; });
    if (block < n) only("N-TAIL", [=](auto, auto j, auto) { return j < n / block * block; });
    if (block < m) only("N-TAIL", [=](auto i, auto, auto) { return i < m / block * block; });
  }
  only("N-TAIL", [=](auto, auto, auto p) { return p + 1 < k; });
  only("N-TAIL", [=](auto, auto, auto p) { return p + 1 == k; });
  of_right("N-FLOAT32", [](std::int32_t sum) { return static_cast<float>(sum); });
  const auto by_floats = each_sum<float>(
      x.shape, [&](auto i, auto j, auto p) { return x.a[i * k + p] * x.b_t[j * k + p]; });
  expect.suspect("N-FLOAT32", what,
                 as(std::vector<std::int64_t>(by_floats.begin(), by_floats.end())));
}

}  // namespace nibble::judge
