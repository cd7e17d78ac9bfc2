// Lab 13, pack_ternary: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using PackingTrits = Exercise<&pack_ternary>;

/// Bytes of five digits, worth `places`; `pad` is the digit behind the last trit.
inline Bytes bytes_by(const Trits& trits, const std::array<int, 5>& places, int pad) {
  Bytes bytes;
  for (std::size_t first = 0; first < trits.size(); first += 5) {
    int byte = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      const int digit = first + t < trits.size() ? trits[first + t] + 1 : pad;
      belong_together(0 <= digit && digit <= 2);
      byte += digit * places[t];
    }
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

inline constexpr std::array<int, 5> kLowestFirst{1, 3, 9, 27, 81}, kHighestFirst{81, 27, 9, 3, 1};

inline void suspect_bytes(Expect& expect, const PackingTrits::Arguments& in, const Bytes& right) {
  const Trits& trits = in.a;
  Bytes fractions;
  for (const int byte : right)
    fractions.push_back(static_cast<std::uint8_t>((byte * 256 + 242) / 243));
  expect.suspect("N-LAYOUT", "bytes", bytes_by(trits, kHighestFirst, 1),
                 "as if the first trit were the highest digit");
  expect.suspect("N-TAIL", "bytes", bytes_by(trits, kLowestFirst, 0),
                 "as if a missing trit were the digit 0");
  expect.suspect("N-TAIL", "bytes", bytes_by(trits, kHighestFirst, 0),
                 "as if the first trit were the highest digit, and a missing one the digit 0");
  expect.suspect("N-FORMULA", "bytes", fractions,
                 "as if a byte were a fraction of 256: it is the number of its digits");
  expect.suspect("N-FORMULA", "bytes", bytes_by(trits, {1, 4, 16, 64, 256}, 1),
                 "as if a trit had two bits");
  expect.suspect("N-TAIL", "bytes", bytes_by(trits, kLowestFirst, 2),
                 "as if a missing trit were 1: it is 0");
  Bytes without_one;
  for (std::size_t first = 0; first < trits.size(); first += 5) {
    int byte = 0;
    for (std::size_t t = first; t < std::min(first + 5, trits.size()); ++t) {
      byte += trits[t] * kLowestFirst[t - first];
    }
    without_one.push_back(static_cast<std::uint8_t>(byte));
  }
  for (const int pads : {0, 1}) {  // a missing trit is 0 here, or the digit 1
    if (pads == 1 && trits.size() % 5 > 0) {
      for (std::size_t t = trits.size() % 5; t < 5; ++t) without_one.back() += kLowestFirst[t];
    }
    expect.suspect("N-FORMULA", "bytes", without_one,
                   "trits are taken for digits: a digit is trit + 1");
  }
  const auto digits = [&](const char* words, const auto& digit_of) {
    Trits as_digits;  // less 1, which bytes_by adds
    for (const int trit : trits) as_digits.push_back(static_cast<std::int8_t>(digit_of(trit) - 1));
    expect.suspect("N-FORMULA", "bytes", bytes_by(as_digits, kLowestFirst, digit_of(0)), words);
  };
  digits("as if -1 were the digit 2, and 0 and 1 themselves",
         [](int trit) { return trit < 0 ? 2 : trit; });
  digits("as if a digit were 1 - trit", [](int trit) { return 1 - trit; });
}

inline const PackingTrits packing_trits{{"trits"}, {"bytes"}, suspect_bytes};

}  // namespace nibble::judge::lab_13_binary
