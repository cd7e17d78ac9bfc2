// What the usual mistakes make of a product of int8 codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
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

/// suspect(code, words, times) for each usual mistake of a loop along k: times(p) is how often the
/// product at p is added, and not always once.
template <class Suspect>
void each_wrong_step(std::size_t k, const Suspect& suspect) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  for (const std::size_t rest :
       {std::size_t{1}, k % 4, k % 8, k % 16, k % 32, k % 64, k % 128, k % 256}) {
    if (rest == 0 || rest > k || (rest == k && k >= 64)) continue;  // 0 everywhere: of what, then?
    suspect("N-TAIL",
            "the last of a sum's products are not added, " + text(rest) + " of " + text(k),
            [=](std::size_t p) { return p + rest < k ? 1 : 0; });
  }
  for (const std::size_t step : {1, 4, 8, 16, 32, 64, 128, 256}) {
    if (step >= k) break;
    suspect("N-TAIL", "only the first step along k is added, " + text(step) + " of " + text(k),
            [=](std::size_t p) { return p < step ? 1 : 0; });
    const std::size_t last = (k - 1) / step * step;
    suspect("N-TAIL", "only the last step along k is added, " + text(k - last) + " of " + text(k),
            [=](std::size_t p) { return p < last ? 0 : 1; });
    for (std::size_t tile = 2 * step; step > 1 && tile <= 128; tile *= 2) {
      suspect("N-TAIL", "a step goes on by " + text(step) + " along k, and adds more than that",
              [=](std::size_t p) {
                return int(p / step - (p < tile ? 0 : (p - tile) / step + 1) + 1);
              });
    }
    for (const std::size_t tile : {std::size_t{1}, step / 4, step / 2}) {
      if (tile == 0 || tile == step) continue;
      suspect("N-TAIL", "a step goes on by " + text(step) + " along k, and adds " + text(tile),
              [=](std::size_t p) { return p % step < tile ? 1 : 0; });
    }
  }
}

/// suspect(words, i, j) for usual mistakes about places: what belongs to [i(r,s), j(r,s)] is
/// written to [r,s].
template <class Suspect>
void each_wrong_place(MatmulShape shape, const Suspect& suspect) {
  const std::size_t m = shape.m, n = shape.n;
  const auto row = [](std::size_t r, std::size_t) { return r; };
  const auto column = [](std::size_t, std::size_t s) { return s; };
  for (const std::size_t block : {8, 16, 32, 64, 128}) {
    const std::string text = std::to_string(block);
    if (block < n) {
      suspect("each block of " + text + " columns is the first of them once more", row,
              [=](std::size_t, std::size_t s) { return s % block; });
    }
    if (block < m) {
      suspect(
          "each block of " + text + " rows is the first of them once more",
          [=](std::size_t r, std::size_t) { return r % block; }, column);
    }
    suspect("the thread's row picks its column, too", row,
            [=](std::size_t r, std::size_t s) { return s / block * block + r % block; });
  }
  // A thread has `count` outputs: of x, x + side, … or of x * count, x * count + 1, …
  for (const std::size_t count : {2, 4, 8}) {
    constexpr std::size_t kSide = 16;
    const std::size_t all = kSide * count;
    const auto apart = [=](std::size_t at) {
      return at / all * all + at % all / count + at % count * kSide;
    };
    const auto together = [=](std::size_t at) {
      return at / all * all + at % kSide * count + at % all / kSide;
    };
    constexpr const char* kColumns = "a thread writes other columns than those it has multiplied";
    constexpr const char* kRows = "a thread writes other rows than those it has multiplied";
    suspect(kColumns, row, [=](std::size_t, std::size_t s) { return apart(s); });
    suspect(kColumns, row, [=](std::size_t, std::size_t s) { return together(s); });
    suspect(
        kRows, [=](std::size_t r, std::size_t) { return apart(r); }, column);
    suspect(
        kRows, [=](std::size_t r, std::size_t) { return together(r); }, column);
  }
}

/// The mistakes of the two above, in a product of codes.
template <class As = std::identity>
void suspect_steps(Expect& expect, const Product& x, std::string_view what, const As& as = {}) {
  const std::size_t m = x.shape.m, n = x.shape.n, k = x.shape.k;
  if (m * n * k == 0 || !is_worth_suspecting(x)) return;
  each_wrong_step(k, [&](const char* code, const std::string& words, const auto& times) {
    expect.suspect(
        code, what,
        as(each_sum(x.shape, [&](auto i, auto j,
                                 auto p) { return times(p) * x.a[i * k + p] * x.b_t[j * k + p]; })),
        words);
  });
  const Sums right = by_definition(x);
  each_wrong_place(x.shape, [&](const std::string& words, const auto& row, const auto& column) {
    std::vector<std::int64_t> sums;
    for (std::size_t at = 0; at < m * n; ++at) {
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      sums.push_back(i < m && j < n ? right[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", what, as(sums), words);
  });
}

/// Whole answers of known mistakes, each element gone wrong in the same way. `what` is compared,
/// and `as` turns sums into it.
template <class As = std::identity>
void suspect_sums(Expect& expect, const Product& x, std::string_view what, const As& as = {}) {
  const std::size_t m = x.shape.m, n = x.shape.n, k = x.shape.k;
  if (m * n * k == 0 || !is_worth_suspecting(x)) return;
  const auto suspect = [&](const char* code, std::string_view words, const auto& term) {
    expect.suspect(code, what, as(each_sum(x.shape, term)), words);
  };
  const auto terms = [&](const char* code, std::string_view words, const auto& term) {
    suspect(code, words,
            [&](auto i, auto j, auto p) { return term(x.a[i * k + p], x.b_t[j * k + p]); });
  };
  const Sums right = by_definition(x);
  const auto of_right = [&](const char* code, std::string_view words, const auto& wrong) {
    std::vector<std::int64_t> sums;
    for (const std::int32_t sum : right) sums.push_back(static_cast<std::int64_t>(wrong(sum)));
    const bool is_zero =
        std::ranges::count(sums, 0) == std::ssize(sums);  // of a loop that ended, too
    expect.suspect(code, what, as(sums), is_zero ? "" : words);
  };
  // Pairs stop at the ends of int16, as vpmaddubsw's; `excess` is put on a and taken off again.
  const auto saturated_pairs = [&](int excess) {
    suspect("N-OVERFLOW", "the sum of two products stops at the ends of int16",
            [&](auto i, auto j, auto p) {
              const auto product = [&](std::size_t at) {
                return at < k ? (x.a[i * k + at] + excess) * x.b_t[j * k + at] : 0;
              };
              const int pair =
                  p % 2 == 0 ? std::clamp(product(p) + product(p + 1), -32768, 32767) : 0;
              return pair - excess * x.b_t[j * k + p];
            });
  };
  std::vector<std::int64_t> crossed(m * n);
  for (std::size_t at = 0; at < m * n; ++at) crossed[at % n * m + at / n] = right[at];
  if (m > 1 && n > 1) {
    expect.suspect("N-LAYOUT", what, as(crossed), "c[i,j] is written where c[j,i] belongs");
  }
  const auto byte = [](int code) { return code & 255; };
  constexpr const char* kUnsigned = "codes below 0 are read as 256 more";
  constexpr const char* kExcess =
      "128 is added to a code, and not taken off the sum as it should be";
  constexpr const char* kNarrow = "-128 is taken for -127";
  constexpr const char* kFloat = "the sum is kept in a float, which counts exactly to 2^24";
  saturated_pairs(0);
  saturated_pairs(128);
  of_right("N-OVERFLOW", "the sum is kept in 16 bits",
           [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
  of_right("N-OVERFLOW", "the sum is kept in 8 bits",
           [](std::int32_t sum) { return static_cast<std::int8_t>(sum); });
  terms("N-OVERFLOW", "a product is kept in 8 bits",
        [](int a, int b) { return static_cast<std::int8_t>(a * b); });
  terms("N-SIGN", kUnsigned, [&](int a, int b) { return byte(a) * b; });
  terms("N-SIGN", kUnsigned, [&](int a, int b) { return a * byte(b); });
  terms("N-SIGN", kUnsigned, [&](int a, int b) { return byte(a) * byte(b); });
  terms("N-SIGN", kExcess, [](int a, int b) { return (a + 128) * b; });
  terms("N-SIGN", kExcess, [](int a, int b) { return (a + 256) * b; });  // put on once more
  terms("N-SIGN", kExcess, [](int a, int b) { return (a - 128) * b; });  // taken off, never put on
  terms("N-SIGN", kExcess, [](int a, int b) { return (a + 128) * (b + 128); });
  terms("N-SIGN", kExcess, [&](int a, int b) { return (byte(a) - 128) * b; });
  terms("N-RANGE", kNarrow, [](int a, int b) { return std::max(a, -127) * b; });
  terms("N-RANGE", kNarrow, [](int a, int b) { return a * std::max(b, -127); });
  terms("N-RANGE", kNarrow, [](int a, int b) { return std::max(a, -127) * std::max(b, -127); });
  suspect_steps(expect, x, what, as);
  for (const std::size_t block : {2, 4, 8, 16, 32, 64}) {
    const auto only = [&](std::string_view words, const auto& counts) {
      suspect("N-TAIL", words, [&](auto i, auto j, auto p) {
        return counts(i, j) ? x.a[i * k + p] * x.b_t[j * k + p] : 0;
      });
    };
    if (block < n) {
      only("the last columns are left at 0", [=](auto, auto j) { return j < n / block * block; });
    }
    if (block < m) {
      only("the last rows are left at 0", [=](auto i, auto) { return i < m / block * block; });
    }
  }
  of_right("N-FLOAT32", kFloat, [](std::int32_t sum) { return static_cast<float>(sum); });
  const auto by_floats = each_sum<float>(
      x.shape, [&](auto i, auto j, auto p) { return x.a[i * k + p] * x.b_t[j * k + p]; });
  expect.suspect("N-FLOAT32", what,
                 as(std::vector<std::int64_t>(by_floats.begin(), by_floats.end())), kFloat);
}

}  // namespace nibble::judge
