// Lab 13, binary_matmul: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Multiplying = Exercise<&binary_matmul>;

/// For each output, how many bits p differ for which counts(p). Word w of row j of b_t is at
/// word_of_b(j, w).
template <class Counts, class WordOfB>
Sums differing(const Multiplying::Arguments& in, const Counts& counts, const WordOfB& word_of_b) {
  const auto& [a, b_t, shape] = in;
  const int words = int(words_of(shape.k));
  belong_together(a.size() == std::size_t(shape.m) * words &&
                  b_t.size() == std::size_t(shape.n) * words);
  Sums all;
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      int count = 0;
      for (int p = 0; p < 32 * words; ++p) {
        const std::uint32_t x = a[std::size_t(i) * words + p / 32];
        const std::uint32_t y = b_t[std::size_t(word_of_b(j, p / 32))];
        if (counts(p) && (x >> p % 32 & 1) != (y >> p % 32 & 1)) ++count;
      }
      all.push_back(count);
    }
  }
  return all;
}

template <class Counts>
Sums differing(const Multiplying::Arguments& in, const Counts& counts) {
  const int words = int(words_of(in.c.k));
  return differing(in, counts, [words](int j, int word) { return j * words + word; });
}

/// 1 for each product of two signs that agree, -1 for each that differ.
inline Sums sums_by_definition(const Multiplying::Arguments& in) {
  const int k = in.c.k;
  Sums sums = differing(in, [k](int p) { return p < k; });
  for (std::int32_t& sum : sums) sum = (k - sum) - sum;
  return sums;
}

inline void suspect_sums(Expect& expect, const Multiplying::Arguments& in, const Sums& right) {
  const auto [m, n, k] = in.c;
  const auto suspect = [&](const char* code, const char* words, Sums differ, auto&& sum_of) {
    for (std::int32_t& value : differ) value = sum_of(value);
    if (differ != right) expect.suspect(code, "c", differ, words);
  };
  const auto sum_of = [k = k](int d) { return k - 2 * d; };
  const int words = int(words_of(k)), rest = k % 32 == 0 ? 32 : k % 32;
  const Sums differ = differing(in, [k = k](int p) { return p < k; });
  const auto all = [](int) { return true; };
  suspect("N-TAIL", "as if the tail counted, too", differing(in, all), sum_of);
  for (const bool of_a : {true, false}) {
    Multiplying::Arguments masked = in;
    auto& kept = of_a ? masked.b : masked.a;
    for (std::size_t at = 0; at < kept.size(); ++at) {
      if (at % std::size_t(words) == std::size_t(words) - 1) kept[at] &= ~0u >> (32 - rest);
    }
    suspect("N-TAIL",
            of_a ? "as if the tail of a counted: that of b_t alone is masked"
                 : "as if the tail of b_t counted: that of a alone is masked",
            differing(masked, all), sum_of);
  }
  constexpr const char* whole = "as if k were the number of all bits of the words";
  suspect("N-TAIL", whole, differing(in, all), [=](int d) { return 32 * words - 2 * d; });
  suspect("N-TAIL", whole, differ, [=](int d) { return 32 * words - 2 * d; });
  suspect("N-TAIL", "as if bit 31 did not count",
          differing(in, [=, k = k](int p) { return p < k && p % 32 < 31; }), sum_of);
  suspect("N-TAIL", "as if the last word did not count",
          differing(in, [=](int p) { return p < 32 * (words - 1); }), sum_of);
  suspect("N-TAIL", "as if the mask of the last word were that of all words",
          differing(in, [=](int p) { return p % 32 < rest; }), sum_of);
  suspect("N-FORMULA", "as if agreeing and differing were exchanged", differ,
          [k = k](int d) { return 2 * d - k; });
  suspect("N-FORMULA", "as if k - count, and not k - 2 * count", differ,
          [k = k](int d) { return k - d; });
  suspect("N-FORMULA", "as if the count itself were the sum", differ, [](int d) { return d; });
  suspect("N-FORMULA", "as if 2 * count were the sum", differ, [](int d) { return 2 * d; });
  suspect("N-FORMULA", "as if the bits that agree were counted, the tail too", differ,
          [=, k = k](int d) { return k - 2 * (32 * words - d); });
  suspect("N-OVERFLOW", "as if the count were a uint8", differ,
          [=](int d) { return sum_of(std::uint8_t(d)); });
  suspect("N-OVERFLOW", "as if the count were a uint16", differ,
          [=](int d) { return sum_of(std::uint16_t(d)); });
  suspect("N-OVERFLOW", "as if the count were an int16", differ,
          [=](int d) { return sum_of(std::int16_t(d)); });
  suspect("N-OVERFLOW", "as if the sum were an int16", differ,
          [=](int d) { return std::int16_t(sum_of(d)); });
  suspect(
      "N-TRANS", "as if b_t were [words, n]",
      differing(
          in, [k = k](int p) { return p < k; }, [n = n](int j, int word) { return word * n + j; }),
      sum_of);
  Sums both;  // AND in the place of XOR
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int count = 0;
      for (int p = 0; p < k; ++p) {
        const std::uint32_t x = in.a[std::size_t(i) * words + p / 32];
        count += int((x & in.b[std::size_t(j) * words + p / 32]) >> p % 32 & 1);
      }
      both.push_back(count);
    }
  }
  suspect("N-FORMULA", "as if the bits that are 1 in both were counted", both, sum_of);
  Sums transposed;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) transposed.push_back(right[std::size_t(i) * n + j]);
  }
  expect.suspect("N-LAYOUT", "c", transposed, "as if c were [n,m]");
}

inline const Multiplying multiplying{{"a", "b_t", "m", "n", "k"}, {"c"}, suspect_sums};

inline void same_sums(Expect& expect, const Multiplying::Arguments& in, const Sums& got,
                      const Sums& want) {
  const MatmulShape shape = in.c;
  expect.equal("c", got, want, {std::size_t(shape.m), std::size_t(shape.n)});
}

/// Words of `rows` rows of k signs; the tail is zeros, or noise.
inline Words random_words(int rows, int k, std::uint64_t its_seed, bool noise) {
  Words words(std::size_t(rows) * words_of(k));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = std::uint32_t(mix(its_seed, i));
    const bool is_last = (i + 1) % words_of(k) == 0;
    if (is_last && !noise && k % 32 > 0) words[i] &= (1u << k % 32) - 1;
  }
  return words;
}

inline std::vector<Multiplying::Input> products(const std::vector<MatmulShape>& all, Seed seed_of,
                                                bool noise) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape& s : all) {
    const Words a = random_words(s.m, s.k, seed_of(2 * inputs.size()), noise);
    const Words b_t = random_words(s.n, s.k, seed_of(2 * inputs.size() + 1), noise);
    inputs.push_back({size_text(s), {a, b_t, s}});
    if (s.m * s.n > 100 && s.k > 30) {
      Expect::healthy(distinct(sums_by_definition(inputs.back().in)) > 5, "few sums");
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_13_binary
