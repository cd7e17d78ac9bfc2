// Lab 22: what is right, and what people write instead.
#pragma once

#include "cuda_dp4a.hpp"

#include "judge/product_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_22_cuda_dp4a {

using Shapes = std::vector<MatmulShape>;

inline PaddedShape shape_of(const Product& c) {
  return {c.shape.m, c.shape.n, c.shape.k, (c.shape.k + 15) / 16 * 16 + c.spare};
}

/// [rows,k] as it lies in memory.
inline Codes stored(const Codes& rows, int count, const Product& c) {
  const std::size_t pitch = shape_of(c).pitch, size = count * pitch;
  return padded(rows, c.shape.k, int(pitch),
                c.noise == 0 ? Codes(size) : code_tensor<std::int8_t>(size, c.noise, -128, 127));
}
inline Codes stored_a(const Product& c) { return stored(c.a, c.shape.m, c); }
inline Codes stored_b(const Product& c) { return stored(c.b_t, c.shape.n, c); }

/// Whether all that is wrong in `sums` is 0: nothing may have been added there at all.
inline bool has_lost_products(const Sums& sums, const Sums& right) {
  return std::ranges::equal(
      sums, right, [](std::int32_t sum, std::int32_t want) { return sum == 0 || sum == want; });
}

/// What goes wrong with words and with the outputs of a thread, before what says less.
inline void suspect_words(Expect& expect, const Product& c, const Sums& right) {
  if (!is_worth_suspecting(c) || right.empty()) return;
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  const auto times = [&](const char* code, const char* words, const auto& count) {
    expect.suspect(
        code, "c",
        each_sum(c.shape, [&](auto i, auto j,
                              auto p) { return count(p) * c.a[i * k + p] * c.b_t[j * k + p]; }),
        words);
  };
  times("N-LAYOUT", "of each piece of four words the last is not multiplied",
        [](std::size_t p) { return p % 16 < 12 ? 1 : 0; });
  times("N-LAYOUT", "each word is loaded four times over: a step of a thread is a word, not a code",
        [](std::size_t p) { return p % 128 < 32 ? 4 : 0; });
  const auto misread = each_sum<std::int32_t>(c.shape, [&](auto i, auto j, auto p) {
    const std::size_t column = j / 32 * 32 + p % 128 / 4, at = p / 128 * 128 + j % 32 * 4 + p % 4;
    return column < n && at < k ? c.a[i * k + p] * c.b_t[column * k + at] : 0;
  });
  if (!has_lost_products(misread, right)) {  // other mistakes lose as many
    expect.suspect("N-LAYOUT", "c", misread,
                   "a tile of b_t is read as one of b [k,n]: a row of it holds words of a column");
  }
  for (const std::size_t tile : {64, 128}) {
    Sums sums;
    for (std::size_t x = 0; x < m * n; ++x) {
      const std::size_t r = x / n, s = x % n, i = r / tile * tile + s % tile / 16 * 16 + r % 16,
                        j = s / tile * tile + r % tile / 16 * 16 + s % 16;
      sums.push_back(i < m && j < n ? right[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "c", sums,
                   "a thread writes sums [r,s] of its own where [s,r] belongs");
  }
  Sums by_floats;  // a last word that k cuts is added to an integer
  for (std::size_t x = 0; x < m * n; ++x) {
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < k; ++p) {
      sum += c.a[x / n * k + p] * c.b_t[x % n * k + p];
      if (p % 4 == 3) sum = static_cast<std::int32_t>(static_cast<float>(sum));
    }
    by_floats.push_back(sum);
  }
  expect.suspect("N-FLOAT32", "c", by_floats,
                 "the sum is kept in a float, which counts exactly to 2^24");
  if (static_cast<std::int16_t>(k) < 0) {
    times("N-OVERFLOW", "k is kept in 16 bits, where it is below 0: nothing is added",
          [](std::size_t) { return 0; });
  }
}

/// What known mistakes answer: rows that are not a pitch apart; a last word of which too much is
/// kept, too little, or the wrong end; and what goes wrong with every product.
inline void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  const Codes a = stored_a(c), b_t = stored_b(c);
  const auto [m, n, k] = c.shape;
  const int pitch = shape_of(c).pitch, rest = k % 4, piece = k / 16 * 16, end = k - rest;
  for (int length = k + 1; length <= std::min(pitch, k + 48); ++length) {
    expect.suspect("N-TAIL", "c", sums_of(a, b_t, {m, n, length}, pitch),
                   "what lies behind k is multiplied, too");
  }
  for (const int apart : {k, pitch - c.spare}) {
    const Sums sums = sums_of(a, b_t, c.shape, apart);
    if (has_lost_products(sums, right)) continue;  // of zeros in the padding: a guard does as much
    expect.suspect("N-LAYOUT", "c", sums,
                   "rows are read as far apart as k says, and lie pitch codes apart");
  }
  suspect_words(expect, c, right);
  suspect_sums(expect, c, "c");  // where a lost word says as much, before what follows
  // The last piece of 16 codes, of which keep(code, p) leaves something.
  const MatmulShape through{m, n, std::min(piece + 16, pitch)};
  const auto suspect_kept = [&](std::string_view words, const auto& keep) {
    Codes kept = a;
    for (std::size_t at = 0; at < kept.size(); ++at) {
      const int p = int(at) % pitch;
      if (p >= piece) kept[at] = std::int8_t(keep(a[at], p));
    }
    expect.suspect("N-TAIL", "c", sums_of(kept, b_t, through, pitch), words);
  };
  suspect_kept(
      "the last word keeps its upper codes, and the first code is the lowest",
      [=](int code, int p) { return p < end || (p < end + 4 && p % 4 >= 4 - rest) ? code : 0; });
  suspect_kept("behind the word that k cuts, words are padding as well, and count",
               [=, length = k](int code, int p) {
                 return p < length || p >= end + (rest == 0 ? 0 : 4) ? code : 0;
               });
  suspect_kept("each word of the last piece keeps as many codes as its first",
               [=, first = k - piece](int code, int p) { return p % 4 < first ? code : 0; });
  suspect_kept("the mask of the last word counts bits, and a code has eight", [=](int code, int p) {
    return p < end ? code : p == end ? code & ((1 << rest) - 1) : 0;
  });
}

/// Every third has rows that are longer than they have to be.
inline std::vector<Product> products(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = random_products(shapes, seeds);
  for (std::size_t at = 2; at < cases.size(); at += 3) cases[at].spare = 32;
  return cases;
}

inline std::vector<Product> with_noise(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = products(shapes, seeds);
  for (std::size_t at = 0; at < cases.size(); ++at) cases[at].noise = seeds(at);
  return cases;
}

template <auto F>
inline const auto multiplying = product_exercise<F>(
    [](const Product& c) {
      return std::tuple(stored_a(c), stored_b(c), out(c.outputs()), shape_of(c));
    },
    suspect_the_usual, products);

inline const auto& naive = multiplying<&matmul_dp4a_naive>;
inline const auto& tiled = multiplying<&matmul_dp4a_tiled>;
inline const auto& in_registers = multiplying<&matmul_dp4a_register>;

}  // namespace nibble::judge::lab_22_cuda_dp4a
