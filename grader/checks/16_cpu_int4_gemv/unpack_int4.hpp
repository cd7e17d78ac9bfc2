// Lab 16, unpack_int4: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>
#include <string_view>

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

/// Where only some codes are wrong: code(i, the right one).
inline void suspect_places(Expect& expect, const Nibbles& c, const Codes& right) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& code_at) {
    std::vector<int> codes;
    for (std::size_t i = 0; i < c.count; ++i) codes.push_back(code_at(i, int(right[i])));
    expect.suspect(code, "q", codes, words);
  };
  suspect("N-LAYOUT", "low nibbles are the first half of q, and high ones the second",
          [&](std::size_t i, int) {
            const std::size_t bytes = c.q4.size();
            const int nibble = c.q4[i % bytes] >> (i < bytes ? 0 : 4) & 15;
            return (nibble ^ 8) - 8;
          });
  suspect("N-SIGN", "low nibbles from 8 on are read as numbers above 0",
          [](std::size_t i, int code) { return i % 2 == 0 ? code & 15 : code; });
  suspect("N-SIGN", "high nibbles from 8 on are read as numbers above 0",
          [](std::size_t i, int code) { return i % 2 == 0 ? code : code & 15; });
  suspect("N-SIGN", "-8 is taken for -7", [](std::size_t, int code) { return std::max(code, -7); });
  suspect("N-TAIL", "the code in the last half byte is left at 0",
          [&](std::size_t i, int code) { return i % 2 == 0 && i + 1 == c.count ? 0 : code; });
  suspect("N-LAYOUT", "all codes are 0", [](std::size_t, int) { return 0; });
}

inline const auto unpacking = kernel_exercise<&unpack_int4>(
    [](const Named<Nibbles>& c) { return std::tuple(c.q4, out(c.count)); },
    [](const Nibbles& c) { return codes_of(c, [](int own, int) { return (own ^ 8) - 8; }); },
    [](Expect& expect, const Named<Nibbles>& c, const Codes& got, const Codes& right) {
      expect_written<&unpack_int4>(expect, "q", got, right, std::tuple(c.q4, out(c.count)));
      if (expect.asks_for_suspects(got, right)) {
        suspect_nibbles(expect, c);
        suspect_places(expect, c, right);
      }
      expect.equal("q", got, right);
    });

inline std::vector<Named<Nibbles>> random_nibbles(const std::vector<std::size_t>& counts,
                                                  Seed seed_of) {
  return each_of(counts, [&](std::size_t count) -> Named<Nibbles> {
    return {std::to_string(count),
            {code_tensor<std::uint8_t>((count + 1) / 2, seed_of(count), 0, 255), count}};
  });
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
