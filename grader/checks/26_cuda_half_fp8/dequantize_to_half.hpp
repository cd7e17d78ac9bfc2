// Lab 26, dequantize_to_half: what is right, and what people write instead.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/slips.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

template <class Value>
Halves halves(const RowsCase& c, const Value& value) {
  return matrix<std::uint16_t>(c.rows, c.k, [&](auto i, auto p) {
    return simt::encode<HalfFormat>(value(c.scales[i], c.at(i, p)));
  });
}

inline Halves right_halves(const RowsCase& c) {
  return halves(c, [](float scale, float code) { return scale * code; });
}

/// Right but for every second number, from `first` on, which is rounded towards 0.
inline Halves half_cut(const RowsCase& c, std::size_t first) {
  Halves cut = right_halves(c);
  for (std::size_t at = first; at < cut.size(); at += 2) {
    const float product = c.scales[at / std::size_t(c.k)] * c.x[at];
    cut[at] = std::uint16_t(simt::encode<HalfFormat>(product, Rounding::kTowardZero));
  }
  return cut;
}

inline std::vector<Slip<Halves>> slips_of_halves(const RowsCase& c) {
  const auto rounded_first = halves(c, [](float scale, float code) {
    return simt::decode<HalfFormat>(simt::encode<HalfFormat>(scale)) * code;
  });
  constexpr const char* kOneOfTwo = "one number of each pair is rounded towards 0";
  return {{"N-FORMULA", "the scale was rounded to a half first, and stays a float", rounded_first},
          {"N-TRUNC", kOneOfTwo, half_cut(c, 0)},
          {"N-TRUNC", kOneOfTwo, half_cut(c, 1)}};
}

/// Pairs the wrong way round, no signs, a quotient; roundings, an end where there is infinity.
inline void suspect_halves(Expect& expect, const RowsCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& value) {
    expect.suspect(code, "h", halves(c, value), words);
  };
  Halves turned = right_halves(c);
  for (std::size_t at = 0; at + 1 < turned.size(); at += 2) std::swap(turned[at], turned[at + 1]);
  expect.suspect("N-LAYOUT", "h", turned, "the two halves of a word are exchanged");
  expect.suspect("N-AXIS", "h",
                 matrix<std::uint16_t>(c.rows, c.k,
                                       [&](auto i, auto p) {
                                         return simt::encode<HalfFormat>(c.scales[0] * c.at(i, p));
                                       }),
                 "all rows have the scale of row 0");
  suspect("N-SIGN", "codes below 0 are read as 256 more",
          [](float scale, float code) { return scale * (code < 0 ? code + 256 : code); });
  suspect("N-SCALE", "a code is divided by its scale",
          [](float scale, float code) { return code / scale; });
  suspect("N-SCALE", "a code is not scaled", [](float, float code) { return code; });
  suspect("N-INF", "from 65520 on a half is infinite, and here it ends at 65504",
          [](float scale, float code) {
            return std::fmin(65504.0f, std::fmax(-65504.0f, scale * code));
          });
  expect.suspect("N-TRUNC", "h",
                 matrix<std::uint16_t>(c.rows, c.k,
                                       [&](auto i, auto p) {
                                         return simt::encode<HalfFormat>(c.scales[i] * c.at(i, p),
                                                                         Rounding::kTowardZero);
                                       }),
                 "halves are rounded towards 0");
}

inline const auto to_half = kernel_exercise<&dequantize_to_half>(
    [](const RowsCase& c) {
      return std::tuple(each_of(c.x, [](float code) { return static_cast<std::int8_t>(code); }),
                        c.scales, out(c.x.size()), std::int64_t{c.k});
    },
    right_halves,
    [](Expect& expect, const RowsCase& c, const Halves& got, const Halves& right) {
      std::vector<Slip<Halves>> slips;
      if (expect.asks_for_suspects(got, right)) {
        suspect_halves(expect, c);
        slips = slips_of_halves(c);
      }
      expect_no_slip(expect, "h", got, right, shape_of(c), slips);
    });

inline std::vector<RowsCase> code_cases(const std::vector<std::array<int, 2>>& sizes, Seed seeds) {
  return each_of(sizes, [&](const std::array<int, 2>& size, std::uint64_t at) {
    const auto [rows, k] = size;
    const auto codes = code_tensor<int>(std::size_t(rows) * k, seeds(2 * at), -128, 127);
    RowsCase c{rows_text(rows, k), rows, k, Reals(codes.begin(), codes.end())};
    c.scales = uniform_tensor(std::size_t(rows), seeds(2 * at + 1), 0.001f, 0.1f);
    c.step = 8;
    return c;
  });
}

inline RowsCase codes_with(std::string name, const Reals& scales, const Reals& codes) {
  RowsCase c{std::move(name), int(scales.size()), int(codes.size() / scales.size()), codes, scales};
  c.step = 8;
  return c;
}

// Powers of two; ties to both sides; the last finite half, and the first infinite number; the
// smallest halves, and ties among them.
inline void check_halves_by_hand() {
  to_half.gives(
      {{codes_with("Halves", {0.5f}, {1, -2, 3, -4, 5, -6, 127, -128}),
        {0x3800, 0xbc00, 0x3e00, 0xc000, 0x4100, 0xc200, 0x53f0, 0xd400}},
       {codes_with("TwoRows", {2, 0.25f}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}),
        {0x4000, 0x4400, 0x4600, 0x4800, 0x4900, 0x4a00, 0x4b00, 0x4c00, 0x3400, 0x3800, 0x3a00,
         0x3c00, 0x3d00, 0x3e00, 0x3f00, 0x4000}},
       {codes_with("Ties", {1 + 0x1p-11f, 1 + 3 * 0x1p-11f},
                   {1, -1, 2, -2, 0, 4, 8, 64, 1, -1, 2, -2, 0, 4, 8, 64}),
        {0x3c00, 0xbc00, 0x4000, 0xc000, 0, 0x4400, 0x4800, 0x5400, 0x3c02, 0xbc02, 0x4002, 0xc002,
         0, 0x4402, 0x4802, 0x5402}},
       {codes_with("Largest", {520}, {125, -125, 126, -126, 127, -128, 123, 1}),
        {0x7bef, 0xfbef, 0x7c00, 0xfc00, 0x7c00, 0xfc00, 0x7bcf, 0x6010}},
       {codes_with("Smallest", {0x1p-25f}, {1, 2, 3, -1, -2, -3, 5, 0}),
        {0, 1, 2, 0x8000, 0x8001, 0x8002, 2, 0}}});
  to_half.is_right(code_cases({{3, 256}}, seed));
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
