// Lab 26, quantize_fp8: what is right, and what people write instead.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cfloat>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "checks/26_cuda_half_fp8/quantize_int4.hpp"
#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/slips.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

template <class Encode>
Bytes fp8_codes(const RowsCase& c, const Reals& scales, const Encode& encode) {
  return matrix<std::uint8_t>(c.rows, c.k,
                              [&](auto i, auto p) { return encode(c.at(i, p) / scales[i]); });
}

inline Reals fp8_scales(const RowsCase& c) {
  return each_of(magnitudes(c, c.k),
                 [&](float amax) { return amax == 0 ? 1 : std::fmin(amax, c.limit) / 448; });
}

inline std::uint32_t saturated(float x) {
  return simt::encode<E4m3Format>(x, Rounding::kNearestEven, Overflow::kSaturate);
}

inline Answer right_fp8(const RowsCase& c) {
  const Reals scales = fp8_scales(c);
  return {fp8_codes(c, scales, saturated), scales};
}

inline void suspect_fp8(Expect& expect, const RowsCase& c, const Reals& scales) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& encode) {
    expect.suspect(code, "q", fp8_codes(c, scales, encode), words);
  };
  suspect("N-CLAMP", "beyond -448 a conversion that does not saturate gives NaN",
          [](float x) { return x < -448 ? simt::encode<E4m3Format>(x) : saturated(x); });
  suspect("N-TRUNC", "codes are rounded towards 0", [](float x) {
    return simt::encode<E4m3Format>(x, Rounding::kTowardZero, Overflow::kSaturate);
  });
  suspect("N-SIGN0", "a 0 keeps its sign",
          [](float x) { return x == 0 ? std::uint32_t{0} : saturated(x); });
  suspect("N-FLUSH", "numbers below 2^-6 are taken for 0", [](float x) {
    return std::fabs(x) < 0x1p-6f ? (std::signbit(x) ? 0x80u : 0u) : saturated(x);
  });
  suspect("N-FORMULA", "a quotient is rounded to a half first, and then to e4m3", [](float x) {
    return saturated(
        static_cast<float>(simt::decode<simt::HalfFormat>(simt::encode<simt::HalfFormat>(x))));
  });
  suspect("N-FORMULA", "the codes are those of e5m2", [](float x) {
    return simt::encode<simt::E5m2Format>(x, Rounding::kNearestEven, Overflow::kSaturate);
  });
  expect.suspect("N-SCALE", "q",
                 fp8_codes(c, each_of(scales, [](float scale) { return 1 / scale; }), saturated),
                 "x is multiplied by its scale, and should be divided");
  expect.suspect("N-AXIS", "q", fp8_codes(c, Reals(scales.size(), scales.front()), saturated),
                 "all rows have the scale of row 0");
}

/// Codes of a lane that knows only the largest magnitude of some lanes: counts(lane, other).
template <class Counts>
Bytes codes_by_lanes(const RowsCase& c, const Counts& counts) {
  const auto lane_of = [](std::ptrdiff_t p) { return p / 4 % 32; };
  return matrix<std::uint8_t>(c.rows, c.k, [&](auto i, auto p) {
    float amax = 0;
    for (std::ptrdiff_t other = 0; other < c.k; ++other) {
      if (counts(lane_of(p), lane_of(other))) amax = std::fmax(amax, std::fabs(c.at(i, other)));
    }
    return saturated(c.at(i, p) / (amax == 0 ? 1 : std::fmin(amax, c.limit) / 448));
  });
}

inline std::vector<Slip<Bytes>> slips_of_fp8(const RowsCase& c, const Reals& scales) {
  const auto by_product = matrix<std::uint8_t>(
      c.rows, c.k, [&](auto i, auto p) { return saturated(c.at(i, p) * (1 / scales[i])); });
  return {{"N-FORMULA", "x * (1 / scale) is rounded twice: divide", by_product},
          {"N-FORMULA", "a lane's codes come from its own largest magnitude, not from its row's",
           codes_by_lanes(c, [](auto lane, auto other) { return lane == other; })},
          {"N-FORMULA", "lane 0 alone knows the largest magnitude of its row: all lanes need it",
           codes_by_lanes(c, [](auto lane, auto other) { return lane <= other; })},
          {"N-CLAMP", "beyond 448 a conversion that does not saturate gives NaN",
           fp8_codes(c, scales, [](float x) { return simt::encode<E4m3Format>(x); })}};
}

inline void suspect_fp8_scales(Expect& expect, const RowsCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& scale) {
    expect.suspect(code, "scales", each_of(magnitudes(c, c.k), scale), words);
  };
  suspect("N-SCALE", "limit is left out: min(amax, limit) / 448",
          [](float a) { return a == 0 ? 1 : a / 448; });
  suspect("N-SCALE", "a limit above amax is taken: min(amax, limit) / 448",
          [&](float a) { return a == 0 ? 1 : std::fmax(a, c.limit) / 448; });
  suspect("N-SCALE", "448 is divided by amax, and amax should be by 448",
          [&](float a) { return a == 0 ? 1 : 448 / std::fmin(a, c.limit); });
  suspect("N-RANGE", "amax is divided by 127, and should be by 448",
          [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 127; });
  suspect("N-RANGE", "amax is divided by 240, and should be by 448",
          [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 240; });
  suspect("N-AXIS", "all rows have the scale of the largest magnitude of all",
          [&](float) { return std::fmin(max_abs(c.x), c.limit) / 448; });
  suspect("N-DIV0", "a row of zeros has the scale 1",
          [&](float a) { return std::fmin(a, c.limit) / 448; });
}

/// amax is raised: to what, the answer for a row of zeros says.
inline void suspect_raised(Expect& expect, const Reals& amax, const Reals& right,
                           const Reals& got) {
  const auto zeros = std::size_t(std::ranges::find(amax, 0.0f) - amax.begin());
  const float least = zeros < got.size() ? got[zeros] : 0;
  if (zeros < amax.size() && !(0 < least && least <= FLT_EPSILON)) return;
  const auto raised = [&](float scale, std::size_t i) {
    return amax[i] == 0 ? least : std::max(scale, least);
  };
  expect.suspect("N-DIV0", "scales", each_of(right, raised),
                 "amax is raised to a least value: where it is 0, the scale is 1");
}

inline const auto to_fp8 = kernel_exercise<&quantize_fp8>(
    [](const RowsCase& c) {
      return std::tuple(c.x, out(c.x.size()), out(std::size_t(c.rows)), c.limit, std::int64_t{c.k});
    },
    right_fp8,
    [](Expect& expect, const RowsCase& c, const Answer& got, const Answer& right) {
      const auto& [q, scales] = got;
      std::vector<Slip<Reals>> slips;
      if (expect.asks_for_suspects(scales, std::get<1>(right))) {
        suspect_fp8_scales(expect, c);
        suspect_raised(expect, magnitudes(c, c.k), std::get<1>(right), scales);
        slips = slips_of_magnitudes(
            c, c.k, [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 448; });
      }
      expect_no_slip(expect, "scales", scales, std::get<1>(right), {scales.size()}, slips);
      if (expect.asks_for_suspects(q, std::get<0>(right)))
        suspect_fp8(expect, c, std::get<1>(right));
      expect_bytes(expect, "q", q, std::get<0>(right), shape_of(c),
                   [&] { return slips_of_fp8(c, std::get<1>(right)); });
    });

inline RowsCase row_with(std::string name, int rows, const Reals& x, float limit = kInfinity) {
  RowsCase c{std::move(name), rows, int(x.size()) / rows, x};
  c.limit = limit;
  return c;
}

inline std::vector<RowsCase> fp8_cases(const std::vector<std::array<int, 2>>& sizes, float limit,
                                       Seed seeds) {
  return each_of(sizes, [&](const std::array<int, 2>& size, std::uint64_t at) {
    const auto [rows, k] = size;
    return row_with(rows_text(rows, k), rows,
                    normal_tensor(std::size_t(rows) * std::size_t(k), seeds(at), 2.0f), limit);
  });
}

/// What lies half-way between two e4m3 numbers.
inline Reals fp8_ties() {
  Reals ties;
  for (std::uint32_t code = 0; code < E4m3Format::kMaxFinite; ++code) {
    ties.push_back((simt::decode<E4m3Format>(code) + simt::decode<E4m3Format>(code + 1)) / 2);
  }
  return ties;
}

/// All e4m3 numbers, what lies half-way between two, and the floats beside that: with scale 1.
inline Reals every_step() {
  Reals x;
  for (std::uint32_t code = 0; code <= E4m3Format::kMaxFinite; ++code) {
    x.insert(x.end(), {simt::decode<E4m3Format>(code), simt::decode<E4m3Format>(code | 0x80)});
  }
  for (const float tie : fp8_ties()) {
    x.insert(x.end(), {tie, -tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 448.0f)});
  }
  x.resize(x.size() / 4 * 4);
  return x;
}

inline void check_fp8_by_hand() {
  to_fp8.gives(
      {{row_with("Codes", 1,
                 {448, -1, 0.5f, 0, 2, -4, 8, -16, 32, -64, 1, -2, 4, 1, -1, 2, -8, 2, 1, -1}),
        {{0x7e, 0xb8, 0x30, 0x00, 0x40, 0xc8, 0x50, 0xd8, 0x60, 0xe8,
          0x38, 0xc0, 0x48, 0x38, 0xb8, 0x40, 0xd0, 0x40, 0x38, 0xb8},
         {1}}},
       {row_with("TwoRows", 2, {224, 1, -2, 4, -896, 2, 4, -8}),
        {{0x7e, 0x40, 0xc8, 0x50, 0xfe, 0x38, 0x40, 0xc8}, {0.5f, 2}}},
       {row_with("Ties", 1, {448, 1.0625f, 1.1875f, -1.0625f}), {{0x7e, 0x38, 0x3a, 0xb8}, {1}}},
       {row_with("ZeroRow", 2, {0, 0, 0, 0, 448, 448, 448, 448}),
        {{0, 0, 0, 0, 0x7e, 0x7e, 0x7e, 0x7e}, {1, 1}}}});
  to_fp8.is_right({row_with("EveryStep", 1, every_step())});
  to_fp8.is_right(half_way(fp8_ties(), 448, 4));
  to_fp8.is_right(fp8_cases({{3, 8}, {3, 260}}, kInfinity, seed));
}

// Up to 464 the nearest code is that of 448; then there is none.
inline void check_fp8_saturates() {
  to_fp8.gives({{row_with("BeyondTheLimit", 1, {448, 464, 465, 1e6f, -464, -465, -1e6f, 1}, 448),
                 {{0x7e, 0x7e, 0x7e, 0x7e, 0xfe, 0xfe, 0xfe, 0x38}, {1}}},
                {row_with("LimitIsNotReached", 1, {1, -224, 2, 3}, 448),
                 {{0x40, 0xfe, 0x48, 0x4c}, {0.5f}}}});
  to_fp8.is_right(fp8_cases({{2, 64}, {5, 132}}, 2.0f, seed));
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
