// Lab 17: how codes lie in tiles.
#pragma once

#include "cpu_amx.hpp"

#include "judge/code_rows.hpp"
#include "judge/product.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// How many bytes packed codes take, with what pads them.
inline std::size_t packed_size(const CodeRows& c) {
  return packed_a_size({.m = c.rows, .n = 0, .k = c.k});
}

/// A formula, and 0 everywhere else: code p of row x goes to place(x, p).
template <class Place>
Codes packed_to(const CodeRows& c, const Place& place) {
  const std::size_t k = c.k;
  Codes packed(packed_size(c));
  for (std::size_t x = 0; x < std::size_t(c.rows); ++x) {
    for (std::size_t p = 0; p < k; ++p) packed[place(x, p)] = c.codes[x * k + p];
  }
  return packed;
}

/// Tiles as they should lie, where at(x, p) is a code's place in a tile. A mistake may have another
/// order of tiles: tile(x, p).
template <class At, class Tile>
Codes packed_by(const CodeRows& c, const At& at, const Tile& tile) {
  return packed_to(c, [&](auto x, auto p) { return tile(x, p) * 1024 + at(x, p); });
}
template <class At>
Codes packed_by(const CodeRows& c, const At& at) {
  const std::size_t steps = (std::size_t(c.k) + 63) / 64;
  return packed_by(c, at, [=](auto x, auto p) { return x / 16 * steps + p / 64; });
}

inline constexpr auto kPlaceOfA = [](auto i, auto p) { return i % 16 * 64 + p % 64; };
inline constexpr auto kPlaceOfB = [](auto j, auto p) {
  return p % 64 / 4 * 64 + j % 16 * 4 + p % 4;
};

inline Codes a_by_definition(const CodeRows& c) { return packed_by(c, kPlaceOfA); }
inline Codes b_by_definition(const CodeRows& c) { return packed_by(c, kPlaceOfB); }

}  // namespace nibble::judge::lab_17_cpu_amx
