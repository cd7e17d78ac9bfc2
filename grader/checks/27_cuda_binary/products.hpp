// Lab 27: products.
#pragma once

#include "cuda_binary.hpp"

#include <bit>
#include <string_view>

#include "checks/27_cuda_binary/rows.hpp"
#include "judge/bits.hpp"
#include "judge/mix.hpp"
#include "judge/product_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_27_cuda_binary {

/// Signs as pack_signs makes them: 1 for -1. Behind the last column zeros, or noise: another `salt`
/// makes it another, for what is the same in a and b_t cannot be told from zeros.
inline Words packed(const Codes& signs, int rows, const Product& c, std::uint64_t salt) {
  const std::size_t k = c.shape.k, words = words_of(c.shape.k);
  Words bits(rows * words);
  for (std::size_t at = 0; at < signs.size(); ++at) {
    if (signs[at] < 0) bits[at / k * words + at % k / 32] |= 1u << at % k % 32;
  }
  for (int row = 0; c.noise != 0 && k % 32 != 0 && row < rows; ++row) {
    bits[(row + 1) * words - 1] |= std::uint32_t(mix(c.noise + salt, row)) << k % 32;
  }
  return bits;
}
inline Words packed_a(const Product& c) { return packed(c.a, c.shape.m, c, 0); }
inline Words packed_b(const Product& c) { return packed(c.b_t, c.shape.n, c, 1); }

inline std::vector<Product> products(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = random_products(shapes, seeds);
  for (Product& c : cases) {
    for (std::int8_t& code : c.a) code = code < 0 ? -1 : 1;
    for (std::int8_t& code : c.b_t) code = code < 0 ? -1 : 1;
  }
  return cases;
}

inline std::vector<Product> with_noise(const Shapes& shapes, Seed seeds) {
  std::vector<Product> cases = products(shapes, seeds);
  for (Product& c : cases) c.noise = seeds(c.outputs());
  return cases;
}

/// base - 2 * (how many bits are counted): count(w, x, y) of word w of both rows, which lie `words`
/// words apart.
template <class Count>
Sums from_words(const Product& c, int base, std::size_t words, const Count& count) {
  const Words a = packed_a(c), b_t = packed_b(c);
  Sums sums;
  for (std::size_t i = 0; i < std::size_t(c.shape.m); ++i) {
    for (std::size_t j = 0; j < std::size_t(c.shape.n); ++j) {
      int counted = 0;
      for (std::size_t w = 0; w < words_of(c.shape.k); ++w) {
        counted += count(w, a[i * words + w], b_t[j * words + w]);
      }
      sums.push_back(base - 2 * counted);
    }
  }
  return sums;
}

/// What known mistakes answer: another formula; a mask of other bits, or of another word; rows that
/// lie closer together; steps along k; numbers of 16 bits.
inline void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  const int k = c.shape.k;
  const std::size_t words = words_of(k), last = words - 1;
  if (k == 0 || c.outputs() * words > 200'000) return;
  const std::uint32_t tail = k % 32 == 0 ? ~0u : ~(~0u << k % 32);
  const auto suspect = [&](const char* code, std::string_view text, int base, const auto& count) {
    expect.suspect(code, "c", from_words(c, base, words, count), text);
  };
  const auto kept = [&](std::size_t w) { return w == last ? tail : ~0u; };
  // Of the bits that differ: those of a mask.
  const auto masked = [&](const char* code, std::string_view text, int base, const auto& mask) {
    suspect(code, text, base, [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
      return std::popcount((x ^ y) & mask(w));
    });
  };
  const int whole = int(words) * 32;
  constexpr const char* kWhole = "k is how many signs a row has, and not how many bits its words";
  constexpr const char* kAnd = "words are joined by AND: XOR finds the signs that differ";
  masked("N-TAIL", "the tail is counted, too", k, [](std::size_t) { return ~0u; });
  suspect("N-TAIL",
          "the tail of a is counted, too: & binds before ^, and masks the word of b_t alone", k,
          [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
            return std::popcount(x ^ (y & kept(w)));
          });
  suspect("N-TAIL",
          "the tail of b_t is counted, too: & binds before ^, and masks the word of a alone", k,
          [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
            return std::popcount((x & kept(w)) ^ y);
          });
  masked("N-TAIL", kWhole, whole, kept);
  masked("N-TAIL", kWhole, whole, [](std::size_t) { return ~0u; });
  masked("N-TAIL", "a last word that is full is masked away", k,
         [=](std::size_t w) { return w == last && k % 32 == 0 ? 0u : kept(w); });
  masked("N-TAIL", "the mask is turned around: it keeps the tail", k,
         [=](std::size_t w) { return w == last ? ~tail : ~0u; });
  masked("N-LAYOUT", "the mask of the last word is laid over all words", k,
         [=](std::size_t) { return tail; });
  suspect("N-FORMULA", kAnd, k, [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
    return std::popcount(x & y & kept(w));
  });
  if (k % 32 != 0 && (k >= 32 || c.shape.m > 1)) {
    expect.suspect("N-LAYOUT", "c",
                   from_words(c, k, words - 1,
                              [=](std::size_t w, std::uint32_t x, std::uint32_t y) {
                                return std::popcount((x ^ y) & kept(w));
                              }),
                   "rows lie ceil(k / 32) words apart, and are read k / 32 apart");
  }
  each_wrong_step(words, [&](const char* code, const std::string& text, const auto& times) {
    suspect(code, std::string("in words of 32") + ": " + text, k,
            [&](std::size_t w, std::uint32_t x, std::uint32_t y) {
              return times(w) * std::popcount((x ^ y) & kept(w));
            });
  });
  masked("N-TAIL", "the mask keeps the upper bits of the last word", k,
         [=](std::size_t w) { return w == last && k % 32 != 0 ? ~0u << (32 - k % 32) : ~0u; });
  const auto of_sums = [&](const char* code, std::string_view text, const auto& wrong) {
    expect.suspect(code, "c", each_of(right, [&](int sum) { return wrong((k - sum) / 2); }), text);
  };
  of_sums("N-FORMULA", "how many signs differ is no sum yet: k - 2 * that",
          [](int d) { return d; });
  of_sums("N-FORMULA", "how many signs agree is no sum yet", [=](int d) { return k - d; });
  of_sums("N-FORMULA", "two signs that agree give +1, and here -1",
          [=](int d) { return 2 * d - k; });
  of_sums("N-OVERFLOW", "what differs is counted in 16 bits",
          [=](int d) { return k - 2 * static_cast<std::int16_t>(d); });
  of_sums("N-OVERFLOW", "what differs is counted in 16 bits",
          [=](int d) { return k - 2 * static_cast<std::uint16_t>(d); });
  if (c.shape.m == 1) {
    expect.suspect("N-LAYOUT", "c", Sums(right.size(), right.front()),
                   "all columns are as the first");
  }
  each_wrong_place(c.shape, [&](const std::string& text, const auto& row, const auto& column) {
    Sums moved;
    for (std::size_t at = 0; at < right.size(); ++at) {
      const std::size_t n = std::size_t(c.shape.n);
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      moved.push_back(i < std::size_t(c.shape.m) && j < n ? right[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "c", moved, text);
  });
  const auto run_together = [&](bool of_a, bool of_b) {
    const Words a = packed_a(c), b_t = packed_b(c);
    Sums sums;
    for (std::size_t i = 0; i < std::size_t(c.shape.m); ++i) {
      for (std::size_t j = 0; j < std::size_t(c.shape.n); ++j) {
        const std::size_t x = of_a ? i * std::size_t(k) / 32 : i * words;
        const std::size_t y = of_b ? j * std::size_t(k) / 32 : j * words;
        int differ = 0;
        for (std::size_t w = 0; w < words; ++w)
          differ += std::popcount((a[x + w] ^ b_t[y + w]) & kept(w));
        sums.push_back(k - 2 * differ);
      }
    }
    expect.suspect(
        "N-FORMULA", "c", sums,
        "row i begins at bit i * k: the bits of each row begin with a word of their own");
  };
  if (c.outputs() > 1) {
    run_together(true, false);
    run_together(false, true);
  }
}

template <auto F>
inline const auto multiplying = product_exercise<F>(
    [](const Product& c) {
      return std::tuple(packed_a(c), packed_b(c), out(c.outputs()), c.shape);
    },
    suspect_the_usual, with_noise);

inline std::uint64_t words(const Product& c) { return c.outputs() * words_of(c.shape.k); }

inline const auto& naive = multiplying<&binary_matmul>;
inline const auto& tiled = multiplying<&binary_matmul_tiled>;

}  // namespace nibble::judge::lab_27_cuda_binary
