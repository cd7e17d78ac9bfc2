// Lab 14, pack_b: what is right, and what people write instead.
#pragma once

#include "cpu_int8_gemm.hpp"

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

/// There need not be an a.
inline MatmulShape shape_of(const CodeRows& c) { return {0, c.rows, c.k}; }

/// What other layouts, other paddings and another sign make of the codes.
inline void suspect_packings(Expect& expect, const CodeRows& c) {
  const std::size_t n = c.rows, k = c.k, columns = round_up(c.rows, 4), steps = round_up(c.k, 32);
  const auto placed = [&](const char* code, const auto& place, const auto& convert, int padding) {
    Packed packed(packed_size(shape_of(c)), static_cast<std::int16_t>(padding));
    for (std::size_t at = 0; at < c.codes.size(); ++at) {
      const std::size_t to = place(at / k, at % k);
      if (to < packed.size()) packed[to] = static_cast<std::int16_t>(convert(c.codes[at]));
    }
    expect.suspect(code, "packed", packed);
  };
  const auto same = [](int code) { return code; };
  const auto byte = [](int code) { return code & 255; };
  const auto right = [&](auto j, auto p) { return packed_place(shape_of(c), j, p); };
  const auto laid = [&](const char* code, const auto& place) { placed(code, place, same, 0); };
  placed("N-SIGN", right, byte, 0);
  for (const int padding : {1, -1, -128, 127, 128}) placed("N-TAIL", right, same, padding);
  laid("N-TRANS", [&](auto j, auto p) { return p * columns + j; });
  laid("N-TRANS", [&](auto j, auto p) { return p * n + j; });
  laid("N-TRANS", [&](auto j, auto p) { return j / 4 * 4 * steps + p * 4 + j % 4; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * k + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return j * steps + p; });
  laid("N-LAYOUT", [&](auto j, auto p) { return p / 256 * 256 * columns + j * 256 + p % 256; });
  laid("N-LAYOUT", [&](auto j, auto p) { return right(j, p) - p / 256 * 256 * (columns - n); });
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
