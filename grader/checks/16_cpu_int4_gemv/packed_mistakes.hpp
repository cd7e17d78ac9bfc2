// Lab 16: packed weights as mistakes lay them out.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string_view>

#include "checks/16_cpu_int4_gemv/pack_int4.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

/// `packed`, where byte `at` of line `line` of a group comes from byte from(line, at) of that
/// group; line 0 has the scales.
template <class From>
Bytes moved_in_groups(const Weights& c, const Bytes& packed, const From& from) {
  Bytes moved(packed.size());
  const std::size_t size = 64 + 8 * std::size_t(c.shape.group_size);
  for (std::size_t at = 0; at < packed.size(); ++at) {
    moved[at] = packed[at / size * size + from(at % size / 64, at % 64)];
  }
  return moved;
}

/// The first groups of all panels, then the second ones.
inline Bytes groups_before_panels(const Weights& c, const Bytes& packed) {
  Bytes moved(packed.size());
  const std::size_t size = 64 + 8 * std::size_t(c.shape.group_size), groups = c.groups();
  const std::size_t panels = groups == 0 ? 0 : packed.size() / size / groups;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    const std::size_t group = at / size / panels, panel = at / size % panels;
    moved[at] = packed[(panel * groups + group) * size + at % size];
  }
  return moved;
}

/// suspect(words, packed) for each usual mistake about the places of bytes.
template <class Suspect>
void each_wrong_place(const Weights& c, const Bytes& packed, const Suspect& suspect) {
  const auto moves = [&](std::string_view words, const auto& from) {
    suspect(words, moved_in_groups(c, packed, from));
  };
  moves("the 16 rows lie byte by byte: they have four bytes each",
        [](std::size_t line, std::size_t at) {
          return 64 * line + (line == 0 ? at : at % 16 * 4 + at / 16);
        });
  moves("the four bytes of a row are in the opposite order",
        [](std::size_t line, std::size_t at) { return 64 * line + (line == 0 ? at : at ^ 3); });
  const std::size_t lines = 1 + std::size_t(c.shape.group_size) / 8;
  moves("the scales of a group lie behind its codes: they lead",
        [=](std::size_t line, std::size_t at) { return 64 * ((line + 1) % lines) + at; });
  suspect("the first groups of all panels come first: a panel holds all of its groups",
          groups_before_panels(c, packed));
}

/// Wrong packings that nibbles, and codes of missing rows, tell.
inline void suspect_codes(Expect& expect, const Named<Weights>& c, const Bytes& right) {
  const int n = c.shape.n;
  const auto suspect = [&](const char* code, std::string_view words, const Bytes& packed) {
    expect.suspect(code, "nibbles", parts_of(c, packed, 0, n).nibbles, words);
  };
  each_wrong_place(c, right, [&](std::string_view words, const Bytes& packed) {
    suspect("N-LAYOUT", words, packed);
  });
  const auto codes = [&](const char* code, std::string_view words, const auto& change) {
    Weights wrong = c;
    for (std::size_t at = 0; at < wrong.w.size(); ++at) wrong.w[at] = change(at);
    suspect(code, words, packed_by_definition(wrong));
  };
  codes("N-LAYOUT", "a byte holds the codes p and p + 1: it holds p and p + 4",
        [&](std::size_t at) {  // k is a multiple of 32
          const std::size_t p = at % 8;
          return c.w[at / 8 * 8 + p % 4 * 2 + p / 4];
        });
  codes("N-SIGN", "-8 is taken for -7",
        [&](std::size_t at) { return std::max(c.w[at], std::int8_t{-7}); });
  codes("N-SIGN", "8 is added to a whole byte: the low nibble's carry reaches the high one",
        [&](std::size_t at) {
          const bool is_carried = at % 8 >= 4 && c.w[at - 4] < 0;
          return c.w[at] == 7 && is_carried ? std::int8_t{-8} : std::int8_t(c.w[at] + is_carried);
        });
  codes("N-LAYOUT", "all nibbles are that of the code 0",
        [](std::size_t) { return std::int8_t{0}; });
}

inline void suspect_scales(Expect& expect, const Named<Weights>& c, const Bytes& right) {
  const int n = c.shape.n;
  each_wrong_place(c, right, [&](std::string_view words, const Bytes& packed) {
    expect.suspect("N-LAYOUT", "scales", parts_of(c, packed, 0, n).scales, words);
  });
  const std::size_t groups = c.groups();
  const auto suspect = [&](std::string_view words, const auto& scale) {
    Reals scales(c.scales.size());
    for (std::size_t at = 0; at < scales.size(); ++at) scales[at] = scale(at / groups, at % groups);
    expect.suspect("N-SCALE", "scales", scales, words);
  };
  const auto own = [&](std::size_t row, std::size_t group) {
    return c.scales[row * groups + group];
  };
  suspect(
      "scales are read as [k/group_size, n]: they are [n, k/group_size]",
      [&](std::size_t row, std::size_t group) { return c.scales[group * std::size_t(n) + row]; });
  suspect("a row has one scale for all of its groups",
          [&](std::size_t row, std::size_t) { return own(row, 0); });
  suspect("1 / scale is packed, and should be the scale",
          [&](std::size_t row, std::size_t group) { return 1 / own(row, group); });
  suspect("the four bytes of a scale are in the opposite order",
          [&](std::size_t row, std::size_t group) {
            const auto bits = std::bit_cast<std::uint32_t>(own(row, group));
            return std::bit_cast<float>(__builtin_bswap32(bits));
          });
}

inline void look_at_codes(Expect& expect, const Named<Weights>& c, const Bytes& got,
                          const Bytes& right) {
  const int n = c.shape.n;
  const std::vector<int> want = parts_of(c, right, 0, n).nibbles;
  std::vector<int> as_they_are;  // two's complement
  for (const int nibble : want) as_they_are.push_back(nibble ^ 8);
  suspect_codes(expect, c, right);
  expect.suspect("N-SIGN", "nibbles", as_they_are, "8 is not added to a code");
  expect.suspect("N-LAYOUT", "nibbles", nibbles_exchanged(c, 1),
                 "the two nibbles of a byte are exchanged");
  expect.suspect("N-LAYOUT", "nibbles", nibbles_exchanged(c, 4),
                 "codes of the first and the second four are exchanged");
  expect.equal("nibbles", parts_of(c, got, 0, n).nibbles, want,
               {std::size_t(n), std::size_t(c.shape.k)});
}

inline const auto packed_codes = packing(look_at_codes);

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
