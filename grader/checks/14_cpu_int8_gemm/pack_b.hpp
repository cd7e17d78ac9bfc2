// Lab 14, pack_b: what is right, and what people write instead.
#pragma once

#include "cpu_int8_gemm.hpp"

#include <string_view>

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

/// There need not be an a.
inline MatmulShape shape_of(const CodeRows& c) { return {0, c.rows, c.k}; }

/// What is written where no code belongs, and what is not where one does: code(j, p), of padding
/// too.
inline void suspect_padding(Expect& expect, const CodeRows& c) {
  const std::size_t n = c.rows, k = c.k;
  const auto suspect = [&](std::string_view words, const auto& code) {
    Packed packed(packed_size(shape_of(c)));
    for (std::size_t j = 0; j < round_up(c.rows, kPanelColumns); ++j) {
      for (std::size_t p = 0; p < round_up(c.k, kStep); ++p) {
        packed[packed_place(shape_of(c), j, p)] = code(j, p);
      }
    }
    expect.suspect("N-TAIL", "packed", packed, words);
  };
  const auto code_at = [&](std::size_t at) -> int { return at < n * k ? c.codes[at] : 0; };
  suspect("columns beyond n repeat the last one: they are 0", [&](std::size_t j, std::size_t p) {
    return p < k ? code_at(std::min(j, n - 1) * k + p) : 0;
  });
  suspect("behind k the codes of the next row follow, and should be zeros",
          [&](std::size_t j, std::size_t p) { return code_at(j * k + p); });
  const std::size_t whole = k / kStep * kStep;
  suspect(
      "the codes behind the last whole 32 of a column are left at 0",
      [&](std::size_t j, std::size_t p) { return j < n && p < whole ? code_at(j * k + p) : 0; });
}

/// What other layouts, other paddings and another sign make of the codes.
inline void suspect_packings(Expect& expect, const CodeRows& c) {
  const std::size_t n = c.rows, k = c.k, columns = round_up(c.rows, 4), steps = round_up(c.k, 32);
  const auto placed = [&](const char* code, std::string_view words, const auto& place,
                          const auto& convert, int padding) {
    Packed packed(packed_size(shape_of(c)), static_cast<std::int16_t>(padding));
    for (std::size_t at = 0; at < c.codes.size(); ++at) {
      const std::size_t to = place(at / k, at % k);
      if (to < packed.size()) packed[to] = static_cast<std::int16_t>(convert(c.codes[at]));
    }
    expect.suspect(code, "packed", packed, words);
  };
  const auto same = [](int code) { return code; };
  const auto byte = [](int code) { return code & 255; };
  const auto right = [&](auto j, auto p) { return packed_place(shape_of(c), j, p); };
  const auto laid = [&](const char* code, std::string_view words, const auto& place) {
    placed(code, words, place, same, 0);
  };
  placed("N-SIGN", "codes below 0 are read as 256 more", right, byte, 0);
  for (const int padding : {1, -1, -128, 127, 128}) {
    placed("N-TAIL", "what is beyond n or beyond k is not 0", right, same, padding);
  }
  constexpr const char* kAlongColumns =
      "codes of one p lie side by side, and those of one column should";
  laid("N-TRANS", kAlongColumns, [&](auto j, auto p) { return p * columns + j; });
  laid("N-TRANS", kAlongColumns, [&](auto j, auto p) { return p * n + j; });
  laid("N-TRANS", kAlongColumns, [&](auto j, auto p) { return j / 4 * 4 * steps + p * 4 + j % 4; });
  constexpr const char* kWhole = "whole columns lie one behind the other, and not slab by slab";
  laid("N-LAYOUT", kWhole, [&](auto j, auto p) { return j * k + p; });
  laid("N-LAYOUT", kWhole, [&](auto j, auto p) { return j * steps + p; });
  laid("N-LAYOUT", "the last slab is shorter, and is written as if it were 256 deep",
       [&](auto j, auto p) { return p / 256 * 256 * columns + j * 256 + p % 256; });
  laid("N-LAYOUT",
       "slab s begins at 256 * s * columns, and columns is n rounded up to a multiple of 4",
       [&](auto j, auto p) { return right(j, p) - p / 256 * 256 * (columns - n); });
  placed(
      "N-LAYOUT", "packed holds nothing but zeros", right, [](int) { return 0; }, 0);
  suspect_padding(expect, c);
}

/// For a product with m rows, which packing has nothing to do with.
template <int kM>
auto packing_for() {
  return kernel_exercise<&pack_b>(
      [](const Named<CodeRows>& c) {
        return std::tuple(c.codes, out(packed_size(shape_of(c))), MatmulShape{kM, c.rows, c.k});
      },
      [](const CodeRows& c) { return pack_by_definition(c.codes, shape_of(c)); },
      equals("packed", suspect_packings));
}
inline const auto packing = packing_for<3>();

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
