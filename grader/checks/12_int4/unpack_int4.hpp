// Lab 12, unpack_int4: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Unpacking = Exercise<&unpack_int4>;

inline int code_in(int nibble) { return nibble < 8 ? nibble : nibble - 16; }
inline int with_plus_8(int nibble) { return nibble == 8 ? 8 : code_in(nibble); }

/// The codes of count nibbles, the low one of a byte first; `code` says what a nibble stands for.
template <class Code>
Codes unpacked(const Bytes& q4, std::size_t count, const Code& code) {
  if (q4.size() != (count + 1) / 2) throw std::invalid_argument("no such sizes");
  Codes q;
  for (std::size_t i = 0; i < count; ++i) {
    q.push_back(as<std::int8_t>(code(i % 2 == 0 ? q4[i / 2] % 16 : q4[i / 2] / 16)));
  }
  return q;
}

inline void suspect_unpacked(Expect& expect, const Unpacking::Arguments& in, const Codes& right) {
  const auto& [q4, count] = in;
  const auto looks = [&, &q4 = q4, count = count](const char* words, const auto& code) {
    expect.suspect("N-SIGN", "q", unpacked(q4, count, code), words);
  };
  expect.suspect("N-LAYOUT", "q", unpacked(each_of(q4, exchanged), count, code_in), kHighFirst);
  looks(kUnsigned, [](int nibble) { return nibble; });
  looks(kExcess, [](int nibble) { return nibble - 8; });
  looks("as if the nibble 8 were the code 8", with_plus_8);
  looks("as if a nibble were a sign and a magnitude",
        [](int nibble) { return nibble < 8 ? nibble : 8 - nibble; });
  looks("as if a nibble from 8 on were less 15",
        [](int nibble) { return nibble < 8 ? nibble : nibble - 15; });
  Codes low_unsigned = right;
  for (std::size_t i = 0; i < right.size(); i += 2)
    low_unsigned[i] = as<std::int8_t>(right[i] & 15);
  expect.suspect("N-SIGN", "q", low_unsigned, "low nibbles are read without their sign");
  Codes whole = right;
  for (std::size_t i = 0; i < right.size(); i += 2) whole[i] = as<std::int8_t>(q4[i / 2]);
  expect.suspect("N-SIGN", "q", whole,
                 "an even code is its whole byte: shifted as an int, a byte loses no high bits");
  if (count % 2 == 1) {
    expect.suspect("N-TAIL", "q", unpacked(q4, count + 1, code_in));
    expect.suspect("N-TAIL", "q", Codes(right.begin(), right.end() - 1));
    Codes zero = right;
    zero.back() = 0;
    expect.suspect("N-TAIL", "q", zero, "the last code of an odd count is left at 0");
  }
}

inline const Unpacking unpacking{{"q4", "count"}, {"q"}, suspect_unpacked};

inline std::vector<Unpacking::Input> bytes_of_every_count(Seed seed_of, std::size_t longest) {
  std::vector<Unpacking::Input> inputs;
  for (std::size_t count : kCounts) {
    if (count == kCounts.back()) count = longest;
    inputs.push_back(
        {std::to_string(count), {random_bytes((count + 1) / 2, seed_of(count)), count}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_12_int4
