// Words of 32 signs, one a bit: how many a row takes, and what is in them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nibble::judge {

using Words = std::vector<std::uint32_t>;
using Bits = std::vector<int>;  // one a column: 0 or 1

inline std::size_t words_of(int cols) { return (std::size_t(cols) + 31) / 32; }

/// The bits of words, lowest first: a failure then names row and column.
inline Bits bits_of(const Words& words) {
  Bits bits;
  for (const std::uint32_t word : words) {
    for (int at = 0; at < 32; ++at) bits.push_back(int(word >> at & 1));
  }
  return bits;
}

inline Words words_from(const Bits& bits) {
  Words words(bits.size() / 32);
  for (std::size_t i = 0; i < bits.size(); ++i) words[i / 32] |= std::uint32_t(bits[i]) << i % 32;
  return words;
}

/// As if the first column were the highest bit of each word.
inline Bits turned_words(Bits bits) {
  for (auto word = bits.begin(); word != bits.end(); word += 32) std::reverse(word, word + 32);
  return bits;
}

}  // namespace nibble::judge
