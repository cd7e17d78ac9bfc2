// Lab 12, pack_int4: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Packing = Exercise<&pack_int4>;

/// What the drawing says; `pad` is the code beside the last of an odd number.
inline Bytes packed(const Codes& q, int pad = 0) {
  Bytes q4;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    const int high = i + 1 < q.size() ? q[i + 1] : pad;
    q4.push_back(as<std::uint8_t>((q[i] + 16) % 16 + (high + 16) % 16 * 16));
  }
  return q4;
}

inline void suspect_packed(Expect& expect, const Packing::Arguments& in, const Bytes& right) {
  const auto& [q] = in;
  Bytes unmasked, added;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    const int high = i + 1 < q.size() ? q[i + 1] : 0;
    unmasked.push_back(as<std::uint8_t>(q[i] | high * 16));
    added.push_back(as<std::uint8_t>(q[i] + high * 16));
  }
  expect.suspect("N-LAYOUT", "q4", each_of(right, exchanged), kHighFirst);
  expect.suspect("N-SIGN", "q4", unmasked, "as if the low code were not masked");
  expect.suspect("N-SIGN", "q4", added, "as if the low code were not masked");
  expect.suspect("N-SIGN", "q4", each_of(right, [](int byte) { return byte ^ 0x88; }), kExcess);
  expect.suspect(
      "N-SIGN", "q4",
      packed(each_of(q, [](int code) { return as<std::int8_t>(code < 0 ? -8 - code : code); })),
      "as if a nibble were a sign and a magnitude");
  expect.suspect("N-SIGN", "q4",
                 packed(each_of(q, [](int code) { return as<std::int8_t>(std::abs(code)); })),
                 "the sign of a code is left out");
  for (const int pad : {-8, -1}) {
    expect.suspect("N-TAIL", "q4", packed(q, pad), "as if the last high nibble were not 0");
  }
  if (q.size() % 2 == 1) {
    expect.suspect("N-TAIL", "q4", packed(q, q.back()), "as if the last code were there twice");
    expect.suspect("N-TAIL", "q4", packed({q.begin(), q.end() - 1}),
                   "as if the last code were left out");
  }
  Codes halves;  // the first half of q beside the second
  const std::size_t half = (q.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    halves.push_back(q[i]);
    if (half + i < q.size()) halves.push_back(q[half + i]);
  }
  expect.suspect("N-LAYOUT", "q4", packed(halves), "as if a byte held q[b] and q[b + count / 2]");
}

inline const Packing packing{{"q"}, {"q4"}, suspect_packed};

inline std::vector<Packing::Input> codes_of_every_count(Seed seed_of, std::size_t longest) {
  std::vector<Packing::Input> inputs;
  for (std::size_t count : kCounts) {
    if (count == kCounts.back()) count = longest;
    inputs.push_back(
        {std::to_string(count), {code_tensor<std::int8_t>(count, seed_of(count), -8, 7)}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_12_int4
