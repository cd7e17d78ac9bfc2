// Lab 16, dequantize_code_book: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>
#include <string_view>

#include "checks/16_cpu_int4_gemv/gemv_int8.hpp"
#include "checks/16_cpu_int4_gemv/int4_products.hpp"
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"
#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

struct Looked {
  std::vector<int> nibbles;  // 0 .. 15
  CodeBook book;
  Reals scales;
  int group_size;
  static constexpr std::array names{"nibbles", "code_book", "scales", "group_size"};
};

inline std::vector<Named<Looked>> smaller(const Named<Looked>& c) {
  std::vector<Named<Looked>> all;
  for (const auto& nibbles : smaller_lists(c.nibbles)) {
    const std::size_t size = std::size_t(c.group_size), groups = (nibbles.size() + size - 1) / size;
    all.push_back(
        {std::to_string(nibbles.size()), {nibbles, c.book, first(c.scales, groups), c.group_size}});
  }
  return all;
}

template <class Entry, class Scale>
Reals looked_up(const Looked& c, const Entry& entry, const Scale& scale) {
  Reals x_hat;
  for (std::size_t i = 0; i < c.nibbles.size(); ++i) {
    x_hat.push_back(c.book[std::size_t(entry(i))] * scale(i / std::size_t(c.group_size)));
  }
  return x_hat;
}

inline Reals looked_up(const Looked& c) {
  return looked_up(
      c, [&](std::size_t i) { return c.nibbles[i]; },
      [&](std::size_t group) { return c.scales[group]; });
}

/// What becomes of an entry that is the right one.
inline void suspect_values(Expect& expect, const Looked& c) {
  const std::size_t size = std::size_t(c.group_size);
  const auto suspect = [&](const char* code, std::string_view words, const auto& value) {
    Reals x_hat;
    for (std::size_t i = 0; i < c.nibbles.size(); ++i) {
      x_hat.push_back(value(i, c.book[std::size_t(c.nibbles[i])]));
    }
    expect.suspect(code, "x_hat", x_hat, words);
  };
  suspect("N-SCALE", "an entry is divided by its scale, and should be multiplied",
          [&](std::size_t i, float entry) { return entry / c.scales[i / size]; });
  suspect("N-SCALE", "scales of the groups before are multiplied, too",
          [&](std::size_t i, float entry) {
            for (std::size_t group = 0; group <= i / size; ++group) entry *= c.scales[group];
            return entry;
          });
  suspect("N-TAIL", "the code in the last half byte is left at 0", [&](std::size_t i, float entry) {
    return i % 2 == 0 && i + 1 == c.nibbles.size() ? 0.0f : entry * c.scales[i / size];
  });
  Looked line = c;
  const float step = (c.book[15] - c.book[0]) / 15.0f;
  for (std::size_t i = 1; i < 15; ++i) line.book[i] = c.book[0] + static_cast<float>(i) * step;
  expect.suspect("N-LAYOUT", "x_hat", looked_up(line),
                 "entries are taken for equally far apart: each is what the book says");
}

inline void suspect_lookups(Expect& expect, const Looked& c) {
  const auto right_entry = [&](std::size_t i) { return c.nibbles[i]; };
  const auto right_scale = [&](std::size_t group) { return c.scales[group]; };
  const auto entry = [&](const char* code, std::string_view words, const auto& wrong) {
    expect.suspect(code, "x_hat", looked_up(c, wrong, right_scale), words);
  };
  entry("N-LAYOUT", "the high nibble of a byte is taken first",
        [&](std::size_t i) { return (i ^ 1) < c.nibbles.size() ? c.nibbles[i ^ 1] : 0; });
  entry("N-SIGN", "a nibble is read as a code with a sign, and is a place in the book",
        [&](std::size_t i) { return c.nibbles[i] ^ 8; });
  entry("N-SIGN", "a nibble from 8 on is taken for 8 less",
        [&](std::size_t i) { return c.nibbles[i] & 7; });
  const auto scale = [&](std::string_view words, const auto& wrong) {
    expect.suspect("N-SCALE", "x_hat", looked_up(c, right_entry, wrong), words);
  };
  scale("what the book has is not scaled", [](std::size_t) { return 1.0f; });
  scale("all groups have the scale of group 0", [&](std::size_t) { return c.scales[0]; });
  suspect_values(expect, c);
}

inline const auto looking_up = isa_exercise<&dequantize_code_book>(
    [](const OnIsa<Named<Looked>>& c) {
      return std::tuple(c.isa, in_nibbles({c.nibbles.begin(), c.nibbles.end()}), c.book, c.scales,
                        out(c.nibbles.size()), c.group_size);
    },
    [](const Looked& c) { return looked_up(c); }, equals("x_hat", suspect_lookups));

/// Squares with a sign: entries that are in no line, and none equal to its number.
inline CodeBook squares() {
  CodeBook book;
  for (int i = 0; i < 16; ++i) book[std::size_t(i)] = float((i - 8) * std::abs(i - 8)) / 64.0f;
  return book;
}

inline Named<Looked> random_book(std::size_t count, int group_size, Seed seed_of) {
  const std::uint64_t salt = count * 4096 + std::uint64_t(group_size);
  const std::size_t groups = (count + std::size_t(group_size) - 1) / std::size_t(group_size);
  Looked c{code_tensor<int>(count, seed_of(salt), 0, 15),
           {},
           uniform_tensor(groups, seed_of(salt + 2), 0.001f, 0.02f),
           group_size};
  std::ranges::copy(normal_tensor(16, seed_of(salt + 1)), c.book.begin());
  return {std::to_string(count) + "/" + std::to_string(group_size), c};
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
