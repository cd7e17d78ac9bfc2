// Lab 15, pack_b: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include <string_view>

#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_15_cpu_simd {

/// Rows of b_t: columns of b.
using Packable = OnIsa<Named<CodeRows>>;

struct Packed {
  Sums sums;
  Codes panels;
};

/// Turns packed bytes into sums and panels.
inline Packed parts_of(const Codes& packed, const Packable& c) {
  Packed parts{Sums(rounded_up(c.rows, panel_width(c.isa))), {}};
  std::memcpy(parts.sums.data(), packed.data(), 4 * parts.sums.size());
  parts.panels.assign(packed.begin() + std::ptrdiff_t(4 * parts.sums.size()), packed.end());
  return parts;
}

/// Sums and panels as another layout would have them: place(j, p) inside the panels.
template <class Place>
Packed packed_at(const Packable& c, const Place& place) {
  const auto& [n, k, b_t] = static_cast<const CodeRows&>(c);
  const std::size_t wide = rounded_up(n, panel_width(c.isa)), long_k = rounded_up(k, 4);
  Packed parts{Sums(wide), Codes(wide * long_k)};
  for (std::size_t j = 0; j < std::size_t(n); ++j) {
    for (std::size_t p = 0; p < std::size_t(k); ++p) {
      parts.sums[j] += b_t[j * k + p];
      parts.panels[place(j, p)] = b_t[j * k + p];
    }
  }
  return parts;
}

/// The contract's formula.
inline Packed parts_by_definition(const Packable& c) {
  const std::size_t w = panel_width(c.isa), long_k = rounded_up(c.k, 4);
  return packed_at(c, [=](std::size_t j, std::size_t p) {
    return j / w * (w * long_k) + p / 4 * (4 * w) + j % w * 4 + p % 4;
  });
}

inline Codes packed_by_definition(const Packable& c) {
  const auto [sums, panels] = parts_by_definition(c);
  Codes bytes(4 * sums.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), sums.data(), bytes.size());
  bytes.insert(bytes.end(), panels.begin(), panels.end());
  return bytes;
}

/// The codes from p = `from` on are 0.
inline Packable without_tail(Packable c, int from) {
  for (std::size_t at = 0; at < c.codes.size(); ++at) {
    if (int(at) % c.k >= from) c.codes[at] = 0;
  }
  return c;
}

inline void look_at_panels(Expect& expect, const Packable& c, const Codes& got,
                           const Codes& right) {
  const std::size_t w = panel_width(c.isa), n = c.rows, k = c.k;
  const std::size_t long_k = rounded_up(c.k, 4), wide = rounded_up(c.rows, int(w));
  const auto layout = [&](std::string_view words, const auto& place) {
    expect.suspect("N-LAYOUT", "panels", packed_at(c, place).panels, words);
  };
  layout("columns lie one behind the other, and not in panels",
         [=](auto j, auto p) { return j * long_k + p; });
  layout("a row of quads goes over all columns, and not over those of a panel",
         [=](auto j, auto p) { return p / 4 * (4 * wide) + j * 4 + p % 4; });
  constexpr const char* kSideBySide =
      "codes of one p lie side by side: the four of a quad, along k, should";
  layout(kSideBySide, [=](auto j, auto p) { return j / w * (w * long_k) + p * w + j % w; });
  layout(kSideBySide, [=](auto j, auto p) { return p * wide + j; });
  expect.suspect("N-LAYOUT", "panels", Codes(wide * long_k), "panels hold nothing but zeros");
  for (const bool fills_columns : {false, true}) {
    Codes padded(wide * long_k, 1);
    const Codes panels = parts_of(right, c).panels;
    for (std::size_t at = 0; at < padded.size(); ++at) {
      const std::size_t j = at / (w * long_k) * w + at / 4 % w;
      const std::size_t p = at % (w * long_k) / (4 * w) * 4 + at % 4;
      if ((j < n && p < k) || (j >= n && !fills_columns)) padded[at] = panels[at];
    }
    expect.suspect("N-TAIL", "panels", padded, "what is beyond n or beyond k is not 0");
  }
  if (n * k > 4) {  // b_t read as [k,n]
    Packable crossed = c;
    for (std::size_t at = 0; at < n * k; ++at) crossed.codes[at] = c.codes[at % k * n + at / k];
    expect.suspect("N-TRANS", "panels", parts_by_definition(crossed).panels,
                   "b_t [n,k] is read as b [k,n]");
  }
  const auto cut = without_tail(c, c.k / 4 * 4);
  expect.suspect("N-TAIL", "panels", parts_by_definition(cut).panels,
                 "the last quad of a column is left at 0");
  expect.equal("panels", parts_of(got, c).panels, parts_of(right, c).panels,
               {k == 0 ? 0 : wide / w, long_k / 4, w, 4});
}

inline void look_at_sums(Expect& expect, const Packable& c, const Codes& got, const Codes& right) {
  const Sums want = parts_of(right, c).sums;
  const auto suspect = [&](const char* code, std::string_view words, const auto& wrong) {
    std::vector<std::int64_t> sums;
    for (const std::int32_t sum : want) sums.push_back(wrong(sum));
    expect.suspect(code, "sums", sums, words);
  };
  suspect("N-SIGN", "sums are left at 0: they are there for every isa",
          [](std::int32_t) { return 0; });
  constexpr const char* kTimes128 = "sums are those of the codes, and not 128 times that";
  suspect("N-SIGN", kTimes128, [](std::int64_t sum) { return -128 * sum; });
  suspect("N-SIGN", kTimes128, [](std::int64_t sum) { return 128 * sum; });
  Sums of_bytes(want.size());
  for (std::size_t at = 0; at < c.codes.size(); ++at) {
    of_bytes[at / std::size_t(c.k)] += static_cast<std::uint8_t>(c.codes[at]);
  }
  expect.suspect("N-SIGN", "sums", of_bytes, "codes below 0 are read as 256 more");
  suspect("N-OVERFLOW", "the sum is kept in 16 bits",
          [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
  suspect("N-OVERFLOW", "the sum is kept in 8 bits",
          [](std::int32_t sum) { return static_cast<std::int8_t>(sum); });
  suspect("N-LAYOUT", "the bytes of a sum are in the other order",
          [](std::int32_t sum) -> std::int32_t { return __builtin_bswap32(sum); });
  const auto cut = without_tail(c, c.k / 4 * 4);
  expect.suspect("N-TAIL", "sums", parts_by_definition(cut).sums,
                 "the last codes of a column are not added");
  expect.equal("sums", parts_of(got, c).sums, want);
}

inline auto packing(void (*look)(Expect&, const Packable&, const Codes& got, const Codes& right)) {
  return isa_exercise<&pack_b>(
      [](const Packable& c) {
        const MatmulShape shape{0, c.rows, c.k};  // there need not be an a
        return std::tuple(c.isa, c.codes, out(packed_size(c.isa, shape)), shape);
      },
      packed_by_definition, look);
}
inline const auto panels = packing(look_at_panels), column_sums = packing(look_at_sums);

}  // namespace nibble::judge::lab_15_cpu_simd
