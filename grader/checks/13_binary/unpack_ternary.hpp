// Lab 13, unpack_ternary: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/pack_ternary.hpp"
#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Unpacking = Exercise<&unpack_ternary>;

inline Trits trits_with(const Unpacking::Arguments& in, const std::array<int, 5>& places,
                        int less) {
  const auto& [bytes, count] = in;
  belong_together(count >= 0 && bytes.size() == std::size_t(count + 4) / 5);
  Trits trits;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    belong_together(bytes[i / 5] < 243);
    trits.push_back(static_cast<std::int8_t>(bytes[i / 5] / places[i % 5] % 3 - less));
  }
  return trits;
}

/// Digits that are cut out of a byte another way.
inline void suspect_wrong_digits(Expect& expect, const Unpacking::Arguments& in,
                                 const Trits& right) {
  const auto looks = [&](const char* words, const auto& digit_of) {
    Trits trits;
    for (std::size_t i = 0; i < right.size(); ++i) {
      trits.push_back(static_cast<std::int8_t>(digit_of(in.a[i / 5], i % 5) - 1));
    }
    expect.suspect("N-FORMULA", "trits", trits, words);
  };
  looks("digits above are left in: what is divided is taken modulo 3",
        [](int byte, std::size_t t) { return byte / kLowestFirst[t]; });
  looks("a trit is taken for two bits: it is a digit to the base 3",
        [](int byte, std::size_t t) { return byte >> 2 * t & 3; });
  Trits lost = right;
  if (!lost.empty()) lost.back() = 0;
  if (lost != right) expect.suspect("N-FORMULA", "trits", lost, "the last trit is left out");
}

inline void suspect_digits(Expect& expect, const Unpacking::Arguments& in, const Trits& right) {
  const auto& [bytes, count] = in;
  expect.suspect("N-LAYOUT", "trits", trits_with(in, kHighestFirst, 1),
                 "as if the first trit were the highest digit");
  expect.suspect("N-FORMULA", "trits", trits_with(in, kLowestFirst, 0),
                 "digits are returned: a trit is digit - 1");
  Trits of_signed;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    const int byte = static_cast<std::int8_t>(bytes[i / 5]);
    of_signed.push_back(static_cast<std::int8_t>(byte / kLowestFirst[i % 5] % 3 - 1));
  }
  expect.suspect("N-SIGN", "trits", of_signed, "a byte is signed: it is 0 to 242");
  suspect_wrong_digits(expect, in, right);
}

inline const Unpacking unpacking{{"bytes", "count"}, {"trits"}, suspect_digits};

/// As many trits, packed.
inline Unpacking::Input packed_trits(int count, Seed seed_of) {
  const Trits trits = code_tensor<std::int8_t>(std::size_t(count), seed_of(count), -1, 1);
  return {std::to_string(count) + " trits", {bytes_by(trits, kLowestFirst, 1), count}};
}

}  // namespace nibble::judge::lab_13_binary
