// Lab 17: what people write instead of pack_a and pack_b.
#pragma once

#include "checks/17_cpu_amx/packed_codes.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// The rows of c as if `from` said which code is read for code p of row x: a place, or none.
template <class From>
CodeRows read_as(const CodeRows& c, const From& from) {
  CodeRows wrong = c;
  const std::size_t k = c.k;
  for (std::size_t at = 0; at < wrong.codes.size(); ++at) {
    const std::size_t source = from(at / k, at % k);
    wrong.codes[at] = source < c.codes.size() ? c.codes[source] : std::int8_t{0};
  }
  return wrong;
}

/// Mistakes about padding and about the end of a row, in either packing.
template <class At>
void suspect_ends(Expect& expect, const CodeRows& c, const At& at) {
  const auto suspect = [&](const char* code, const char* words, const Codes& packed) {
    expect.suspect(code, "packed", packed, words);
  };
  const std::size_t k = c.k, whole = k / 64 * 64;
  const auto cut_at = [&](const char* words, std::size_t end) {
    suspect("N-TAIL", words,
            packed_by(
                read_as(c, [=](auto x, auto p) { return p < end ? x * k + p : std::string::npos; }),
                at));
  };
  suspect("N-LAYOUT", "packed holds nothing but zeros", Codes(packed_size(c)));
  cut_at("codes behind the last whole quad are left out", k / 4 * 4);
  cut_at("codes behind the last whole step are left out, where there is one",
         whole == 0 ? k : whole);
  cut_at("only whole steps are packed: codes behind them are, too", whole);
  const CodeRows ones{c.rows, c.k, Codes(c.codes.size(), 1)};
  const Codes right = packed_by(c, at), is_code = packed_by(ones, at);
  const auto padded_with = [&](const char* words, int padding) {
    Codes packed = right;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      if (is_code[i] == 0) packed[i] = static_cast<std::int8_t>(padding);
    }
    suspect("N-TAIL", words, packed);
  };
  padded_with("padding is -128: it is 0", -128);
  padded_with("padding is 1: it is 0", 1);
}

/// Tiles in another order.
template <class At>
void suspect_order(Expect& expect, const CodeRows& c, const At& at, const char* steps_first,
                   const char* pairs_in_steps) {
  const std::size_t steps = (std::size_t(c.k) + 63) / 64,
                    blocks = (std::size_t(c.rows) + 31) / 32 * 2;
  expect.suspect("N-LAYOUT", "packed",
                 packed_by(c, at, [=](auto x, auto p) { return p / 64 * blocks + x / 16; }),
                 steps_first);
  expect.suspect(
      "N-LAYOUT", "packed",
      packed_by(c, at,
                [=](auto x, auto p) { return x / 32 * 2 * steps + p / 64 * 2 + x / 16 % 2; }),
      pairs_in_steps);
}

inline void suspect_packed_a(Expect& expect, const CodeRows& c) {
  const std::size_t rows = c.rows, k = c.k;
  const auto suspect = [&](const char* code, const char* words, const Codes& packed) {
    expect.suspect(code, "packed", packed, words);
  };
  suspect("N-LAYOUT", "a is packed as b is: its rows stay rows of 64 codes", b_by_definition(c));
  suspect("N-TRANS", "a tile of a is packed by columns",
          packed_by(c, [](auto i, auto p) { return p % 64 * 16 + i % 16; }));
  Codes copied = c.codes;
  copied.resize(packed_size(c));
  suspect("N-LAYOUT", "codes stay in the order of a: its rows are cut into steps of 64", copied);
  suspect("N-LAYOUT", "a is read by columns: k codes of a row are neighbours",
          a_by_definition(read_as(c, [=](auto i, auto p) { return p * rows + i; })));
  suspect_order(expect, c, kPlaceOfA,
                "all rows of a step come before the next step: all steps of 16 rows do",
                "steps of 32 rows come one by one: all steps of 16 rows come first");
  // Whole steps are read once more: behind the last code, too.
  const std::size_t whole = (k + 63) / 64 * 64;
  CodeRows again{c.rows, int(whole), Codes(rows * whole)};
  for (std::size_t at = 0; at < again.codes.size(); ++at) {
    const std::size_t p = at % whole % 384;
    if (p < k) again.codes[at] = c.codes[at / whole * k + p];
  }
  suspect("N-LAYOUT", "code 384 of a row is its first once more", a_by_definition(again));
  suspect_ends(expect, c, kPlaceOfA);
}

/// As if a quad were one number, put together with | of codes that have been widened: the sign of
/// one is in all bits above it.
inline Codes signs_reach_up(Codes packed) {
  for (std::size_t at = 1; at < packed.size(); ++at) {
    if (at % 4 > 0 && packed[at - 1] < 0) packed[at] = -1;
  }
  return packed;
}

inline void suspect_packed_b(Expect& expect, const CodeRows& c) {
  const std::size_t rows = c.rows, steps = (std::size_t(c.k) + 63) / 64;
  const auto suspect = [&](const char* code, const char* words, const Codes& packed) {
    expect.suspect(code, "packed", packed, words);
  };
  CodeRows wrong = c;
  for (std::int8_t& code : wrong.codes) code = static_cast<std::int8_t>(code ^ -128);
  suspect("N-SIGN", "128 is added to a code, as for vpdpbusd: tiles multiply signs, too",
          b_by_definition(wrong));
  suspect("N-SIGN", "the sign of a code reaches the codes above it in its quad",
          signs_reach_up(b_by_definition(c)));
  suspect("N-TRANS", "b_t [n,k] is read as b [k,n]",
          b_by_definition(read_as(c, [=](auto j, auto p) { return p * rows + j; })));
  constexpr const char* kPlaces = "four codes along k are neighbours, then come the columns";
  suspect("N-LAYOUT", kPlaces, a_by_definition(c));
  suspect("N-LAYOUT", kPlaces, packed_by(c, [](auto j, auto p) { return p % 64 * 16 + j % 16; }));
  suspect("N-LAYOUT", "the four codes of a quad stand the wrong way round",
          packed_by(c, [](auto j, auto p) { return p % 64 / 4 * 64 + j % 16 * 4 + 3 - p % 4; }));
  suspect_order(expect, c, kPlaceOfB,
                "all columns of a step come before the next step: all steps of 16 columns do",
                "steps of 32 columns come one by one: all steps of 16 columns come first");
  suspect("N-LAYOUT", "codes behind the sixth step go where the first ones belong",
          packed_by(c, kPlaceOfB, [=](auto j, auto p) { return j / 16 * steps + p / 64 % 6; }));
  suspect_ends(expect, c, kPlaceOfB);
}

}  // namespace nibble::judge::lab_17_cpu_amx
