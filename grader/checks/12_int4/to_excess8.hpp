// Lab 12, to_excess8: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/unpack_int4.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Excess = Exercise<&to_excess8>;

inline void suspect_excess(Expect& expect, const Excess::Arguments& in, const Bytes& right) {
  const auto& [q4] = in;
  expect.suspect("N-OVERFLOW", "u4",
                 each_of(q4, [](int byte) { return as<std::uint8_t>(byte + 0x88); }),
                 "as if 0x88 were added to the byte");
  const auto carries = [](int byte) {
    return as<std::uint8_t>((byte % 16 + 8) | ((byte / 16 + 8) % 16 * 16));
  };
  expect.suspect("N-OVERFLOW", "u4", each_of(q4, carries),
                 "as if the low nibble's sum kept its fifth bit, which is the high nibble's first");
  expect.suspect("N-LAYOUT", "u4", each_of(right, exchanged), "as if the nibbles changed places");
  expect.suspect("N-FORMULA", "u4",
                 each_of(q4, [](int byte) { return byte == 0 ? 0 : byte ^ 0x88; }),
                 "a byte of 0 stays 0: its codes of 0 become 8");
  Bytes last_stays = right;
  if (!q4.empty() && q4.back() < 16) last_stays.back() &= 15;
  expect.suspect("N-FORMULA", "u4", last_stays, "a last high nibble of 0 stays 0: it becomes 8");
  const auto flips = [&, &q4 = q4](int bits, const char* words) {
    expect.suspect("N-SIGN", "u4", each_of(q4, [=](int byte) { return byte ^ bits; }), words);
  };
  flips(0x00, "as if nothing were changed");
  flips(0x08, "as if the low nibble alone were changed");
  flips(0x80, "as if the high nibble alone were changed");
  flips(0xff, "as if all bits were turned");
  expect.suspect("N-SIGN", "u4", each_of(q4, [](int byte) {
                   return (8 - code_in(byte % 16)) % 16 + (8 - code_in(byte / 16)) % 16 * 16;
                 }));
}

inline const Excess excess{{"q4"}, {"u4"}, suspect_excess};

}  // namespace nibble::judge::lab_12_int4
