// Lab 16, unpack_int4: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>

#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

/// Codes in nibbles. Half of the last byte may mean nothing.
struct Nibbles {
  Bytes q4;
  std::size_t count;
  static constexpr std::array names{"q4", "count"};
};

inline std::vector<Named<Nibbles>> smaller(const Named<Nibbles>& c) {
  std::vector<Named<Nibbles>> all;
  for (const std::size_t count : {c.count / 2, c.count - 1}) {
    if (count > 0 && count < c.count) {
      all.push_back({std::to_string(count), {first(c.q4, (count + 1) / 2), count}});
    }
  }
  return all;
}

/// code(nibble, the other nibble of its byte) of every code.
template <class Code>
Codes codes_of(const Nibbles& c, const Code& code) {
  Codes q;
  for (std::size_t i = 0; i < c.count; ++i) {
    const int low = c.q4[i / 2] & 15, high = c.q4[i / 2] >> 4;
    q.push_back(static_cast<std::int8_t>(i % 2 == 0 ? code(low, high) : code(high, low)));
  }
  return q;
}

inline void suspect_nibbles(Expect& expect, const Nibbles& c) {
  expect.suspect("N-LAYOUT", "q", codes_of(c, [](int, int other) { return (other ^ 8) - 8; }),
                 "the high nibble of a byte is taken first");
  expect.suspect("N-SIGN", "q", codes_of(c, [](int own, int) { return own; }),
                 "a nibble from 8 on is read as a number above 0");
  expect.suspect("N-SIGN", "q", codes_of(c, [](int own, int) { return own - 8; }),
                 "8 is taken off a nibble, which is in two's complement");
}

inline const auto unpacking = kernel_exercise<&unpack_int4>(
    [](const Named<Nibbles>& c) { return std::tuple(c.q4, out(c.count)); },
    [](const Nibbles& c) { return codes_of(c, [](int own, int) { return (own ^ 8) - 8; }); },
    equals("q", suspect_nibbles));

inline std::vector<Named<Nibbles>> random_nibbles(const std::vector<std::size_t>& counts,
                                                  Seed seed_of) {
  return each_of(counts, [&](std::size_t count) -> Named<Nibbles> {
    return {std::to_string(count),
            {code_tensor<std::uint8_t>((count + 1) / 2, seed_of(count), 0, 255), count}};
  });
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
