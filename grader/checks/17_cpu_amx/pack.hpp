// Lab 17: pack_a and pack_b.
#pragma once

#include "cpu_amx.hpp"

#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// The contract's formulas, and 0 everywhere else: at(x, p) is where code p of row x goes in a
/// tile.
template <class Place>
Codes packed_by(const CodeRows& c, const Place& at) {
  const std::size_t k = c.k, steps = (k + 63) / 64;
  Codes packed(std::size_t(c.rows + 31) / 32 * 32 * steps * 64);
  for (std::size_t x = 0; x < std::size_t(c.rows); ++x) {
    for (std::size_t p = 0; p < k; ++p) {
      packed[(x / 16 * steps + p / 64) * 1024 + at(x, p)] = c.codes[x * k + p];
    }
  }
  return packed;
}

inline Codes a_by_definition(const CodeRows& c) {
  return packed_by(c, [](auto i, auto p) { return i % 16 * 64 + p % 64; });
}

inline Codes b_by_definition(const CodeRows& c) {
  return packed_by(c, [](auto j, auto p) { return p % 64 / 4 * 64 + j % 16 * 4 + p % 4; });
}

inline void suspect_packings(Expect& expect, const CodeRows& c) {
  CodeRows wrong = c;
  for (std::int8_t& code : wrong.codes) code = static_cast<std::int8_t>(code ^ -128);
  expect.suspect("N-SIGN", "packed", b_by_definition(wrong),
                 "128 is added to a code, as for vpdpbusd: tiles multiply signs, too");
  const std::size_t rows = c.rows, k = c.k;
  for (std::size_t at = 0; at < rows * k; ++at) wrong.codes[at] = c.codes[at % k * rows + at / k];
  expect.suspect("N-TRANS", "packed", b_by_definition(wrong), "b_t [n,k] is read as b [k,n]");
  constexpr const char* kPlaces = "four codes along k are neighbours, then come the columns";
  expect.suspect("N-LAYOUT", "packed", a_by_definition(c), kPlaces);
  expect.suspect("N-LAYOUT", "packed",
                 packed_by(c, [](auto j, auto p) { return p % 64 * 16 + j % 16; }), kPlaces);
}

// Neither looks at the third size.
template <int kN>
auto packing_a_beside() {
  return kernel_exercise<&pack_a>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{c.rows, kN, c.k};
        return std::tuple(c.codes, out(packed_a_size(shape)), shape);
      },
      a_by_definition, equals("packed", [](Expect& expect, const CodeRows& c) {
        expect.suspect("N-LAYOUT", "packed", b_by_definition(c),
                       "a is packed as b is: its rows stay rows of 64 codes");
        expect.suspect("N-TRANS", "packed",
                       packed_by(c, [](auto i, auto p) { return p % 64 * 16 + i % 16; }),
                       "a tile of a is packed by columns");
      }));
}
inline const auto packing_a = packing_a_beside<7>();

template <int kM>
auto packing_b_beside() {
  return kernel_exercise<&pack_b>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{kM, c.rows, c.k};
        return std::tuple(c.codes, out(packed_b_size(shape)), shape);
      },
      b_by_definition, equals("packed", suspect_packings));
}
inline const auto packing_b = packing_b_beside<7>();

}  // namespace nibble::judge::lab_17_cpu_amx
